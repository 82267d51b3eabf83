"""All recognisers, and what they find together."""

from __future__ import annotations

from collections.abc import Callable

from tamis.arrays import Bools, places
from tamis.document import Document, tags
from tamis.render.content.anchors import anchors
from tamis.render.content.callouts import callouts
from tamis.render.content.code import code_blocks
from tamis.render.content.marks import Marks
from tamis.render.content.notes import notes
from tamis.render.content.source import Source

# Without one of these tags, a link in a heading or a link that looks like the mark of a note, plain text is the text of
# the leaves. No look at classes: it would take longer than to write the text.
_CUES = ("sup", "sub", "q", "rt", "math", "mjx-container", "pre", "code")
_LONGEST_MARK = 5
_IS_HEADING = tags.lookup(*tags.HEADINGS)

# Each looks at its cues first: most pages have none of them. The first that knows a row wins.
RECOGNISERS: tuple[Callable[[Source], Marks | None], ...] = (notes, callouts, anchors, code_blocks)


def has_cues(document: Document, keep: Bools) -> bool:
    """May the recognisers find anything in what is kept that plain text shows otherwise?"""
    elements, leaves = document.elements, document.leaves
    if elements.has(*_CUES):
        return True
    linked = places(keep & leaves.in_link & ~leaves.is_media)
    if not linked.size:
        return False
    if _IS_HEADING.take(elements.code.take(leaves.block.take(linked))).any():
        return True
    texts = leaves.text
    return any(len(texts[leaf]) <= _LONGEST_MARK and texts[leaf].strip("[]()").isalnum() for leaf in linked.tolist())


def marks(source: Source) -> Marks:
    """What all recognisers find."""
    found = Marks()
    for recognise in RECOGNISERS:
        if more := recognise(source):
            found |= more
    return found
