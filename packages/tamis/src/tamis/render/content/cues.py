"""Cues that plain text may show something otherwise than the leaves have it."""

from __future__ import annotations

import re
from itertools import compress

from tamis.arrays import Bools, places
from tamis.document import Document, parse, tags
from tamis.render.content.anchors import anchors, is_anchor
from tamis.render.content.marks import Recogniser

_MARK = re.compile(r"[\[(]?[0-9]{1,3}[\])]?|[*†‡§¶#]")
_NOTES_BESIDE = ("label.sidenote-number", "sup.ltx_note_mark")  # one by one: the parser has an index of single tags
_LONGEST_MARK, _LONGEST_BARE = 40, 5  # with white space around it, and without
_LONGEST_SIGN = 3  # of a link beside something else than a heading
_ENDS_OF_CODE = frozenset("{};")  # of lines
_IS_HEADING = tags.lookup(*tags.HEADINGS)

# What the scripts that draw formulas, or hold one, are called.
_DRAWERS = ("mathjax", "katex", "tex-mml", "math/tex")

TEX_CLASSES = frozenset({"latex", "tex", "math", "mathtex", "mwe-math-fallback-image-inline",
                         "mwe-math-fallback-image-display"})  # fmt: skip


def for_text(document: Document, keep: Bools) -> list[Recogniser]:
    """The recognisers that may find something that plain text shows otherwise than the leaves have it.

    Cues are tags, styles and texts that are at hand. A look at classes would take longer than to write the text. Only
    these recognisers are imported: all of them take as long as to start NumPy.
    """
    elements, leaves = document.elements, document.leaves
    kept, all_texts = places(keep & ~leaves.is_media), leaves.text
    texts = [all_texts[leaf] for leaf in kept.tolist()]
    linked = {
        text.strip() for text in compress(texts, leaves.in_link.take(kept).tolist()) if len(text) <= _LONGEST_MARK
    }
    found: list[Recogniser] = []
    if has_formulas(document, keep):
        from tamis.render.content.formulas import formulas

        found.append(formulas)
    has_notes_beside = any(parse.select(document.tree, selector) for selector in _NOTES_BESIDE)
    if has_notes_beside or any(_MARK.fullmatch(text) for text in linked if len(text) <= _LONGEST_BARE):
        from tamis.render.content.notes import notes

        found.append(notes)
    has_code = (
        elements.has("pre", "code")
        or any("white-space" in style and "pre" in style for style in elements.styles)
        or not _ENDS_OF_CODE.isdisjoint({text[-1] for text in texts})
        or "\t" in (begins := {text[0] for text in texts})
        or (" " in begins and "  " in {text[:2] for text in texts})
    )
    in_heading = _IS_HEADING.take(elements.code.take(leaves.block.take(kept))).tolist()
    has_sign = any(is_anchor(text.strip().lower()) for text in compress(texts, in_heading))
    if has_code or has_sign or any(is_anchor(text.lower()) for text in linked if len(text) <= _LONGEST_SIGN):
        found.append(anchors)
    if has_code:
        from tamis.render.content.code import code_blocks

        found.append(code_blocks)
    if elements.has("lite-youtube", "lite-vimeo"):
        from tamis.render.content.embeds import embeds

        found.append(embeds)
    return found


def has_formulas(document: Document, keep: Bools) -> bool:
    """May what is kept have formulas? A quick look."""
    elements, leaves = document.elements, document.leaves
    if elements.has("math", "mjx-container", "math-renderer") or any(names_tex(node) for node in elements.of_formulas):
        return True
    media = leaves.element.take(places(keep & leaves.is_media)).tolist()
    return any(_may_be_tex(elements.all_nodes[row]) for row in media)


def names_tex(script: parse.Element) -> bool:
    """Does a script draw formulas, or hold one?"""
    says = " ".join(script.attr(name) or "" for name in ("src", "type", "id")).lower()
    return any(name in says for name in _DRAWERS)


def _may_be_tex(image: parse.Element) -> bool:
    """Is it an image of a formula, by its alternative text?"""
    alt = image.attr("alt") or image.attr("title")
    if not alt or image.tag != "img":
        return False
    return "\\" in alt or "^" in alt or alt[0] == "$" or not TEX_CLASSES.isdisjoint((image.attr("class") or "").split())
