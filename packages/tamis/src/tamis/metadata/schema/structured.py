"""All that a page declares in JSON-LD, microdata and RDFa, in one form.

Each thing is a dict: "@type" is a list of names of schema.org without its address, "@source" a list of those of
json-ld, microdata and rdfa that declare it, the rest are its properties with the names of schema.org. A property with
one value is that value, with several a list; things inside are dicts without "@source". References by @id are replaced
by what they mean, two deep. White space is folded, entities and markup are removed, addresses are absolute and
harmless, dates are ISO 8601 where they can be read, durations as they are written (PT1H30M).

Some properties have one shape always:

- `author`, `creator`: a list of things with a name; `publisher`, `brand`, `manufacturer`: a thing with a name
- `offers`, `review`: a list of things; `price`: a text such as "1299.00"; ratings and counts: numbers
- `image`, `sameAs`: a list of addresses; `isAccessibleForFree`: true or false
- `recipeIngredient`, `recipeInstructions` (one text a step), `recipeCategory`, `recipeCuisine`, `keywords`: a list of
  texts; `recipeYield`: a text

A thing that several notations declare, by its type and name, is there once, with the properties of all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice

from tamis.deadline import checked
from tamis.document.titles import fold
from tamis.metadata.schema import microdata, rdfa
from tamis.metadata.schema.linked_data import References
from tamis.metadata.schema.normal import Normal
from tamis.metadata.schema.types import each, texts, types_of
from tamis.metadata.view import View

Item = dict[str, object]

# Things of a page that are looked at.
_MOST = 1_000
_NO_PROPERTIES = frozenset({"@context", "@graph", "@type", "@id"})


def structured_data(view: View) -> list[Item]:
    """All things that the page declares, in the order of json-ld, microdata, rdfa."""
    references = References(view.document.linked_data)
    normal = Normal(view, references)
    found = _Items()
    for source, thing in checked(islice(_declared(view, references), _MOST)):
        item = normal.thing(thing)
        if not item.keys() <= _NO_PROPERTIES:
            found.add({"@type": item.pop("@type", []), "@source": [source], **item}, source)
    return found.items


def _declared(view: View, references: References) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The things that stand in no other, by source."""
    for thing in references.objects:
        if not thing.keys or set(thing.keys) == {"@graph"}:
            yield "json-ld", thing.fields
    for source, markup in (("microdata", microdata.items(view.document)), ("rdfa", rdfa.items(view.document))):
        if markup is not None:
            for scope in markup.scopes:
                if not scope.names and scope.types:
                    yield source, markup.thing(scope, whole=True)


class _Items:
    """Things, each once."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._by_name: dict[tuple[str, str], Item] = {}  # from a type and a name
        self._by_content: dict[tuple[str, str], Item] = {}  # from a source and all properties

    def add(self, item: Item, source: str) -> None:
        """Add a thing, or add to the one that is there what it does not say."""
        content = json.dumps({key: value for key, value in item.items() if key not in ("@id", "@source")})
        named = [(kind, name) for kind in types_of(item) if (name := _name(item))]
        same = self._by_content.get((source, content))
        others = (other for key in named if source not in each((other := self._by_name.get(key, item))["@source"]))
        same = same or next(others, None)
        if same is None:
            self.items.append(item)
            for key in named:
                self._by_name.setdefault(key, item)
        else:
            same["@source"] = list(dict.fromkeys((*each(same["@source"]), source)))
            for name, value in item.items():
                same.setdefault(name, value)
        self._by_content[source, content] = same or item


def _name(item: Item) -> str:
    return fold(next((text for key in ("headline", "name") for text in texts(item.get(key))), ""))
