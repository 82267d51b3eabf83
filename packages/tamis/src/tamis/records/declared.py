"""What a page declares: its things, the one that it is about, and how their properties become fields of a fact."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Any, TypeVar

from tamis.cached import cached_property
from tamis.document import Document
from tamis.document.titles import fold, title_parts
from tamis.labels import Labels
from tamis.metadata.schema import References, members, texts, types_of
from tamis.metadata.structured import ThingWriter
from tamis.metadata.view import View

Thing = Mapping[str, Any]
Things = Sequence[Thing]
Read = Callable[[Thing], object]  # reads a value from a thing
Kind = TypeVar("Kind", bound="Fact")

_MOST_VALUES = 200  # of a property
_MOST_THINGS = 1_000
_SCHEME = re.compile(r"https?://(?:www\.)?")

# How sure a value is by its source. No corpus has the gold of most fields: these are set by hand.
_CONFIDENCES = {"json-ld": 0.95, "microdata": 0.9, "rdfa": 0.9, "meta": 0.9, "opengraph": 0.85, "visible": 0.7}
# The share that is right in the corpus `recipes` (python -m tamis_lab.bench.recipes), with and without JSON-LD.
_MEASURED = {
    "ingredients": {"json-ld": 0.95, "microdata": 0.81, "visible": 0.74},
    "steps": {"json-ld": 0.93, "microdata": 0.78, "visible": 0.67},
}


@dataclass(frozen=True, kw_only=True)
class Fact:
    """What the page is about; a field that was not found is None or empty."""

    sources: Mapping[str, str] = field(default_factory=dict, repr=False)  # json-ld, microdata, ... by field name
    confidences: Mapping[str, float] = field(default_factory=dict, repr=False)  # that a field is right, by its name

    def values(self) -> dict[str, object]:
        """The fields that were found, as plain values."""
        names = (each.name for each in fields(self) if each.name not in ("sources", "confidences"))
        found = {name: getattr(self, name) for name in names}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
        return {name: value for name, value in plain.items() if value not in (None, [])}


class DeclaredThings:
    """The things that a page declares, and how to find its own among them."""

    def __init__(self, document: Document, labels: Labels | None, structured: Things) -> None:
        self.document, self.labels = document, labels
        self.things = list(islice(_main_things(structured), _MOST_THINGS))
        self.view = View(document, labels)

    @cached_property
    def meta(self) -> dict[str, list[str]]:
        """The contents of META elements by name."""
        return self.view.head.meta

    @cached_property
    def heading(self) -> str:
        """The text of the first heading of the first level; empty without one."""
        return self.view.text_of(self.view.leaves_in(self.view.headings[0])) if self.view.headings else ""

    @cached_property
    def _titles(self) -> frozenset[str]:
        """The page's titles, folded."""
        shown = (self.view.text_of(self.view.leaves_in(row)) for row in self.view.headings)
        declared = [*title_parts(self.document.title), self.document.title, *self.meta.get("og:title", [])]
        return frozenset(filter(None, map(fold, (*declared, *shown))))

    def of(self, *kinds: str) -> Things:
        """The things of some types, which are written in lower case; "*event" is any type that ends so."""
        return [thing for thing in self.things if any(_is_kind(name.lower(), kinds) for name in types_of(thing))]

    def own(self, things: Things) -> Thing | None:
        """The one of some things that the page is about."""
        if len(things) < 2:
            return next(iter(things), None)
        address = _bare(self.view.address)
        same = [each for each in things if address and address in map(_bare, _addresses(each))]
        same = same or [each for each in things if fold(name_of(each)) in self._titles]
        return same[0] if same and len({fold(name_of(each)) for each in same}) == 1 else None

    def written(self, thing: Thing) -> dict[str, Any]:
        """A thing that was read elsewhere on the page, with its values written as those of declared things."""
        return ThingWriter(self.view, References(self.document.linked_data)).thing(thing)

    def fact(self, kind: type[Kind], readers: Mapping[str, Read], things: Things) -> Kind | None:
        """The fact of the one of some things that the page is about."""
        if (thing := self.own(things)) is None:
            return None
        draft = FactDraft()
        draft.read(thing, readers)
        return draft.fact(kind) if draft.values else None


def _is_kind(name: str, kinds: Iterable[str]) -> bool:
    return any(name.endswith(kind[1:]) if kind[0] == "*" else name == kind for kind in kinds)


def _main_things(structured: Things) -> Iterator[Thing]:
    """Things, and those that pages among them name as their main one, with the source of the page."""
    for thing in structured:
        yield thing
        for inner in members(thing.get("mainEntity"))[:_MOST_VALUES]:
            if isinstance(inner, dict):
                yield {"@source": thing.get("@source"), **inner}


def source_of(thing: Thing) -> str:
    """The first notation that declares a thing."""
    return str(next(iter(members(thing.get("@source"))), "json-ld"))


def name_of(thing: Thing) -> str:
    """The name of a thing; empty without one."""
    return next(texts(thing.get("name") or thing.get("headline") or thing.get("title")), "")


def _addresses(thing: Thing) -> Iterator[str]:
    for key in ("url", "mainEntityOfPage", "@id"):
        value = thing.get(key)
        value = value.get("@id") or value.get("url") if isinstance(value, dict) else value
        if isinstance(value, str):
            yield value


def _bare(address: str) -> str:
    """An address as it is compared: without scheme, fragment and last slash."""
    return _SCHEME.sub("", address.partition("#")[0], count=1).rstrip("/")


class FactDraft:
    """The fields of a fact that is being read; the first value of a field counts."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}

    def add(self, name: str, value: object, source: str) -> None:
        """Set a field, unless it is set or the value is empty."""
        if value not in (None, "", ()) and name not in self.values:
            self.values[name], self.sources[name] = value, source

    def read(self, thing: Thing | None, readers: Mapping[str, Read]) -> None:
        """Set fields from the properties of a thing: for each the reader of its value."""
        if thing is not None:
            for name, read in readers.items():
                self.add(name, read(thing), source_of(thing))

    def fact(self, kind: type[Kind]) -> Kind:
        """The fact."""
        confidences = {
            name: _MEASURED.get(name, _CONFIDENCES).get(source, _CONFIDENCES[source])
            for name, source in self.sources.items()
        }
        return kind(**self.values, sources=self.sources, confidences=confidences)


def text(*keys: str) -> Read:
    """Reads the first text of a property, the first of some that has one; of a thing its name."""

    def read(thing: Thing) -> str | None:
        for key in keys:
            for value in members(thing.get(key)):
                if found := (str(value) if isinstance(value, int | float) else next(texts(value), "")):
                    return found
        return None

    return read


def text_list(key: str) -> Read:
    """Reads all texts of a property."""
    return lambda thing: tuple(islice(filter(None, texts(thing.get(key))), _MOST_VALUES))


def inside(key: str, read: Read) -> Read:
    """Reads a property of the first thing in a property that has it."""

    def read_inner(thing: Thing) -> object:
        inner = (each for each in members(thing.get(key)) if isinstance(each, dict))
        return next((found for each in islice(inner, _MOST_VALUES) if (found := read(each)) is not None), None)

    return read_inner


def number(*keys: str) -> Read:
    """Reads the first number of some properties."""

    def read(thing: Thing) -> float | None:
        given = (thing.get(key) for key in keys)
        return next((each for each in given if isinstance(each, int | float) and not isinstance(each, bool)), None)

    return read
