"""Refuse files that are too large to commit: python -m tools.large_files FILE ...

Weights are the largest files of the repository and have their own limit. Pages of a corpus, reports of the benchmark
and checkpoints do not belong into it.
"""

from __future__ import annotations

import sys
from pathlib import Path

# Bytes. The largest other file is requirements-dev.lock with 290 kB.
LIMIT = 400_000
# Bytes. The largest is the picture network of GOCE with 9.6 MB.
WEIGHTS_LIMIT = 12_000_000


def too_large(path: Path, size: int) -> bool:
    """Is a file of this name and size too large?"""
    return size > (WEIGHTS_LIMIT if "weights" in path.parts else LIMIT)


def main(names: list[str]) -> int:
    """Print the files that are too large, and return their number."""
    found = [name for name in names if Path(name).is_file() and too_large(Path(name), Path(name).stat().st_size)]
    for name in found:
        print(f"{name}: {Path(name).stat().st_size:,} bytes are too large to commit")
    return len(found)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
