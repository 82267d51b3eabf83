"""Candidates from microdata and RDFa: things that are declared in attributes of elements.

A thing has the properties inside its element, up to the next thing. Values are read when they are asked for, and of
each no more than a few leaves, so things that nest or name each other cost no more than others. Pages forget itemscope;
a type is enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from tamis.arrays import places
from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document import Document, parse, tags
from tamis.metadata.schema import (
    LISTS,
    LOOSE,
    PERSON,
    TABLE,
    DeclaredThing,
    PropertyValue,
    ThingSource,
    group_of,
    local_name,
)
from tamis.metadata.view import View

# Where an element has its value, if that is not its text.
_SOURCES = {
    "meta": "content", "link": "href", "area": "href", "object": "data", "data": "value", "meter": "value",
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
}  # fmt: skip
# Properties that mean the address of a link. Others mean its text, whatever the standard says.
_LINKS = frozenset(TABLE["properties of links"])
# Properties whose values can be what the page is about.
_ABOUT = LISTS | {"mainEntity", "mainEntityOfPage", "blogPost", "blogPosts"}
_PEOPLE = frozenset({"author", "creator", "publisher"})
_SPELLING = {name.lower(): name for name in TABLE["known properties"]}

_MOST_LEAVES = 200  # of a value
_LONGEST = 10_000  # characters of a value
_DEEPEST = 3  # things around one that the page is about
_LONGEST_NAME = 100  # a longer text of a thing is not its name
_MOST_READ = 20_000  # values of a page: items may name each other
_IS_BLOCK = tags.lookup(*tags.BLOCK, "br")

# Properties, values of each and things inside things that are read of a thing: of a candidate, and of a whole thing.
_CANDIDATE_LIMITS = (30, 5, 3)
_WHOLE_LIMITS = (200, 500, 6)


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
    def is_about_page(self) -> bool:
        """Can the page be about it, or is it only a part of another thing?"""
        scope: Scope | None = self
        for _ in range(_DEEPEST):
            if scope is None or not scope.names or scope.holder is None:
                return True
            if _ABOUT.isdisjoint(scope.names):
                return False
            scope = scope.holder
        return False

    def values(self, key: str) -> list[PropertyValue]:
        """The values of a property."""
        if key == "@id":
            return [PropertyValue(address)] if (address := self.node and _address_of(self.node)) else []
        return [PropertyValue(self.page.value(each, key), each.row) for each in self.properties.get(key, ())[:50]]


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

        `names` are its properties of the thing around it, `types` its own types (None if it is not a thing), `within`
        its properties of the thing that it is.
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

    def things(self) -> Iterator[DeclaredThing]:
        """The things that the page is about, and the properties outside of things."""
        about = [(group, scope) for scope in self.scopes if (group := group_of(scope.types)) and scope.is_about_page]
        for group, scope in [*about, (LOOSE, self.loose)] if self.loose.properties else about:
            yield DeclaredThing(group, not LISTS.isdisjoint(scope.names), scope.properties, scope.values)

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
        if key in _LINKS and (address := _address_of(node)):
            return address
        return text_in(self._document, found.row)

    def thing(self, scope: Scope, depth: int = 0, *, name_it: bool = False, whole: bool = False) -> dict[str, object]:
        """A thing as JSON-LD has it. With `name_it` its text can be its name; `whole` reads more properties."""
        found: dict[str, object] = {"@type": scope.types}
        if scope.node is not None and (address := _address_of(scope.node)):
            found["@id"] = address
        most_properties, most_values, deepest = _WHOLE_LIMITS if whole else _CANDIDATE_LIMITS
        if depth < deepest:
            for key, given in islice(scope.properties.items(), most_properties):
                found[key] = [self.value(each, key, depth + 1, whole=whole) for each in given[:most_values]]
        if name_it and "name" not in found:
            text = text_in(self._document, scope.row)
            found["name"] = text if len(text) < _LONGEST_NAME else found.get("author")
        return found


def _address_of(node: parse.Element) -> str:
    """The address that an element has."""
    return next((value for name in ("itemid", "resource", "href", "src", "about") if (value := node.attr(name))), "")


def text_in(document: Document, row: int) -> str:
    """The text in an element up to a limit, with a blank between blocks."""
    leaves, elements = document.leaves, document.elements
    end = int(elements.end[row])
    pieces: list[str] = []
    length, before = 0, -1
    first, last = leaves.opened.searchsorted((row, end)).tolist()
    for leaf in range(first, min(last, first + _MOST_LEAVES)):
        if not row <= leaves.element[leaf] < end:
            continue  # it comes after the element
        if before >= 0:
            is_apart = _IS_BLOCK[elements.code[leaves.opened[before] + 1 : leaves.opened[leaf] + 1]].any()
            pieces.append(" " if is_apart or leaves.block[leaf] != leaves.block[before] else leaves.gap[leaf])
        pieces.append(leaves.text[leaf])
        before = leaf
        length += len(leaves.text[leaf])
        if length > _LONGEST:
            break
    return "".join(pieces)[:_LONGEST]


# The ids, and the properties below them, that are read for one page; pages name a few.
_MOST_NAMED = 10_000


def microdata_source(view: View) -> ThingSource:
    """The items of a page, and the properties that are in no item."""
    return ThingSource("microdata", view, lambda view: microdata_items(view.document).things())


def microdata_items(document: Document) -> Markup:
    """The items of a page."""
    elements = document.elements
    rows, nodes = elements.notable.tolist(), elements.notable_nodes
    templates = frozenset[int]()
    if elements.has("template"):
        # The properties in a template do not belong to the items around it.
        templates = frozenset(places(elements.code == tags.CODES["template"]).tolist())
        rows = sorted(templates.union(rows))
        nodes = [elements.all_nodes[row] for row in rows]
    found = Markup(document)
    refers = False
    for row, node in checked(zip(rows, nodes, strict=True)):
        names, types = node.attr("itemprop"), node.attr("itemtype")
        if types is not None:
            refers = refers or node.attr("itemref") is not None
        elif row in templates or (names is not None and node.attr("itemscope") is not None):
            types = ""
        elif names is None:
            continue
        found.add(row, node, _spelled_names(names) if names else (), types)
    if refers:
        _add_referred(found, document)
    return found


@lru_cache(maxsize=1024)
def _spelled_names(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(spelled, names.split())))


def _add_referred(found: Markup, document: Document) -> None:
    """Give items the properties in the elements that their itemref names."""
    left = _MOST_NAMED
    row_of: dict[str, int] = {}
    for scope in found.scopes:
        named = scope.node.attr("itemref") if scope.node is not None else None
        if not named:
            continue
        if not row_of:
            ids = document.elements.id
            row_of = {name: row for row, name in zip(range(len(ids) - 1, -1, -1), reversed(ids), strict=True) if name}
        for name in named.split():
            left -= 1
            if left <= 0:
                return
            if (row := row_of.get(name)) is None:
                continue
            for names, each in found.within(row):
                left -= 1
                if left <= 0:
                    return
                for key in names:
                    scope.properties.setdefault(key, []).append(each)
        for key, given in scope.properties.items():
            scope.properties[key] = sorted(dict.fromkeys(given), key=lambda each: each.row)


# What other vocabularies call the properties of schema.org, by the usual prefixes and by the end of the address.
_DUBLIN_CORE = {
    "title": "headline", "creator": "creator", "date": "datePublished", "created": "dateCreated",
    "issued": "datePublished", "modified": "dateModified", "description": "description", "abstract": "abstract",
    "subject": "keywords", "publisher": "publisher", "language": "inLanguage", "license": "license",
}  # fmt: skip
_PERSONS = {"name": "name", "has_creator": "creator", "maker": "creator", "label": "name", "prefLabel": "name"}
_VOCABULARIES = {
    **dict.fromkeys(("dc", "dc11", "dct", "dcterms", "dcterm", "terms"), _DUBLIN_CORE),
    **dict.fromkeys(("foaf", "sioc", "rdfs", "skos"), _PERSONS),
}
_SCHEMA_ORG = frozenset({"", "schema", "s", "rnews", "schema.org"})

_MOST_RDFA = 5_000  # elements; pages have some dozens
_FEW_CHARACTERS = 100_000  # cannot slow down the parser, however the elements nest


def rdfa_source(view: View) -> ThingSource:
    """The things of a page, and the properties that are in none."""
    return ThingSource("rdfa", view, lambda view: rdfa_items(view.document).things())


def rdfa_items(document: Document) -> Markup:
    """The things of a page."""
    markup = Markup(document)
    found = list(_rdfa_elements(document)) if _has_rdfa(document) else []
    linked: dict[int, tuple[str, ...]] = {}  # from the row of a thing to its properties by a rel around it
    for place, (row, node, names, links) in enumerate(checked(found)):
        types = node.attr("typeof")
        if links:
            inner = next((each for each in found[place + 1 : place + 3] if each.node.attr("typeof") is not None), None)
            if inner is not None and inner.row < document.elements.end[row]:
                linked[inner.row] = links
            elif not names:
                names = links
        outer = linked.get(row, ())
        within: tuple[str, ...] = ()
        if types is not None:
            is_name = names == ("name",) and group_of(types.split()) == PERSON
            if outer or is_name or node.attr("about") is not None:
                names, within = outer, names  # the property is of the thing itself
        markup.add(row, node, names, types, within)
    return markup


def _has_rdfa(document: Document) -> bool:
    tree, size = document.tree, len(document.html)
    if size > _FEW_CHARACTERS:
        size *= int(document.elements.depth.max(initial=0))
    if parse.has_rdfa(tree, size):
        return True
    return any(parse.select(tree, f"{tag}[property]") for tag in ("time", "h1"))


class _RdfaElement(NamedTuple):
    row: int
    node: parse.Element
    names: tuple[str, ...]
    links: tuple[str, ...]  # properties whose value is the next thing inside


def _rdfa_elements(document: Document) -> Iterator[_RdfaElement]:
    """The elements with a type, a property or a relation, in document order."""
    wanted = iter(parse.select(document.tree, '[typeof], [property], [rel*=":"]')[:_MOST_RDFA])
    node = next(wanted, None)
    for row, each in enumerate(document.elements.all_nodes):
        if each is node:
            names, links = (_spelled_properties(node.attr(name) or "") for name in ("property", "rel"))
            if names or links or node.attr("typeof") is not None:
                yield _RdfaElement(row, node, names, links if node.tag != "link" else ())
            if (node := next(wanted, None)) is None:
                return


@lru_cache(maxsize=1024)
def _spelled_properties(names: str) -> tuple[str, ...]:
    """Properties as schema.org spells them; those of vocabularies that are not known are left out."""
    found = []
    for name in names.split():
        vocabulary, _, local = name.replace("#", "/").replace(":", "/").rpartition("/")
        vocabulary = vocabulary.rpartition("/")[2].lower()
        if vocabulary in _SCHEMA_ORG:
            found.append(spelled(local))
        elif key := _VOCABULARIES.get(vocabulary, {}).get(local):
            found.append(key)
    return tuple(dict.fromkeys(found))
