"""NCleaner: A Lightweight and Efficient Tool for Cleaning Web Pages (Evert; LREC 2008)."""

from pathlib import Path

WEIGHTS = Path(__file__).parent / "weights"
