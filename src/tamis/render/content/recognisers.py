"""All recognisers, and what they find together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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
_NOTES_BESIDE = "label.sidenote-number, sup.ltx_note_mark"
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
    texts, kept = leaves.text, places(keep & ~leaves.is_media)
    found: list[Recogniser] = []
    if has_formulas(document):
        found.append(formulas)
    has_notes_beside = elements.has("label", "sup") and bool(parse.select(document.tree, _NOTES_BESIDE))
    if has_notes_beside or any(
        _MARK.fullmatch(texts[leaf].strip()) for leaf in kept[leaves.in_link.take(kept)].tolist()
    ):
        found.append(notes)
    has_code = (
        elements.has("pre", "code")
        or any("white-space" in style and "pre" in style for _, style in elements.styled)
        or any(_looks_like_code(texts[leaf]) for leaf in kept.tolist())
    )
    in_heading = kept[_IS_HEADING.take(elements.code.take(leaves.block.take(kept)))].tolist()
    if has_code or any(is_anchor(texts[leaf].strip().lower()) for leaf in in_heading):
        found.append(anchors)
    if has_code:
        found.append(code_blocks)
    if elements.has("lite-youtube", "lite-vimeo"):
        found.append(embeds)
    return found


def _looks_like_code(text: str) -> bool:
    """Does a text end as a line of code, or begin with blanks that are no indentation of HTML?"""
    return text.startswith(("\t", "  ")) or text[-1] in _ENDS_OF_CODE


def marks(source: Source, recognisers: Sequence[Recogniser] = RECOGNISERS) -> Marks:
    """What the recognisers find."""
    found = Marks()
    for recognise in recognisers:
        if more := recognise(source):
            found |= more
    return found
