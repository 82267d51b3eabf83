"""What plain text shows for formulas, code, notes, superscripts and the like, leaf by leaf."""

from __future__ import annotations

from dataclasses import dataclass, field

from tamis.arrays import Bools
from tamis.document import Document
from tamis.render.content.cues import for_text
from tamis.render.content.marks import marks
from tamis.render.content.node import Child, Node
from tamis.render.content.source import Source, folded

_SCRIPTS = ("sup", "sub", "q", "rt")
_MOST_LEAVES = 1_000  # in one of these; nested around more they would take long


@dataclass(frozen=True)
class Changes:
    """Leaves whose text is not the one that the page has there."""

    dropped: frozenset[int] = frozenset()
    shown: dict[int, str] = field(default_factory=dict)  # other text, to be folded as usual
    # Text to be written as it is. A line break at its begin or end: it stands on a line of its own.
    verbatim: dict[int, str] = field(default_factory=dict)


NONE = Changes()


def changes_of(document: Document, keep: Bools) -> Changes:
    """What is shown for the kept leaves where it is not their text."""
    recognisers = for_text(document, keep)
    if not recognisers and not document.elements.has(*_SCRIPTS):
        return NONE
    from tamis.render.content.scripts import written as script_text  # it reads a table of symbols

    source = Source(document, keep, for_text=True)
    found, is_kept = marks(source, recognisers), keep.tolist()
    dropped = {leaf for row in found.skipped for leaf in source.leaves_in(row)}
    verbatim: dict[int, str] = {}
    for row, node in found.replaced.items():
        leaves = [leaf for leaf in source.leaves_in(row) if is_kept[leaf] and leaf not in dropped]
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
            leaves = [leaf for leaf in source.leaves_in(row) if is_kept[leaf] and leaf not in dropped]
            if leaves and leaves[0] in verbatim:
                verbatim[leaves[0]] = f"[{node.attributes['id']}] {verbatim[leaves[0]]}"
            elif leaves and not document.leaves.is_media[leaves[0]]:
                text = shown.get(leaves[0], document.leaves.text[leaves[0]])
                shown[leaves[0]] = f"[{node.attributes['id']}] {text.lstrip()}"
    texts = document.leaves.text
    for tag in _SCRIPTS:
        for row in source.tagged(tag):
            inside = source.leaves_in(row)[: _MOST_LEAVES + 1]
            leaves = [leaf for leaf in inside if is_kept[leaf] and not document.leaves.is_media[leaf]]
            if not leaves or len(inside) > _MOST_LEAVES or any(leaf in dropped or leaf in verbatim for leaf in leaves):
                continue
            first, last = leaves[0], leaves[-1]
            before, after = {"q": ("\u201c", "\u201d"), "rt": ("(", ")")}.get(tag, ("", ""))
            if before:
                shown[first] = before + shown.get(first, texts[first]).lstrip()
                shown[last] = shown.get(last, texts[last]).rstrip() + after
                continue
            content = " ".join(source.text(row).split())
            written = script_text(tag, content, _beside(document, first, first - 1), _beside(document, last, last + 1))
            if len(leaves) > 1 and content and content in written:
                opening, _, closing = written.partition(content)
                shown[first] = opening + shown.get(first, texts[first]).lstrip()
                shown[last] = shown.get(last, texts[last]).rstrip() + closing
            else:
                shown[first] = written
                dropped.update(leaves[1:])
    for row in source.tagged("rp"):
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
