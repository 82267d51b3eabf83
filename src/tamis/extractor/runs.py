"""The input of the network: one row of numbers for each run of text. No column depends on a language.

A run is a sequence of adjacent visible texts in one block-level element: a paragraph, a heading, a cell, a link in a
list. Its columns describe its own text, the page, the tags around it, runs like it, and the LEVELS nodes above it. A
node is an element where the tree branches: at least two of its children hold text, or it holds text of its own beside
them. Further columns are about class names, ids, roles and schema.org properties of the elements around a run
(`extractor.conventions`) and about what the page declares about itself (`extractor.declared`).

Columns are sums over ranges. Time depends on the number of array operations much more than on their length, so
similar columns are computed together.
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
from tamis.extractor.run_texts import RunTexts
from tamis.extractor.run_tree import RunTree
from tamis.extractor.scaling import Singles

Value = TypeVar("Value", bound="np.generic[Any]")

# The version of the columns. The config of the weights has the one that they were trained with.
VERSION = 4

# How many nodes above a run have columns. Six reach from a paragraph to the page on most of WCXB dev.
LEVELS = 6

# A run of at least this many words, with a smaller share of them in links than this, is prose.
_PROSE_WORDS = 15
_PROSE_LINKS = 0.35

# The mean length of words is capped: longer "words" are no prose.
_LONGEST_WORD = 30

# Shorter runs, and code, may repeat on purpose.
_COPY_WORDS = 8

# Elements that may contain a run, at any depth; tags in one string count as one.
_HOLDERS = (
    "nav", "header", "footer", "aside", "article", "main", "section", "form", "table", "ul ol menu dir", "dl", "figure",
    "blockquote", "pre listing xmp", "button", "noscript", "details summary", "fieldset legend", "h1", "h2", "h3",
    "h4 h5 h6", "p", "li", "td th", "a", "dialog", "address", "textarea select", "figcaption caption",
)  # fmt: skip
_H1, _PRE = _HOLDERS.index("h1"), _HOLDERS.index("pre listing xmp")
_IS_HEADING, _IS_PAGE = tags.lookup(*tags.HEADINGS), tags.lookup("html", "body")
# One 64-bit word has a bit for each holder and, from bit _MARK_SHIFT, for each role and property. Names have
# a second 64-bit word.
_MARK_SHIFT = len(_HOLDERS)
_MARKS_END = _MARK_SHIFT + len(conventions.ROLES) + len(conventions.PROPERTIES)

_RUN_COLUMNS = (
    "words", "characters", "word length", "linked", "digits", "capitals", "sentence ends", "commas", "separators",
    "quotes", "ends a sentence", "texts", "wordless", "place", "runs before", "runs after", "words before", "page runs",
    "page words", "page linked", "page prose", "depth", "after h1", "from h1", "from heading", "runs like it",
    "words like it", "linked like it", "share like it", "share of node", "folded", "in title", "repeated",
)  # fmt: skip
_NODE_COLUMNS = (
    "words", "share", "linked", "runs", "run words", "prose", "sentence ends", "children", "share of parent",
    "place in parent", "media", "headings",
)  # fmt: skip

# These columns are log(1 + x).
_RUN_LOGS = [
    _RUN_COLUMNS.index(name)
    for name in (
        "words", "characters", "sentence ends", "commas", "quotes", "texts", "runs before", "runs after", "page runs",
        "page words", "depth", "from h1", "from heading", "runs like it", "words like it", "repeated",
    )
]  # fmt: skip
_NODE_LOGS = [_NODE_COLUMNS.index(name) for name in ("words", "runs", "run words", "children", "media")]

COLUMNS = (
    *_RUN_COLUMNS,
    *(f"in {holder}" for holder in _HOLDERS),
    *(f"{name} {level}" for level in range(1, LEVELS + 1) for name in _NODE_COLUMNS),
    *(f"role {name}" for name in conventions.ROLES),
    *(f"property {name}" for name in conventions.PROPERTIES),
    *(f"named {name}" for name in conventions.NAMES),
    *(f"declared as {kind}" for kind in (*declared.TEXTS, "opening")),
    *declared.PAGE,
)
NO_TAG = tags.OTHER - 1  # the tag of a missing node


class PageRuns:
    """The runs of a page and their columns.

    `declared` is what the page declares about itself; by default it is read from the document.
    """

    def __init__(self, document: Document, declared: Declared | None = None) -> None:
        self.document = document
        self._declared = declared
        leaves = document.leaves
        self.texts: Ints = leaves.visible_text
        self._block = leaves.block[self.texts]
        begins = np.ones(len(self.texts), dtype=np.bool_)
        np.not_equal(self._block[1:], self._block[:-1], out=begins[1:])
        self.first: Longs = places(begins)  # the first text of each run, as a position in `texts`
        self.element: Ints = self._block.take(self.first)  # the block-level element of each run
        self._bounds: Longs = np.concatenate((self.first, (len(self.texts),)))
        self._count = self._bounds[1:] - self._bounds[:-1]  # texts of each run

    def __len__(self) -> int:
        return len(self.first)

    def to_leaves(self, values: NDArray[Value], other: float) -> NDArray[Value]:
        """One value a run, repeated for each of its leaves; other leaves get `other`."""
        spread = np.full(len(self.document.leaves), other, dtype=values.dtype)
        spread[self.texts] = values.repeat(self._count)
        return spread

    @property
    def begin(self) -> list[str]:
        """The first text of each run, stripped."""
        return self._text.begin

    def beginning(self, text: str) -> list[int]:
        """The runs with this first text."""
        found: list[int] = []
        for _ in range(self._text.often.get(text, 0)):
            found.append(self.begin.index(text, found[-1] + 1 if found else 0))
        return found

    @property
    def in_title(self) -> Bools:
        """Is the first text of each run a part of the page's title?"""
        return self._text.in_title

    def leaves_of(self, run: int) -> list[int]:
        """The leaves of a run."""
        leaves: list[int] = self.texts[self._bounds[run] : self._bounds[run + 1]].tolist()
        return leaves

    def leaf_texts(self, run: int) -> list[str]:
        """The texts of a run, as in the source."""
        strings = self.document.leaves.text
        return [strings[leaf] for leaf in self.leaves_of(run)]

    def text(self, run: int) -> str:
        """The text of a run, white space folded."""
        return " ".join(" ".join(self.leaf_texts(run)).split())

    @cached_property
    def declared(self) -> Declared:
        """What the page declares about itself."""
        return Declared.of(self.document) if self._declared is None else self._declared

    @cached_property
    def words(self) -> Floats:
        """How many words each run has."""
        return self._text.words

    @cached_property
    def tags(self) -> Bytes:
        """(runs, 1 + LEVELS): the codes of the run's own tag and of the nodes above it."""
        code = self.document.elements.code
        found = np.empty((len(self), 1 + LEVELS), dtype=np.uint8)
        found[:, 0] = code.take(self.element)
        nodes = np.full(len(self._tree.nodes) + 1, NO_TAG, dtype=np.uint8)
        nodes[:-1] = code.take(self._tree.nodes)
        found[:, 1:] = nodes.take(self._above)
        return found

    @cached_property
    def values(self) -> Singles:
        """(runs, COLUMNS)"""
        values = np.empty((len(self), len(COLUMNS)), dtype=np.float32)
        holders = len(_RUN_COLUMNS)
        nodes = holders + len(_HOLDERS)
        values[:, :holders] = self._run_columns.T
        values[:, holders:nodes] = self._inside
        marks = nodes + LEVELS * len(_NODE_COLUMNS)
        values[:, nodes:marks] = self._node_columns.take(self._above, axis=0).reshape(len(self), marks - nodes)
        names = marks + _MARKS_END - _MARK_SHIFT
        values[:, marks:names] = self._around[:, _MARK_SHIFT:_MARKS_END]
        declared = names + len(conventions.NAMES)
        values[:, names:declared] = self._around[:, 64:]
        values[:, declared:] = self._declarations
        return values

    @cached_property
    def copies(self) -> Longs:
        """For each run the first one with the same text, mostly itself; short runs and code have no copies."""
        found = np.arange(len(self))
        candidates = places(self._text.repeated)
        candidates = candidates[self.words.take(candidates) >= _COPY_WORDS]
        if len(candidates) > 1:
            firsts: dict[str, int] = {}
            for run in candidates[self._inside[:, _PRE].take(candidates) == 0].tolist():
                found[run] = firsts.setdefault(self.text(run), run)
        return found

    def parts(self, is_tag: Bools) -> tuple[Longs, Longs, Longs]:
        """The elements of these tags with any run: their rows, the first run of each, and the run after its last."""
        held = self._tree.held
        rows = places(is_tag.take(self.document.elements.code) & held.astype(np.bool_))
        first = self._tree.opened.searchsorted(rows)
        return rows, first, first + held.take(rows)

    @cached_property
    def _text(self) -> RunTexts:
        return RunTexts.of(self.document, self.first, self._bounds)

    @cached_property
    def _tree(self) -> RunTree:
        return RunTree.of(self.document, self.element, self.texts.take(self.first))

    @cached_property
    def _is_heading(self) -> Bools:
        return _IS_HEADING.take(self.document.elements.code.take(self.element))

    @cached_property
    def _running(self) -> Floats:
        """(runs + 1, 5): words, linked words, words of prose, sentence ends and headings before each run."""
        text = self._text
        prose = text.words * ((text.words >= _PROSE_WORDS) & (text.linked < _PROSE_LINKS * text.words))
        running = np.zeros((len(self) + 1, 5))
        columns = (text.words, text.linked, prose, text.marks["sentence ends"], self._is_heading)
        for number, column in enumerate(columns):
            running[1:, number] = column
        return running.cumsum(axis=0)

    @cached_property
    def _sums(self) -> Floats:
        """(nodes + 1, 5): the same sums in each node, and in the whole page."""
        tree, running = self._tree, self._running
        sums: Floats = running.take(tree.last, axis=0) - running.take(tree.first, axis=0)
        return sums

    @cached_property
    def _above(self) -> Longs:
        """(runs, LEVELS): the numbers of the nodes above each run; the number after the last means no node."""
        tree = self._tree
        found = np.empty((len(self), LEVELS), dtype=np.int64)
        above = found[:, 0] = tree.above
        for level in range(1, LEVELS):
            above = found[:, level] = tree.parent.take(above)
        return found

    @cached_property
    def _node_columns(self) -> Singles:
        """(nodes + 1, _NODE_COLUMNS): the last one, for no node, describes the whole page."""
        tree, leaves = self._tree, self.document.leaves
        words, linked, prose, sentences, headings = self._sums.T
        count = tree.last - tree.first
        some, several = np.maximum(words, 1.0), np.maximum(count, 1)
        found = np.zeros((len(_NODE_COLUMNS), len(count)), dtype=np.float32)
        children, media = (found[_NODE_COLUMNS.index(name), :-1] for name in ("children", "media"))
        columns = {
            "words": words,
            "share": words / some[-1],
            "linked": linked / some,
            "runs": count,
            "run words": words / several,
            "prose": prose / some,
            "sentence ends": np.minimum(sentences / some, 0.5),
            "share of parent": words / some.take(tree.parent),
            "place in parent": (tree.first - tree.first.take(tree.parent)) / several.take(tree.parent),
            "headings": headings / several,
        }
        for name, column in columns.items():
            found[_NODE_COLUMNS.index(name)] = column
        children[:] = tree.children.take(tree.nodes)
        shown = leaves.element[leaves.is_media & leaves.visible]  # in document order
        shown = shown[self.document.elements.code.take(shown) > tags.LAST_CODE]  # without formulas in scripts
        media[:] = shown.searchsorted(self.document.elements.end.take(tree.nodes)) - shown.searchsorted(tree.nodes)
        found[_NODE_LOGS] = np.log1p(found[_NODE_LOGS])
        return np.ascontiguousarray(found.T)

    @property
    def _run_columns(self) -> Singles:
        """(_RUN_COLUMNS, runs)"""
        text, running, runs = self._text, self._running, len(self)
        some, letters = np.maximum(text.words, 1.0), np.maximum(text.characters, 1)
        total = max(1.0, float(running[-1, 0]))
        place = np.arange(runs)
        depth = self.document.elements.depth.take(self.element)
        in_h1 = self._inside[:, _H1]
        from_h1: Longs | float = place - np.argmax(in_h1) if in_h1.any() else 0.0
        last_heading = np.maximum.accumulate(np.where(self._is_heading, place, -50))
        # Runs are alike if they have the same tag at the same depth.
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
            place / max(1, runs),
            place,
            runs - 1 - place,
            running[:-1, 0] / total,
            runs,
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
        own = np.empty((len(_RUN_COLUMNS), runs), dtype=np.float32)
        for number, column in enumerate(columns):
            own[number] = column
        own[_RUN_LOGS] = np.log1p(own[_RUN_LOGS])
        return own

    @cached_property
    def _inside(self) -> Bytes:
        """(runs, _HOLDERS): 1 if such an element contains the run."""
        return self._around[:, : len(_HOLDERS)]

    @cached_property
    def _around(self) -> Bytes:
        """(runs, 64 + names): 1 if an element around the run has this tag, role, property or name.

        Holders, roles and properties come first, then unused columns, and names from column 64 on.
        """
        elements, holders = self.document.elements, self._tree.holders
        # Elements that hold no run are left out. The last entry stands for the parent of the root.
        place = np.full(len(elements) + 1, len(holders))
        place[holders] = np.arange(len(holders))
        up = np.concatenate((place.take(elements.parent.take(holders)), (len(holders),)))
        words = np.zeros((len(holders) + 1, 2), dtype="<u8")
        bits, names = words[:, 0], words[:, 1]
        bits[:-1] = _holder_bits().take(elements.code.take(holders))
        for number, node in zip(place.take(elements.notable).tolist(), elements.notable_nodes, strict=True):
            if number < len(holders) and (marks := conventions.mark_bits(node)):
                bits[number] |= np.uint64(marks << _MARK_SHIFT)
        # Names are read from elements with several runs; for smaller ones the tag is enough. Class names on html and
        # body are ignored: they name features of the site, not content.
        sections = self._tree.sections
        holds = np.zeros(len(elements), dtype=np.bool_)
        holds[sections] = True
        named = place.take(sections)
        names[named] = conventions.name_bits(elements.nodes(holds))
        names[named[_IS_PAGE.take(elements.code.take(sections))]] = 0
        # Each round copies the bits from ancestors twice as far above.
        for _ in range(int(elements.depth.max(initial=0)).bit_length()):
            words |= words.take(up, axis=0)
            up = up.take(up)
        spread = words.take(place.take(self.element), axis=0)
        return np.unpackbits(spread.view(np.uint8), axis=1, count=64 + len(conventions.NAMES), bitorder="little")

    @property
    def _declarations(self) -> Singles:
        """(runs, TEXTS + opening + PAGE): is the run in each declared text, and what the page declares."""
        page = self.declared
        begin, runs = self._text.begin, len(self)
        found = np.zeros((runs, len(declared.TEXTS) + 1 + len(declared.PAGE)), dtype=np.float32)
        sets = page.found_in(begin)
        for number, texts in enumerate(sets):
            if texts:
                found[:, number] = np.fromiter(map(texts.__contains__, begin), np.bool_, runs)
        found[:, len(sets) :] = page.page
        return found


@cache
def _holder_bits() -> NDArray[np.uint64]:
    """From tag codes to the bit of the holder."""
    table = np.zeros(tags.OTHER + 1, dtype=np.uint64)
    for number, names in enumerate(_HOLDERS):
        table[[tags.CODES[name] for name in names.split()]] = 1 << number
    return table
