"""Kept leaves to plain text; and all visible text of a page in blocks, each kept or dropped.

Paragraphs are separated by a blank line; list items, table rows and lines that end in a <br> by a line break; the cells
of a row by a tab. Bullets and bars are not written. Formulas, code, notes, superscripts and the like are written as
`render/content/` recognises them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import compress, pairwise

import numpy as np

from tamis.arrays import Bools, places
from tamis.deadline import check, checked
from tamis.document import Document, parse, tags
from tamis.document.paths import Paths
from tamis.document.titles import fold
from tamis.errors import TamisError
from tamis.kernel import Text, address, byref, joined, library
from tamis.labels import Labels, Role
from tamis.page_data import BLOCK
from tamis.render.citing import cited
from tamis.render.content import Child, Node
from tamis.render.content.source import PageSource, Recogniser, find_marks, folded, has_formulas
from tamis.render.content.structures import anchors, is_anchor
from tamis.render.layout import Break, Layout
from tamis.render.safe import Room

# The changes of a leaf, as in the kernel.
_DROPPED = 1
_SHOWN = 2
_VERBATIM = 3
_SCRIPTS = ("sup", "sub", "q", "rt")
_MOST_LEAVES = 1_000  # in one of these; nested around more they would take long
_MARK = re.compile(r"[\[(]?[0-9]{1,3}[\])]?|[*†‡§¶#]")
_NOTES_BESIDE = ("label.sidenote-number", "sup.ltx_note_mark")  # one by one: the parser has an index of single tags
_LONGEST_MARK = 40  # with white space around it
_LONGEST_BARE = 5
_LONGEST_SIGN = 3  # of a link beside something else than a heading
_ENDS_OF_CODE = frozenset("{};")  # of lines
_IS_HEADING = tags.lookup(*tags.HEADINGS)
# A line of fewer letters may repeat the title by chance, if it is not a heading and not the first.
_LEAST_LETTERS = 8


@dataclass(frozen=True)
class Changes:
    """Leaves whose text is not the one that the page has there."""

    dropped: frozenset[int] = frozenset()
    shown: dict[int, str] = field(default_factory=dict)  # other text, to be folded as usual
    # Text to be written unchanged. A line break at its start or end puts it on a line of its own.
    verbatim: dict[int, str] = field(default_factory=dict)


NONE = Changes()


def to_text(document: Document, labels: Labels) -> str:
    """The main content as plain text; empty if nothing is kept."""
    return _written_leaves(document, *_kept(document, labels)).replace(b"\0", b"").decode().strip("\n ")


def _kept(document: Document, labels: Labels) -> tuple[Layout, Changes]:
    """The texts that are shown, and what is shown in their place."""
    texts = labels.keep & ~document.leaves.is_media
    changes = changes_of(document, labels.keep)
    if changes is not NONE:
        texts[list(changes.verbatim)] = True
        texts[list(changes.dropped)] = False
    return Layout(document, places(texts)), changes


def text_ranges(document: Document, labels: Labels) -> dict[int, tuple[int, int]]:
    """For each leaf that `to_text` shows: where its text starts and ends there."""
    layout, changes = _kept(document, labels)
    written = pieces(document, layout, changes)
    whole = "".join(written)
    begin, size = len(whole) - len(whole.lstrip("\n ")), len(whole.strip("\n "))
    found: dict[int, tuple[int, int]] = {}
    end = -begin
    for leaf, piece in checked(zip(layout.leaves.tolist(), written, strict=True)):
        start, end = end + len(piece) - len(piece.lstrip()), end + len(piece)
        found[leaf] = (min(max(start, 0), size), min(max(end, 0), size))
    return found


def pieces(document: Document, layout: Layout, changes: Changes = NONE) -> list[str]:
    """The text of each leaf of `layout`, after its separator from the leaf before."""
    return _written_leaves(document, layout, changes).decode().split("\0")[:-1]


def _written_leaves(document: Document, layout: Layout, changes: Changes) -> bytes:
    """The piece of each leaf of `layout`, followed by a NUL."""
    check()
    leaves, (breaks, tabs) = document.leaves, layout.separations
    kinds, others = None, b""
    if changes is not NONE:
        kinds = np.zeros(len(leaves), np.uint8)  # what is changed in each leaf
        for kind, changed in ((_SHOWN, changes.shown), (_VERBATIM, changes.verbatim), (_DROPPED, changes.dropped)):
            kinds[list(changed)] = kind
        texts = changes.shown | changes.verbatim
        others = joined(texts[leaf] for leaf in places(kinds > _DROPPED).tolist())
    gaps = joined(leaves.gap)
    size = len(leaves.utf8) + len(others) + len(gaps) + 3 * len(breaks) + (0 if tabs is None else int(tabs.sum()))
    memory = np.empty(size, np.uint8)
    columns = (None if column is None else address(column) for column in (breaks, tabs, layout.columns[1], kinds))
    written = library().tamis_pieces(
        byref(document.kernel_page), address(layout.leaves), len(breaks), *columns, Text.of_bytes(others),
        Text.of_bytes(gaps), address(memory), size,
    )  # fmt: skip
    if written < 0:
        raise TamisError(f"the kernel could not write the text ({written})")
    return memory[:written].tobytes()


def changes_of(document: Document, keep: Bools) -> Changes:
    """Where plain text shows something else than the text of a kept leaf."""
    recognisers = recognisers_for_text(document, keep)
    if not recognisers and not document.elements.has(*_SCRIPTS):
        return NONE
    from tamis.render.content.symbols import script_text  # it reads a table of symbols

    source = PageSource(document, keep, for_text=True)
    found, is_kept = find_marks(source, recognisers), keep.tolist()
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
            written = script_text(
                tag, content, _neighbour(document, first, first - 1), _neighbour(document, last, last + 1)
            )
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


def _neighbour(document: Document, leaf: int, other: int) -> str:
    """The text of another leaf if it follows or precedes this one on its line without white space."""
    leaves = document.leaves
    if not 0 <= other < len(leaves) or leaves.block[leaf] != leaves.block[other] or leaves.gap[max(leaf, other)]:
        return ""
    return leaves.text[other]


def recognisers_for_text(document: Document, keep: Bools) -> list[Recogniser]:
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
        from tamis.render.content.media import embeds

        found.append(embeds)
    return found


@dataclass(frozen=True)
class Block:
    """Text that a reader sees as one block; it is kept or dropped as a whole."""

    text: str
    score: float
    keep: bool
    role: Role
    xpath: str
    tag_path: str
    leaves: tuple[int, ...]  # rows of the document's leaves
    url: str | None = None  # that a browser opens at this text; None if the page's address is unknown
    start: int | None = None  # its place in the text of the page, if it is kept
    end: int | None = None

    def as_dict(self) -> dict[str, object]:
        """The block as in the JSON output."""
        return BLOCK.read(self)


def blocks(document: Document, labels: Labels, below: Labels | None = None, offset: int = 0) -> list[Block]:
    """The blocks of the page in document order. Raises PageTooLarge if their paths are too long altogether.

    `below` are the labels that the text of the page was written from, if they differ, and `offset` is the length of the
    title above it.
    """
    leaves = document.leaves.visible_text
    if not len(leaves):
        return []
    layout = Layout(document, leaves)
    texts = pieces(document, layout)
    keep = labels.keep[leaves]
    starts = np.flatnonzero((layout.separations.breaks != Break.NONE) | np.append(True, keep[1:] != keep[:-1]))
    ends = np.append(starts[1:], len(leaves))
    scores = np.add.reduceat(labels.scores[leaves], starts) / (ends - starts)
    paths, room, ranges = Paths(document), Room(document), text_ranges(document, below or labels)
    found: list[Block] = []
    rows, kept = leaves.tolist(), keep.tolist()
    for first, stop, score in checked(zip(starts.tolist(), ends.tolist(), scores.tolist(), strict=True)):
        xpath, tag_path = paths.xpath_and_tags(rows[first])
        text, inside = "".join(texts[first:stop]).strip(), tuple(rows[first:stop])
        url = cited(document.url, text)
        room.take(len(xpath) + len(tag_path) + len(url or ""))
        shown = [ranges[leaf] for leaf in inside if leaf in ranges] if kept[first] else []
        place = (shown[0][0] + offset, shown[-1][1] + offset) if shown else (None, None)
        found.append(Block(text, score, kept[first], labels.role(rows[first]), xpath, tag_path, inside, url, *place))
    return found


def visible_text(document: Document) -> str:
    """All visible text of the page, kept or not."""
    return "".join(pieces(document, Layout(document, document.leaves.visible_text)))


def without_title(document: Document, labels: Labels, title: str) -> Labels:
    """The same labels without the kept lines that repeat the title."""
    folded = fold(title)
    leaves = places(labels.keep & ~document.leaves.is_media)
    strings, rows = document.leaves.text, leaves.tolist()
    starts = places(Layout(document, leaves).separations.breaks != Break.NONE).tolist()
    is_heading = _IS_HEADING.take(document.elements.code.take(document.leaves.block.take(leaves))).tolist()
    keep = labels.keep.copy()
    for first, end in pairwise([0, *starts, len(rows)]):
        line = rows[first:end]
        likely = not first or is_heading[first] or len(folded) >= _LEAST_LETTERS
        if likely and fold(" ".join(strings[leaf] for leaf in line)) == folded:
            keep[line] = False
    return replace(labels, keep=keep)
