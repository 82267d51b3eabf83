"""The features of Web2Text (§3.3, Table 1) for the leaves of the collapsed tree.

A leaf has the features of its own node, of its parent, its grandparent and the page, flags for the
tags merged into each, and tree features that compare it with the leaf before. Each column has a
name, and every value is finite whatever the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Bytes, Floats, Ints
from tamis.cached import cached_property
from tamis.document import characters
from tamis.document.table import Document
from tamis.document.words import STOPWORDS, sum_ranges, tokenize
from tamis_papers.columns import Columns


@dataclass(frozen=True, eq=False)
class CollapsedTree:
    """The collapsed tree of a page. A node is the number of its lowest element; -1 is above the root."""

    document: Document
    leaves: Ints  # the visible texts, in document order
    children: Ints  # (elements,) how many children with text each element has

    @classmethod
    def of(cls, document: Document) -> CollapsedTree:
        """Collapse the tree of a page."""
        leaves = document.leaves.visible_text
        elements = document.elements
        holder = document.leaves.element[leaves]
        own = np.bincount(holder, minlength=len(elements))
        filled = np.flatnonzero(elements.sums(own))
        parents = elements.parent[filled]
        children = own + np.bincount(parents[parents >= 0], minlength=len(elements))
        return cls(document, leaves, children)

    @property
    def holder(self) -> Ints:
        """The element that directly holds each leaf."""
        return self.document.leaves.element[self.leaves]

    @cached_property
    def is_node(self) -> Bools:
        """For each element: is it the lowest one of an inner node?"""
        return self.children > 1

    @cached_property
    def parent(self) -> Ints:
        """For each leaf: its parent node."""
        return self.document.elements.nearest(self.is_node, self.holder)

    def above(self, nodes: Ints) -> Ints:
        """For each inner node: its parent node; -1 stays -1."""
        higher = np.append(self.document.elements.parent, np.int64(-1))[nodes]
        return self.document.elements.nearest(self.is_node, higher)

    @cached_property
    def depth(self) -> Ints:
        """For each element, and at the end for -1: the number of inner nodes that hold it, itself included."""
        return self.document.elements.covering(self.is_node)

    def leaf_range(self, nodes: Ints) -> tuple[Ints, Ints]:
        """For each element: the number of its first leaf, and of the one after its last; -1 is the whole page."""
        elements, every = self.document.elements, len(self.leaves)
        held = np.zeros(len(elements) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.holder, minlength=len(elements)), out=held[1:])
        first = np.searchsorted(self.document.leaves.opened[self.leaves], nodes)
        count = held[np.append(elements.end, 0)[nodes]] - held[nodes]
        whole = nodes < 0
        return np.where(whole, 0, first), np.where(whole, every, first + count)

    @cached_property
    def common(self) -> Ints:
        """For each leaf but the first: the lowest node that holds it and the leaf before."""
        elements = self.document.elements
        holder, opened = self.holder, self.document.leaves.opened[self.leaves]
        found = holder[1:].copy()  # it holds the leaf before as well, unless it was opened after that
        later = np.flatnonzero(holder[1:] > opened[:-1])
        if later.size:
            # Of the elements opened between the two leaves, the highest is a child of the one that holds both.
            # These ranges don't overlap, so this is one pass over the page.
            key = elements.depth.astype(np.int64) << 32 | np.arange(len(elements))
            bounds = np.column_stack([opened[:-1][later] + 1, holder[1:][later] + 1]).ravel()
            # The last bound may be one past the end, which reduceat does not take.
            highest = np.minimum.reduceat(np.append(key, np.iinfo(np.int64).max), bounds)[::2] & 0xFFFFFFFF
            found[later] = elements.parent[highest]
        return elements.nearest(self.is_node, found)


# Table 1: the characters that are counted. The full-width forms mean the same.
_MARKS = {
    "punctuation": ",?;:!，？；：！、",
    "dashes": "-_/\\–—",
    "periods": ".。",
    "digits": "0123456789",
    "sentences": ".?!。？！",  # where they end a token
}
_FLAGS = {name: 1 << place for place, name in enumerate([*_MARKS, "capitals"])}

# Columns for the tags merged into a leaf's node, and into its parent and grandparent. Tags of one meaning share a
# column; the groups cover the tags of pages of 2007 and of today.
_LEAF_TAGS = {
    "a": "a", "p": "p", "div": "div", "span": "span", "bold": "b strong", "italic": "i em cite",
    "font": "font center small big u", "h1": "h1", "h2": "h2", "h3": "h3", "h4": "h4 h5 h6", "li": "li", "td": "td",
    "th": "th caption", "dl": "dt dd", "pre": "pre code tt samp kbd", "control": "button label legend textarea select",
    "caption": "figcaption figure", "time": "time address abbr",
}  # fmt: skip
_NODE_TAGS = {
    "body": "body html", "article": "article main", "section": "section", "aside": "nav aside header footer menu",
    "div": "div", "p": "p blockquote", "heading": "h1 h2 h3 h4 h5 h6", "list": "ul ol dl dir", "li": "li dt dd",
    "table": "table tbody thead tfoot", "tr": "tr", "td": "td th", "form": "form fieldset label", "a": "a",
    "inline": "span b strong i em u small", "font": "font center", "pre": "pre code",
}  # fmt: skip

# Which features of a node are repeated for the page, and for the node that holds two neighbours.
_OF_THE_PAGE = "log_words linked stopwords punctuation capitals sentence_length".split()
_OF_THE_COMMON = """
    log_characters log_sentences punctuation periods dashes linked capitals stopwords word_length share_of_words
    start end digits
""".split()

# Plain strings in the spellings that occur: finding them is ten times as fast as a regular expression.
_COPYRIGHT = ("©", "(c)", "(C)", "opyright", "OPYRIGHT", "ights reserved", "ights Reserved", "IGHTS RESERVED")
_URL = ("://", "www.", "Www.", "WWW.")

# Distances in the tree beyond this are all far.
_FAR = 10


class Web2TextFeatures:
    """The feature columns of one page; one row a visible text leaf."""

    def __init__(self, tree: CollapsedTree) -> None:
        self._tree = tree
        self._texts = list(map(tree.document.leaves.text.__getitem__, tree.leaves.tolist()))
        self._parent = tree.parent
        self._grandparent = tree.above(self._parent)
        self._great_grandparent = tree.above(self._grandparent)
        self._tag, self._tag_numbers = _numbered(tree.document.elements.tag)
        self._tokens = tokenize(self._texts)
        self._points = characters.code_points(self._tokens.joined)
        # Where each text begins in the joined ones, and where one more would: a separator follows each.
        lengths = np.fromiter(map(len, self._texts), np.int64, len(self))
        self._starts: Ints = np.concatenate([[0], np.cumsum(lengths + 1)])

    def __len__(self) -> int:
        return len(self._texts)

    @cached_property
    def all(self) -> Columns:
        """Block features and tree features side by side: the input of the networks."""
        return self.block + self.edge

    @cached_property
    def block(self) -> Columns:
        """The features of each leaf, its parent, its grandparent and the page, and their tags."""
        parent, grandparent, numbers = self._parent, self._grandparent, np.arange(len(self), dtype=np.int64)
        leaf = self._node(numbers, numbers + 1) | self._contains() | {"copies": self._copies()}
        page = self._node(np.zeros(1, np.int64), np.full(1, len(self)))
        whole = {name: np.repeat(page[name], len(self)) for name in _OF_THE_PAGE}
        whole["log_leaves"] = np.full(len(self), np.log1p(len(self)))
        return (
            Columns.of(leaf).prefixed("leaf_")
            + self._inner(parent).prefixed("parent_")
            + self._inner(grandparent).prefixed("grandparent_")
            + Columns.of(whole).prefixed("page_")
            # The tags of a node are those between it and the node above.
            + self._tags(_LEAF_TAGS, self._tree.holder, parent).prefixed("leaf_tag_")
            + self._tags(_NODE_TAGS, parent, grandparent).prefixed("parent_tag_")
            + self._tags(_NODE_TAGS, grandparent, self._great_grandparent).prefixed("grandparent_tag_")
        )

    @cached_property
    def edge(self) -> Columns:
        """Tree features between each leaf and the one before; all 0 for the first."""
        tree = self._tree
        common, depth = tree.common, tree.depth[tree.holder]
        climbed = np.minimum(_FAR, depth[:-1] - tree.depth[common] + 1)
        descended = np.minimum(_FAR, depth[1:] - tree.depth[common] + 1)
        path, tag, class_ = self._identities()
        columns = {
            "same_parent": _same(self._parent),
            "same_grandparent": _same(self._grandparent),
            "same_great_grandparent": _same(self._great_grandparent),
            "same_tag": _same(tag),
            "same_class": _same(class_),
            "same_path": _same(path),
            "block_break": 1.0 - _same(tree.document.leaves.block[tree.leaves]),
            "climbed": climbed.astype(np.float64),
            "descended": descended.astype(np.float64),
            "siblings": (climbed + descended == 2).astype(np.float64),
            "near": (climbed + descended == 3).astype(np.float64),
            "far": (climbed + descended >= 6).astype(np.float64),
        }
        node = self._node(*tree.leaf_range(common))
        shared = Columns.of(columns | {f"common_{name}": node[name] for name in _OF_THE_COMMON})
        return Columns(shared.names, np.vstack([np.zeros((min(1, len(self)), len(shared.names))), shared.values]))

    def _inner(self, nodes: Ints) -> Columns:
        """The features of inner nodes: Table 1, and what only inner nodes have."""
        tree, elements = self._tree, self._tree.document.elements
        first, stop = tree.leaf_range(nodes)
        inside = np.where(nodes < 0, len(elements), (elements.end - np.arange(len(elements)))[nodes])
        node = self._node(first, stop)
        structure = {
            "log_leaves": np.log1p(stop - first),
            "log_children": np.log1p(np.append(tree.children, 1)[nodes]),
            "log_characters_a_tag": np.log1p(np.expm1(node["log_characters"]) / np.maximum(1, inside)),
            "depth": np.minimum(tree.depth[nodes], 2.0 * _FAR),
        }
        return Columns.of(node | structure)

    def _node(self, first: Ints, stop: Ints) -> dict[str, Floats]:
        """Table 1 for nodes, each given by the range of its leaves."""
        count = {name: total[stop] - total[first] for name, total in self._totals.items()}
        letters, words = np.maximum(1.0, count["characters"]), np.maximum(1.0, count["words"])
        position = np.arange(len(self) + 1) / max(1, len(self))
        last = self._ends[np.maximum(0, stop - 1)]
        return {
            "log_characters": np.log1p(count["characters"]),
            "log_words": np.log1p(count["words"]),
            "share_of_words": count["words"] / max(1.0, self._totals["words"][-1]),
            "log_sentences": np.log1p(count["sentences"]),
            "sentence_length": np.log1p(count["words"] / np.maximum(1.0, count["sentences"])),
            "punctuation": count["punctuation"] / letters,
            "dashes": count["dashes"] / letters,
            "periods": count["periods"] / letters,
            "digits": count["digits"] / letters,
            "linked": count["linked"] / letters,
            "ends_with_punctuation": last[:, 0],
            "ends_with_question_mark": last[:, 1],
            "capitals": count["capitals"] / words,
            "stopwords": count["stopwords"] / words,
            "word_length": np.minimum(50.0, count["word_characters"] / words),
            "start": position[first],
            "end": position[stop],
        }

    @cached_property
    def _totals(self) -> dict[str, Floats]:
        """Each count summed up over the leaves before each leaf; over the whole page at the end."""
        tokens, flags = self._tokens, _character_flags().take(self._points)
        is_kind = {name: flags & flag > 0 for name, flag in _FLAGS.items()}
        ends_token = np.zeros(len(flags), dtype=np.bool_)
        ends_token[tokens.start + tokens.length - 1] = True
        is_kind["sentences"] &= ends_token
        nonblank = tokens.sum_per_text(tokens.length.astype(np.float64))
        counts = {
            **{name: _per_text(is_kind[name], self._starts) for name in _MARKS},
            "characters": nonblank,
            "words": tokens.sum_per_text(tokens.weight),
            "linked": nonblank * self._tree.document.leaves.in_link[self._tree.leaves],
            "capitals": tokens.sum_per_text(is_kind["capitals"][tokens.start].astype(np.float64)),
            # Lower-casing can turn a character into several, but never changes white space.
            "stopwords": tokens.sum_per_text(
                np.array([token in STOPWORDS for token in tokens.joined.lower().split()], dtype=np.float64)
            ),
            "word_characters": tokens.sum_per_text((tokens.length * tokens.is_word).astype(np.float64)),
        }
        return {name: np.concatenate([[0.0], np.cumsum(values)]) for name, values in counts.items()}

    @cached_property
    def _ends(self) -> Floats:
        """Does each leaf end with punctuation, and with a question mark? (leaves, 2); one row of 0 on an empty page."""
        last = [text.rstrip()[-1:] for text in self._texts] or [""]
        marks = set(_MARKS["punctuation"] + _MARKS["periods"])
        return np.array([[mark in marks, mark in ("?", "？")] for mark in last], dtype=np.float64)

    def _contains(self) -> dict[str, Floats]:
        """Flags for what a text contains; each is searched for in one pass over all texts."""
        joined = self._tokens.joined
        around = f" {joined} "
        places: dict[str, list[int]] = {
            "copyright": _places(joined, *_COPYRIGHT),
            "year": _years(self._points).tolist(),
            "email": [at for at in _places(joined, "@") if not (around[at].isspace() or around[at + 2].isspace())],
            "url": _places(joined, *_URL),
        }
        columns = {}
        for name, found in places.items():
            flags = np.zeros(len(self))
            flags[np.searchsorted(self._starts, found, side="right") - 1] = 1.0
            columns[f"contains_{name}"] = flags
        return columns

    def _copies(self) -> Floats:
        """How often the same text occurs elsewhere on the page, as a logarithm."""
        stripped = [text.strip() for text in self._texts]
        times = Counter(stripped)
        return np.log(np.array([times[text] for text in stripped], dtype=np.float64))

    def _tags(self, groups: dict[str, str], lower: Ints, upper: Ints) -> Columns:
        """For each group: was one of its tags merged between two elements, the lower one included?"""
        columns, numbers = {}, self._tag_numbers
        for name, tags in groups.items():
            wanted = np.zeros(len(numbers), dtype=np.bool_)
            wanted[[numbers[one] for one in tags.split() if one in numbers]] = True
            columns[name] = np.zeros(len(self))
            if wanted.any():
                covering = self._tree.document.elements.covering(wanted[self._tag])
                columns[name] = (covering[lower] > covering[upper]).astype(np.float64)
        return Columns.of(columns)

    def _identities(self) -> tuple[Ints, Ints, Ints]:
        """For each leaf a number for the path of its tags and classes, for its tag, and for its class."""
        elements, holder = self._tree.document.elements, self._tree.holder
        paths: dict[tuple[int, str, str], int] = {}
        numbers: list[int] = []
        for parent, tag, class_ in zip(elements.parent.tolist(), elements.tag, elements.class_, strict=True):
            above = numbers[parent] if parent >= 0 else -1
            numbers.append(paths.setdefault((above, tag, class_), len(paths)))
        classes, _ = _numbered(elements.class_)
        return np.array(numbers, dtype=np.int64)[holder], self._tag[holder], classes[holder]


def _numbered(names: Sequence[str]) -> tuple[Ints, dict[str, int]]:
    """A number for each name, equal for equal names; and the numbers by name."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64), numbers


@cache
def _character_flags() -> Bytes:
    """For each code point: the flags of the kinds of characters that it is one of."""
    every = np.arange(len(characters.word_share()), dtype=np.uint32).view("<U1")
    table = _FLAGS["capitals"] * np.char.isupper(every).astype(np.uint8)
    for name, marks in _MARKS.items():
        table[[ord(mark) for mark in marks]] |= _FLAGS[name]
    return table


def _places(text: str, *wanted: str) -> list[int]:
    """Where one of some strings occurs."""
    places = []
    for one in wanted:
        place = text.find(one)
        while place >= 0:
            places.append(place)
            place = text.find(one, place + len(one))
    return places


def _years(points: NDArray[np.uint32] | NDArray[np.uint16]) -> Ints:
    """Where a number of four digits begins that starts with 19 or 20."""
    padded = np.zeros(len(points) + 5, dtype=np.int32)
    padded[1:-4] = points
    digit = (padded >= ord("0")) & (padded <= ord("9"))
    first = np.flatnonzero(digit[1:-4] & ~digit[:-5]) + 1  # of each number
    four = digit[first + 1] & digit[first + 2] & digit[first + 3] & ~digit[first + 4]
    value = 10 * padded[first] + padded[first + 1] - 11 * ord("0")
    found: Ints = first[four & ((value == 19) | (value == 20))] - 1
    return found


def _per_text(mask: Bools, starts: Ints) -> Floats:
    """How many characters of each text are in the mask."""
    return sum_ranges(mask.astype(np.float64), np.minimum(starts, len(mask)))


def _same(values: Ints) -> Floats:
    """For each row but the first: is its value that of the row before?"""
    same: Floats = (values[1:] == values[:-1]).astype(np.float64)
    return same
