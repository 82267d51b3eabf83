"""Kept leaves to plain text.

A blank line stands between paragraphs, a line break between list items, table rows and where the
page has a <br>, a tab between the cells of a row. Nothing is added that the page does not say:
no bullets, no bars.
"""

from __future__ import annotations

import numpy as np

from tamis.arrays import places
from tamis.document import Document
from tamis.labels import Labels
from tamis.render.layout import Break, Layout

_BREAKS = ("", " ", "\t", "\n", "\n\n")  # by Break


def to_text(document: Document, labels: Labels) -> str:
    """The main content as plain text; empty where nothing is kept."""
    leaves = places(labels.keep & ~document.leaves.is_media).astype(np.int32)
    return "".join(pieces(document, Layout(document, leaves))).strip("\n ")


def pieces(document: Document, layout: Layout) -> list[str]:
    """The text of each leaf of `layout`, with what separates it from the one before in front."""
    all_text, all_gaps = document.leaves.text, document.leaves.gap
    breaks, empty_cells = layout.separations
    separators = [_BREAKS[apart] for apart in breaks.tolist()]
    if cells := places(breaks == Break.CELL).tolist():
        cells_apart = layout.cells_apart.tolist()
        for row in cells:
            separators[row] = "\t" * cells_apart[row]
    for row, empty in empty_cells.items():
        separators[row] += "\t" * empty
    skipped, preformatted = layout.follows_text.tolist(), layout.preformatted.tolist()
    rendered: list[str] = []
    open_end = False  # the leaf before ended in white space
    for row, leaf in enumerate(layout.leaves.tolist()):
        text, apart = all_text[leaf], separators[row]
        if preformatted[row]:
            text = all_gaps[leaf] + text
            rendered.append(apart + text.lstrip("\n") if apart else text)
            open_end = False
            continue
        # Most texts have nothing to fold; a space is the only white space that is printable.
        folded = text.strip() if text.isprintable() and "  " not in text else " ".join(text.split())
        if apart:
            if row and preformatted[row - 1]:
                rendered[-1] = rendered[-1].rstrip("\n")
            rendered.append(apart + folded)
        elif open_end or text[0].isspace() or all_gaps[leaf] or skipped[row]:
            rendered.append(" " + folded)
        else:
            rendered.append(folded)
        open_end = text[-1].isspace()
    return rendered
