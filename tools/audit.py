"""Ask a public database for known vulnerabilities of all locked packages: python -m tools.audit

The packages are those of requirements-dev.lock and of the extension's package-lock.json; OSV has the advisories of both
worlds. Exit code 1 means that there are some. Where the database can't be reached, one line says that nothing was
checked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from tools.lock import LOCK, ROOT, pins

SERVICE = "https://api.osv.dev/v1/querybatch"
_BATCH = 1_000  # as many questions as the service takes at once
_PATIENCE = 20.0  # seconds for an answer

# Advisories that do not concern us, each with its reason.
ACCEPTED: dict[str, str] = {}


class Package(NamedTuple):
    """A package of an ecosystem, as OSV names it."""

    ecosystem: str
    name: str
    version: str


def locked() -> list[Package]:
    """All packages of the lock files."""
    python = [Package("PyPI", pin.name, pin.version) for pin in pins(LOCK.read_text(encoding="utf-8"))]
    extension = json.loads((ROOT / "extension" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    names = {(where.rpartition("node_modules/")[2], entry["version"]) for where, entry in extension.items() if where}
    return python + [Package("npm", *name) for name in sorted(names)]


def advisories(packages: list[Package], service: str = SERVICE) -> Iterator[tuple[Package, str]]:
    """Each package with each of its advisories. Raises OSError or ValueError if the service does not answer."""
    for start in range(0, len(packages), _BATCH):
        asked = packages[start : start + _BATCH]
        questions = [
            {"package": {"ecosystem": kind, "name": name}, "version": version} for kind, name, version in asked
        ]
        for package, answer in zip(asked, _ask(service, {"queries": questions})["results"], strict=True):
            yield from ((package, found["id"]) for found in answer.get("vulns", ()) if found["id"] not in ACCEPTED)


def _ask(service: str, question: dict[str, Any]) -> dict[str, Any]:
    request = Request(service, json.dumps(question).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=_PATIENCE) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def main(service: str = SERVICE) -> int:
    """Print the advisories, or in one line why there are none."""
    packages = locked()
    try:
        found = list(advisories(packages, service))
    except (OSError, ValueError, LookupError, HTTPException) as error:
        print(f"dependencies were not audited: no answer from the database of vulnerabilities ({error})")
        return 0
    for package, advisory in found:
        print(f"{package.name} {package.version} ({package.ecosystem}): {advisory}")
    print(f"{len(packages)} packages audited, {len(found)} advisories")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
