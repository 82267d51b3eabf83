"""Reports of benchmark runs, each one HTML file that opens without a network.

The report on texts ends with the pages where two contestants differ most: the text of each, and the wanted text. So it
quotes pages of the corpora, and must not be published or committed.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import tamis
from tamis.errors import OptionError
from tamis.render import safe
from tamis_lab import needs
from tamis_lab.bench.metadata import ALL_ANSWERS, PAGES_WITH_GOLD, MetadataSummary, caption, shown
from tamis_lab.bench.runner import Selection, measure
from tamis_lab.bench.structure.page import KINDS
from tamis_lab.bench.structure.scores import WHOLE_PAGE, StructureSummary, lead_text
from tamis_lab.bench.text import CUTS, SEEN, SIGNIFICANT, TextRow, TextScorer, TextSummary, p_text, pages_text
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.reproduce.page import head


def write_report(
    path: Path,
    summaries: Sequence[TextSummary],
    selections: Mapping[str, Selection],
    left_out: Mapping[str, str],
    *,
    workers: int | None = None,
) -> None:
    """Write the report of a run; `selections` are the corpora by label, `left_out` the contestants that could not run.

    Raises MissingExtra and OptionError.
    """
    with needs("bench", "the benchmark's report"):
        from markupsafe import Markup

        from tamis_lab.report import charts

    sections = [
        {
            "number": number,
            "summary": summary,
            "cuts": [cut for cut in CUTS if summary.groups(cut)],
            # Not escaped: charts drawn here.
            "leaderboard": Markup(charts.leaderboard(summary, f"c{number}-board")),  # noqa: S704
            "cost": Markup(charts.cost(summary, f"c{number}-cost")),  # noqa: S704
            "spread": Markup(charts.spread(summary, f"c{number}-spread")),  # noqa: S704
            "pair": differences(summary, selections[summary.label], workers=workers),
        }
        for number, summary in enumerate(summaries, 1)
    ]
    script = Path(__file__).with_name("report.js").read_text(encoding="utf-8")
    labels = ", ".join(summary.label for summary in summaries)
    _write(
        path,
        "report.html.j2",
        head(f"tamis bench: {labels}", scripts=safe.digest(script)),
        selections,
        left_out,
        {
            "script": Markup(script),  # noqa: S704 ours
            "link": lambda url: Markup(safe.attributes({"href": url})),  # noqa: S704 written by `safe`
            "sections": sections,
            "best_scores": lambda summary, cut: {  # the best mean of each group, in bold
                value: max(row.cuts[cut][value].mean for row in summary.rows) for value in summary.groups(cut)
            },
            "p_text": p_text,
            "significant": SIGNIFICANT,
            "seen": SEEN,
            "machine": f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        },
    )


def write_structure_report(
    path: Path, summaries: Sequence[StructureSummary], selections: Mapping[str, Selection], left_out: Mapping[str, str]
) -> None:
    """Write the report on structure; `left_out` as for `write_report`. Raises MissingExtra and OptionError."""
    title = head(f"tamis bench --structure: {', '.join(summary.label for summary in summaries)}")
    facts: dict[str, Any] = {"kinds": KINDS, "lead_text": lead_text, "whole_page": WHOLE_PAGE, "seen": SEEN}
    _write(path, "structure.html.j2", title, selections, left_out, facts | {"summaries": summaries})


def write_metadata_report(
    path: Path, summaries: Sequence[MetadataSummary], selections: Mapping[str, Selection], left_out: Mapping[str, str]
) -> None:
    """Write the report on metadata; `left_out` as for `write_report`. Raises MissingExtra and OptionError."""
    title = head(f"tamis bench --metadata: {', '.join(summary.label for summary in summaries)}")
    facts: dict[str, Any] = {"caption": caption, "shown": shown, "kinds": (ALL_ANSWERS, PAGES_WITH_GOLD)}
    _write(path, "metadata.html.j2", title, selections, left_out, facts | {"summaries": summaries})


def _write(
    path: Path,
    template: str,
    head: str,
    selections: Mapping[str, Selection],
    left_out: Mapping[str, str],
    facts: Mapping[str, Any],
) -> None:
    """Fill a template of this folder. Values are escaped, and a missing one is an error."""
    with needs("bench", "the benchmark's report"):
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup

    environment = Environment(
        autoescape=True,
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    seeds = {label: selection.seed for label, selection in selections.items() if selection.limit}
    html = environment.get_template(template).render(
        head=Markup(head),  # noqa: S704 escaped by `head`
        sampled=lambda label: f", chosen by page type, seed {seeds[label]}" if label in seeds else "",
        left_out=left_out,
        pages_text=pages_text,
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        tamis_version=tamis.__version__,
        **facts,
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None


PAGES = 20
_WHOLE = "keep-all"  # all visible text of a page, in which the texts of others are found again

# A word, or a character of a script that writes without spaces.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_MOST_WORDS = 20_000  # of a text; alignment takes the product of two
_EMPTY_LINES = re.compile(r"\n\s*\n")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

# Runs of more words than this are shown without their middle.
_LONGEST = {"rest": 30, "hit": 100, "miss": 300, "noise": 300}

# Fewer adjacent words than this, further than _NEAR from the next match, are matched by chance: every
# menu has some word of the article.
_CHANCE = 3
_NEAR = 4


class MarkedText(NamedTuple):
    """A stretch of text that is hit, noise, miss or rest."""

    kind: str
    text: str


class ComparedText(NamedTuple):
    """What one contestant made of a page."""

    contestant: str
    f1: float
    status: str
    runs: list[MarkedText]
    strange: int  # words of its text that are not on the visible page


class ComparedPage(NamedTuple):
    """One page with the texts of both contestants."""

    id: str
    url: str | None
    page_type: str | None
    sides: tuple[ComparedText, ComparedText]


class ComparedPair(NamedTuple):
    """Two contestants and the pages where they differ most."""

    first: str
    second: str
    pages: list[ComparedPage]


def differences(summary: TextSummary, selection: Selection, *, workers: int | None = None) -> ComparedPair | None:
    """Compare the best extractor with the best peer, or the two best; None where there is but one."""
    pair = _pair(summary.rows)
    if pair is None:
        return None
    chosen = _widest(*pair)
    names = list(dict.fromkeys([pair[0].contestant, pair[1].contestant, _WHOLE]))
    units = ((page, names) for page in selection.pages() if (page.split, page.id) in chosen)
    pages: dict[tuple[str, str], CorpusPage] = {}
    texts: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    for page, name, outcome in measure(TextScorer(), units, names, workers=workers, keep_answers=True):
        pages[page.split, page.id] = page
        texts.setdefault((page.split, page.id), {})[name] = (outcome.status, outcome.answer or "")
    compared = [_compared(pages[key], texts[key], pair) for key in chosen if key in pages]
    return ComparedPair(pair[0].contestant, pair[1].contestant, compared)


def _pair(rows: Sequence[TextRow]) -> tuple[TextRow, TextRow] | None:
    ours = next((row for row in rows if row.kind != "peer"), None)
    peer = next((row for row in rows if row.kind == "peer"), None)
    if ours and peer:
        return ours, peer
    return (rows[0], rows[1]) if len(rows) > 1 else None


def _widest(first: TextRow, second: TextRow) -> list[tuple[str, str]]:
    """The pages with the widest gaps, as many lost as won where there are enough of both."""
    gaps = {page: f1 - second.by_page[page] for page, f1 in first.by_page.items() if page in second.by_page}
    order = sorted((page for page in gaps if gaps[page]), key=lambda page: (-abs(gaps[page]), page))
    won = [page for page in order if gaps[page] > 0]
    lost = [page for page in order if gaps[page] < 0]
    half = PAGES // 2
    take_won = min(len(won), max(half, PAGES - len(lost)))
    picked = {*won[:take_won], *lost[: PAGES - take_won]}
    return [page for page in order if page in picked]


def _compared(page: CorpusPage, texts: dict[str, tuple[str, str]], pair: tuple[TextRow, TextRow]) -> ComparedPage:
    pieces = list(_pieces(texts[_WHOLE][1]))
    gold = _found(pieces, page.gold_text or "")[0]
    sides = []
    for row in pair:
        status, text = texts[row.contestant]
        kept, strange = _found(pieces, text)
        runs = _marked_texts(pieces, kept, gold)
        sides.append(ComparedText(row.contestant, row.by_page[page.split, page.id], status, runs, strange))
    url = page.url if page.url and page.url.startswith(("http://", "https://")) else None
    return ComparedPage(page.id, url, page.page_type, (sides[0], sides[1]))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Each word, and the word with all characters up to the next."""
    text = _EMPTY_LINES.sub("\n", _CONTROLS.sub(" ", text))
    words = list(_WORD.finditer(text))[:_MOST_WORDS]
    for word, after in zip_longest(words, words[1:]):
        end = after.start() if after else word.end()
        yield word.group().casefold(), text[word.start() : end]


def _found(pieces: Sequence[tuple[str, str]], text: str) -> tuple[list[bool], int]:
    """Which words of the page a text has, in its order, and how many it has besides."""
    with needs("bench", "comparing texts"):
        from rapidfuzz.distance import Indel

    page = [word for word, _ in pieces]
    other = [word.group().casefold() for word in _WORD.finditer(text)][:_MOST_WORDS]
    found = [False] * len(page)
    spans = [(step.src_start, step.src_end) for step in Indel.opcodes(page, other) if step.tag == "equal"]
    for place, (start, end) in enumerate(spans):
        far_before = place == 0 or start - spans[place - 1][1] > _NEAR
        far_behind = place == len(spans) - 1 or spans[place + 1][0] - end > _NEAR
        # All of a very short text is not chance.
        if end - start >= min(_CHANCE, len(other)) or not (far_before and far_behind):
            found[start:end] = [True] * (end - start)
    return found, len(other) - sum(found)


def _marked_texts(pieces: Sequence[tuple[str, str]], kept: Sequence[bool], gold: Sequence[bool]) -> list[MarkedText]:
    kinds = [
        ("hit" if wanted else "noise") if has else ("miss" if wanted else "rest")
        for has, wanted in zip(kept, gold, strict=True)
    ]
    runs = []
    for kind, group in groupby(zip(kinds, pieces, strict=True), key=lambda item: item[0]):
        words = [piece for _, (_, piece) in group]
        longest = _LONGEST[kind]
        if len(words) > longest + 20:
            cut = len(words) - longest
            words = [*words[: longest // 2], f" […{cut:,} words…] ", *words[-longest // 2 :]]
        runs.append(MarkedText(kind, "".join(words)))
    return runs
