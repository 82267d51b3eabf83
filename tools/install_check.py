"""Can every extra be installed with the pip that comes with Python? As a program it asks pip, which needs a network.

For the oldest pip that comes with this Python, and for the one that comes with it now, a fresh environment resolves
each extra of each package without installing it. Fails where pip does, with the last line that it wrote. pip builds
tamis for that, with a C compiler.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from tools.lock import PACKAGES, facts

# With Python 3.11.0 and 3.12.0; later ones come with pip 24 or newer.
OLDEST_PIP = {(3, 11): "22.3", (3, 12): "23.2.1"}


def extras() -> list[tuple[Path, str]]:
    """Each extra, with the package that has it."""
    return [(package, extra) for package in PACKAGES for extra in facts(package)["project"]["optional-dependencies"]]


def main(words: Sequence[str]) -> int:
    """Check the named extras, or all. The exit code is 1 if one can't be installed."""
    failures = 0
    for version in filter(None, (OLDEST_PIP.get(sys.version_info[:2]), "bundled")):
        with tempfile.TemporaryDirectory() as folder:
            venv.create(folder, with_pip=True)
            python = Path(folder) / "bin" / "python"
            if version != "bundled":
                _pip(python, "install", "--quiet", f"pip=={version}").check_returncode()
            for package, extra in extras():
                if words and extra not in words:
                    continue
                needed = PACKAGES[: PACKAGES.index(package)]
                done = _pip(python, "install", "--quiet", "--dry-run", *map(str, needed), f"{package}[{extra}]")
                failures += bool(done.returncode)
                answer = "ok" if not done.returncode else (done.stderr.strip().splitlines() or ["failed"])[-1]
                print(f"pip {version}, {package.name}[{extra}]: {answer}", flush=True)
    return min(failures, 1)


def _pip(python: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([python, "-m", "pip", *words], capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
