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
    last_above = int((runs.words * keep).cumsum().searchsorted(_MOST_WORDS_BEFORE))
    is_h1 = _IS_H1.take(runs.tags[:, 0])
    lines = _lines(runs, last_above)
    # A site may call itself by a longer name than its pages, but that is rarely kept.
    chosen = {max(some).text for some in (lines, [line for line in lines if keep[line.run]]) if some}
    found = [line for line in lines if line.text in chosen or (line.is_exact and is_h1[line.run])]
    leaves = [(line.leaves, line.run) for line in found] or [
        (runs.leaves_of(run), run) for run in places((keep & is_h1)[: last_above + 1])[:1].tolist()
    ]
    return [leaf for some, run in leaves for leaf in (*some, *_copies(runs, some, run))]


def _lines(runs: PageRuns, last_above: int) -> list[_Line]:
    """The lines that may be the headline. Up to the run `last_above` there is no text above."""
    strings, code = runs.document.leaves.text, runs.tags[:, 0]
    candidates = _IS_HEADING.take(code)
    candidates[last_above + 1 :] = _IS_H1.take(code[last_above + 1 :])
    candidates |= runs.in_title
    candidates[runs.beginning(runs.declared.title)] = True
    found: list[_Line] = []
    parts: set[str] = set()
    for run in places(candidates)[:_MOST_CANDIDATES].tolist():
        parts = parts or _parts(runs)
        leaves = runs.leaves_of(run)
        heading, is_h1 = bool(_IS_HEADING[code[run]]), bool(_IS_H1[code[run]])
        for some in (leaves, leaves[:1])[: len(leaves)]:
            text = _folded([strings[leaf] for leaf in some])
            is_exact = text in parts
            if heading:
                near = run <= last_above and len(some) == len(leaves)
                shared = len(text) if is_exact else _shared(text, parts, is_h1) if near else 0
            else:
                shared = len(text) if is_exact and not _is_sentence(strings[some[-1]]) else 0
                shared = shared if shared >= _LEAST_LETTERS else 0
            if shared and (len(some) == len(leaves) or heading or _ends_line(runs, leaves)):
                found.append(_Line(shared, heading, -run, text, is_exact, run, some))
                break
    return found


def _parts(runs: PageRuns) -> set[str]:
    """The parts of the page's titles, folded, alone and joined with their neighbours."""
    found: set[str] = set()
    for title in {runs.document.title[:_LONGEST], runs.declared.title[:_LONGEST]}:
        parts = list(filter(None, map(fold, title_parts(title)[:_MOST_PARTS])))
        found.update(" ".join(parts[first:end]) for first, end in combinations(range(len(parts) + 1), 2))
    return found


def _folded(texts: list[str]) -> str:
    """The texts together; empty if they are too long."""
    return fold(" ".join(texts)) if sum(map(len, texts)) <= _LONGEST else ""


def _copies(runs: PageRuns, leaves: list[int], run: int) -> list[int]:
    """The leaves that are the whole of another run and have the same text as these, which are of `run`."""
    text = runs.document.leaves.text[leaves[0]].strip()
    if len(leaves) > 1 or len(text) < _LEAST_LETTERS or not runs.values[run, _REPEATED]:
        return []
    alike = map(runs.leaves_of, runs.beginning(text))
    return [some[0] for some in alike if len(some) == 1]


def _shared(text: str, parts: set[str], may_be_longer: bool) -> int:
    """How many letters a text shares with the part that has it, or that it has; 0 if they are too few."""
    found = 0
    for part in parts:
        short, long = (text, part) if len(text) <= len(part) else (part, text)
        is_large = len(short) > found and len(short) >= _LEAST_SHARED * len(long)
        if is_large and (may_be_longer or short is text) and f" {short} " in f" {long} ":
            found = len(short)
    return found


def _is_sentence(text: str) -> bool:
    """Does it end in one stop? A sentence may give a page its title and still be text."""
    text = text.rstrip()
    return text.endswith((".", "。")) and not text.endswith("..")


def _ends_line(runs: PageRuns, leaves: list[int]) -> bool:
    """Is there a line break behind the first of these leaves?"""
    first, second = runs.document.leaves.opened[leaves[:2]].tolist()
    return bool(_IS_BREAK.take(runs.document.elements.code[first + 1 : second + 1]).any())
