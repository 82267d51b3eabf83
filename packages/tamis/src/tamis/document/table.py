"""A page as a table of elements and a table of leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, compress

import numpy as np

from tamis.arrays import Bools, Bytes, Ints, places
from tamis.cached import cached_property
from tamis.deadline import check
from tamis.document import opening, parse, tags
from tamis.document.addresses import without_credentials
from tamis.document.decode import clean_text, decode
from tamis.document.hiding import MARKED, Way
from tamis.document.linked_data import LinkedData
from tamis.document.notes import Fragments, fragments_of
from tamis.errors import PageTooLarge, TamisError
from tamis.kernel import PageTables, Text, address, byref, library
from tamis.renamed import takes_old_names

# Larger pages are refused. `python -m benchmarks.hostile` measures close to the limits; the worst is one text of the
# full length, for which the parser alone takes 30 bytes a character.
MAX_CHARACTERS = 20_000_000
MAX_TAGS = 1_000_000
# Of elements and of leaves. The largest of 5,525 pages of nine corpora has 15,797 elements and 5,270 leaves; 300,000
# paragraphs take half a gigabyte and some seconds for every output.
MAX_ELEMENTS = 300_000

PAGE = "page"  # the usual source of the content

# TITLE elements that may be the page's; further ones are those of pictures.
_MOST_TITLES = 100

# If a smaller share of the leaves is shown, the page is hidden until its script has run.
_LEAST_SHOWN_SHARE = 0.05

# A page that hides more elements than this by opacity alone shows them with a script while its reader scrolls.
_MOST_FADED = 2
# A script reveals a hidden part with more than this share of the characters of a page, and more than this number.
_LEAST_REVEALED_SHARE = 0.3
_LEAST_REVEALED = 1_000

# Elements.nearest first takes this many single steps, since most ancestors are this close.
_SHORT_CLIMB = 6
# From at most this many rows, it climbs from one row after the other.
_FEW_ROWS = 8

_IS_TITLE = tags.lookup("title")
_HAS_OWN_TITLE = tags.lookup("svg", "template")  # their TITLE is not the page's


@dataclass(frozen=True, eq=False)
class Elements:
    """The elements of a page in document order; every column has one row for each element.

    The subtree of a row is the range from that row to `end`, without `end`. So questions about ancestors are sums over
    ranges and not walks.
    """

    code: Bytes  # tags.CODES of the tag
    parent: Ints  # row of the parent, -1 for the root
    end: Ints  # row after the last descendant
    notable: Ints  # rows with a role, or a schema.org property or type
    notable_nodes: Sequence[parse.Element] = field(repr=False)  # the elements of these rows
    styled: Sequence[tuple[int, str]] = field(repr=False)  # rows of elements with a style, and that style
    of_formulas: Sequence[parse.Element] = field(repr=False)  # scripts that may draw or hold one
    has_role_table: bool  # is there an element with the role of a table?
    other_tags: frozenset[str] = field(repr=False)  # tags of the page without a code
    _tree: parse.Tree = field(repr=False)
    all_nodes: list[parse.Element] = field(repr=False)  # the parser's element of each row

    def __len__(self) -> int:
        return len(self.code)

    def has(self, *names: str) -> bool:
        """Does the page have an element with one of these tags?"""
        return any(
            name in self.other_tags or (name in tags.CODES and tags.CODES[name] in self._codes) for name in names
        )

    @cached_property
    def _codes(self) -> bytes:
        return self.code.tobytes()

    @cached_property
    def styles(self) -> frozenset[str]:
        """All styles of the page, each once."""
        return frozenset(style for _, style in self.styled)

    @cached_property
    def tag(self) -> list[str]:
        """The tag, in lower case except for a few of SVG."""
        return [node.tag for node in self.all_nodes]

    @cached_property
    def depth(self) -> Ints:
        """How many ancestors each element has."""
        rows = len(self)
        closed: Ints = np.bincount(self.end, minlength=rows + 1).cumsum()[:rows]
        return np.arange(rows) - closed

    @cached_property
    def class_(self) -> list[str]:
        """The class attribute, empty where there is none."""
        return [node.attr("class") or "" for node in self.all_nodes]

    @cached_property
    def id(self) -> list[str]:
        """The id attribute, empty where there is none."""
        return [node.attr("id") or "" for node in self.all_nodes]

    def attribute(self, row: int, name: str) -> str | None:
        """One attribute of one element."""
        return self.all_nodes[row].attr(name)

    def source(self, row: int) -> str:
        """The text of an element of code, whose text is not a leaf."""
        return self.all_nodes[row].text

    def text_ordinals(self, row: int) -> list[int]:
        """For each text child of an element that is not blank: its number among the text children, from 1."""
        return parse.text_ordinals(self.all_nodes[row])

    def nodes(self, mask: Bools) -> list[parse.Element]:
        """The parser's elements for the rows in `mask`; cheaper than asking for attributes one by one."""
        return list(compress(self.all_nodes, mask.tobytes()))

    def attributes(self, row: int) -> Iterator[tuple[str, str]]:
        """All attributes of one element."""
        return parse.attributes(self.all_nodes[row])

    def inside(self, mask: Bools) -> Bools:
        """For each element: is it, or one of its ancestors, in `mask`?"""
        if not mask.any():
            return np.zeros(len(self), dtype=np.bool_)
        covered: Bools = self.covering(mask)[:-1] > 0
        return covered

    def covering(self, mask: Bools) -> Ints:
        """For each element, and finally for row -1: how many of itself and its ancestors are in `mask`."""
        rows = places(mask)
        change: Ints = -np.bincount(self.end.take(rows), minlength=len(self) + 1)
        change[rows] += 1
        return change.cumsum()

    def sums(self, values: Bools | Ints) -> Ints:
        """For each element: the sum of a value of each element over itself and its descendants."""
        total: Ints = np.zeros(len(self) + 1, dtype=np.int64)
        values.cumsum(out=total[1:])
        return total.take(self.end) - total[:-1]

    @cached_property
    def _up(self) -> Ints:
        """The parent of each element, and finally -1 for row -1 above the root."""
        up = np.full(len(self) + 1, -1)
        up[:-1] = self.parent
        return up

    def nearest(self, mask: Bools, rows: Ints) -> Ints:
        """For each of `rows`: the row of itself or its nearest ancestor in `mask`, else -1."""
        if len(rows) <= _FEW_ROWS:
            return np.array([next((row for row in self.ancestors(row) if mask[row]), -1) for row in rows.tolist()], int)
        step = self._up.copy()  # rows in `mask` stay, and so does row -1
        arrived = places(mask)
        step[arrived] = arrived
        found: Ints | Ints = rows
        for _ in range(_SHORT_CLIMB):
            found, before = step.take(found), found
        # Each jump doubles the distance, so the cost is logarithmic in the depth.
        while (found != before).any():
            step = step.take(step)
            found, before = step.take(found), found
        return found

    def ancestors(self, row: int) -> Iterator[int]:
        """The row itself, its parent, and so on up to the root."""
        parent = self.parent.item
        while row >= 0:
            yield row
            row = parent(row)


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves of a page in document order: non-blank texts and media elements."""

    text: list[str]  # as in the source, white space included; empty for media
    gap: list[str]  # the white space alone between the leaf before and this one
    element: Ints  # row of the element that holds the text, or that is the medium
    opened: Ints  # row of the last element opened before or at the leaf
    is_media: Bools
    visible: Bools
    folded: Bools  # hidden, and something on the page opens it: closed tabs, collapsed sections
    in_link: Bools
    block: Ints  # row of the nearest block-level ancestor
    utf8: bytes = field(repr=False)  # all texts, each followed by a NUL, as the kernel reads them

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def is_visible_text(self) -> Bools:
        """Is it text that is visible?"""
        return self.visible & ~self.is_media

    @cached_property
    def visible_text(self) -> Ints:
        """The rows of visible text."""
        return places(self.is_visible_text)

    @cached_property
    def separating(self) -> Ints:
        """The rows of visible text, and of media with white space before them."""
        separates = self.is_visible_text.copy()
        for row in places(self.is_media).tolist():
            separates[row] = bool(self.gap[row])
        return places(separates)


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
    source: str = PAGE  # the page, or the data in it that holds its content

    @classmethod
    @takes_old_names
    def from_html(
        cls, html: str | bytes, *, url: str | None = None, encoding: str | None = None, source: str = PAGE
    ) -> Document:
        """Read a page.

        `url` is kept without credentials; `encoding` is the charset of the HTTP header, used for bytes only.
        Raises PageTooLarge beyond MAX_CHARACTERS, MAX_TAGS or MAX_ELEMENTS.
        """
        text, found = (clean_text(html), "str") if isinstance(html, str) else decode(html, encoding=encoding)
        if len(text) > MAX_CHARACTERS:
            raise PageTooLarge(f"the page has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}")
        if len(text) > MAX_TAGS and (openings := text.count("<")) > MAX_TAGS:
            raise PageTooLarge(f"the page has {openings:,} tags; the limit is {MAX_TAGS:,}")
        url = None if url is None else without_credentials(clean_text(url))
        check()
        tree = parse.parse(text, html if isinstance(html, bytes) and found == "utf-8" else None)
        check()
        raw = parse.walk(tree)
        mended = parse.xml_as_html(text, tree, raw.nodes)
        if mended is not None and mended.count("<") <= MAX_TAGS:
            tree = parse.parse(mended)
            raw = parse.walk(tree)
        for what, count in (("elements", len(raw.code)), ("texts and media", len(raw.texts))):
            if count > MAX_ELEMENTS:
                raise PageTooLarge(f"the page has {count:,} {what}; the limit is {MAX_ELEMENTS:,}")
        check()
        elements, leaves = _elements_and_leaves(raw, tree)
        return cls(text, found, url, elements, leaves, tree, LinkedData(tree), source)

    @classmethod
    def from_tree(cls, tree: parse.Tree, text_nodes: list[parse.Node]) -> Document:
        """A page from a tree, without source text. The nodes of text leaves are appended to `text_nodes`."""
        elements, leaves = _elements_and_leaves(parse.walk(tree, text_nodes), tree)
        return cls("", "str", None, elements, leaves, tree, LinkedData(tree))

    @cached_property
    def kernel_page(self) -> PageTables:
        """The tables in the form of the kernel. Raises TamisError if they contradict each other."""
        elements, leaves = self.elements, self.leaves
        page = PageTables(
            len(elements), len(leaves), address(elements.code), address(elements.parent), address(elements.end),
            address(leaves.element), address(leaves.opened), address(leaves.is_media), address(leaves.visible),
            address(leaves.folded), Text.of_bytes(leaves.utf8),
        )  # fmt: skip
        if library().tamis_check(byref(page)):
            raise TamisError("the tables of the page contradict each other")
        return page

    @cached_property
    def fragments(self) -> Fragments:
        """The links to places on the page, and the notes that they refer to."""
        return fragments_of(self)

    @property
    def unfolded(self) -> Document:
        """The same page with its folded leaves visible."""
        # Not a cached property: a page without folded leaves would refer to itself and wait for the garbage collector.
        return self._unfolded if self.leaves.folded.any() else self

    @cached_property
    def _unfolded(self) -> Document:
        return replace(self, leaves=replace(self.leaves, visible=self.leaves.visible | self.leaves.folded))

    @cached_property
    def without_folds(self) -> Document:
        """The same page for a reader who opens nothing: folded text and closed details are not visible."""
        elements, leaves, code = self.elements, self.leaves, self.elements.code
        is_closed = np.zeros(len(elements) + 1, dtype=np.bool_)  # the last entry is the parent of the root
        for row in places(code == tags.CODES["details"]).tolist():
            is_closed[row] = elements.attribute(row, "open") is None
        content = is_closed.take(elements.parent) & (code != tags.CODES["summary"])
        folded = elements.inside(content).take(leaves.element) | is_closed.take(leaves.element)
        shown = leaves.visible & ~leaves.folded & ~folded & ~self.inside("[hidden=until-found i]", MARKED)
        return replace(self, leaves=replace(leaves, visible=shown, folded=np.zeros(len(leaves), dtype=np.bool_)))

    @cached_property
    def title(self) -> str:
        """The text of the page's TITLE element, white space folded; empty without one."""
        code = self.elements.code
        for leaf in places(_IS_TITLE.take(code.take(self.leaves.element)))[:_MOST_TITLES].tolist():
            if not any(_HAS_OWN_TITLE[code[row]] for row in self.elements.ancestors(int(self.leaves.element[leaf]))):
                return " ".join(self.leaves.text[leaf].split())
        return ""

    def tag_path(self, row: int) -> list[str]:
        """The tags from the root down to an element."""
        return [self.elements.tag[ancestor] for ancestor in self.elements.ancestors(row)][::-1]

    def inside(self, *selectors: str) -> Bools:
        """For each leaf: is it in an element that matches one of the CSS selectors?"""
        wanted = {node for selector in selectors for node in parse.select(self.tree, selector)}
        mask = np.fromiter((node in wanted for node in self.elements.all_nodes), np.bool_, len(self.elements))
        return self.elements.inside(mask)[self.leaves.element]


def _elements_and_leaves(raw: parse.RawTables, tree: parse.Tree) -> tuple[Elements, Leaves]:
    elements = Elements(
        raw.code, raw.parent, raw.end, raw.notable, raw.notable_nodes, raw.styled, raw.of_formulas, raw.has_role_table,
        raw.other_tags, tree, raw.nodes,
    )  # fmt: skip
    visible, folded = _visible_and_folded(raw, elements)
    leaves = Leaves(
        raw.texts, raw.gaps, raw.element, raw.opened, raw.is_media, visible, folded, raw.in_link, raw.block, raw.utf8,
    )  # fmt: skip
    return elements, leaves


def _visible_and_folded(raw: parse.RawTables, elements: Elements) -> tuple[Bools, Bools]:
    """Which leaves are shown, and which are folded."""
    folded = np.zeros(len(raw.shown), dtype=np.bool_)
    if not raw.hidden and not elements.has("dialog"):
        return raw.shown, folded
    never = folded.copy()
    for first, last, is_folded in _hidden_parts(raw, elements):
        (folded if is_folded else never)[first:last] = True
    shown = raw.shown & ~never
    folded &= shown
    return shown & ~folded, folded


def _hidden_parts(raw: parse.RawTables, elements: Elements) -> Iterator[tuple[int, int, bool]]:
    """The range of leaves of each hidden element, and whether it is folded; if not, it is never shown."""
    for row in places(elements.code == tags.CODES["dialog"]).tolist():
        if elements.attribute(row, "open") is None:
            yield *next(_leaves_in(raw, [row])), True
    held = _leaves_in(raw, [each.row for each in raw.hidden])
    hidden = [(each, first, last) for each, (first, last) in zip(raw.hidden, held, strict=True) if first < last]
    hidden = _without_curtain(hidden, raw)
    if sum(each.way is Way.FADED for each, _, _ in hidden) > _MOST_FADED:
        hidden = [each for each in hidden if each[0].way is not Way.FADED]
    if not hidden:
        return
    before = [0, *accumulate(map(len, raw.texts))]  # the characters before each leaf, and in all
    most = max(_LEAST_REVEALED, _LEAST_REVEALED_SHARE * before[-1])
    opened = opening.opened([each.node for each, _, _ in hidden], raw.notable_nodes, elements._tree)
    for (each, first, last), is_opened in zip(hidden, opened, strict=True):
        is_large = before[last] - before[first] > most
        # Carousels and the like also move and mark parts that a reader does see.
        if each.way is Way.MOVING or (each.way is Way.CLOSED and (is_opened or is_large)):
            yield first, last, True
        elif not is_opened and not is_large:
            yield first, last, False


def _leaves_in(raw: parse.RawTables, rows: list[int]) -> Iterator[tuple[int, int]]:
    """The range of the leaves in each of these elements."""
    firsts, lasts = raw.opened.searchsorted(rows), raw.opened.searchsorted(raw.end[rows])
    for row, first, last in zip(rows, firsts.tolist(), lasts.tolist(), strict=True):
        # Text after the element and before the next one is in an element of a lower row.
        while first < last and raw.element[last - 1] < row:
            last -= 1
        yield first, last


_Held = tuple[parse.Hidden, int, int]  # a hidden element and the range of its leaves


def _without_curtain(hidden: list[_Held], raw: parse.RawTables) -> list[_Held]:
    """The hidden elements without those that hide the page until its script has run."""
    size = len(raw.code)
    small = [held for held in hidden if 2 * (raw.end[held[0].row] - held[0].row) <= size]
    if len(small) < len(hidden):
        left = raw.shown.copy()
        for _, first, last in hidden:
            left[first:last] = False
        if left.sum() < _LEAST_SHOWN_SHARE * len(left):  # as on six pages of WCXB dev
            return small
    return hidden
