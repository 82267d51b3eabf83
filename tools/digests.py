"""Write src/tamis/digests.json: the digests of the configs of all shipped models.

Run it after new weights were copied into the package. A config has the digest of its own weights file.
"""

from __future__ import annotations

import json

from tamis.weights import CONFIG, DIGESTS, PACKAGE, digest


def shipped() -> dict[str, str]:
    """The digest of each config in the package, by its place there."""
    configs = sorted(PACKAGE.rglob(f"weights/**/{CONFIG}"))
    return {path.relative_to(PACKAGE).as_posix(): digest(path.read_bytes()) for path in configs}


if __name__ == "__main__":
    DIGESTS.write_text(json.dumps(shipped(), indent=1) + "\n", encoding="utf-8")
