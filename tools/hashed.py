"""Print the entries of a lock file, with their hashes, for the packages that pip has planned to install.

    pip install --dry-run --report plan.json --constraint constraints.txt 'tamis.whl[server,mcp]'
    python hashed.py plan.json requirements-dev.lock > hashed.txt
    pip install --require-hashes --no-deps --requirement hashed.txt

The Dockerfile does so: pip takes hashes only where everything has one, and our own wheel was just built.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path


def hashed(plan: str, lock: str) -> list[str]:
    """The entries of the lock for all of a plan but tamis. Raises ValueError for a package that is not locked."""
    entries = re.findall(r"^\w[^#]*?(?=^\S|\Z)", lock, re.MULTILINE)  # of some packages there is one for each Python
    names = {_normal(each["metadata"]["name"]) for each in json.loads(plan)["install"]} - {"tamis"}
    if missing := names - {_name(entry) for entry in entries}:
        raise ValueError(f"not in the lock file: {', '.join(sorted(missing))}")
    return [entry for entry in entries if _name(entry) in names]


def _name(entry: str) -> str:
    return _normal(entry.partition("==")[0])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    plan, lock = (Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])
    print("".join(hashed(plan, lock)))
