"""Lists, tables, quotations, code and figures stay or go whole; in the flow of kept text they stay."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Floats, Longs, places
from tamis.document import tags
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.scaling import Singles

# Larger ones (in words) arrange a page or are most of it. On WCXB dev, limits from 300 to 1,000 differ by less than a
# tenth of a point.
_MOST_WORDS = 500

# What stays because of the text around it is smaller, and a smaller share of its words is in links: teasers, menus and
# tags stand in the flow of an article, too.
_MOST_FILLED_WORDS, MOST_LINKED = 100, 0.4
_MOST_FORMULA_WORDS = 30

_IS_TABLE, _IS_ROW = tags.lookup("table"), tags.lookup("tr")
_IS_STRUCTURE = tags.lookup("ul", "ol", "dl", "table", "blockquote", "pre", "listing", "xmp", "figure")
_IS_HEADING = tags.lookup(*tags.HEADINGS[1:])
_FORMULA = re.compile(r"[=≈≠≤≥∑∫√]|\\[a-zA-Z]|\$\$")
_LINKED = COLUMNS.index("linked")
_CONTROLS = [COLUMNS.index(name) for name in ("in button", "in textarea select")]


class Parts(NamedTuple):
    """Parts of a page, apart from each other and in document order."""

    row: Longs  # its element
    first: Longs  # its first run
    last: Longs  # the run after its last

    def chosen(self, mask: Bools) -> Parts:
        """Some of these parts."""
        some = places(mask)
        return Parts(self.row.take(some), self.first.take(some), self.last.take(some))

    def sums(self, values: Floats | Singles | Bools) -> Floats:
        """The sum over the runs of each part of `values`, one a run."""
        before = np.zeros(len(values) + 1)
        values.cumsum(out=before[1:])
        sums: Floats = before.take(self.last) - before.take(self.first)
        return sums

    def runs(self) -> Longs:
        """The runs of all parts."""
        count = self.last - self.first
        found: Longs = np.arange(count.sum()) + (self.first - (count.cumsum() - count)).repeat(count)
        return found


def with_whole_structures(runs: PageRuns, logits: Singles, dropped: Bools, threshold: float) -> Singles:
    """A structure that is kept in part is kept or dropped by the mean logit of its runs, weighted by words.

    What would be dropped, but is between two kept runs of the same parent, stays, too: structures, headings and
    formulas of few links. What was `dropped` before never comes back.
    """
    kept = with_ends(logits >= threshold)
    parts = Parts(*runs.parts(_IS_STRUCTURE))
    if parts.row.size:
        before = kept.cumsum()
        count = before.take(parts.last) - before.take(parts.first)
        torn = (count > 0) & (count < parts.last - parts.first)
        if torn.any() and (plain := _outermost(runs, parts.chosen(torn))).row.size:
            logits = _levelled(runs, plain, logits, dropped)
            kept = with_ends(logits >= threshold)
        logits = _filled(runs, logits, kept, dropped, parts)
    return _filled(runs, logits, kept, dropped, _single_runs(runs, kept))


def with_ends(kept: Bools) -> Bools:
    """The same with a run before the first and one after the last, neither of them kept."""
    found = np.zeros(len(kept) + 2, dtype=np.bool_)
    found[1:-1] = kept
    return found


def _outermost(runs: PageRuns, parts: Parts) -> Parts:
    """The outermost of those that are neither large nor tables that arrange a page, and have no buttons."""
    elements, code = runs.document.elements, runs.document.elements.code
    fits = (parts.sums(runs.words) <= _MOST_WORDS) & (parts.sums(runs.values[:, _CONTROLS].sum(axis=1)) == 0)
    is_table = _IS_TABLE.take(code.take(parts.row))
    if is_table.any():
        ends, tables, lines = elements.end.take(parts.row), places(_IS_TABLE.take(code)), places(_IS_ROW.take(code))
        is_plain = tables.searchsorted(ends) - tables.searchsorted(parts.row) == 1
        is_plain &= lines.searchsorted(ends) - lines.searchsorted(parts.row) > 1
        fits &= is_plain | ~is_table
    parts = parts.chosen(fits)
    outermost = np.ones(len(parts.row), dtype=np.bool_)
    np.greater_equal(parts.row[1:], np.maximum.accumulate(elements.end.take(parts.row))[:-1], out=outermost[1:])
    return parts.chosen(outermost)


def _levelled(runs: PageRuns, parts: Parts, logits: Singles, dropped: Bools) -> Singles:
    """Each run of a structure with the mean logit of all of them but the dropped ones."""
    weight = runs.words * ~dropped
    mean = parts.sums(weight * logits) / np.maximum(parts.sums(weight), 1e-9)
    inside = parts.runs()
    stays = ~dropped[inside]
    changed = logits.copy()
    changed[inside[stays]] = mean.repeat(parts.last - parts.first)[stays]
    return changed


def _single_runs(runs: PageRuns, kept: Bools) -> Parts:
    """Headings and formulas between two kept runs."""
    between = places(kept[:-2] & ~kept[1:-1] & kept[2:])
    if not between.size:
        return Parts(between, between, between)
    between = between[runs.words.take(between) <= _MOST_FORMULA_WORDS]
    is_heading = _IS_HEADING.take(runs.tags[:, 0].take(between)).tolist()
    chosen = [
        run
        for run, heading in zip(between.tolist(), is_heading, strict=True)
        if heading or _FORMULA.search(runs.text(run))
    ]
    first = np.array(chosen, dtype=np.int64)
    return Parts(runs.element.take(first).astype(np.int64), first, first + 1)


def _filled(runs: PageRuns, logits: Singles, kept: Bools, dropped: Bools, parts: Parts) -> Singles:
    """Parts of which nothing is kept, as sure as the less sure of their neighbours if both are kept in one parent."""
    parts = parts.chosen(kept.take(parts.first) & kept.take(parts.last + 1) & ~kept.take(parts.first + 1))
    if not parts.row.size:
        return logits
    elements = runs.document.elements
    parent = elements.parent.take(parts.row)
    before, after = runs.element.take(parts.first - 1), runs.element.take(parts.last)
    words = parts.sums(runs.words)
    fits = (before >= parent) & (after >= parent) & (after < elements.end.take(parent))
    fits &= (words <= _MOST_FILLED_WORDS) & (parts.sums(dropped) == 0)
    fits &= parts.sums(runs.words * runs.values[:, _LINKED]) < MOST_LINKED * np.maximum(words, 1)
    parts = parts.chosen(fits)
    lower = np.minimum(logits.take(parts.first - 1), logits.take(parts.last))
    changed = logits.copy()
    changed[parts.runs()] = lower.repeat(parts.last - parts.first)
    return changed
