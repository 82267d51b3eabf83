"""Texts that a page has twice: which of them are copies, and which are honest repetition."""

from __future__ import annotations

import numpy as np

from tamis.arrays import Longs, places
from tamis.document import tags
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.scaling import Singles

_FOLDED = COLUMNS.index("folded")
# Paragraphs, list items and cells in one of these are in the flow of the element around it.
_IS_FLOW = tags.lookup("ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr")


def copies_elsewhere(runs: PageRuns, logits: Singles) -> list[int]:
    """The runs with the same text as a likelier one that is not in the same flow.

    Pages repeat tables and teasers for narrow screens, and answers quote what they answer: those copies are in another
    container. A refrain or a legal phrase is repeated in the flow of one container.
    """
    repeated = places(runs.copies != np.arange(len(runs)))
    if not repeated.size:
        return []
    groups: dict[int, list[int]] = {}  # from the first of equal runs to all of them
    for run, first in zip(repeated.tolist(), runs.copies.take(repeated).tolist(), strict=True):
        groups.setdefault(first, [first]).append(run)
    equal = np.array([run for group in groups.values() for run in group])
    flow = dict(zip(equal.tolist(), _flow(runs, equal), strict=True))
    found: list[int] = []
    for group in groups.values():
        likeliest = max(group, key=logits.__getitem__)
        found += [run for run in group if flow[run] != flow[likeliest]]
    return found


def _flow(runs: PageRuns, chosen: Longs) -> list[tuple[int, float]]:
    """The container of each of these runs, and whether they are folded."""
    elements = runs.document.elements
    container = elements.nearest(~_IS_FLOW.take(elements.code), elements.parent.take(runs.element.take(chosen)))
    return list(zip(container.tolist(), runs.values[:, _FOLDED].take(chosen).tolist(), strict=True))
