"""The headline above the content, for those who ask for it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from tamis.arrays import places
from tamis.document import Document, tags
from tamis.document.titles import fold
from tamis.labels import Labels
from tamis.render.layout import Break, Layout

_IS_HEADING = tags.lookup(*tags.HEADINGS)
# A line of fewer letters may repeat the title by chance, if it is no heading and not the first.
_LEAST_LETTERS = 8


def without_title(document: Document, labels: Labels, title: str) -> Labels:
    """The same labels without the kept lines that repeat the title."""
    folded = fold(title)
    leaves = places(labels.keep & ~document.leaves.is_media)
    strings, rows = document.leaves.text, leaves.tolist()
    starts = places(Layout(document, leaves).separations.breaks != Break.NONE).tolist()
    is_heading = _IS_HEADING.take(document.elements.code.take(document.leaves.block.take(leaves))).tolist()
    keep = labels.keep.copy()
    for first, end in pairwise([0, *starts, len(rows)]):
        line = rows[first:end]
        likely = not first or is_heading[first] or len(folded) >= _LEAST_LETTERS
        if likely and fold(" ".join(strings[leaf] for leaf in line)) == folded:
            keep[line] = False
    return replace(labels, keep=keep)
