"""Things that are declared in attributes of elements: what microdata and RDFa have in common.

A thing has the properties inside its element, up to the next thing. Values are read when they are asked for, and of
each no more than a few leaves, so things that nest or name each other cost no more than others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from tamis.cached import cached_property
from tamis.document import Document, parse, tags
from tamis.metadata.schema.own import LOOSE, Found
from tamis.metadata.schema.types import group_of, local_name

# Where an element has its value, if that is not its text.
_SOURCES = {
    "meta": "content", "link": "href", "area": "href", "object": "data", "data": "value", "meter": "value",
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
}  # fmt: skip
# Properties that mean the address of a link. Others mean its text, whatever the standard says.
LINKS = frozenset(
    """
    url sameAs image logo license mainEntityOfPage item thumbnailUrl contentUrl embedUrl discussionUrl relatedLink
    significantLink mainEntity primaryImageOfPage hasMenu
    """.split()
)
# Properties under which a thing stands that the page is about; those of them that make lists.
_LISTS = frozenset({"itemListElement", "item", "hasPart", "review"})
_ABOUT = _LISTS | {"mainEntity", "mainEntityOfPage", "blogPost", "blogPosts"}
_PEOPLE = frozenset({"author", "creator", "publisher"})
_KNOWN = """
    headline name alternativeHeadline description abstract articleSection datePublished dateCreated uploadDate
    datePosted dateModified author creator category recipeCategory genre keywords about mentions license url
    mainEntityOfPage image primaryImageOfPage thumbnailUrl isAccessibleForFree hasPart publisher isPartOf inLanguage
    itemListElement item position contentUrl givenName familyName width mainEntity blogPost blogPosts articleBody
"""
_SPELLING = {name.lower(): name for name in _KNOWN.split()}

# Leaves and characters of a value; how far up a thing may stand in others.
_MOST_LEAVES, _LONGEST, _DEEPEST = 200, 10_000, 3
# The text of a thing is its name if it is no longer.
_LONGEST_NAME = 100
# Values that are read for one page: items may name each other.
_MOST_READ = 20_000
_IS_BLOCK = tags.lookup(*tags.BLOCK, "br")


class _Most(NamedTuple):
    """What is read of a thing: properties, values of each, things inside things."""

    properties: int
    values: int
    deep: int


_FEW, _ALL = _Most(30, 5, 3), _Most(200, 500, 6)


def spelled(name: str) -> str:
    """A property as schema.org spells it, without the address or prefix of the vocabulary."""
    name = local_name(name)
    return _SPELLING.get(name.lower(), name)


class Property(NamedTuple):
    """An element with a property."""

    row: int
    node: parse.Element
    thing: Scope | None  # the thing that it is


@dataclass(slots=True, eq=False)
class Scope:
    """A thing: an element and the properties inside it."""

    page: Markup = field(repr=False)
    row: int
    node: parse.Element | None  # None for properties that are in no thing
    types: list[str]
    names: tuple[str, ...]  # the properties that it is the value of
    holder: Scope | None  # the thing around it
    properties: dict[str, list[Property]] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """The group of its types."""
        return group_of(self.types) if self.node is not None else LOOSE

    @property
    def is_about_page(self) -> bool:
        """Is it the page's, and not only a part of another thing?"""
        scope: Scope | None = self
        for _ in range(_DEEPEST):
            if scope is None or not scope.names or scope.holder is None:
                return True
            if _ABOUT.isdisjoint(scope.names):
                return False
            scope = scope.holder
        return False

    @property
    def is_listed(self) -> bool:
        """Does it stand in a list?"""
        return not _LISTS.isdisjoint(self.names)

    @property
    def keys(self) -> dict[str, list[Property]]:
        """Its properties."""
        return self.properties

    def values(self, key: str) -> list[Found]:
        """The values of a property."""
        if key == "@id":
            return [Found(address)] if (address := self.node and self.page.address_of(self.node)) else []
        return [Found(self.page.value(each, key), each.row) for each in self.properties.get(key, ())[:50]]


class Markup:
    """The things in the marked elements of a page, in document order."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ends = document.elements.end
        self._open: list[tuple[int, Scope]] = []  # the things around the last element, and where they end
        self._left = _MOST_READ
        self.loose = Scope(self, -1, None, [], (), None)
        self.scopes: list[Scope] = []
        self._placed: list[tuple[int, Scope, tuple[str, ...], Property]] = []  # all properties and their things

    def add(
        self, row: int, node: parse.Element, names: tuple[str, ...], types: str | None, within: tuple[str, ...] = ()
    ) -> None:
        """Add the next element in document order.

        `names` are its properties of the thing around it, `types` its own types; None if it is no thing. `within` are
        properties of the thing that it is.
        """
        around = self._open
        while around and row >= around[-1][0]:
            around.pop()
        holder = around[-1][1] if around else self.loose
        scope = None
        if types is not None:
            scope = Scope(self, row, node, types.split(), names, holder)
            self.scopes.append(scope)
            around.append((int(self._ends[row]), scope))
            if within:
                self._place(scope, within, Property(row, node, None))
        if names:
            self._place(holder, names, Property(row, node, scope))

    @property
    def about_page(self) -> list[Scope]:
        """The things that the page is about, and the properties that are in none."""
        about = [scope for scope in self.scopes if scope.group and scope.is_about_page]
        return [*about, self.loose] if self.loose.properties else about

    def _place(self, scope: Scope, names: tuple[str, ...], found: Property) -> None:
        self._placed.append((found.row, scope, names, found))
        for name in names:
            scope.properties.setdefault(name, []).append(found)

    def within(self, row: int) -> Iterator[tuple[tuple[str, ...], Property]]:
        """The properties in an element that belong to no thing in it."""
        end = int(self._document.elements.end[row])
        first, last = (bisect_left(self._rows, edge) for edge in (row, end))
        for _, scope, names, found in self._placed[first:last]:
            if scope.row < row:
                yield names, found

    @cached_property
    def _rows(self) -> list[int]:
        return [row for row, *_ in self._placed]

    def value(self, found: Property, key: str, depth: int = 0, *, whole: bool = False) -> object:
        """The value of a property: a text, an address or a thing."""
        node = found.node
        self._left -= 1
        if self._left < 0:
            return ""
        if found.thing is not None:
            return self.thing(found.thing, depth, name_it=key in _PEOPLE, whole=whole)
        if (node.tag == "time" or key.startswith("date")) and (day := node.attr("datetime")) and day.strip():
            return day
        if (content := node.attr("content")) and content.strip():
            return content
        if (source := _SOURCES.get(node.tag)) is not None:
            return node.attr(source) or ""
        if key in LINKS and (address := self.address_of(node)):
            return address
        return text_in(self._document, found.row)

    def thing(self, scope: Scope, depth: int = 0, *, name_it: bool = False, whole: bool = False) -> dict[str, object]:
        """A thing as JSON-LD has it. Its element's text may be its name. `whole` is with all that is in it."""
        found: dict[str, object] = {"@type": scope.types}
        if scope.node is not None and (address := self.address_of(scope.node)):
            found["@id"] = address
        most = _ALL if whole else _FEW
        if depth < most.deep:
            for key, given in islice(scope.properties.items(), most.properties):
                found[key] = [self.value(each, key, depth + 1, whole=whole) for each in given[: most.values]]
        if name_it and "name" not in found:
            text = text_in(self._document, scope.row)
            found["name"] = text if len(text) < _LONGEST_NAME else found.get("author")
        return found

    @staticmethod
    def address_of(node: parse.Element) -> str:
        """The address that an element has."""
        return next(
            (value for name in ("itemid", "resource", "href", "src", "about") if (value := node.attr(name))), ""
        )


def text_in(document: Document, row: int) -> str:
    """The text in an element up to a limit, with a blank between blocks."""
    leaves, elements = document.leaves, document.elements
    end = int(elements.end[row])
    pieces: list[str] = []
    length, before = 0, -1
    first, last = leaves.opened.searchsorted((row, end)).tolist()
    for leaf in range(first, min(last, first + _MOST_LEAVES)):
        if not row <= leaves.element[leaf] < end:
            continue  # it stands behind the element
        if before >= 0:
            is_apart = _IS_BLOCK[elements.code[leaves.opened[before] + 1 : leaves.opened[leaf] + 1]].any()
            pieces.append(" " if is_apart or leaves.block[leaf] != leaves.block[before] else leaves.gap[leaf])
        pieces.append(leaves.text[leaf])
        before = leaf
        length += len(leaves.text[leaf])
        if length > _LONGEST:
            break
    return "".join(pieces)[:_LONGEST]
