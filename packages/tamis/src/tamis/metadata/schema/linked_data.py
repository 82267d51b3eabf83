"""Metadata in linked data (JSON-LD)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tamis.deadline import checked
from tamis.document.linked_data import LinkedData
from tamis.metadata.schema.described import Described
from tamis.metadata.schema.own import Found
from tamis.metadata.schema.types import group_of, local_name
from tamis.metadata.view import View

# Keys under which things stand that the page is about, and those of them that make lists.
_LISTS = frozenset({"itemListElement", "item", "hasPart", "review"})
_ABOUT = _LISTS | {"@graph", "mainEntity", "mainEntityOfPage", "blogPost"}
_MOST_VALUES = 100


class LinkedDataSource(Described):
    """The things that the page is about."""

    def __init__(self, view: View) -> None:
        super().__init__("json-ld", view, _things)


class References:
    """The objects of a page, and which of them an @id means."""

    def __init__(self, data: LinkedData) -> None:
        self.objects = data.things + data.mended
        self._by_id: dict[str, Mapping[str, object]] | None = None

    def get(self, name: object) -> Mapping[str, object] | None:
        """The object of an @id that tells most."""
        if self._by_id is None:
            self._by_id = {}
            for each in checked(self.objects):
                given = each.fields.get("@id")
                if isinstance(given, str) and len(each.fields) > len(self._by_id.get(given, "@")):
                    self._by_id[given] = each.fields
        return self._by_id.get(name) if isinstance(name, str) else None

    def resolved(self, value: object) -> object:
        """A reference such as {"@id": "#author"} with what the object of that id says."""
        if isinstance(value, dict) and "@id" in value and "@type" not in value:
            meant = self.get(value["@id"])
            return {**meant, **value} if meant else value
        return value


@dataclass(slots=True, eq=False)
class _Object:
    """An object as a thing."""

    keys: Mapping[str, object]
    group: str
    is_listed: bool
    references: References

    def values(self, key: str) -> list[Found]:
        """The values of a property, references resolved."""
        value = self.keys.get(key)
        if value is None:
            return []
        resolved = self.references.resolved
        if isinstance(value, list):
            return [Found(resolved(each)) for each in value[:_MOST_VALUES]]
        return [Found(resolved(value))]


def _things(view: View) -> list[_Object]:
    references, found = References(view.document.linked_data), []
    for each in references.objects:
        if each.keys and not _ABOUT.issuperset(each.keys):
            continue
        fields, group = each.fields, group_of(each.types)
        if any(":" in name for name in each.types):
            fields = {key if key[:1] == "@" else local_name(key): value for key, value in fields.items()}
        if not group and ("headline" in fields or "datePublished" in fields):
            group = "Other"
        if group:
            found.append(_Object(fields, group, not _LISTS.isdisjoint(each.keys), references))
    return found
