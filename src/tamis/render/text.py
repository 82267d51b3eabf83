"""Kept leaves to plain text.

Paragraphs are separated by a blank line; list items, table rows and lines that end in a <br> by a line break; the cells
of a row by a tab. There are no bullets and no bars. Formulas, code, notes, superscripts and the like are written as
`render/content/` recognises them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tamis.arrays import Bools, places
from tamis.deadline import checked
from tamis.document import Document
from tamis.labels import Labels
from tamis.render.content.node import Child, Node
from tamis.render.content.recognisers import has_cues, marks
from tamis.render.content.scripts import written as script_text
from tamis.render.content.source import Source, folded
from tamis.render.layout import Layout

_BREAKS = ("", " ", "", "\n", "\n\n")  # by Break; cells are put into their columns by tabs


@dataclass(frozen=True)
class Changes:
    """Leaves whose text is not the one that the page has there."""

    dropped: frozenset[int] = frozenset()
    shown: dict[int, str] = field(default_factory=dict)  # other text, to be folded as usual
    # Text to be written as it is. A line break at its begin or end: it stands on a line of its own.
    verbatim: dict[int, str] = field(default_factory=dict)


_NONE = Changes()


def to_text(document: Document, labels: Labels) -> str:
    """The main content as plain text; empty if nothing is kept."""
    texts = labels.keep & ~document.leaves.is_media
    if not has_cues(document, labels.keep):
        return "".join(pieces(document, Layout(document, places(texts)))).strip("\n ")
    changes = changes_of(document, labels.keep)
    texts[list(changes.verbatim)] = True
    texts[list(changes.dropped)] = False
    return "".join(pieces(document, Layout(document, places(texts)), changes)).strip("\n ")


def changes_of(document: Document, keep: Bools) -> Changes:
    """What is shown for the leaves of formulas, code, notes, superscripts and the like."""
    source = Source(document, keep)
    found = marks(source)
    dropped = {leaf for row in found.skipped for leaf in source.leaves_in(row)}
    verbatim: dict[int, str] = {}
    for row, node in found.replaced.items():
        leaves = [leaf for leaf in source.leaves_in(row) if keep[leaf] and leaf not in dropped]
        text = found.text[row] if row in found.text else node.text()
        if leaves and text:
            verbatim[leaves[0]] = text
        dropped.update(leaves[1:] if text else leaves)
    shown = {leaf: text for leaf, text in found.trimmed.items() if text.strip()}
    dropped.update(found.trimmed.keys() - shown.keys())
    for leaf, parts in found.split.items():
        if text := _split_text(document, leaf, parts):
            (verbatim if "\n" in text else shown)[leaf] = text
        else:
            dropped.add(leaf)
    for row, node in found.named.items():
        if node.name == "note":
            leaves = [leaf for leaf in source.leaves_in(row) if keep[leaf] and leaf not in dropped]
            if leaves and leaves[0] in verbatim:
                verbatim[leaves[0]] = f"[{node.attributes['id']}] {verbatim[leaves[0]]}"
            elif leaves and not document.leaves.is_media[leaves[0]]:
                text = shown.get(leaves[0], document.leaves.text[leaves[0]])
                shown[leaves[0]] = f"[{node.attributes['id']}] {text.lstrip()}"
    texts = document.leaves.text
    for tag in ("sup", "sub", "q", "rt"):
        for row in source.tags.get(tag, ()):
            leaves = [leaf for leaf in source.leaves_in(row) if keep[leaf] and not document.leaves.is_media[leaf]]
            if not leaves or any(leaf in dropped or leaf in verbatim for leaf in leaves):
                continue
            first, last = leaves[0], leaves[-1]
            before, after = {"q": ("\u201c", "\u201d"), "rt": ("(", ")")}.get(tag, ("", ""))
            if before:
                shown[first] = before + shown.get(first, texts[first]).lstrip()
                shown[last] = shown.get(last, texts[last]).rstrip() + after
            elif len(leaves) == 1:
                before, after = (_beside(document, first, other) for other in (first - 1, first + 1))
                shown[first] = script_text(tag, texts[first], before, after)
    for row in source.tags.get("rp", ()):
        dropped.update(source.leaves_in(row))
    return Changes(frozenset(dropped), shown, verbatim)


def _split_text(document: Document, leaf: int, parts: list[Child]) -> str:
    """A text with formulas; those on lines of their own with a line break before and after them."""
    whole = ""
    for part in parts:
        is_alone = isinstance(part, Node) and "display" in part.attributes
        text = folded(part if isinstance(part, str) else part.text())
        whole = (
            f"{whole.rstrip(' ')}\n{text}\n" if is_alone else whole + (text.lstrip() if whole[-1:] == "\n" else text)
        )
    block = document.leaves.block
    return whole if leaf and block[leaf] == block[leaf - 1] else whole.lstrip(" ")


def _beside(document: Document, leaf: int, other: int) -> str:
    """The text of another leaf if it stands on the same line as this one, without white space between them."""
    leaves = document.leaves
    if not 0 <= other < len(leaves) or leaves.block[leaf] != leaves.block[other] or leaves.gap[max(leaf, other)]:
        return ""
    return leaves.text[other]


def pieces(document: Document, layout: Layout, changes: Changes = _NONE) -> list[str]:
    """The text of each leaf of `layout`, after its separator from the leaf before."""
    all_text, all_gaps = document.leaves.text, document.leaves.gap
    breaks, tabs = layout.separations
    separators = [_BREAKS[apart] for apart in breaks.tolist()]
    for place, count in tabs.items():
        separators[place] += "\t" * count
    skipped, preformatted = layout.follows_text.tolist(), layout.preformatted.tolist()
    rendered: list[str] = []
    ends_in_space = follows_preformatted = False  # does the leaf before end in white space, is it preformatted?
    ends_line = False  # does nothing else stand on the line of the leaf before?
    before = 0
    leaves = checked(layout.leaves.tolist())
    for leaf, apart, is_preformatted, is_skipped in zip(leaves, separators, preformatted, skipped, strict=True):
        text = all_text[leaf]
        if changes is not _NONE:
            if is_skipped:
                is_skipped = _is_apart(document, before, leaf, changes)
            before = leaf
            if ends_line:
                apart, ends_line = apart or "\n", False
            if leaf in changes.verbatim:
                text = changes.verbatim[leaf]
                if text[0] == "\n":
                    apart = apart or "\n"
                is_glued = not (apart or ends_in_space or all_gaps[leaf] or is_skipped)
                rendered.append((apart if apart or is_glued else " ") + text.strip("\n"))
                ends_in_space = follows_preformatted = False
                ends_line = text[-1] == "\n"
                continue
            text = changes.shown.get(leaf, text)
        if is_preformatted:
            text = all_gaps[leaf] + text
            rendered.append(apart + text.lstrip("\n") if apart else text)
            ends_in_space, follows_preformatted = False, True
            continue
        # Most texts need no folding. A space is the only printable white space.
        collapsed = text.strip() if text.isprintable() and "  " not in text else folded(text).strip()
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


def _is_apart(document: Document, before: int, leaf: int, changes: Changes) -> bool:
    """Is there text between two leaves that was not kept, or white space beside text that is not shown?"""
    leaves = document.leaves
    return any(
        leaves.is_visible_text[each]
        if each not in changes.dropped
        else bool(leaves.gap[each] or leaves.text[each][:1].isspace() or leaves.text[each][-1:].isspace())
        for each in range(before + 1, leaf)
    )
