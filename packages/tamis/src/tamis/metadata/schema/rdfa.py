"""Metadata in RDFa: typeof, property and rel in the body of a page, in the words of schema.org or Dublin Core."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tamis.deadline import checked
from tamis.document import Document, parse
from tamis.metadata.schema.described import Described
from tamis.metadata.schema.markup import Markup, Scope, spelled
from tamis.metadata.schema.types import PERSON, group_of
from tamis.metadata.view import View

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

# Elements of RDFa that are read; pages have some dozens.
_MOST = 5_000
# A page with so few characters can't harm the parser's reader, however they nest.
_FEW_CHARACTERS = 100_000


class Rdfa(Described):
    """The things of a page, and the properties that are in none."""

    def __init__(self, view: View) -> None:
        super().__init__("rdfa", view, _about_page)


def _about_page(view: View) -> list[Scope]:
    markup = items(view.document)
    return markup.about_page if markup else []


def items(document: Document) -> Markup | None:
    """The things of a page; None if it has no RDFa."""
    if not _has_rdfa(document):
        return None
    markup = Markup(document)
    found = list(_elements(document))
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
        if types is not None and (outer or node.attr("about") is not None or _names_a_person(names, types)):
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


class _Element(NamedTuple):
    row: int
    node: parse.Element
    names: tuple[str, ...]
    links: tuple[str, ...]  # properties whose value is the next thing inside


def _names_a_person(names: tuple[str, ...], types: str) -> bool:
    return names == ("name",) and group_of(types.split()) == PERSON


def _elements(document: Document) -> Iterator[_Element]:
    """The elements with a type, a property or a relation, in document order."""
    wanted = iter(parse.select(document.tree, '[typeof], [property], [rel*=":"]')[:_MOST])
    node = next(wanted, None)
    for row, each in enumerate(document.elements.all_nodes):
        if each is node:
            names, links = (_spelled(node.attr(name) or "") for name in ("property", "rel"))
            if names or links or node.attr("typeof") is not None:
                yield _Element(row, node, names, links if node.tag != "link" else ())
            if (node := next(wanted, None)) is None:
                return


@lru_cache(maxsize=1024)
def _spelled(names: str) -> tuple[str, ...]:
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
