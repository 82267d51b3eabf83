"""How `make readme` runs a command of the documentation: as written, unless a row of the table says otherwise.

Whoever documents a command that can't run on any machine in minutes adds a row. A row that no command needs any more is
an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class How(Enum):
    """What is done in place of running a command as it is written."""

    LEFT_OUT = "left out"
    DRY = "make -n"  # the target exists, and make knows how
    SHORTER = "with options that make it short"
    CORPUS = "shorter where TAMIS_DATA is set; else it must refuse in one line"


class Row(NamedTuple):
    """The commands and blocks of Python that a pattern finds; `add` makes them short, without it they are left out."""

    pattern: str
    how: How
    why: str
    add: str = ""


_HOURS = "reads whole corpora, for minutes or hours"

# The first row that fits counts.
TABLE = (
    Row(r"^make check$", How.DRY, "the tests of the core, a minute"),
    Row(r"^make (test|nightly)$", How.DRY, "all tests, and gigabytes of packages"),
    Row(r"^make scores\b", How.DRY, "needs seven corpora, and weights that take long to train"),
    Row(r"^make gate$", How.DRY, "needs six corpora"),
    Row(r"^make bench$", How.DRY, "minutes of measuring, and all packages"),
    Row(r"\.venv/bin/pre-commit |-m pytest ", How.LEFT_OUT, "needs what `make test` installs, some gigabytes"),
    Row(r"\bray start |--engine ray|\[ray\]", How.LEFT_OUT, "needs several machines; tests/integrations starts a Ray"),
    Row(r"^docker ", How.LEFT_OUT, "needs a container engine; tests/container runs the steps of the Dockerfile"),
    Row(r"^tamis (serve|mcp)", How.LEFT_OUT, "runs until it is ended; tests/server runs it"),
    Row(r"^curl .*(127\.0\.0\.1|localhost):8000", How.LEFT_OUT, "needs a running server; tests/server asks one"),
    Row(r"WarcReader", How.LEFT_OUT, "needs datatrove and libmagic; tests/integrations runs it"),
    Row(r"mapInPandas", How.LEFT_OUT, "needs Spark and Java; tests/integrations runs it"),
    Row(r"--device cuda|device=\"cuda\"", How.LEFT_OUT, "needs a GPU"),
    Row(r"^tamis train .*--corpus [\w-]+:", How.CORPUS, _HOURS),
    Row(r"^tamis bench .*=build/tamis", How.CORPUS, "needs weights that take long to train"),
    Row(r"^tamis bench (?!.*--corpus my-)", How.CORPUS, _HOURS, "--limit 3"),
    Row(r"^tamis reproduce ", How.CORPUS, _HOURS),
    Row(r"^tamis corpora --alignment$", How.CORPUS, _HOURS, "--corpus cleaneval:dev"),
    Row(r"-m benchmarks\.(speed|tamis|web2text)$", How.CORPUS, _HOURS),
    Row(
        r"-m benchmarks\.hostile$",
        How.LEFT_OUT,
        "a busy machine fails its limits; tests/hostile has its pages",
    ),
    Row(r"\btamis train .*--corpus my-site", How.SHORTER, "trains for minutes", "--epochs 2"),
    Row(r"-m benchmarks\.batch$", How.SHORTER, "measures for minutes", "--pages 200 --curve 0"),
)


class Plan(NamedTuple):
    """What is run for a command, or nothing; `refused`: it must end with a line that says what it lacks."""

    run: str | None
    note: str
    refused: bool = False


def row_of(written: str, table: Iterable[Row] = TABLE) -> Row | None:
    """The row for a command or a block of Python."""
    return next((row for row in table if re.search(row.pattern, written)), None)


def stale(written: Iterable[str], table: Iterable[Row] = TABLE) -> list[Row]:
    """The rows that are for none of these commands and blocks."""
    used = {row_of(each, table) for each in written}
    return [row for row in table if row not in used]


def plan(written: str, *, corpora: bool, server: str, table: Iterable[Row] = TABLE) -> Plan:
    """How to run a command where there are corpora, and a server at an address that stands for the web."""
    row = row_of(written, table)
    if row is None:
        return _here(Plan(written, ""), server)
    if row.how is How.DRY:
        return Plan(written.replace("make ", "make -n ", 1), f"not run, {row.why}")
    if row.how is How.CORPUS and not corpora:
        return _here(Plan(written, "no corpora here: must say so in one line", refused=True), server)
    if row.add:
        return _here(Plan(f"{written} {row.add}", row.why), server)
    return Plan(None, row.why)


# A package of the project that a pip command names, and not its folder.
_NAMED = re.compile(r"(\s)('?)(tamis(?:-papers|-lab)?(?=[\['\s]|$))")
# Hosts that exist in documentation only.
_WEB = re.compile(r"https?://(?:[\w-]+\.)*example(?:\.(?:org|com|net))?/")


def _here(planned: Plan, server: str) -> Plan:
    """The same without the web and the package index, and in the environment of the pip commands."""
    run = planned.run or ""
    install, joint, rest = run.partition(" && ")
    if install.startswith("pip "):
        run = _NAMED.sub(r"\1\2./packages/\3", install) + joint + rest  # this checkout, not the tamis of the index
    run = re.sub(r"(^|\s)\.venv/bin/", r"\1", run)  # where `make test` would install all extras
    local = _WEB.sub(server, run)
    if local != run and not local.startswith("curl "):
        local += " --allow-private"
    return planned._replace(run=local)


def python_here(code: str, server: str) -> str:
    """A block of Python whose `fetch` asks the server that stands for the web."""
    call = re.compile(rf"(fetch\(\s*[\"']){_WEB.pattern}([^\"']*[\"'])")
    return call.sub(rf"\g<1>{server}\g<2>, allow_private=True", code)
