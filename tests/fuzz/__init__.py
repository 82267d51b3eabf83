import sys
from pathlib import Path

# The tests of all packages are one namespace, `tests`.
sys.path += map(str, (Path(__file__).parents[2] / "packages").iterdir())
