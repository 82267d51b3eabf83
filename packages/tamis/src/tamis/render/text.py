"""Kept leaves to plain text.

Paragraphs are separated by a blank line; list items, table rows and lines that end in a <br> by a line break; the cells
of a row by a tab. There are no bullets and no bars. Formulas, code, notes, superscripts and the like are written as
`render/content/` recognises them.
"""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bytes, places
from tamis.deadline import check
from tamis.document import Document
from tamis.errors import TamisError
from tamis.kernel import Text, address, byref, joined, library
from tamis.labels import Labels
from tamis.render.changes import NONE, Changes, changes_of
from tamis.render.layout import Layout

_DROPPED, _SHOWN, _VERBATIM = 1, 2, 3  # as in the kernel


def to_text(document: Document, labels: Labels) -> str:
    """The main content as plain text; empty if nothing is kept."""
    texts = labels.keep & ~document.leaves.is_media
    changes = changes_of(document, labels.keep)
    if changes is not NONE:
        texts[list(changes.verbatim)] = True
        texts[list(changes.dropped)] = False
    layout = Layout(document, places(texts))
    return _written(document, layout, changes).replace(b"\0", b"").decode().strip("\n ")


def pieces(document: Document, layout: Layout, changes: Changes = NONE) -> list[str]:
    """The text of each leaf of `layout`, after its separator from the leaf before."""
    return _written(document, layout, changes).decode().split("\0")[:-1]


def _written(document: Document, layout: Layout, changes: Changes) -> bytes:
    """The piece of each leaf of `layout`, followed by a NUL."""
    check()
    leaves, (breaks, tabs) = document.leaves, layout.separations
    kinds, others = (None, b"") if changes is NONE else _coded(changes, len(leaves))
    gaps = joined(leaves.gap)
    size = len(leaves.utf8) + len(others) + len(gaps) + 3 * len(breaks) + (0 if tabs is None else int(tabs.sum()))
    memory = np.empty(size, np.uint8)
    columns = (None if column is None else address(column) for column in (breaks, tabs, layout.preformatted, kinds))
    written = library().tamis_pieces(
        byref(document.kernel_page), address(layout.leaves), len(breaks), *columns, Text.of_bytes(others),
        Text.of_bytes(gaps), address(memory), size,
    )  # fmt: skip
    if written < 0:
        raise TamisError(f"the kernel could not write the text ({written})")
    return memory[:written].tobytes()


def _coded(changes: Changes, leaves: int) -> tuple[Bytes, bytes]:
    """What is changed in each leaf of the page, and the other texts in document order."""
    kinds = np.zeros(leaves, np.uint8)
    for kind, changed in ((_SHOWN, changes.shown), (_VERBATIM, changes.verbatim), (_DROPPED, changes.dropped)):
        kinds[list(changed)] = kind
    texts = changes.shown | changes.verbatim
    return kinds, joined(texts[leaf] for leaf in places(kinds > _DROPPED).tolist())
