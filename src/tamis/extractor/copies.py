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


def copies_elsewhere(runs: PageRuns, logits: Singles) -> Longs:
    """The runs with the same text as a likelier one that is not in the same flow.

    Pages repeat tables and teasers for narrow screens, and answers quote what they answer: those copies are in another
    container. A refrain or a legal phrase is repeated in the flow of one container.
    """
    copies = runs.copies
    repeated = places(copies != np.arange(len(runs)))
    if not repeated.size:
        return repeated
    best: dict[int, int] = {}  # from the first of equal runs to the likeliest
    for run, first in zip(repeated.tolist(), copies[repeated].tolist(), strict=True):
        likeliest = best.get(first, first)
        best[first] = run if logits[run] > logits[likeliest] else likeliest
    members = np.concatenate((np.fromiter(best, np.int64, len(best)), repeated))
    winners = np.fromiter((best[first] for first in copies[members].tolist()), np.int64, len(members))
    flow = np.zeros(len(runs), dtype=np.int64)
    flow[members] = _flow(runs, members)
    elsewhere: Longs = members[flow.take(members) != flow.take(winners)]
    return elsewhere


def _flow(runs: PageRuns, chosen: Longs) -> Longs:
    """A number for the container of each of these runs; the folded part of a container is another one."""
    elements = runs.document.elements
    container = elements.nearest(~_IS_FLOW.take(elements.code), elements.parent.take(runs.element.take(chosen)))
    flow: Longs = 2 * container.astype(np.int64) + (runs.values[:, _FOLDED].take(chosen) > 0)
    return flow
