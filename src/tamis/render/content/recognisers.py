"""All recognisers, and what they find together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import compress

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

_MARK = re.compile(r"[\[(]?[0-9]{1,3}[\])]?|[*†‡§¶#]")
_NOTES_BESIDE = ("label.sidenote-number", "sup.ltx_note_mark")  # one by one: the parser has an index of single tags
_LONGEST_MARK = 40  # with white space around it
_ENDS_OF_CODE = frozenset("{};")  # of lines
_IS_HEADING = tags.lookup(*tags.HEADINGS)

Recogniser = Callable[[Source], Marks | None]

# The first that knows a row wins.
RECOGNISERS: tuple[Recogniser, ...] = (
    formulas, notes, callouts, anchors, code_blocks, role_tables, lists, embeds, copies,
)  # fmt: skip


def for_text(document: Document, keep: Bools) -> list[Recogniser]:
    """The recognisers that may find something that plain text shows otherwise than the leaves have it.

    Cues are tags, styles and texts that are at hand. A look at classes would take longer than to write the text.
    """
    elements, leaves = document.elements, document.leaves
    kept = places(keep & ~leaves.is_media)
    texts = [leaves.text[leaf] for leaf in kept.tolist()]
    linked = compress(texts, leaves.in_link.take(kept).tolist())
    in_heading = compress(texts, _IS_HEADING.take(elements.code.take(leaves.block.take(kept))).tolist())
    found: list[Recogniser] = []
    if has_formulas(document, keep):
        found.append(formulas)
    has_notes_beside = any(parse.select(document.tree, selector) for selector in _NOTES_BESIDE)
    if has_notes_beside or any(_MARK.fullmatch(text.strip()) for text in linked if len(text) <= _LONGEST_MARK):
        found.append(notes)
    has_code = (
        elements.has("pre", "code")
        or any("white-space" in style and "pre" in style for _, style in elements.styled)
        or not _ENDS_OF_CODE.isdisjoint({text[-1] for text in texts})
        or any(begin == "  " or begin[0] == "\t" for begin in {text[:2] for text in texts})
    )
    if has_code or any(is_anchor(text.strip().lower()) for text in in_heading):
        found.append(anchors)
    if has_code:
        found.append(code_blocks)
    if elements.has("lite-youtube", "lite-vimeo"):
        found.append(embeds)
    return found


def marks(source: Source, recognisers: Sequence[Recogniser] = RECOGNISERS) -> Marks:
    """What the recognisers find."""
    found = Marks()
    for recognise in recognisers:
        if more := recognise(source):
            found |= more
    return found
