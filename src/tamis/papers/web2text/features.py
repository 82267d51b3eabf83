"""The features of Web2Text (§3.3, Table 1) for the leaves of the collapsed tree.

A leaf has the features of its own node, of its parent, its grandparent and the page, flags for the
tags merged into each, and tree features that compare it with the leaf before. Each column has a
name, and every value is finite whatever the page.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Bytes, Floats, Ints, Longs
from tamis.document import characters
from tamis.document.stopwords import STOPWORDS
from tamis.document.words import Tokens, sum_ranges, tokenize
from tamis.papers.columns import Columns
from tamis.papers.web2text.collapsed import CollapsedTree

# Table 1: the marks that count as punctuation, and the dashes. The full-width forms mean the same.
_PUNCTUATION = ",?;:!，？；：！、"
_DASHES = "-_/\\–—"
_PERIODS = ".。"
_SENTENCE_ENDS = ".?!。？！"

# Tags merged into a leaf's node, and those of its parent and grandparent. Tags of one meaning share
# a column; the groups cover what 2007's and today's pages are made of.
_LEAF_TAGS = {
    "a": ("a",),
    "p": ("p",),
    "div": ("div",),
    "span": ("span",),
    "bold": ("b", "strong"),
    "italic": ("i", "em", "cite"),
    "font": ("font", "center", "small", "big", "u"),
    "h1": ("h1",),
    "h2": ("h2",),
    "h3": ("h3",),
    "h4": ("h4", "h5", "h6"),
    "li": ("li",),
    "td": ("td",),
    "th": ("th", "caption"),
    "dl": ("dt", "dd"),
    "pre": ("pre", "code", "tt", "samp", "kbd"),
    "control": ("button", "label", "legend", "textarea", "select"),
    "caption": ("figcaption", "figure"),
    "time": ("time", "address", "abbr"),
}
_NODE_TAGS = {
    "body": ("body", "html"),
    "article": ("article", "main"),
    "section": ("section",),
    "aside": ("nav", "aside", "header", "footer", "menu"),
    "div": ("div",),
    "p": ("p", "blockquote"),
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "list": ("ul", "ol", "dl", "dir"),
    "li": ("li", "dt", "dd"),
    "table": ("table", "tbody", "thead", "tfoot"),
    "tr": ("tr",),
    "td": ("td", "th"),
    "form": ("form", "fieldset", "label"),
    "a": ("a",),
    "inline": ("span", "b", "strong", "i", "em", "u", "small"),
    "font": ("font", "center"),
    "pre": ("pre", "code"),
}

# Plain strings in the cases that occur: looking for them is ten times as fast as a pattern is.
_COPYRIGHT = ("©", "(c)", "(C)", "opyright", "OPYRIGHT", "ights reserved", "ights Reserved", "IGHTS RESERVED")
_URL = ("://", "www.", "Www.", "WWW.")

# Distances in the tree beyond this are all far.
_FAR = 10


class Web2TextFeatures:
    """The feature columns of one page; one row a visible text leaf."""

    def __init__(self, tree: CollapsedTree) -> None:
        self._tree = tree
        rows = tree.leaves.tolist()
        self._texts = list(map(tree.document.leaves.text.__getitem__, rows))

    def __len__(self) -> int:
        return len(self._texts)

    @cached_property
    def all(self) -> Columns:
        """Block features and tree features side by side: what the networks see."""
        return self.block + self.edge

    @cached_property
    def block(self) -> Columns:
        """The features of each leaf, its parent, its grandparent and the page, and their tags."""
        tree, numbers = self._tree, np.arange(len(self), dtype=np.int64)
        parent = tree.parent
        grandparent = tree.above(parent)
        leaf = self._node(numbers, numbers + 1)
        own = Columns.of(leaf | self._contains() | {"copies": self._copies()}).prefixed("leaf_")
        page = self._node(np.zeros(1, np.int64), np.full(1, len(self)))
        whole = {name: np.repeat(page[name], len(self)) for name in _OF_THE_PAGE}
        columns = own + self._inner(parent).prefixed("parent_") + self._inner(grandparent).prefixed("grandparent_")
        columns += Columns.of(whole | {"log_leaves": np.full(len(self), np.log1p(len(self)))}).prefixed("page_")
        # A node's tags are those between it and the node above; the leaf's end at its parent.
        tags = self._tags(_LEAF_TAGS, tree.holder, parent).prefixed("leaf_tag_")
        tags += self._tags(_NODE_TAGS, parent, grandparent).prefixed("parent_tag_")
        return (
            columns + tags + self._tags(_NODE_TAGS, grandparent, tree.above(grandparent)).prefixed("grandparent_tag_")
        )

    @cached_property
    def edge(self) -> Columns:
        """Tree features between each leaf and the one before; all 0 for the first."""
        tree, document = self._tree, self._tree.document
        parent = tree.parent
        grandparent = tree.above(parent)
        common, depth = tree.common, tree.depth[tree.holder]
        climbed = np.minimum(_FAR, depth[:-1] - tree.depth[common] + 1)
        descended = np.minimum(_FAR, depth[1:] - tree.depth[common] + 1)
        path, kind, style = self._identities()
        columns = {
            "same_parent": _same(parent),
            "same_grandparent": _same(grandparent),
            "same_great_grandparent": _same(tree.above(grandparent)),
            "same_tag": _same(kind),
            "same_class": _same(style),
            "same_path": _same(path),
            "block_break": 1.0 - _same(document.leaves.block[tree.leaves]),
            "climbed": climbed.astype(np.float64),
            "descended": descended.astype(np.float64),
            "siblings": (climbed + descended == 2).astype(np.float64),
            "near": (climbed + descended == 3).astype(np.float64),
            "far": (climbed + descended >= 6).astype(np.float64),
        }
        first, stop = tree.leaf_range(common)
        holder = self._node(first, stop)
        shared = Columns.of(columns | {f"common_{name}": holder[name] for name in _OF_THE_COMMON})
        return Columns(shared.names, np.vstack([np.zeros((min(1, len(self)), len(shared.names))), shared.values]))

    def _inner(self, nodes: Ints) -> Columns:
        """The features of inner nodes, those only they have included."""
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

    def _node(self, first: Longs, stop: Longs) -> dict[str, Floats]:
        """Table 1 for nodes, each given by the range of its leaves."""
        count = {name: total[stop] - total[first] for name, total in self._totals.items()}
        letters, words = np.maximum(1.0, count["characters"]), np.maximum(1.0, count["words"])
        position = np.arange(len(self) + 1) / max(1, len(self))
        ends = self._ends
        last = np.maximum(0, stop - 1)
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
            "ends_with_punctuation": ends[last, 0],
            "ends_with_question_mark": ends[last, 1],
            "capitals": count["capitals"] / words,
            "stopwords": count["stopwords"] / words,
            "word_length": np.minimum(50.0, count["word_characters"] / words),
            "start": position[first],
            "end": position[stop],
        }

    @cached_property
    def _tokens(self) -> Tokens:
        return tokenize(self._texts)

    @cached_property
    def _points(self) -> NDArray[np.uint32] | NDArray[np.uint16]:
        return characters.code_points(self._tokens.joined)

    @cached_property
    def _starts(self) -> Longs:
        """Where each text begins in the joined ones, and where one more would: a joint follows each."""
        starts = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, self._texts), np.int64, len(self)) + 1, out=starts[1:])
        return starts

    @cached_property
    def _totals(self) -> dict[str, Floats]:
        """What is counted, summed up over the leaves before each; the whole page at the end."""
        tokens = self._tokens
        starts = self._starts
        flags = _marks().take(self._points)
        nonblank = tokens.sum_per_text(tokens.length.astype(np.float64))
        ends_token = np.zeros(len(flags), dtype=np.bool_)
        ends_token[tokens.start + tokens.length - 1] = True
        counts = {
            "characters": nonblank,
            "words": tokens.sum_per_text(tokens.weight),
            "sentences": _per_text((flags & _END > 0) & ends_token, starts),
            "punctuation": _per_text(flags & _PUNCTUATION_MARK > 0, starts),
            "dashes": _per_text(flags & _DASH > 0, starts),
            "periods": _per_text(flags & _PERIOD > 0, starts),
            "digits": _per_text(flags & _DIGIT > 0, starts),
            "linked": nonblank * self._tree.document.leaves.in_link[self._tree.leaves],
            "capitals": tokens.sum_per_text((flags[tokens.start] & _CAPITAL > 0).astype(np.float64)),
            # Lower-casing can turn a character into several, but never white space into something else.
            "stopwords": tokens.sum_per_text(
                np.array([token in STOPWORDS for token in tokens.joined.lower().split()], dtype=np.float64)
            ),
            "word_characters": tokens.sum_per_text((tokens.length * tokens.is_word).astype(np.float64)),
        }
        return {name: np.concatenate([[0.0], np.cumsum(values)]) for name, values in counts.items()}

    @cached_property
    def _ends(self) -> Floats:
        """Does each leaf end with punctuation, and with a question mark? One row of 0 where there is none."""
        last = [text.rstrip()[-1:] for text in self._texts] or [""]
        ends = [[mark in _PUNCTUATION + _PERIODS and mark != "", mark in ("?", "？")] for mark in last]
        return np.array(ends, dtype=np.float64)

    def _contains(self) -> dict[str, Floats]:
        """Flags for what is found in a text; each is looked for in one pass over all of them."""
        joined = self._tokens.joined
        around = f" {joined} "
        places: dict[str, list[int]] = {
            "copyright": _places(joined, *_COPYRIGHT),
            "year": _years(self._points).tolist(),
            "email": [at for at in _places(joined, "@") if not (around[at].isspace() or around[at + 2].isspace())],
            "url": _places(joined, *_URL),
        }
        columns = {f"contains_{name}": np.zeros(len(self)) for name in places}
        for name, found in places.items():
            columns[f"contains_{name}"][np.searchsorted(self._starts, found, side="right") - 1] = 1.0
        return columns

    def _copies(self) -> Floats:
        """How often the same text stands elsewhere on the page, as a logarithm."""
        folded = [text.strip() for text in self._texts]
        times = Counter(folded)
        return np.log(np.array([times[text] for text in folded], dtype=np.float64)) if folded else np.zeros(0)

    def _tags(self, groups: dict[str, tuple[str, ...]], lower: Ints, upper: Ints) -> Columns:
        """For each group: was one of its tags merged between two elements, the lower one included?"""
        tag, numbers = self._tag_codes
        columns = {}
        for name, tags in groups.items():
            wanted = np.zeros(len(numbers), dtype=np.bool_)
            wanted[[numbers[one] for one in tags if one in numbers]] = True
            if not wanted.any():
                columns[name] = np.zeros(len(self))
                continue
            covering = self._tree.document.elements.covering(wanted[tag])
            columns[name] = (covering[lower] > covering[upper]).astype(np.float64)
        return Columns.of(columns)

    @cached_property
    def _tag_codes(self) -> tuple[Ints, dict[str, int]]:
        """A number for each tag of the page, and the number of each element's tag."""
        numbers: dict[str, int] = {}
        column = [numbers.setdefault(tag, len(numbers)) for tag in self._tree.document.elements.tag]
        return np.array(column, dtype=np.int32), numbers

    def _identities(self) -> tuple[Ints, Ints, Ints]:
        """For each leaf a number for the path of its tags and classes, for its tag, and for its class."""
        elements, holder = self._tree.document.elements, self._tree.holder
        paths: dict[tuple[int, str, str], int] = {}
        numbers: list[int] = []
        for parent, tag, class_ in zip(elements.parent.tolist(), elements.tag, elements.class_, strict=True):
            above = numbers[parent] if parent >= 0 else -1
            numbers.append(paths.setdefault((above, tag, class_), len(paths)))
        classes: dict[str, int] = {}
        style = np.array([classes.setdefault(name, len(classes)) for name in elements.class_], dtype=np.int32)
        return np.array(numbers, dtype=np.int32)[holder], self._tag_codes[0][holder], style[holder]


# Which of a node's features are worth repeating for the page, and for the node that holds two neighbours.
_OF_THE_PAGE = ("log_words", "linked", "stopwords", "punctuation", "capitals", "sentence_length")
_OF_THE_COMMON = (
    "log_characters",
    "log_sentences",
    "punctuation",
    "periods",
    "dashes",
    "linked",
    "capitals",
    "stopwords",
    "word_length",
    "share_of_words",
    "start",
    "end",
    "digits",
)

_PUNCTUATION_MARK, _DASH, _PERIOD, _END, _DIGIT, _CAPITAL = 1, 2, 4, 8, 16, 32


@cache
def _marks() -> Bytes:
    """For each code point: which of the counted kinds of marks it is."""
    every = np.arange(len(characters.word_share()), dtype=np.uint32).view("<U1")
    table = _CAPITAL * np.char.isupper(every).astype(np.uint8)
    for marks, flag in (
        (_PUNCTUATION, _PUNCTUATION_MARK),
        (_DASHES, _DASH),
        (_PERIODS, _PERIOD),
        (_SENTENCE_ENDS, _END),
        ("0123456789", _DIGIT),
    ):
        for mark in marks:
            table[ord(mark)] |= flag
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


def _years(points: NDArray[np.uint32] | NDArray[np.uint16]) -> Longs:
    """Where a number of four digits begins that starts with 19 or 20."""
    padded = np.zeros(len(points) + 5, dtype=np.int32)
    padded[1:-4] = points
    digit = (padded >= ord("0")) & (padded <= ord("9"))
    first = np.flatnonzero(digit[1:-4] & ~digit[:-5]) + 1  # of each number
    four = digit[first + 1] & digit[first + 2] & digit[first + 3] & ~digit[first + 4]
    value = 10 * padded[first] + padded[first + 1] - 11 * ord("0")
    found: Longs = first[four & ((value == 19) | (value == 20))] - 1
    return found


def _per_text(mask: Bools, starts: Longs) -> Floats:
    """How many characters of each text are in the mask."""
    return sum_ranges(mask.astype(np.float64), np.minimum(starts, len(mask)))


def _same(values: Ints) -> Floats:
    """For each row but the first: is its value that of the row before?"""
    same: Floats = (values[1:] == values[:-1]).astype(np.float64)
    return same
