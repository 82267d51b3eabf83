"""Run contestants on the pages of corpora: every pair is one line of a results file, and a run can be resumed."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from tamis.errors import OptionError
from tamis_lab import corpora, metrics
from tamis_lab.bench import competitors
from tamis_lab.bench.workers import DEADLINE, GRACE, Outcome, Status, measure
from tamis_lab.corpora.catalogue import SEED, Corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.extras import needs

Show = Callable[[Iterator[Any], int, str], Iterator[Any]]


class Selection(NamedTuple):
    """A corpus or one split of it; with a limit, as many of its pages, see `Corpus.sample`."""

    corpus: Corpus
    split: str | None = None
    limit: int | None = None
    seed: int = SEED

    @property
    def label(self) -> str:
        """The name as it is written on the command line."""
        name = self.corpus.info.name
        return f"{name}:{self.split}" if self.split else name

    @property
    def size(self) -> int:
        """The number of pages."""
        every = len(self.corpus.entries(self.split))
        return min(every, self.limit or every)

    def pages(self) -> Iterator[CorpusPage]:
        """The pages, read one by one."""
        if self.limit is None:
            return self.corpus.pages(self.split)
        return self.corpus.sample(self.split, self.limit, self.seed)


@dataclass(frozen=True)
class Result:
    """One contestant on one page, as a line of the results file."""

    corpus: str
    digest: str
    split: str
    id: str
    page_type: str | None
    language: str | None
    year: int | None
    contestant: str
    version: str
    metrics: str  # a hash of the code that read the gold and scored
    status: Status
    seconds: float
    precision: float | None  # None for a page without gold
    recall: float | None
    f1: float | None
    wanted: int
    wanted_found: int
    unwanted: int
    unwanted_found: int
    error: str

    @property
    def key(self) -> tuple[str, ...]:
        """A line with the same key need not be computed again."""
        return (self.corpus, self.digest, self.split, self.id, self.contestant, self.version, self.metrics)

    @property
    def page(self) -> tuple[str, str]:
        """Identifies the page within its corpus."""
        return (self.split, self.id)


def run(
    selections: Sequence[Selection],
    contestants: Sequence[str],
    output: Path,
    *,
    workers: int | None = None,
    deadline: float = DEADLINE,
    grace: float = GRACE,
) -> dict[str, list[Result]]:
    """Run every contestant on every page and return the results by label of the selection.

    Each result is a line of `output`; those already there are not computed again. Raises OptionError and MissingExtra
    for contestants that don't exist or are not installed, before anything runs.
    """
    versions = {name: competitors.version(name) for name in contestants}
    scored_by = _metrics_digest()
    known = {result.key: result for result in read_results(output)}
    found: dict[str, list[Result]] = {}
    with appending(output) as lines, progress() as show:
        for selection in selections:
            digest = selection.corpus.digest()
            results: list[Result] = []
            pages = show(selection.pages(), selection.size, selection.label)
            todo = _todo(pages, digest, versions, scored_by, known, results)
            for page, name, outcome in measure(todo, versions, workers=workers, deadline=deadline, grace=grace):
                result = _result(page, digest, name, versions[name], scored_by, outcome)
                lines.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
                lines.flush()
                results.append(result)
            found[selection.label] = sorted(results, key=lambda result: (result.contestant, result.page))
    return found


def read_results(path: Path) -> Iterator[Result]:
    """The results of a file, without lines that are incomplete or have another format."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            with suppress(ValueError, TypeError):
                yield Result(**json.loads(line))


def _metrics_digest() -> str:
    digest = hashlib.sha256()
    # The readers are part of it: they say what the gold is.
    for path in sorted(
        file for module in (metrics, corpora) for file in Path(module.__file__ or "").parent.glob("*.py")
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def _todo(
    pages: Iterator[CorpusPage],
    digest: str,
    versions: dict[str, str],
    scored_by: str,
    known: dict[tuple[str, ...], Result],
    results: list[Result],
) -> Iterator[tuple[CorpusPage, list[str]]]:
    """The pages with the contestants still to run; what is known already goes to `results`."""
    for page in pages:
        missing = []
        for name, version in versions.items():
            key = (page.corpus, digest, page.split, page.id, name, version, scored_by)
            if key in known:
                results.append(known[key])
            else:
                missing.append(name)
        if missing:
            yield page, missing


def _result(page: CorpusPage, digest: str, name: str, version: str, scored_by: str, outcome: Outcome) -> Result:
    measured = outcome._asdict() | {"seconds": round(outcome.seconds, 6)}
    del measured["text"]
    return Result(
        corpus=page.corpus,
        digest=digest,
        split=page.split,
        id=page.id,
        page_type=page.page_type,
        language=page.language,
        year=page.year,
        contestant=name,
        version=version,
        metrics=scored_by,
        **measured,
    )


@contextmanager
def appending(path: Path) -> Iterator[TextIO]:
    """A file of lines, to add to. Raises OptionError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.open("a", encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None
    with lines:
        if path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            lines.write("\n")  # the last run was killed in the middle of a line
        yield lines


@contextmanager
def progress() -> Iterator[Show]:
    """A progress bar for each corpus, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda pages, total, label: pages
        return
    with needs("bench", "the benchmark"):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), redirect_stdout=False, redirect_stderr=False) as bar:
        yield lambda pages, total, label: iter(bar.track(pages, total=total, description=label))
