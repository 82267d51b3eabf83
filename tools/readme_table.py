"""How `make readme` runs a command of the documentation: as written, unless a row of the table says otherwise.

To document a command that can't run on any machine in minutes, add a row. A row that fits no command is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class How(Enum):
    """What to do instead of running a command as written."""

    LEFT_OUT = "left out"
    DRY = "make -n"  # the target exists, and make knows how
    SHORTER = "with options that make it short"
    CORPUS = "shorter where TAMIS_DATA is set; else it must refuse in one line"


class DocRule(NamedTuple):
    """How to run the commands and blocks of Python that a pattern finds; `add` makes them short."""

    pattern: str
    how: How
    why: str
    add: str = ""


_HOURS = "reads whole corpora, for minutes or hours"

# The first rule that fits counts.
TABLE = (
    DocRule(r"^make check$", How.DRY, "the tests of the core, a minute"),
    DocRule(r"^make (test|nightly)$", How.DRY, "all tests, and gigabytes of packages"),
    DocRule(r"^make scores\b", How.DRY, "needs seven corpora, and weights that take long to train"),
    DocRule(r"^make gate$", How.DRY, "needs six corpora"),
    DocRule(r"^make bench$", How.DRY, "minutes of measuring, and all packages"),
    DocRule(r"\.venv/bin/pre-commit |-m pytest ", How.LEFT_OUT, "needs what `make test` installs, some gigabytes"),
    DocRule(r"\bray start |--engine ray|\[ray\]", How.LEFT_OUT, "needs machines; tests/integrations starts a Ray"),
    DocRule(r"^docker ", How.LEFT_OUT, "needs a container engine; tests/container runs the steps of the Dockerfile"),
    DocRule(r"^tamis (serve|mcp)", How.LEFT_OUT, "runs until it is ended; tests/server runs it"),
    DocRule(r"^curl .*(127\.0\.0\.1|localhost):8000", How.LEFT_OUT, "needs a running server; tests/server asks one"),
    DocRule(r"WarcReader", How.LEFT_OUT, "needs datatrove and libmagic; tests/integrations runs it"),
    DocRule(r"mapInPandas", How.LEFT_OUT, "needs Spark and Java; tests/integrations runs it"),
    DocRule(r"--device cuda|device=\"cuda\"", How.LEFT_OUT, "needs a GPU"),
    DocRule(r"^tamis train .*--corpus [\w-]+:", How.CORPUS, _HOURS),
    DocRule(r"^tamis bench .*=build/tamis", How.CORPUS, "needs weights that take long to train"),
    DocRule(r"^tamis bench (?!.*--corpus my-)", How.CORPUS, _HOURS, "--limit 3"),
    DocRule(r"^tamis reproduce ", How.CORPUS, _HOURS),
    DocRule(r"^tamis corpora --alignment$", How.CORPUS, _HOURS, "--corpus cleaneval:dev"),
    DocRule(r"-m benchmarks\.(speed|tamis|web2text)$", How.CORPUS, _HOURS),
    DocRule(r"-m tamis_lab\.bench\.items\b", How.LEFT_OUT, "needs two corpora; tests of the laboratory run its parts"),
    DocRule(
        r"-m benchmarks\.hostile$",
        How.LEFT_OUT,
        "a busy machine fails its limits; tests/hostile has its pages",
    ),
    DocRule(r"\btamis train .*--corpus my-site", How.SHORTER, "trains for minutes", "--epochs 2"),
    DocRule(r"-m benchmarks\.batch$", How.SHORTER, "measures for minutes", "--pages 200 --curve 0"),
)


class RunPlan(NamedTuple):
    """The line to run for a command, or None; if `refused`, it must end with a line that names the missing part."""

    run: str | None
    note: str
    refused: bool = False


def row_of(written: str, table: Iterable[DocRule] = TABLE) -> DocRule | None:
    """The rule for a command or a block of Python."""
    return next((row for row in table if re.search(row.pattern, written)), None)


def stale(written: Iterable[str], table: Iterable[DocRule] = TABLE) -> list[DocRule]:
    """The rules that fit none of these commands and blocks."""
    used = {row_of(each, table) for each in written}
    return [row for row in table if row not in used]


def plan(written: str, *, corpora: bool, server: str, table: Iterable[DocRule] = TABLE) -> RunPlan:
    """How to run a command, with or without corpora, if a server at this address plays the web."""
    row = row_of(written, table)
    if row is None:
        return _here(RunPlan(written, ""), server)
    if row.how is How.DRY:
        return RunPlan(written.replace("make ", "make -n ", 1), f"not run, {row.why}")
    if row.how is How.CORPUS and not corpora:
        return _here(RunPlan(written, "no corpora here: must say so in one line", refused=True), server)
    if row.add:
        return _here(RunPlan(f"{written} {row.add}", row.why), server)
    return RunPlan(None, row.why)


# A package of the project that a pip command names without its folder.
_NAMED = re.compile(r"(\s)('?)(tamis(?:-papers|-lab)?(?=[\['\s]|$))")
# Hosts that exist only in documentation.
_WEB = re.compile(r"https?://(?:[\w-]+\.)*example(?:\.(?:org|com|net))?/")


def _here(planned: RunPlan, server: str) -> RunPlan:
    """The same plan without the web and the package index, in the environment of the pip commands."""
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
    """A block of Python whose `fetch` asks the local server instead of the web."""
    call = re.compile(rf"(fetch\(\s*[\"']){_WEB.pattern}([^\"']*[\"'])")
    return call.sub(rf"\g<1>{server}\g<2>, allow_private=True", code)
