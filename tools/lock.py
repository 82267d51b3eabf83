"""The lock file: what it pins, and what else than pyproject's extras goes into it.

`make lock` writes requirements-dev.lock. As a program this prints the packages that build tamis, for that file.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements-dev.lock"

_ENTRY = re.compile(
    r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)


class Pin(NamedTuple):
    """One version of a package; `marker` says on which systems, empty on all."""

    name: str
    version: str
    marker: str


def pins(text: str) -> list[Pin]:
    """The packages of a lock file. Raises ValueError for a line that is neither a pin with hashes nor a comment."""
    if rest := re.sub(r"^#.*\n", "", _ENTRY.sub("", text), flags=re.MULTILINE).strip():
        raise ValueError(f"not a pin with hashes: {rest.splitlines()[0]}")
    return [Pin(name, version, marker) for name, version, marker, _ in _ENTRY.findall(text)]


def build_requirements() -> list[str]:
    """What builds tamis; hatchling asks for editables where tamis is installed as a link to the checkout."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [*project["build-system"]["requires"], "editables>=0.5,<1"]


if __name__ == "__main__":
    print("\n".join(build_requirements()))
