"""What the default extractor sees of a page: one row a run of text, and no word of any language.

A row is a run of visible texts in one block-level element: a paragraph, a heading, a cell, a link in a
list. Its columns tell of its own text, of the page, of the tags it stands in, of rows like it, and of the
LEVELS nodes above it. A node is an element in which the page parts: at least two of its children hold text,
or it holds text of its own beside them. Words of texts, class names and ids are not looked at: they say
more about a site than about a page (measured on WCXB dev, docs/tamis.md).

All of it is sums over ranges. The time of a page goes into the number of array operations and hardly into their
length; that is why columns that are treated alike are treated at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Bytes, Floats, Ints, Longs
from tamis.document import Document, tags
from tamis.features import characters
from tamis.features.words import tokenize
from tamis.networks.scaling import Singles

Value = TypeVar("Value", bound="np.generic[Any]")

# Another number means other columns: weights say which one they were trained with.
VERSION = 2

# How many nodes above a row are looked at. Six reach from a paragraph to the page on most of WCXB dev.
LEVELS = 6

# A row of so many words, of which few are links, is prose and no teaser.
_PROSE_WORDS = 15
_PROSE_LINKS = 0.35

# Of longer words, if they are any, the length says no more.
_LONGEST_WORD = 30

# A shorter text is in a title by chance.
_TITLE_LETTERS = 4

# Elements that a row can stand in, however far above; several tags may mean the same.
_HOLDERS = (
    "nav", "header", "footer", "aside", "article", "main", "section", "form", "table", "ul ol menu dir", "dl", "figure",
    "blockquote", "pre listing xmp", "button", "noscript", "details summary", "fieldset legend", "h1", "h2", "h3",
    "h4 h5 h6", "p", "li", "td th", "a", "dialog", "address", "textarea select", "figcaption caption",
)  # fmt: skip
_H1 = _HOLDERS.index("h1")
_IS_HEADING = tags.lookup(*tags.HEADINGS)

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
)
NO_TAG = tags.OTHER - 1  # stands for a node above the top


class PageRows:
    """The rows of a page and their columns."""

    def __init__(self, document: Document) -> None:
        self.document = document
        leaves = document.leaves
        self.texts: Ints = leaves.visible_text
        self._block = leaves.block[self.texts]
        begins = np.ones(len(self.texts), dtype=np.bool_)
        np.not_equal(self._block[1:], self._block[:-1], out=begins[1:])
        self.first: Longs = np.flatnonzero(begins)  # the first text of each row, as a position in `texts`
        self.element: Ints = self._block.take(self.first)  # the block-level element of each row
        self._bounds = np.append(self.first, len(self.texts))
        self._count = self._bounds[1:] - self._bounds[:-1]  # texts of each row

    def __len__(self) -> int:
        return len(self.first)

    def to_leaves(self, values: NDArray[Value], other: float) -> NDArray[Value]:
        """One value a row, spread over the leaves of the page; other leaves get `other`."""
        spread = np.full(len(self.document.leaves), other, dtype=values.dtype)
        spread[self.texts] = np.repeat(values, self._count)
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
        found[:, 1:] = np.append(code.take(self._tree.nodes), np.uint8(NO_TAG)).take(self._above)
        return found

    @cached_property
    def values(self) -> Singles:
        """(rows, COLUMNS)"""
        values = np.empty((len(self), len(COLUMNS)), dtype=np.float32)
        holders = len(_OWN)
        nodes = holders + len(_HOLDERS)
        values[:, :holders] = self._own.T
        values[:, holders:nodes] = self._inside
        values[:, nodes:] = self._nodes.take(self._above, axis=0).reshape(len(self), LEVELS * len(_OF_NODES))
        return values

    @cached_property
    def _text(self) -> _Text:
        return _Text.of(self)

    @cached_property
    def _tree(self) -> _Tree:
        return _Tree.of(self)

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
        elements = self.document.elements
        # One bit a holder. The last entry, which row -1 reads, is above the top.
        bits = np.zeros(len(elements) + 1, dtype="<u4")
        bits[:-1] = _holder_bits().take(elements.code)
        up = np.append(elements.parent, -1)
        # Each round an element hears from twice as far above.
        for _ in range(int(elements.depth.max(initial=0)).bit_length()):
            bits |= bits.take(up)
            up = up.take(up)
        spread = bits.take(self.element).view(np.uint8).reshape(len(self), bits.itemsize)
        return np.unpackbits(spread, axis=1, count=len(_HOLDERS), bitorder="little")


@dataclass(frozen=True, eq=False)
class _Text:
    """Counts of the text of each row."""

    words: Floats
    linked: Floats  # words in links
    characters: Longs
    marks: dict[str, Longs]
    is_final: Bools  # does it end as a sentence does?
    in_title: Bools  # is its first text a part of the page's title?
    repeated: Longs  # how many other rows begin with the same text

    @classmethod
    def of(cls, rows: PageRows) -> _Text:
        leaves, first, bounds = rows.document.leaves, rows.first, rows._bounds
        if not len(rows):
            none, nothing = np.zeros(0), np.zeros(0, dtype=np.int64)
            return cls(none, none, nothing, dict.fromkeys(characters.MARKS, nothing), none > 0, none > 0, nothing)
        strings = list(compress(leaves.text, (leaves.visible & ~leaves.is_media).tobytes()))
        tokens = tokenize(strings)
        words = tokens.sum_per_text(tokens.weight)
        starts = tokens.starts.take(bounds)  # of the rows in the joined texts
        lengths = starts[1:] - starts[:-1]
        last = tokens.bounds.take(bounds[1:]) - 1  # the last token of each row
        ends = tokens.classes.take(tokens.start.take(last) + tokens.length.take(last) - 1)
        begin = list(map(str.strip, map(strings.__getitem__, first.tolist())))
        title, often = rows.document.title, Counter(begin)
        titles = {text for text in often if len(text) >= _TITLE_LETTERS and text in title}
        return cls(
            np.add.reduceat(words, first),
            np.add.reduceat(words * leaves.in_link.take(rows.texts), first),
            lengths - rows._count,  # without what joins them
            _marks(tokens.classes, starts),
            (ends & characters.FINAL).astype(np.bool_),
            np.fromiter(map(titles.__contains__, begin), np.bool_, len(begin)),
            np.fromiter(map(often.__getitem__, begin), np.int64, len(begin)) - 1,
        )


def _marks(classes: Bytes, starts: Longs) -> dict[str, Longs]:
    """How many marks of each kind there are from each start to the next."""
    places = np.flatnonzero(classes >= 1 << characters.MARK_SHIFT)
    bounds = places.searchsorted(starts)
    rows = len(starts) - 1
    # One field a row and kind.
    fields = np.repeat(np.arange(rows) << characters.MARK_SHIFT, bounds[1:] - bounds[:-1])
    fields |= classes.take(places) >> characters.MARK_SHIFT
    counts = np.bincount(fields, minlength=rows << characters.MARK_SHIFT).reshape(rows, -1)
    return {name: counts[:, number] for number, name in enumerate(characters.MARKS, 1)}


@dataclass(frozen=True, eq=False)
class _Tree:
    """The elements in which a page parts into rows."""

    children: Longs  # (elements,): rows that it holds itself, and children that hold any
    nodes: Longs  # (nodes,): their elements
    parent: Longs  # (nodes + 1,): the number of the node above; that of none is len(nodes)
    above: Longs  # (rows,): the number of the node above each row
    first: Longs  # (nodes + 1,): the first row in it; none is the whole page
    last: Longs  # (nodes + 1,): the row after its last

    @classmethod
    def of(cls, rows: PageRows) -> _Tree:
        elements, leaves = rows.document.elements, rows.document.leaves
        own = np.bincount(rows.element, minlength=len(elements))
        holders = np.flatnonzero(elements.sums(own))
        children = own + np.bincount(elements.parent.take(holders) + 1, minlength=len(elements) + 1)[1:]
        is_node = children > 1
        nodes = np.flatnonzero(is_node)
        number = np.full(len(elements) + 1, len(nodes))  # of each element, and of row -1
        number[nodes] = np.arange(len(nodes))
        below = np.concatenate((elements.parent.take(nodes), rows.element))
        above = number.take(elements.nearest(is_node, below))
        parent = np.full(len(nodes) + 1, len(nodes))
        parent[:-1] = above[: len(nodes)]
        # A node need not be a block: rows count as in it when their first text is, whatever their block is.
        begins = rows.texts.take(rows.first)
        inside = np.zeros(len(elements) + 1, dtype=np.int64)
        np.cumsum(np.bincount(leaves.element.take(begins), minlength=len(elements)), out=inside[1:])
        first, last = np.zeros(len(nodes) + 1, dtype=np.int64), np.full(len(nodes) + 1, len(rows))
        first[:-1] = leaves.opened.take(begins).searchsorted(nodes)
        last[:-1] = first[:-1] + inside.take(elements.end.take(nodes)) - inside.take(nodes)
        return cls(children, nodes, parent, above[len(nodes) :], first, last)


@cache
def _holder_bits() -> NDArray[np.uint32]:
    """From tag codes to the bit of what the tag is."""
    table = np.zeros(tags.OTHER + 1, dtype=np.uint32)
    for number, names in enumerate(_HOLDERS):
        table[[tags.CODES[name] for name in names.split()]] = 1 << number
    return table
