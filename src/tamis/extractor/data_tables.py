"""Data tables beside kept text stay, and stay whole, whatever their size.

The network drops many of them: the cells of a ranking are short, alike and without a sentence, as teasers are, and it
takes many for comments. On WCXB dev, out of fold, this gains 0.19 points, on pages with tables 0.95 (docs/tamis.md).
"""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bools, Longs, places
from tamis.document import tags
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.scaling import Singles
from tamis.extractor.structures import MOST_LINKED, Parts, with_ends

# Those of two rows are often buttons ("previous", "next"), and those of a cell a row lists.
_LEAST_ROWS, _LEAST_CELLS = 3, 2

# Text is near if it is in the table's parent or in one of the two elements above that: a table is often wrapped, and
# one of a sidebar is farther from the article. Limits from 2 to 6 differ by 0.02 points on WCXB dev.
_NEAR = 3

_IS_TABLE, _IS_ROW, _IS_HEADER, _IS_CELL = (tags.lookup(*name.split()) for name in ("table", "tr", "th", "td th"))
_ARRANGES = tags.lookup("table", "form", "h1")
_LINKED = COLUMNS.index("linked")
_ASIDE = [COLUMNS.index(f"in {name}") for name in ("nav", "aside", "footer", "button", "textarea select")]


def with_data_tables(runs: PageRuns, logits: Singles, dropped: Bools, comments: Bools, threshold: float) -> Singles:
    """Data tables are kept of which half of the runs are kept, or the text beside them.

    That is the run before and the run after. One of them is enough if it is near: the one before, or the one after if
    the table has header cells. What was `dropped` before stays so, but for `comments`.
    """
    if not runs.document.elements.has("table"):
        return logits
    kept = with_ends(logits >= threshold)
    tables = Parts(*runs.parts(_IS_TABLE))
    count = tables.sums(kept[1:-1])
    beside = kept.take(tables.first) | kept.take(tables.last + 1)
    tables = _data_tables(runs, tables.chosen((beside | (count > 0)) & (count < tables.last - tables.first)), comments)
    if not tables.row.size:
        return logits
    level = _levels(runs, tables, logits, kept)
    stays = level >= threshold
    tables = tables.chosen(stays)
    inside = tables.runs()
    level = level[stays].repeat(tables.last - tables.first)
    free = ~dropped[inside] | comments[inside]
    changed = logits.copy()
    changed[inside[free]] = level[free]
    return changed


def _data_tables(runs: PageRuns, tables: Parts, comments: Bools) -> Parts:
    """Those that show data: none that arrange a page, nor calendars and the like beside it, nor a reader's comment.

    A table of links has header cells if it is no menu.
    """
    if not tables.row.size:
        return tables
    lines, words = _count(runs, tables, _IS_ROW), np.maximum(tables.sums(runs.words), 1)
    fits = (lines >= _LEAST_ROWS) & (_count(runs, tables, _IS_CELL) >= _LEAST_CELLS * lines)
    fits &= (_count(runs, tables, _ARRANGES) == 1) & (tables.sums(runs.values[:, _ASIDE].sum(axis=1)) == 0)
    fits &= tables.sums(comments) < tables.last - tables.first
    is_linked = tables.sums(runs.words * runs.values[:, _LINKED]) >= MOST_LINKED * words
    return tables.chosen(fits & (~is_linked | (_count(runs, tables, _IS_HEADER) > 0)))


def _count(runs: PageRuns, parts: Parts, is_tag: Bools) -> Longs:
    """How many elements of these tags each part has, itself included."""
    elements = runs.document.elements
    rows = places(is_tag.take(elements.code))
    found: Longs = rows.searchsorted(elements.end.take(parts.row)) - rows.searchsorted(parts.row)
    return found


def _levels(runs: PageRuns, tables: Parts, logits: Singles, kept: Bools) -> Singles:
    """How sure it is that each table is content.

    As sure as its kept runs on the average, if they are at least half of them, else as the surer of the texts beside
    it that are reason to keep it, else not at all.
    """
    elements = runs.document.elements
    above = tables.row
    for _ in range(_NEAR):
        above = np.maximum(elements.parent.take(above), 0)
    before, after = np.maximum(tables.first - 1, 0), np.minimum(tables.last, len(runs) - 1)
    has_before, has_after = kept.take(tables.first), kept.take(tables.last + 1)
    first, last = runs.element.take(before), runs.element.take(after)
    near_before = has_before & (first >= above)
    near_after = has_after & (last >= above) & (last < elements.end.take(above))
    near_after &= _count(runs, tables, _IS_HEADER) > 0
    both = has_before & has_after
    beside = np.maximum(
        np.where(near_before | both, logits.take(before), -np.inf),
        np.where(near_after | both, logits.take(after), -np.inf),
    )
    count = tables.sums(kept[1:-1])
    mean = tables.sums(logits * kept[1:-1]) / np.maximum(count, 1)
    levels: Singles = np.where(2 * count >= tables.last - tables.first, mean, beside).astype(np.float32)
    return levels
