"""The packages of the project, and the lock file: what it pins, and what builds the packages.

`make lock` writes requirements-dev.lock. As a program this prints the packages that build tamis, for that file.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements-dev.lock"
PACKAGES = tuple(ROOT / "packages" / name for name in ("tamis", "tamis-papers", "tamis-lab"))

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


def facts(package: Path) -> dict[str, Any]:
    """What the pyproject.toml in a folder says."""
    return tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))


def build_requirements() -> list[str]:
    """What builds the packages; hatchling asks for editables where one is installed as a link to the checkout."""
    found = {word for package in PACKAGES for word in facts(package)["build-system"]["requires"]}
    return [*sorted(found), "editables>=0.5,<1"]


if __name__ == "__main__":
    print("\n".join(build_requirements()))
