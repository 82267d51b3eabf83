"""What the default extractor sees of a page: one row a run of text, and no word of any language.

A row is a run of visible texts in one block-level element: a paragraph, a heading, a cell, a link in a
list. Its columns tell of its own text, of the page, of the tags it stands in, of rows like it, and of the
LEVELS nodes above it. A node is an element in which the page parts: at least two of its children hold text,
or it holds text of its own beside them. Words of texts, class names and ids are not looked at: they say
more about a site than about a page (measured on WCXB dev, docs/tamis.md).

All of it is sums over ranges. The time of a page goes into the number of array operations, some 300 of
them, and hardly into their length; that is why counts are packed into one number here and there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
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

# Marks that are counted in each row, by what they mean; full-width forms mean the same.
_MARKS = (
    ("digits", "0123456789"),
    ("capitals", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ("sentence ends", ".!?。！？…"),
    ("commas", ",;，；、"),
    ("separators", "|/›»>·•:-–—"),
    ("quotes", '"“”()'),
)
# Of longer words, if they are any, the length says no more.
_LONGEST_WORD = 30

# A shorter text is in a title by chance.
_TITLE_LETTERS = 4
_FINAL = frozenset('.!?。！？”"’…)')

# Elements that a row can stand in, however far above; several tags may mean the same.
_HOLDERS = (
    "nav", "header", "footer", "aside", "article", "main", "section", "form", "table", "ul ol menu dir", "dl", "figure",
    "blockquote", "pre listing xmp", "button", "noscript", "details summary", "fieldset legend", "h1", "h2", "h3",
    "h4 h5 h6", "p", "li", "td th", "a", "dialog", "address", "textarea select", "figcaption caption",
)  # fmt: skip
_H1 = _HOLDERS.index("h1")
_IS_HEADING = tags.lookup(*tags.HEADINGS)

# Several counts in one number: so many bits each, so many of them. Depth is at most 512, and no row has two million
# marks of one kind.
_DEPTH_BITS, _DEPTHS = 10, 6
_MARK_BITS, _MARKS_EACH = 21, 3

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
        self.element: Ints = self._block[self.first]  # the block-level element of each row

    def __len__(self) -> int:
        return len(self.first)

    def to_leaves(self, values: NDArray[Value], other: float) -> NDArray[Value]:
        """One value a row, spread over the leaves of the page; other leaves get `other`."""
        spread = np.full(len(self.document.leaves), other, dtype=values.dtype)
        spread[self.texts] = np.repeat(values, np.diff(self.first, append=len(self.texts)))
        return spread

    @cached_property
    def words(self) -> Floats:
        """How many words each row has."""
        return self._text.words

    @cached_property
    def tags(self) -> Bytes:
        """(rows, 1 + LEVELS): the codes of the row's own tag and of the nodes above it."""
        found = np.empty((len(self), 1 + LEVELS), dtype=np.uint8)
        found[:, 0] = self.document.elements.code[self.element]
        found[:, 1:] = np.append(self.document.elements.code[self._tree.nodes], np.uint8(NO_TAG))[self._above]
        return found

    @cached_property
    def values(self) -> Singles:
        """(rows, COLUMNS)"""
        own, holders = self._own, self._inside
        values = np.empty((len(self), len(COLUMNS)), dtype=np.float32)
        for number, column in enumerate(chain(own, holders)):
            values[:, number] = column
        start = len(_OWN) + len(_HOLDERS)
        values[:, start:] = self._nodes[self._above].reshape(len(self), LEVELS * len(_OF_NODES))
        return values

    @cached_property
    def _text(self) -> _Text:
        return _Text.of(self)

    @cached_property
    def _tree(self) -> _Tree:
        return _Tree.of(self)

    @cached_property
    def _is_heading(self) -> Bools:
        return _IS_HEADING[self.document.elements.code[self.element]]

    @cached_property
    def _running(self) -> Floats:
        """(rows + 1, 5): words, linked words, words of prose, sentence ends and headings before each row."""
        text = self._text
        prose = np.where((text.words >= _PROSE_WORDS) & (text.linked < _PROSE_LINKS * text.words), text.words, 0.0)
        running = np.zeros((len(self) + 1, 5))
        columns = (text.words, text.linked, prose, text.marks["sentence ends"], self._is_heading)
        for number, column in enumerate(columns):
            running[1:, number] = column
        return running.cumsum(axis=0)

    @cached_property
    def _above(self) -> Longs:
        """(rows, LEVELS): the numbers of the nodes above each row; the number after the last stands for none."""
        tree = self._tree
        found = np.empty((len(self), LEVELS), dtype=np.int64)
        found[:, 0] = tree.number[self.document.elements.nearest(tree.is_node, self.element)]
        for level in range(1, LEVELS):
            found[:, level] = tree.parent[found[:, level - 1]]
        return found

    @cached_property
    def _nodes(self) -> Singles:
        """(nodes + 1, _OF_NODES): the last row, for none, is the page as a whole."""
        tree, running, rows = self._tree, self._running, len(self)
        leaves, elements = self.document.leaves, self.document.elements
        ends, starts = np.append(tree.last, rows), np.append(tree.first, 0)
        words, linked, prose, sentences, headings = (running[ends] - running[starts]).T
        count = ends - starts
        media = np.zeros(len(elements) + 1)
        is_medium = leaves.is_media & leaves.visible
        np.cumsum(np.bincount(leaves.element[is_medium], minlength=len(elements)), out=media[1:])
        some, several = np.maximum(words, 1.0), np.maximum(count, 1)
        found = np.empty((len(ends), len(_OF_NODES)), dtype=np.float32)
        columns = (
            np.log1p(words),
            words / some[-1],
            linked / some,
            np.log1p(count),
            np.log1p(words / several),
            prose / some,
            np.minimum(sentences / some, 0.5),
            np.append(np.log1p(tree.children[tree.nodes]), 0.0),
            words / some[tree.parent],
            (starts - starts[tree.parent]) / several[tree.parent],
            np.append(np.log1p(media[elements.end[tree.nodes]] - media[tree.nodes]), 0.0),
            headings / several,
        )
        for number, column in enumerate(columns):
            found[:, number] = column
        return found

    @property
    def _own(self) -> tuple[Floats | Bools | float, ...]:
        """The columns _OWN; one number stands for a column of it."""
        text, running, rows = self._text, self._running, len(self)
        some, letters = np.maximum(text.words, 1.0), np.maximum(text.characters, 1)
        total = max(1.0, float(running[-1, 0]))
        place = np.arange(rows)
        depth = self.document.elements.depth[self.element]
        first_h1 = int(np.argmax(self._inside[_H1])) if self._inside[_H1].any() else None
        last_heading = np.maximum.accumulate(np.where(self._is_heading, place, -50))
        code = self.document.elements.code[self.element].astype(np.int64)
        like = np.unique(code << _DEPTH_BITS | depth, return_inverse=True)[1]
        alike, words_alike = np.bincount(like), np.bincount(like, text.words)
        linked_alike = np.bincount(like, text.linked)
        node_words = np.append(self._tree_words, total)[self._above[:, 0]]
        marks = text.marks
        return (
            np.log1p(text.words),
            np.log1p(text.characters),
            np.minimum(text.characters / some, _LONGEST_WORD),
            text.linked / some,
            marks["digits"] / letters,
            marks["capitals"] / letters,
            np.log1p(marks["sentence ends"]),
            np.log1p(marks["commas"]),
            marks["separators"] / letters,
            np.log1p(marks["quotes"]),
            text.is_final,
            np.log1p(text.count),
            text.words == 0,
            place / max(1, rows),
            np.log1p(place),
            np.log1p(rows - 1 - place),
            running[:-1, 0] / total,
            float(np.log1p(rows)),
            float(np.log1p(total)),
            float(running[-1, 1]) / total,
            float(running[-1, 2]) / total,
            np.log1p(depth),
            0.0 if first_h1 is None else np.sign(place - first_h1),
            0.0 if first_h1 is None else np.log1p(np.abs(place - first_h1)),
            np.log1p(place - last_heading),
            np.log1p(alike)[like],
            np.log1p(words_alike / alike)[like],
            (linked_alike / np.maximum(words_alike, 1.0))[like],
            (words_alike / total)[like],
            text.words / np.maximum(node_words, 1.0),
            self.document.leaves.folded[self.texts[self.first]],
            text.in_title,
            np.log1p(text.repeated),
        )

    @cached_property
    def _tree_words(self) -> Floats:
        words: Floats = self._running[self._tree.last, 0] - self._running[self._tree.first, 0]
        return words

    @cached_property
    def _inside(self) -> list[Bools]:
        """For each of _HOLDERS: the rows that stand in it."""
        elements = self.document.elements
        found: list[Bools] = []
        for table in _holder_tables():
            # How many open elements of each kind there are at each row of the element table: opened less closed.
            here = table.take(elements.code)
            some = np.flatnonzero(here)
            closed = np.zeros(len(elements) + 1, dtype=np.int64)
            np.add.at(closed, elements.end[some], here[some])
            open_ = (here.cumsum() - closed[:-1].cumsum())[self.element]
            found += [open_ >> _DEPTH_BITS * number & (1 << _DEPTH_BITS) - 1 > 0 for number in range(_DEPTHS)]
        return found[: len(_HOLDERS)]


@dataclass(frozen=True, eq=False)
class _Text:
    """Counts of the text of each row."""

    words: Floats
    linked: Floats  # words in links
    characters: Longs
    count: Longs  # texts
    marks: dict[str, Longs]
    is_final: Bools  # does it end as a sentence does?
    in_title: Bools  # is its first text a part of the page's title?
    repeated: Longs  # how many other rows begin with the same text

    @classmethod
    def of(cls, rows: PageRows) -> _Text:
        leaves, first = rows.document.leaves, rows.first
        if not len(rows):
            none, nothing = np.zeros(0), np.zeros(0, dtype=np.int64)
            marks = dict.fromkeys((name for name, _ in _MARKS), nothing)
            return cls(none, none, nothing, nothing, marks, none > 0, none > 0, nothing)
        strings = list(map(leaves.text.__getitem__, rows.texts.tolist()))
        tokens = tokenize(strings)
        words = tokens.sum_per_text(tokens.weight)
        lengths = np.fromiter(map(len, strings), np.int64, len(strings))
        starts = (lengths + 1).cumsum() - lengths - 1  # in the joined texts
        last = np.append(first[1:], len(strings)) - 1
        begin = [strings[text].strip() for text in first.tolist()]
        title, often = rows.document.title, Counter(begin)
        return cls(
            np.add.reduceat(words, first),
            np.add.reduceat(words * leaves.in_link[rows.texts], first),
            np.add.reduceat(lengths, first),
            last - first + 1,
            _marks(tokens.joined, starts[first]),
            np.fromiter((strings[text].rstrip()[-1] in _FINAL for text in last.tolist()), np.bool_, len(last)),
            np.fromiter((len(text) >= _TITLE_LETTERS and text in title for text in begin), np.bool_, len(begin)),
            np.fromiter((often[text] - 1 for text in begin), np.int64, len(begin)),
        )


def _marks(joined: str, starts: Longs) -> dict[str, Longs]:
    """How many marks of each kind there are from each start to the next."""
    points = characters.code_points(joined)
    counts: list[Longs] = []
    for table in _mark_tables():
        packed = np.add.reduceat(table.take(points), starts)
        counts += [packed >> _MARK_BITS * number & (1 << _MARK_BITS) - 1 for number in range(_MARKS_EACH)]
    return {name: count for (name, _), count in zip(_MARKS, counts, strict=True)}


@dataclass(frozen=True, eq=False)
class _Tree:
    """The elements in which a page parts into rows."""

    is_node: Bools  # (elements,)
    children: Longs  # (elements,): rows that it holds itself, and children that hold any
    nodes: Ints  # (nodes,): their elements
    number: Longs  # (elements + 1,): the number of each node; that of none, also for row -1, is len(nodes)
    parent: Longs  # (nodes + 1,): the number of the node above
    first: Longs  # (nodes,): the first row in it
    last: Longs  # (nodes,): the row after its last

    @classmethod
    def of(cls, rows: PageRows) -> _Tree:
        elements, leaves = rows.document.elements, rows.document.leaves
        own = np.bincount(rows.element, minlength=len(elements))
        held = elements.sums(own)
        holders = np.flatnonzero(held)
        parents = elements.parent[holders]
        children = own + np.bincount(parents[parents >= 0], minlength=len(elements))
        is_node = children > 1
        nodes = np.flatnonzero(is_node).astype(np.int32)
        number = np.full(len(elements) + 1, len(nodes))
        number[nodes] = np.arange(len(nodes))
        above = elements.nearest(is_node, elements.parent[nodes])
        # A node need not be a block: rows count as in it when their first text is, whatever their block is.
        begins = rows.texts[rows.first]
        first = leaves.opened[begins].searchsorted(nodes)
        inside = elements.sums(np.bincount(leaves.element[begins], minlength=len(elements)))
        return cls(is_node, children, nodes, number, np.append(number[above], len(nodes)), first, first + inside[nodes])


@cache
def _holder_tables() -> list[NDArray[np.int64]]:
    """From tag codes to a 1 in the field of what the tag is, _DEPTHS fields a number."""
    tables = []
    for start in range(0, len(_HOLDERS), _DEPTHS):
        table = np.zeros(tags.OTHER + 1, dtype=np.int64)
        for number, names in enumerate(_HOLDERS[start : start + _DEPTHS]):
            table[[tags.CODES[name] for name in names.split()]] = 1 << _DEPTH_BITS * number
        tables.append(table)
    return tables


@cache
def _mark_tables() -> list[NDArray[np.int64]]:
    """From code points to a 1 in the field of what the mark means, _MARKS_EACH fields a number."""
    tables = []
    for start in range(0, len(_MARKS), _MARKS_EACH):
        table = np.zeros(characters.LAST + 1, dtype=np.int64)
        for number, (_, marks) in enumerate(_MARKS[start : start + _MARKS_EACH]):
            table[[ord(mark) for mark in marks]] = 1 << _MARK_BITS * number
        tables.append(table)
    return tables
