"""Kept leaves to plain text.

A blank line stands between paragraphs, a line break between list items, table rows and where the
page has a <br>, a tab between the cells of a row. Nothing is added that the page does not say:
no bullets, no bars.
"""

from __future__ import annotations

import numpy as np

from tamis.document import Document
from tamis.labels import Labels
from tamis.render.layout import Break, Layout

_BREAKS = ("", "\t", "\n", "\n\n")  # by Break


def to_text(document: Document, labels: Labels) -> str:
    """The main content as plain text; empty where nothing is kept."""
    leaves = np.flatnonzero(labels.keep & ~document.leaves.is_media).astype(np.int32)
    return "".join(pieces(document, Layout(document, leaves))).strip()


def pieces(document: Document, layout: Layout) -> list[str]:
    """The text of each leaf of `layout`, with what separates it from the one before in front."""
    all_text, all_gaps = document.leaves.text, document.leaves.gap
    rendered: list[str] = []
    last, open_end = -1, False  # the leaf before, and whether it ended in white space
    separators = [_BREAKS[apart] for apart in layout.breaks.tolist()]
    for row in np.flatnonzero(layout.breaks == Break.CELL).tolist():
        separators[row] = "\t" * int(layout.cells_apart[row])
    rows = zip(layout.leaves.tolist(), separators, layout.preformatted.tolist(), strict=True)
    for leaf, apart, preformatted in rows:
        text = all_text[leaf]
        if preformatted:
            rendered.append(apart + text.lstrip("\n") if apart else all_gaps[leaf] + text)
        else:
            folded = " ".join(text.split())
            if apart:
                rendered.append(apart + folded)
            elif open_end or text[0].isspace() or all_gaps[leaf] or last != leaf - 1:
                rendered.append(" " + folded)
            else:
                rendered.append(folded)
        last, open_end = leaf, text[-1].isspace() and not preformatted
    return rendered
