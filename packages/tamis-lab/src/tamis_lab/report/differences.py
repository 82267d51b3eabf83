"""The pages where two contestants differ most: the text that each kept, and the text that was wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from tamis_lab import needs
from tamis_lab.bench.runner import Selection, measure
from tamis_lab.bench.text import TextRow, TextScorer, TextSummary
from tamis_lab.corpora.reader import CorpusPage

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


class Side(NamedTuple):
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
    sides: tuple[Side, Side]


class Pair(NamedTuple):
    """Two contestants and the pages where they differ most."""

    first: str
    second: str
    pages: list[ComparedPage]


def compare(summary: TextSummary, selection: Selection, *, workers: int | None = None) -> Pair | None:
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
    return Pair(pair[0].contestant, pair[1].contestant, compared)


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
        runs = _runs(pieces, kept, gold)
        sides.append(Side(row.contestant, row.by_page[page.split, page.id], status, runs, strange))
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


def _runs(pieces: Sequence[tuple[str, str]], kept: Sequence[bool], gold: Sequence[bool]) -> list[MarkedText]:
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
