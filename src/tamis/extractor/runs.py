"""What the default extractor sees of a page: one row a run of text, and no word of any language.

A row is a run of visible texts in one block-level element: a paragraph, a heading, a cell, a link in a
list. Its columns tell of its own text, of the page, of the tags it stands in, of rows like it, and of the
LEVELS nodes above it. A node is an element in which the page parts: at least two of its children hold text,
or it holds text of its own beside them. Further columns tell what the page's author calls the parts around a row
(`features.conventions`) and what the page says of itself (`features.declared`).

All of it is sums over ranges. The time of a page goes into the number of array operations and hardly into their
length; that is why columns that are treated alike are treated at once.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Bytes, Floats, Ints, Longs, places
from tamis.document import Document, tags
from tamis.extractor import conventions, declared
from tamis.extractor.declared import Declared
from tamis.extractor.run_texts import RowTexts
from tamis.extractor.run_tree import RowTree
from tamis.extractor.scaling import Singles

Value = TypeVar("Value", bound="np.generic[Any]")

# Another number means other columns: weights say which one they were trained with.
VERSION = 3

# How many nodes above a row are looked at. Six reach from a paragraph to the page on most of WCXB dev.
LEVELS = 6

# A row of so many words, of which few are links, is prose and no teaser.
_PROSE_WORDS = 15
_PROSE_LINKS = 0.35

# Of longer words, if they are any, the length says no more.
_LONGEST_WORD = 30

# Shorter rows, and code, may say the same twice and mean it.
_COPY_WORDS = 8

# Elements that a row can stand in, however far above; several tags may mean the same.
_HOLDERS = (
    "nav", "header", "footer", "aside", "article", "main", "section", "form", "table", "ul ol menu dir", "dl", "figure",
    "blockquote", "pre listing xmp", "button", "noscript", "details summary", "fieldset legend", "h1", "h2", "h3",
    "h4 h5 h6", "p", "li", "td th", "a", "dialog", "address", "textarea select", "figcaption caption",
)  # fmt: skip
_H1, _PRE = _HOLDERS.index("h1"), _HOLDERS.index("pre listing xmp")
_IS_HEADING, _IS_PAGE = tags.lookup(*tags.HEADINGS), tags.lookup("html", "body")
# Where in a number of 64 bits roles and properties begin, and where they end; names have a number of their own.
_MARK_SHIFT = len(_HOLDERS)
_MARKS_END = _MARK_SHIFT + len(conventions.ROLES) + len(conventions.PROPERTIES)

_OWN = (
    "words", "characters", "word length", "linked", "digits", "capitals", "sentence ends", "commas", "separators",
    "quotes", "ends a sentence", "texts", "wordless", "place", "rows before", "rows after", "words before", "page rows",
    "page words", "page linked", "page prose", "depth", "after h1", "from h1", "from heading", "rows like it",
    "words like it", "linked like it", "share like it", "share of node", "folded", "in title", "repeated",
)  # fmt: skip
_OF_NODES = (
    "words", "share", "linked", "rows", "row words", "prose", "sentence ends", "children", "share of parent",
    "place in parent", "media", "headings",
)  # fmt: skip

# Of these the logarithm is taken: of 1 more, for there may be none.
_OWN_LOGS = [
    _OWN.index(name)
    for name in (
        "words", "characters", "sentence ends", "commas", "quotes", "texts", "rows before", "rows after", "page rows",
        "page words", "depth", "from h1", "from heading", "rows like it", "words like it", "repeated",
    )
]  # fmt: skip
_NODE_LOGS = [_OF_NODES.index(name) for name in ("words", "rows", "row words", "children", "media")]

COLUMNS = (
    *_OWN,
    *(f"in {holder}" for holder in _HOLDERS),
    *(f"{name} {level}" for level in range(1, LEVELS + 1) for name in _OF_NODES),
    *(f"role {name}" for name in conventions.ROLES),
    *(f"property {name}" for name in conventions.PROPERTIES),
    *(f"named {name}" for name in conventions.NAMES),
    *(f"said as {kind}" for kind in (*declared.TEXTS, "opening")),
    *declared.PAGE,
)
NO_TAG = tags.OTHER - 1  # stands for a node above the top


class PageRows:
    """The rows of a page and their columns.

    `declared` is what the page says of itself where that is not to be read from the document.
    """

    def __init__(self, document: Document, declared: Declared | None = None) -> None:
        self.document = document
        self._declared = declared
        leaves = document.leaves
        self.texts: Ints = leaves.visible_text
        self._block = leaves.block[self.texts]
        begins = np.ones(len(self.texts), dtype=np.bool_)
        np.not_equal(self._block[1:], self._block[:-1], out=begins[1:])
        self.first: Longs = places(begins)  # the first text of each row, as a position in `texts`
        self.element: Ints = self._block.take(self.first)  # the block-level element of each row
        self._bounds: Longs = np.concatenate((self.first, (len(self.texts),)))
        self._count = self._bounds[1:] - self._bounds[:-1]  # texts of each row

    def __len__(self) -> int:
        return len(self.first)

    def to_leaves(self, values: NDArray[Value], other: float) -> NDArray[Value]:
        """One value a row, spread over the leaves of the page; other leaves get `other`."""
        spread = np.full(len(self.document.leaves), other, dtype=values.dtype)
        spread[self.texts] = values.repeat(self._count)
        return spread

    @cached_property
    def words(self) -> Floats:
        """How many words each row has."""
        return self._text.words

    @cached_property
    def tags(self) -> Bytes:
        """(rows, 1 + LEVELS): the codes of the row's own tag and of the nodes above it."""
        code = self.document.elements.code
        found = np.empty((len(self), 1 + LEVELS), dtype=np.uint8)
        found[:, 0] = code.take(self.element)
        nodes = np.full(len(self._tree.nodes) + 1, NO_TAG, dtype=np.uint8)
        nodes[:-1] = code.take(self._tree.nodes)
        found[:, 1:] = nodes.take(self._above)
        return found

    @cached_property
    def values(self) -> Singles:
        """(rows, COLUMNS)"""
        values = np.empty((len(self), len(COLUMNS)), dtype=np.float32)
        holders = len(_OWN)
        nodes = holders + len(_HOLDERS)
        values[:, :holders] = self._own.T
        values[:, holders:nodes] = self._inside
        said = nodes + LEVELS * len(_OF_NODES)
        values[:, nodes:said] = self._nodes.take(self._above, axis=0).reshape(len(self), LEVELS * len(_OF_NODES))
        names = said + _MARKS_END - _MARK_SHIFT
        values[:, said:names] = self._around[:, _MARK_SHIFT:_MARKS_END]
        declared = names + len(conventions.NAMES)
        values[:, names:declared] = self._around[:, 64:]
        values[:, declared:] = self._said
        return values

    @cached_property
    def copies(self) -> Longs:
        """For each row the first one with the same text, mostly itself; rows that are short or code have no copies."""
        found = np.arange(len(self))
        may = places((self._text.repeated > 0) & (self.words >= _COPY_WORDS))
        if may.size:
            strings, firsts = self.document.leaves.text, dict[str, int]()
            for row in may[self._inside[may, _PRE] == 0].tolist():
                texts = self.texts[self._bounds[row] : self._bounds[row + 1]].tolist()
                found[row] = firsts.setdefault(" ".join(" ".join(strings[leaf] for leaf in texts).split()), row)
        return found

    @cached_property
    def _text(self) -> RowTexts:
        return RowTexts.of(self.document, self.first, self._bounds)

    @cached_property
    def _tree(self) -> RowTree:
        return RowTree.of(self.document, self.element, self.texts.take(self.first))

    @cached_property
    def _is_heading(self) -> Bools:
        return _IS_HEADING.take(self.document.elements.code.take(self.element))

    @cached_property
    def _running(self) -> Floats:
        """(rows + 1, 5): words, linked words, words of prose, sentence ends and headings before each row."""
        text = self._text
        prose = text.words * ((text.words >= _PROSE_WORDS) & (text.linked < _PROSE_LINKS * text.words))
        running = np.zeros((len(self) + 1, 5))
        columns = (text.words, text.linked, prose, text.marks["sentence ends"], self._is_heading)
        for number, column in enumerate(columns):
            running[1:, number] = column
        return running.cumsum(axis=0)

    @cached_property
    def _sums(self) -> Floats:
        """(nodes + 1, 5): the same in each node, and in the page as a whole."""
        tree, running = self._tree, self._running
        sums: Floats = running.take(tree.last, axis=0) - running.take(tree.first, axis=0)
        return sums

    @cached_property
    def _above(self) -> Longs:
        """(rows, LEVELS): the numbers of the nodes above each row; the number after the last stands for none."""
        tree = self._tree
        found = np.empty((len(self), LEVELS), dtype=np.int64)
        above = found[:, 0] = tree.above
        for level in range(1, LEVELS):
            above = found[:, level] = tree.parent.take(above)
        return found

    @cached_property
    def _nodes(self) -> Singles:
        """(nodes + 1, _OF_NODES): the last row, for none, is the page as a whole."""
        tree, leaves = self._tree, self.document.leaves
        words, linked, prose, sentences, headings = self._sums.T
        count = tree.last - tree.first
        some, several = np.maximum(words, 1.0), np.maximum(count, 1)
        found = np.zeros((len(_OF_NODES), len(count)), dtype=np.float32)
        children, media = (found[_OF_NODES.index(name), :-1] for name in ("children", "media"))
        columns = {
            "words": words,
            "share": words / some[-1],
            "linked": linked / some,
            "rows": count,
            "row words": words / several,
            "prose": prose / some,
            "sentence ends": np.minimum(sentences / some, 0.5),
            "share of parent": words / some.take(tree.parent),
            "place in parent": (tree.first - tree.first.take(tree.parent)) / several.take(tree.parent),
            "headings": headings / several,
        }
        for name, column in columns.items():
            found[_OF_NODES.index(name)] = column
        children[:] = tree.children.take(tree.nodes)
        shown = leaves.element[leaves.is_media & leaves.visible]  # in document order
        media[:] = shown.searchsorted(self.document.elements.end.take(tree.nodes)) - shown.searchsorted(tree.nodes)
        found[_NODE_LOGS] = np.log1p(found[_NODE_LOGS])
        return np.ascontiguousarray(found.T)

    @property
    def _own(self) -> Singles:
        """(_OWN, rows)"""
        text, running, rows = self._text, self._running, len(self)
        some, letters = np.maximum(text.words, 1.0), np.maximum(text.characters, 1)
        total = max(1.0, float(running[-1, 0]))
        place = np.arange(rows)
        depth = self.document.elements.depth.take(self.element)
        in_h1 = self._inside[:, _H1]
        from_h1: Longs | float = place - np.argmax(in_h1) if in_h1.any() else 0.0
        last_heading = np.maximum.accumulate(np.where(self._is_heading, place, -50))
        # Rows are alike if they have the same tag at the same depth.
        like = depth * (tags.OTHER + 1) + self.document.elements.code.take(self.element)
        alike = np.bincount(like).take(like)
        words_alike = np.bincount(like, text.words).take(like)
        linked_alike = np.bincount(like, text.linked).take(like)
        node_words = self._sums[:, 0].take(self._above[:, 0])
        marks = text.marks
        columns: tuple[Longs | Ints | Floats | Bools | float, ...] = (
            text.words,
            text.characters,
            np.minimum(text.characters / some, _LONGEST_WORD),
            text.linked / some,
            marks["digits"] / letters,
            marks["capitals"] / letters,
            marks["sentence ends"],
            marks["commas"],
            marks["separators"] / letters,
            marks["quotes"],
            text.is_final,
            self._count,
            text.words == 0,
            place / max(1, rows),
            place,
            rows - 1 - place,
            running[:-1, 0] / total,
            rows,
            total,
            float(running[-1, 1]) / total,
            float(running[-1, 2]) / total,
            depth,
            np.sign(from_h1),
            np.abs(from_h1),
            place - last_heading,
            alike,
            words_alike / alike,
            linked_alike / np.maximum(words_alike, 1.0),
            words_alike / total,
            text.words / np.maximum(node_words, 1.0),
            self.document.leaves.folded.take(self.texts.take(self.first)),
            text.in_title,
            text.repeated,
        )
        own = np.empty((len(_OWN), rows), dtype=np.float32)
        for number, column in enumerate(columns):
            own[number] = column
        own[_OWN_LOGS] = np.log1p(own[_OWN_LOGS])
        return own

    @cached_property
    def _inside(self) -> Bytes:
        """(rows, _HOLDERS): 1 where the row stands in such an element."""
        return self._around[:, : len(_HOLDERS)]

    @cached_property
    def _around(self) -> Bytes:
        """(rows, 64 and names): 1 for each thing that an element around the row is or is called.

        Holders, roles and properties come first, then some that stand for nothing, and names from column 64 on.
        """
        elements, holders = self.document.elements, self._tree.holders
        # The last entry is above the top. Elements that hold no row are not there.
        place = np.full(len(elements) + 1, len(holders))
        place[holders] = np.arange(len(holders))
        up = np.concatenate((place.take(elements.parent.take(holders)), (len(holders),)))
        said = np.zeros((len(holders) + 1, 2), dtype="<u8")
        bits, names = said[:, 0], said[:, 1]
        bits[:-1] = _holder_bits().take(elements.code.take(holders))
        for number, node in zip(place.take(elements.notable).tolist(), elements.notable_nodes, strict=True):
            if number < len(holders) and (marks := conventions.mark_bits(node)):
                bits[number] |= np.uint64(marks << _MARK_SHIFT)
        # Of smaller elements the tag says enough; a page is called by what it can do and not by what it is.
        sections = self._tree.sections
        holds = np.zeros(len(elements), dtype=np.bool_)
        holds[sections] = True
        called = place.take(sections)
        names[called] = conventions.name_bits(elements.nodes(holds))
        names[called[_IS_PAGE.take(elements.code.take(sections))]] = 0
        # Each round an element hears from twice as far above.
        for _ in range(int(elements.depth.max(initial=0)).bit_length()):
            said |= said.take(up, axis=0)
            up = up.take(up)
        spread = said.take(place.take(self.element), axis=0)
        return np.unpackbits(spread.view(np.uint8), axis=1, count=64 + len(conventions.NAMES), bitorder="little")

    @property
    def _said(self) -> Singles:
        """(rows, texts and PAGE): is a row in what the page says of itself, and what that is."""
        said = Declared.of(self.document) if self._declared is None else self._declared
        begin, rows = self._text.begin, len(self)
        found = np.zeros((rows, len(declared.TEXTS) + 1 + len(declared.PAGE)), dtype=np.float32)
        sets = said.found_in(begin)
        for number, those in enumerate(sets):
            if those:
                found[:, number] = np.fromiter(map(those.__contains__, begin), np.bool_, rows)
        found[:, len(sets) :] = said.page
        return found


@cache
def _holder_bits() -> NDArray[np.uint64]:
    """From tag codes to the bit of what the tag is."""
    table = np.zeros(tags.OTHER + 1, dtype=np.uint64)
    for number, names in enumerate(_HOLDERS):
        table[[tags.CODES[name] for name in names.split()]] = 1 << number
    return table
