"""Kept leaves to plain text.

Paragraphs are separated by a blank line; list items, table rows and lines that end in a <br> by a line break; the cells
of a row by a tab. There are no bullets and no bars. Formulas, code, notes, superscripts and the like are written as
`render/content/` recognises them.
"""

from __future__ import annotations

from tamis.arrays import places
from tamis.deadline import checked
from tamis.document import Document
from tamis.labels import Labels
from tamis.render.changes import NONE, Changes, changes_of
from tamis.render.content.source import seen
from tamis.render.layout import Layout

_BREAKS = ("", " ", "", "\n", "\n\n")  # by Break; cells are put into their columns by tabs


def to_text(document: Document, labels: Labels) -> str:
    """The main content as plain text; empty if nothing is kept."""
    texts = labels.keep & ~document.leaves.is_media
    changes = changes_of(document, labels.keep)
    if changes is not NONE:
        texts[list(changes.verbatim)] = True
        texts[list(changes.dropped)] = False
    return "".join(pieces(document, Layout(document, places(texts)), changes)).strip("\n ")


def pieces(document: Document, layout: Layout, changes: Changes = NONE) -> list[str]:
    """The text of each leaf of `layout`, after its separator from the leaf before."""
    all_text, all_gaps = document.leaves.text, document.leaves.gap
    breaks, tabs = layout.separations
    separators = [_BREAKS[apart] for apart in breaks.tolist()]
    for place, count in tabs.items():
        separators[place] += "\t" * count
    rendered: list[str] = []
    last = ""  # the text of the leaf before, if white space at its end counts
    follows_preformatted = False
    ends_line = False  # does nothing else stand on the line of the leaf before?
    before = len(all_text)  # the leaf before; there is none yet
    leaves = checked(layout.leaves.tolist())
    for leaf, apart, is_preformatted in zip(leaves, separators, layout.preformatted, strict=True):
        text = all_text[leaf]
        if changes is not NONE:
            if ends_line:
                apart, ends_line = apart or "\n", False
            if leaf in changes.verbatim:
                text = changes.verbatim[leaf]
                if text[0] == "\n":
                    apart = apart or "\n"
                if not apart and (last[-1:].isspace() or all_gaps[leaf] or _is_apart(document, before, leaf, changes)):
                    apart = " "
                rendered.append(apart + text.strip("\n"))
                last, follows_preformatted, before = "", False, leaf
                ends_line = text[-1] == "\n"
                continue
            text = changes.shown.get(leaf, text)
        if is_preformatted:
            text = all_gaps[leaf] + text
            rendered.append(apart + text.lstrip("\n") if apart else text)
            last, follows_preformatted, before = "", True, leaf
            continue
        # Most texts need no folding. A space is the only printable white space.
        collapsed = text.strip()
        if not collapsed.isprintable() or "  " in collapsed:
            collapsed = seen(" ".join(collapsed.split())).strip()
        if apart:
            if follows_preformatted:
                rendered[-1] = rendered[-1].rstrip("\n")
        elif (
            text[0].isspace()
            or last[-1:].isspace()
            or all_gaps[leaf]
            or (leaf > before + 1 and _is_apart(document, before, leaf, changes))
        ):
            apart = " "
        rendered.append(apart + collapsed)
        last, follows_preformatted, before = text, False, leaf
    return rendered


def _is_apart(document: Document, before: int, leaf: int, changes: Changes) -> bool:
    """Is there text between two leaves that was not kept, or white space beside what is not shown?"""
    leaves, between = document.leaves, range(before + 1, leaf)
    if not any(leaves.gap[each] if leaves.is_media[each] else leaves.visible[each] for each in between):
        return False
    return changes is NONE or any(
        leaves.is_visible_text[each]
        if each not in changes.dropped and not leaves.is_media[each]
        else bool(leaves.gap[each] or leaves.text[each][:1].isspace() or leaves.text[each][-1:].isspace())
        for each in between
    )
