"""Write digests.json of each package: the digests of the configs of all models that it ships.

Run it after new weights were copied into a package. A config has the digest of its own weights file.
"""

from __future__ import annotations

import json
from pathlib import Path

import tamis_papers
from tamis.weights import CONFIG, DIGESTS, PACKAGE, digest

PACKAGES = (PACKAGE, Path(tamis_papers.__file__).parent)


def shipped(package: Path) -> dict[str, str]:
    """The digest of each config in a package, by its place there."""
    configs = sorted(package.rglob(f"weights/**/{CONFIG}"))
    return {path.relative_to(package).as_posix(): digest(path.read_bytes()) for path in configs}


if __name__ == "__main__":
    for package in PACKAGES:
        (package / DIGESTS).write_text(json.dumps(shipped(package), indent=1) + "\n", encoding="utf-8")
