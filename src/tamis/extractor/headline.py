"""The headline of a page, in all places that show it. It belongs to the metadata and is no content."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from tamis.arrays import Bools, places
from tamis.document import tags
from tamis.document.titles import fold, title_parts
from tamis.extractor.runs import COLUMNS, PageRuns

_IN_TITLE, _REPEATED = COLUMNS.index("in title"), COLUMNS.index("repeated")
_IS_HEADING, _IS_H1, _IS_BREAK = tags.lookup(*tags.HEADINGS), tags.lookup("h1"), tags.lookup("br")

# A page that repeats its title does so among the first headings and lines that could do it.
_MOST_CANDIDATES = 100
# Longer titles are cut, and longer texts are no headlines.
_LONGEST, _MOST_PARTS = 1_000, 6
# Fewer letters equal a part of the title by chance, if they are no heading.
_LEAST_LETTERS = 8
# A heading that has a part of the title and more, or less, is the headline if it shares this much with it and stands
# above the text: fewer words are kept before it.
_LEAST_SHARED, _MOST_WORDS_BEFORE = 0.5, 50


class _Line(NamedTuple):
    """A heading or line that may be the headline. Of two the larger one is likelier."""

    shared: int  # letters in common with a part of the title
    is_heading: bool
    place: int  # the later, the smaller
    text: str  # folded
    is_exact: bool  # equal to parts of the title
    run: int
    leaves: list[int]


def headline(runs: PageRuns, keep: Bools) -> list[int]:
    """The leaves of the headline.

    It is the longest heading or line that equals parts of the TITLE or of og:title; else the longest heading above the
    text that has most of a part; else the first kept H1 above the text. A first line of a run counts as a line.
    """
    titles = (runs.document.title, runs.declared.title)
    parts = {part for title in titles for part in _joined_parts(title[:_LONGEST])}
    words_before = (runs.words * keep).cumsum() - runs.words * keep
    is_above = words_before < _MOST_WORDS_BEFORE
    is_h1 = _IS_H1.take(runs.tags[:, 0])
    lines = _lines(runs, parts, is_h1, is_above)
    # A site may call itself by a longer name than its pages, but that is rarely kept.
    chosen = {max(some).text for some in (lines, [line for line in lines if keep[line.run]]) if some}
    found = [line for line in lines if line.text in chosen or (line.is_exact and is_h1[line.run])]
    leaves = [(line.leaves, line.run) for line in found] or [
        (runs.leaves_of(run), run) for run in places(keep & is_above & is_h1)[:1].tolist()
    ]
    return [leaf for some, run in leaves for leaf in (*some, *_copies(runs, some, run))]


def _joined_parts(title: str) -> list[str]:
    """The parts of a title, folded, alone and joined with their neighbours."""
    parts = list(filter(None, map(fold, title_parts(title)[:_MOST_PARTS])))
    return [" ".join(parts[first:end]) for first, end in combinations(range(len(parts) + 1), 2)]


def _lines(runs: PageRuns, parts: set[str], is_h1: Bools, is_above: Bools) -> list[_Line]:
    strings = runs.document.leaves.text
    is_heading = _IS_HEADING.take(runs.tags[:, 0])
    candidates = is_heading & is_above | is_h1 | (runs.values[:, _IN_TITLE] > 0)
    if runs.declared.title:
        candidates[_beginning(runs, runs.declared.title)] = True
    found: list[_Line] = []
    for run in places(candidates)[:_MOST_CANDIDATES].tolist():
        leaves = runs.leaves_of(run)
        heading = bool(is_heading[run])
        for some in (leaves, leaves[:1])[: len(leaves)]:
            text = _folded([strings[leaf] for leaf in some])
            is_exact = text in parts
            if heading:
                near = is_above[run] and len(some) == len(leaves)
                shared = len(text) if is_exact else _shared(text, parts, bool(is_h1[run])) if near else 0
            else:
                shared = len(text) if is_exact and not _is_sentence(strings[some[-1]]) else 0
                shared = shared if shared >= _LEAST_LETTERS else 0
            if shared and (len(some) == len(leaves) or heading or _ends_line(runs, leaves)):
                found.append(_Line(shared, heading, -run, text, is_exact, run, some))
                break
    return found


def _folded(texts: list[str]) -> str:
    """The texts together; empty if they are too long."""
    return fold(" ".join(texts)) if sum(map(len, texts)) <= _LONGEST else ""


def _copies(runs: PageRuns, leaves: list[int], run: int) -> list[int]:
    """The leaves that are the whole of another run and have the same text as these, which are of `run`."""
    text = runs.document.leaves.text[leaves[0]].strip()
    if len(leaves) > 1 or len(text) < _LEAST_LETTERS or not runs.values[run, _REPEATED]:
        return []
    alike = map(runs.leaves_of, _beginning(runs, text))
    return [some[0] for some in alike if len(some) == 1]


def _beginning(runs: PageRuns, text: str) -> list[int]:
    """The runs whose first text this is."""
    return [run for run, begin in enumerate(runs.begin) if begin == text]


def _shared(text: str, parts: set[str], may_be_longer: bool) -> int:
    """How many letters a text shares with the part that has it, or that it has; 0 if they are too few."""
    found = 0
    for part in parts:
        short, long = sorted((text, part), key=len)
        if len(short) >= _LEAST_SHARED * len(long) and (may_be_longer or short == text) and f" {short} " in f" {long} ":
            found = max(found, len(short))
    return found


def _is_sentence(text: str) -> bool:
    """Does it end in one stop? A sentence may give a page its title and still be text."""
    text = text.rstrip()
    return text.endswith((".", "。")) and not text.endswith("..")


def _ends_line(runs: PageRuns, leaves: list[int]) -> bool:
    """Is there a line break behind the first of these leaves?"""
    first, second = runs.document.leaves.opened[leaves[:2]].tolist()
    return bool(_IS_BREAK.take(runs.document.elements.code[first + 1 : second + 1]).any())
