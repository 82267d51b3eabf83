"""Kept leaves to plain text.

Paragraphs are separated by a blank line; list items, table rows and lines that end in a <br> by a line
break; the cells of a row by a tab. Nothing else is added: no bullets, no bars.
"""

from __future__ import annotations

from tamis.arrays import places
from tamis.deadline import checked
from tamis.document import Document
from tamis.labels import Labels
from tamis.render.layout import Break, Layout

_BREAKS = ("", " ", "\t", "\n", "\n\n")  # by Break
_CELL = Break.CELL.value  # arrays are slow to compare with members


def to_text(document: Document, labels: Labels) -> str:
    """The main content as plain text; empty if nothing is kept."""
    leaves = places(labels.keep & ~document.leaves.is_media)
    return "".join(pieces(document, Layout(document, leaves))).strip("\n ")


def pieces(document: Document, layout: Layout) -> list[str]:
    """The text of each leaf of `layout`, after its separator from the leaf before."""
    all_text, all_gaps = document.leaves.text, document.leaves.gap
    breaks, empty_cells = layout.separations
    separators = [_BREAKS[apart] for apart in breaks.tolist()]
    if cells := places(breaks == _CELL).tolist():
        cells_apart = layout.cells_apart.tolist()
        for row in cells:
            separators[row] = "\t" * cells_apart[row]
    for row, empty in empty_cells.items():
        separators[row] += "\t" * empty
    skipped, preformatted = layout.follows_text.tolist(), layout.preformatted.tolist()
    rendered: list[str] = []
    ends_in_space = follows_preformatted = False  # does the leaf before end in white space, is it preformatted?
    leaves = checked(layout.leaves.tolist())
    for leaf, apart, is_preformatted, is_skipped in zip(leaves, separators, preformatted, skipped, strict=True):
        text = all_text[leaf]
        if is_preformatted:
            text = all_gaps[leaf] + text
            rendered.append(apart + text.lstrip("\n") if apart else text)
            ends_in_space, follows_preformatted = False, True
            continue
        # Most texts need no collapsing. A space is the only printable white space.
        collapsed = text.strip() if text.isprintable() and "  " not in text else " ".join(text.split())
        if apart:
            if follows_preformatted:
                rendered[-1] = rendered[-1].rstrip("\n")
            rendered.append(apart + collapsed)
        elif ends_in_space or text[0].isspace() or all_gaps[leaf] or is_skipped:
            rendered.append(" " + collapsed)
        else:
            rendered.append(collapsed)
        ends_in_space, follows_preformatted = text[-1].isspace(), False
    return rendered
