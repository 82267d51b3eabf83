"""The one coordinate system: a page as a table of leaves beside a table of elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from struct import pack

import numpy as np

from tamis.arrays import Bools, Bytes, Ints, Longs, places
from tamis.document import parse, tags
from tamis.document.decode import clean_text, decode
from tamis.document.linked_data import LinkedData
from tamis.errors import PageTooLarge

# Beyond these a page is not a page. `python -m benchmarks.hostile` measures close to the limits;
# the worst is one text of the full length, for which the parser alone takes 30 bytes a character.
MAX_CHARACTERS = 20_000_000
MAX_TAGS = 1_000_000

# Where the content of nearly every page is.
PAGE = "page"

# A page of which less than one leaf in this many is shown was hidden to be shown later.
_CURTAIN = 20

# How far Elements.nearest climbs step by step; what is asked for is mostly this close.
_SHORT_CLIMB = 6

_IS_BLOCK = tags.lookup(*tags.BLOCK)
_IS_INVISIBLE = tags.lookup(*tags.INVISIBLE)
_IS_LINK = tags.lookup("a")
_IS_TITLE = tags.lookup("title")
_IS_NO_PAGE = tags.lookup("svg", "template")  # a TITLE in one of these is not the page's


@dataclass(frozen=True, eq=False)
class Elements:
    """The elements of a page in document order; every column has one row an element.

    A row's subtree is the rows from itself up to `end`, without `end`, so questions about
    ancestors are sums over ranges and not walks.
    """

    code: Bytes  # tags.CODES of the tag
    parent: Ints  # row of the parent, -1 for the root
    end: Ints  # row after the last descendant
    notable: Ints  # rows of all that have a role or a schema.org property or type of their own, among a few others
    _notable_nodes: list[parse.Element] = field(repr=False)
    _tree: parse.Tree = field(repr=False)

    def __len__(self) -> int:
        return len(self.code)

    @property
    def notable_nodes(self) -> Sequence[parse.Element]:
        """The elements of the rows in `notable` themselves."""
        return self._notable_nodes

    @cached_property
    def _nodes(self) -> list[parse.Element]:
        return parse.elements(self._tree)

    @cached_property
    def tag(self) -> list[str]:
        """The tag, in lower case but for a few of SVG's."""
        return [node.tag for node in self._nodes]

    @cached_property
    def depth(self) -> Ints:
        """How many ancestors each element has."""
        rows = len(self)
        closed: Longs = np.bincount(self.end, minlength=rows + 1).cumsum()[:rows]
        return (np.arange(rows) - closed).astype(np.int32)

    @cached_property
    def class_(self) -> list[str]:
        """The class attribute, empty where there is none."""
        return [node.attr("class") or "" for node in self._nodes]

    @cached_property
    def id(self) -> list[str]:
        """The id attribute, empty where there is none."""
        return [node.attr("id") or "" for node in self._nodes]

    def attribute(self, row: int, name: str) -> str | None:
        """One attribute of one element."""
        return self._nodes[row].attr(name)

    def nodes(self, mask: Bools) -> list[parse.Element]:
        """The elements in `mask` themselves; cheaper than to ask for their attributes one by one."""
        return parse.elements(self._tree, mask.tobytes())

    def attributes(self, row: int) -> Iterator[tuple[str, str]]:
        """All attributes of one element."""
        return parse.attributes(self._nodes[row])

    def inside(self, mask: Bools) -> Bools:
        """For each element: is it, or one of its ancestors, in `mask`?"""
        rows = places(mask)
        if not rows.size:
            return np.zeros(len(self), dtype=np.bool_)
        covered: Bools = self._covering(rows)[:-1] > 0
        return covered

    def covering(self, mask: Bools) -> Longs:
        """For each element, and at the end for row -1: how many of itself and its ancestors are in `mask`."""
        return self._covering(places(mask))

    def _covering(self, rows: Longs) -> Longs:
        change: Longs = -np.bincount(self.end.take(rows), minlength=len(self) + 1)
        change[rows] += 1
        return change.cumsum()

    def sums(self, values: Bools | Longs) -> Longs:
        """For each element: the sum of `values`, one an element, over itself and its descendants."""
        total: Longs = np.zeros(len(self) + 1, dtype=np.int64)
        values.cumsum(out=total[1:])
        return total.take(self.end) - total[:-1]

    def nearest(self, mask: Bools, rows: Ints) -> Ints:
        """For each of `rows`: the row of itself or its nearest ancestor in `mask`, else -1."""
        # One step up from each row; those that arrived stay, and so does row -1, above the root, the last entry.
        step = np.empty(len(self) + 1, dtype=np.int64)
        step[:-1], step[-1] = self.parent, -1
        arrived = places(mask)
        step[arrived] = arrived
        found: Ints | Longs = rows
        for _ in range(_SHORT_CLIMB):
            found, before = step.take(found), found
        # Each jump doubles the distance, so depth costs a logarithm.
        while (found != before).any():
            step = step.take(step)
            found, before = step.take(found), found
        return found.astype(np.int32)

    def ancestors(self, row: int) -> Iterator[int]:
        """The row itself, its parent, and so on up to the root."""
        while row >= 0:
            yield row
            row = int(self.parent[row])


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves of a page in document order: non-blank texts and media elements."""

    text: list[str]  # as in the source, white space included; empty for media
    gap: list[str]  # the white space that stood by itself between the leaf before and this one
    element: Ints  # row of the element that holds the text, or that is the medium
    opened: Ints  # row of the last element opened before or at the leaf
    is_media: Bools
    visible: Bools
    folded: Bools  # hidden by an attribute of an element: what a closed tab or a collapsed section holds
    in_link: Bools
    _elements: Elements = field(repr=False)

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def block(self) -> Ints:
        """The row of the nearest block-level ancestor."""
        return self.block_of(self.element)

    def block_of(self, rows: Ints) -> Ints:
        """The row of the block-level element that holds each of these elements."""
        return self._elements.nearest(_IS_BLOCK.take(self._elements.code), rows)

    @cached_property
    def visible_text(self) -> Ints:
        """The rows that a reader can read: visible and not media."""
        return places(self.visible & ~self.is_media).astype(np.int32)


@dataclass(frozen=True, eq=False)
class Document:
    """A page as every extractor sees it. Nothing downstream changes it."""

    html: str = field(repr=False)
    encoding: str
    url: str | None
    elements: Elements = field(repr=False)
    leaves: Leaves = field(repr=False)
    tree: parse.Tree = field(repr=False)
    linked_data: LinkedData = field(repr=False)  # JSON-LD
    source: str = PAGE  # what it was read from: the page, or the data in it that held its content

    @classmethod
    def from_html(
        cls, html: str | bytes, *, url: str | None = None, charset_hint: str | None = None, source: str = PAGE
    ) -> Document:
        """Read a page.

        `charset_hint` is the charset of the HTTP header, used for bytes only.
        Raises PageTooLarge beyond MAX_CHARACTERS or MAX_TAGS.
        """
        text, encoding = (clean_text(html), "str") if isinstance(html, str) else decode(html, charset_hint=charset_hint)
        if len(text) > MAX_CHARACTERS:
            raise PageTooLarge(f"the page has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}")
        if len(text) > MAX_TAGS and (openings := text.count("<")) > MAX_TAGS:
            raise PageTooLarge(f"the page has {openings:,} tags; the limit is {MAX_TAGS:,}")
        tree = parse.parse(text)
        raw = parse.walk(tree)
        elements = _element_table(raw, tree)
        return cls(text, encoding, url, elements, _leaf_table(raw, elements), tree, LinkedData(tree), source)

    @classmethod
    def from_tree(cls, tree: parse.Tree, text_nodes: list[parse.Node]) -> Document:
        """The page that a tree stands for; its source text is not known. `text_nodes` gets the text leaves."""
        raw = parse.walk(tree, text_nodes)
        elements = _element_table(raw, tree)
        return cls("", "str", None, elements, _leaf_table(raw, elements), tree, LinkedData(tree))

    @property
    def unfolded(self) -> Document:
        """The same page with what is folded away in sight."""
        # Were it remembered, a page that folds nothing would hold itself and wait for the garbage collector.
        return self._unfolded if self.leaves.folded.any() else self

    @cached_property
    def _unfolded(self) -> Document:
        return replace(self, leaves=replace(self.leaves, visible=self.leaves.visible | self.leaves.folded))

    @cached_property
    def title(self) -> str:
        """The text of the page's TITLE element, white space folded; empty without one."""
        code = self.elements.code
        for leaf in places(_IS_TITLE.take(code.take(self.leaves.element))).tolist():
            if not any(_IS_NO_PAGE[code[row]] for row in self.elements.ancestors(int(self.leaves.element[leaf]))):
                return " ".join(self.leaves.text[leaf].split())
        return ""

    def tag_path(self, row: int) -> list[str]:
        """The tags from the root down to an element."""
        return [self.elements.tag[ancestor] for ancestor in self.elements.ancestors(row)][::-1]

    def inside(self, *selectors: str) -> Bools:
        """For each leaf: does an element that one of the CSS selectors matches hold it?"""
        wanted = {node for selector in selectors for node in parse.select(self.tree, selector)}
        mask = np.fromiter((node in wanted for node in self.elements._nodes), np.bool_, len(self.elements))
        return self.elements.inside(mask)[self.leaves.element]


def _element_table(raw: parse.RawTables, tree: parse.Tree) -> Elements:
    code = np.frombuffer(raw.codes, dtype=np.uint8)
    notable = _column(raw.notable)
    return Elements(code, _column(raw.parents), _column(raw.ends), notable, raw.notable_nodes, tree)


def _leaf_table(raw: parse.RawTables, elements: Elements) -> Leaves:
    element = _column(raw.elements)
    is_media = np.zeros(len(element), dtype=np.bool_)
    is_media[raw.media] = True
    # A medium is shown even though the text inside it is not: it asks its parent.
    holder = np.where(is_media, elements.parent.take(element), element)
    visible, folded = _visible(raw, elements, element, holder)
    return Leaves(
        text=raw.texts,
        gap=raw.gaps,
        element=element,
        opened=_column(raw.opened),
        is_media=is_media,
        visible=visible,
        folded=folded,
        in_link=elements.inside(_IS_LINK.take(elements.code)).take(element),
        _elements=elements,
    )


def _column(values: list[int]) -> Ints:
    # Packed as arguments, a list is read twice as fast as by an array. What stands on bytes can't be changed.
    return np.frombuffer(pack(f"{len(values)}i", *values), dtype=np.int32)


def _visible(raw: parse.RawTables, elements: Elements, element: Ints, holder: Ints) -> tuple[Bools, Bools]:
    """Which leaves are shown, and which would be if no attribute hid them."""
    by_tag = _IS_INVISIBLE.take(elements.code)
    if tags.CODES["template"] in raw.codes:
        for row in places(elements.code == tags.CODES["template"]):
            # A declarative shadow root is a template whose content a browser does show.
            by_tag[row] = elements.attribute(int(row), "shadowrootmode") is None
    shown: Bools = ~elements.inside(by_tag).take(holder)
    if not raw.hidden:
        return shown, np.zeros(len(shown), dtype=np.bool_)
    hidden = _inside_rows(elements, raw.hidden).take(element)
    if (shown & ~hidden).sum() * _CURTAIN < len(shown):
        # Next to nothing is left: the page stands behind a curtain that its script draws back.
        # Six pages of WCXB dev are like that.
        curtain = [row for row in raw.hidden if 2 * (raw.ends[row] - row) > len(elements)]
        hidden = _inside_rows(elements, sorted({*raw.hidden} - {*curtain}))[element]
    return shown & ~hidden, shown & hidden


def _inside_rows(elements: Elements, rows: list[int]) -> Bools:
    """For each element: is it, or one of its ancestors, one of these?"""
    mask = np.zeros(len(elements), dtype=np.bool_)
    mask[rows] = True
    return elements.inside(mask)
