"""Plant ten bugs, one after the other, in a copy of the project: which suite finds them?

    .venv/bin/python -m tools.mutants          each by `make check`'s tests, and by `make test`'s if these pass

Run it after tests were removed or moved. A line says which suite found a bug and by which test, or that none did.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SUITES = {"check": (".venv-check", "not slow and not nightly"), "test": (".venv", "not nightly")}


class Mutant(NamedTuple):
    """A bug: the right text in a file, and the wrong one that replaces it."""

    name: str
    file: str
    right: str
    wrong: str


MUTANTS = (
    Mutant(
        "a wrong threshold",
        "packages/tamis/kernel/policy.c",
        ".threshold = threshold + added_threshold",
        ".threshold = threshold + 1 + added_threshold",
    ),
    Mutant(
        "sums over elements, off by one",
        "packages/tamis/src/tamis/document/table.py",
        "self.end) - total[:-1]",
        "self.end) - total[1:]",
    ),
    Mutant(
        "a dropped escape of tags",
        "packages/tamis/src/tamis/render/inline.py",
        "    | <(?=[a-zA-Z/!?\\x03])          # tags\n",
        "",
    ),
    Mutant(
        "a lost record of a chunk",
        "packages/tamis/src/tamis/batch/many.py",
        "yield tuple(chunk)\n            chunk",
        "yield tuple(chunk[:-1])\n            chunk",
    ),
    Mutant(
        "a mark of the encoding that stays",
        "packages/tamis/src/tamis/document/decode.py",
        "data[len(mark) :].decode",
        "data.decode",
    ),
    Mutant(
        "aria-hidden blocks are read",
        "packages/tamis/src/tamis/document/hiding.py",
        "[aria-hidden=true i]",
        "[aria-hidden=TRUE]",
    ),
    Mutant(
        "data: addresses are safe",
        "packages/tamis/src/tamis/render/safe.py",
        '{"mailto", "tel"}',
        '{"mailto", "tel", "data"}',
    ),
    Mutant(
        "American dates everywhere",
        "packages/tamis/src/tamis/document/dates/calendars.py",
        "if votes < 0 else usual_order(language)",
        'if votes < 0 else "mdy"',
    ),
    Mutant(
        "a cut block without its end",
        "packages/tamis/src/tamis/render/chunks.py",
        "while first <= last:",
        "while first < last:",
    ),
    Mutant(
        "redirects into private networks",
        "packages/tamis/src/tamis/web/request.py",
        "not all(map(is_public, route.judged))",
        "rules.allow_private",
    ),
)


def run(suite: str, copy: Path) -> str | None:
    """The first test of a suite that fails in a copy, or None."""
    environment, marked = SUITES[suite]
    command = [str(ROOT / environment / "bin/python"), "-m", "pytest", "-x", "-q", "-n", "auto", "--dist", "loadgroup"]
    sources = os.pathsep.join(str(path) for path in copy.glob("packages/*/src"))
    ended = subprocess.run(
        [*command, "-p", "no:cacheprovider", "-m", marked],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": sources, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0] if lines else None if ended.returncode == 0 else f"pytest ended with {ended.returncode}"


def found(mutant: Mutant) -> str:
    """Which suite finds a bug, and by which test."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "tamis"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "build", "dist", "__pycache__"))
        path = copy / mutant.file
        source = path.read_text(encoding="utf-8")
        if source.count(mutant.right) != 1:
            raise SystemExit(f"{mutant.file} has {mutant.right!r} {source.count(mutant.right)} times: update this list")
        path.write_text(source.replace(mutant.right, mutant.wrong), encoding="utf-8")
        library = copy / "packages/tamis/src/tamis/kernel/kernel.so"
        subprocess.run([sys.executable, "packages/tamis/kernel/build.py", "library", library], cwd=copy, check=True)
        for suite in SUITES:
            if test := run(suite, copy):
                return f"{suite:5}  {test}"
    return "none"


def main(names: list[str]) -> None:
    """Plant all bugs, or those whose names hold one of these words."""
    for mutant in MUTANTS:
        if not names or any(name in mutant.name for name in names):
            print(f"{mutant.name}: {found(mutant)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
