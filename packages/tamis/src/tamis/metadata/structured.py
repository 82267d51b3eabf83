"""All that a page declares in JSON-LD, microdata and RDFa, in one form.

Each thing is a dict: "@type" is a list of names of schema.org without its address, "@source" lists which of json-ld,
microdata and rdfa declare it, the rest are its properties with the names of schema.org. A single value of a property
is that value, several are a list; things inside are dicts without "@source". References by @id are replaced by the
things that they mean, two deep. White space is folded, entities and markup are removed, addresses are absolute and
harmless, dates are ISO 8601 where they can be read, durations stay as they are written (PT1H30M).

Some properties always have the same shape:

- `author`, `creator`: a list of things with a name; `publisher`, `brand`, `manufacturer`: a thing with a name
- `offers`, `review`: a list of things; `price`: a text such as "1299.00"; ratings and counts: numbers
- `image`, `sameAs`: a list of addresses; `isAccessibleForFree`: true or false
- `recipeIngredient`, `recipeInstructions` (one text a step), `recipeCategory`, `recipeCuisine`, `keywords`: a list of
  texts; `recipeYield`: a text

A thing that several notations declare, by its type and name, is there once, with the properties of all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from math import isfinite

from tamis.deadline import checked
from tamis.document.dates import read
from tamis.document.decode import clean_text
from tamis.document.titles import fold
from tamis.metadata.markup import microdata_items, rdfa_items
from tamis.metadata.people import people
from tamis.metadata.schema import (
    References,
    is_address,
    local_name,
    members,
    plain_text,
    size_and_address,
    tag_names,
    texts,
    truth_value,
    types_of,
)
from tamis.metadata.values import unique
from tamis.metadata.view import View
from tamis.render.safe import safe_url

_MOST_VALUES = 10_000  # of a page
_MOST_CHARACTERS = 2_000_000  # of a page
_MOST_MEMBERS = 500  # of a value
_DEEPEST = 8  # things and lists around a value
_DEEPEST_REFERENCE = 2  # references that are followed from one to the next

# Properties with addresses, which may be relative, and with dates.
_ADDRESSES = frozenset(
    """
    @id url sameAs logo thumbnailUrl contentUrl embedUrl mainEntityOfPage discussionUrl downloadUrl installUrl item
    hasMap license target relatedLink significantLink archivedAt codeRepository
    """.split()
)
_DATES = frozenset({"expires", "validFrom", "validThrough"})
_NUMBERS = frozenset("ratingValue bestRating worstRating ratingCount reviewCount position offerCount".split())
_PRICES = frozenset({"price", "lowPrice", "highPrice", "minPrice", "maxPrice"})
_PEOPLE = frozenset({"author", "creator", "editor", "contributor"})
_NAMED = frozenset({"publisher", "brand", "manufacturer", "provider", "sourceOrganization"})
_LISTS = frozenset({"review", "offers", "sameAs", "recipeCategory", "recipeCuisine"})
_STEPS = frozenset({"recipeIngredient", "recipeInstructions"})
_SYNONYMS = {"ingredients": "recipeIngredient", "reviews": "review", "URL": "url"}
_EMPTY: tuple[object, ...] = (None, "", [], {})
_LINE = re.compile(r"[\r\n]++|</?(?:li|p|br|div|ol|ul)(?:\s[^<>]*+)?/?>", re.IGNORECASE)
_ENUMERATION = re.compile(r"https?://(?:www\.)?schema\.org/(\w+)/?")
_HARMFUL = re.compile(r"(?:javascript|vbscript|data):", re.IGNORECASE)
_PRICE = re.compile(r"\d[\d.,' \xa0]*")


class ThingWriter:
    """Writes the things of one page in one form, up to limits that hold for all of them together."""

    def __init__(self, view: View, references: References) -> None:
        self._view, self._references = view, references
        self._values, self._characters = _MOST_VALUES, _MOST_CHARACTERS

    def thing(self, fields: Mapping[str, object], depth: int = 0, within: tuple[str, ...] = ()) -> dict[str, object]:
        """A thing in that form; `within` are the ids of the things around it that references led to."""
        found: dict[str, object] = {}
        if types := list(dict.fromkeys(clean_text(local_name(name)) for name in types_of(fields)[:10])):
            found["@type"] = types
        for key, value in islice(fields.items(), _MOST_MEMBERS):
            name = key if key == "@id" else clean_text(local_name(key))
            if name and (key[0] != "@" or key == "@id"):
                name = _SYNONYMS.get(name, name)
                if (written := self._property(name, value, depth, within)) not in _EMPTY:
                    found.setdefault(name, written)
        specified = next(iter(members(found.get("priceSpecification"))), None)
        if isinstance(specified, dict):  # the price of an offer can be one level deeper
            found = {key: specified[key] for key in ("price", "priceCurrency") if key in specified} | found
        return found

    def _property(self, name: str, value: object, depth: int, within: tuple[str, ...]) -> object:
        if name in _STEPS:
            return self._steps(value)
        if name == "image":
            return self._images(value)
        if name == "keywords":
            return list(tag_names(value))
        if name == "recipeYield":  # some write ["4", "4 servings"]
            return max(self._steps(value if not isinstance(value, int) else str(value)), key=len, default="")
        given = members(value)[:_MOST_MEMBERS]
        if name in _PEOPLE:
            return [author for one in given for author in self._people(one, depth, within)]
        written = (self._value(name, one, depth, within) for one in given)
        found = [one for one in written if one not in _EMPTY]
        return found[0] if len(found) == 1 and name not in _LISTS else found

    def _value(self, name: str, value: object, depth: int, within: tuple[str, ...]) -> object:
        self._values -= 1
        if self._values < 0:
            return None
        if isinstance(value, dict):
            return self._inner(name, value, depth, within)
        if isinstance(value, list) and depth < _DEEPEST:
            return [self._value(name, one, depth + 1, within) for one in value[:_MOST_MEMBERS]]
        if isinstance(value, bool):
            return value
        if isinstance(value, float) and not isfinite(value):
            return None
        if isinstance(value, int | float):
            return _price(str(value)) if name in _PRICES else value
        text = self._text(name, value) if isinstance(value, str) else None
        if text and name in _NAMED:
            return {"name": text}
        return {"url": text} if text and name == "offers" else text

    def _inner(self, name: str, value: dict[str, object], depth: int, within: tuple[str, ...]) -> object:
        if "@value" in value:
            return self._value(name, value["@value"], depth + 1, within) if depth < _DEEPEST else None
        if depth >= _DEEPEST:
            return None
        given = value.get("@id")
        if isinstance(given, str) and "@type" not in value and given not in within and len(within) < _DEEPEST_REFERENCE:
            value = self._references.resolved(value)
            within = (*within, given)
        found = self.thing(value, depth + 1, within)
        return found if found.keys() != {"@type"} else None

    def _text(self, name: str, value: str) -> object:
        value = value[: max(self._characters, 0)]
        self._characters -= len(value)
        if name == "isAccessibleForFree" and (is_free := truth_value(value)) is not None:
            return is_free
        if enumeration := _ENUMERATION.fullmatch(value.strip()):
            return enumeration[1]
        text = plain_text(value)
        if name in _ADDRESSES or is_address(text):
            if name == "license" and " " in text:
                return text
            return safe_url(text, self._view.base)
        if _HARMFUL.match(text):
            return None
        if name in _PRICES:
            return _price(text)
        if name in _NUMBERS:
            return _number(text)
        is_date = name.startswith("date") or name.endswith(("Date", "Until")) or name in _DATES
        if is_date and len(text) < 100 and (moment := read(text, self._view.language)):
            return moment.time.isoformat() if moment.time is not None else moment.iso
        return text

    def _people(self, value: object, depth: int, within: tuple[str, ...]) -> list[object]:
        if isinstance(value, str):
            return [{"name": name} for name in people(plain_text(value[:1000]))]
        if isinstance(value, list):
            inner = value[:_MOST_MEMBERS] if depth < _DEEPEST else []
            return [author for one in inner for author in self._people(one, depth + 1, within)]
        found = self._value("author", value, depth, within)
        return [found] if found else []

    def _images(self, value: object) -> list[str]:
        given = (self._references.resolved(image) for images in members(value) for image in members(images))
        addresses = (plain_text(size_and_address(image)[1]) for image in islice(given, 50))
        return unique(safe_url(address, self._view.base) for address in addresses)

    def _steps(self, value: object, depth: int = 0) -> list[str]:
        """The texts of ingredients or of steps, those of sections too, in their order."""
        if isinstance(value, str):
            self._characters -= len(value)
            lines = (plain_text(line) for line in _LINE.split(value[:100_000])) if self._characters > 0 else ()
            return [line for line in lines if line]
        if isinstance(value, list):
            return [step for one in value[:_MOST_MEMBERS] for step in self._steps(one, depth)]
        if isinstance(value, dict) and depth < _DEEPEST:
            for key in ("text", "itemListElement", "steps", "description", "name"):
                if found := self._steps(value.get(key), depth + 1):
                    return found
        return []


def _price(text: str) -> str | None:
    """A price as digits, with a point before the cents: "1.299,00 €" is "1299.00"."""
    found = _PRICE.search(text)
    if found is None:
        return None
    digits = re.sub(r"[' \xa0]", "", found[0]).rstrip(".,")
    whole, mark, cents = digits.rpartition("," if digits.rfind(",") > digits.rfind(".") else ".")
    if not mark or (len(cents) == 3 and (mark == "," or whole.count(".") > 0)):
        whole, cents = digits, ""
    whole = whole.replace(",", "").replace(".", "")
    return f"{whole}.{cents}" if cents else whole


def _number(text: str) -> object:
    """The number that a text is, or the text."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return text if not isfinite(number) else int(number) if number.is_integer() else number


Item = dict[str, object]

_MOST_THINGS = 1_000
_NO_PROPERTIES = frozenset({"@context", "@graph", "@type", "@id"})


def structured_data(view: View) -> list[Item]:
    """All things that the page declares, in the order of json-ld, microdata, rdfa."""
    references = References(view.document.linked_data)
    writer = ThingWriter(view, references)
    found = _UniqueItems()
    for source, thing in checked(islice(_outermost_things(view, references), _MOST_THINGS)):
        item = writer.thing(thing)
        if not item.keys() <= _NO_PROPERTIES:
            found.add({"@type": item.pop("@type", []), "@source": [source], **item}, source)
    return found.items


def _outermost_things(view: View, references: References) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The things that are not inside others, with their source."""
    for thing in references.objects:
        if not thing.keys or set(thing.keys) == {"@graph"}:
            yield "json-ld", thing.fields
    for source, markup in (("microdata", microdata_items(view.document)), ("rdfa", rdfa_items(view.document))):
        for scope in markup.scopes:
            if not scope.names and scope.types:
                yield source, markup.thing(scope, whole=True)


class _UniqueItems:
    """Things, each once."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._by_name: dict[tuple[str, str], Item] = {}  # from a type and a name
        self._by_content: dict[tuple[str, str], Item] = {}  # from a source and all properties

    def add(self, item: Item, source: str) -> None:
        """Add a thing, or add its properties to the same thing from before."""
        content = json.dumps({key: value for key, value in item.items() if key not in ("@id", "@source")})
        titles = (text for key in ("headline", "name") for text in texts(item.get(key)))
        name = fold(next(titles, ""))
        named = [(kind, name) for kind in types_of(item)] if name else []
        same = self._by_content.get((source, content))
        others = (other for key in named if source not in members((other := self._by_name.get(key, item))["@source"]))
        same = same or next(others, None)
        if same is None:
            self.items.append(item)
            for key in named:
                self._by_name.setdefault(key, item)
        else:
            same["@source"] = list(dict.fromkeys((*members(same["@source"]), source)))
            for name, value in item.items():
                same.setdefault(name, value)
        self._by_content[source, content] = same or item
