"""All recognisers, and what they find together."""

from __future__ import annotations

import re
from collections.abc import Callable

from tamis.arrays import Bools, places
from tamis.document import Document, parse, tags
from tamis.render.content.anchors import anchors, is_anchor
from tamis.render.content.callouts import callouts
from tamis.render.content.code import code_blocks
from tamis.render.content.embeds import embeds
from tamis.render.content.formulas import formulas, has_formulas
from tamis.render.content.lists import lists
from tamis.render.content.marks import Marks
from tamis.render.content.media import copies
from tamis.render.content.notes import notes
from tamis.render.content.source import Source
from tamis.render.content.tables import role_tables

# Plain text is the text of the leaves unless there is one of these tags, a link that looks like the mark of a note, or
# a sign beside a heading. No look at classes: it would take longer than to write the text.
_CUES = ("sup", "sub", "q", "rt", "math", "mjx-container", "pre", "code", "lite-youtube", "lite-vimeo")
_MARK = re.compile(r"\s*(?:[\[(]?[0-9]{1,3}[\])]?|[*†‡§¶#])\s*")
_SIDENOTE = "label.sidenote-number"
_IS_HEADING = tags.lookup(*tags.HEADINGS)

# Each looks at its cues first: most pages have none of them. The first that knows a row wins.
RECOGNISERS: tuple[Callable[[Source], Marks | None], ...] = (
    formulas, notes, callouts, anchors, code_blocks, role_tables, lists, embeds, copies,
)  # fmt: skip


def has_cues(document: Document, keep: Bools) -> bool:
    """May the recognisers find anything in what is kept that plain text shows otherwise?"""
    elements, leaves = document.elements, document.leaves
    if elements.has("label") and parse.select(document.tree, _SIDENOTE):
        return True
    if elements.has(*_CUES) or has_formulas(document) or any("white-space" in style for _, style in elements.styled):
        return True
    texts, kept = leaves.text, places(keep & ~leaves.is_media)
    if any(_MARK.fullmatch(texts[leaf]) for leaf in kept[leaves.in_link.take(kept)].tolist()):
        return True
    in_heading = kept[_IS_HEADING.take(elements.code.take(leaves.block.take(kept)))].tolist()
    return any(is_anchor(texts[leaf].strip().lower()) for leaf in in_heading)


def marks(source: Source) -> Marks:
    """What all recognisers find."""
    found = Marks()
    for recognise in RECOGNISERS:
        if more := recognise(source):
            found |= more
    return found
