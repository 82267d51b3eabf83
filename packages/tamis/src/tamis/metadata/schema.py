"""The candidates in things of schema.org, whatever notation they are in.

A place is the group of the thing's type and the property: "Article.headline", "Page.datePublished". That of a teaser
begins with "Listed", that of a property without a thing with "loose". Authors that the type tells to be persons or
organisations have that at the end; those that stand far behind the first ones have "later" there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.document.dates import read
from tamis.document.linked_data import LinkedData
from tamis.metadata import values
from tamis.metadata.breadcrumbs import trail_categories
from tamis.metadata.people import people
from tamis.metadata.things import (
    BREADCRUMB,
    COMMENT,
    GROUPS,
    LISTED,
    LOOSE,
    ORGANIZATION,
    PERSON,
    SITE,
    Found,
    Thing,
    Told,
    address_in,
    each,
    group_of,
    image_address,
    is_address,
    local_name,
    plain,
    section,
    tags,
    texts,
    told,
    truth,
    types_of,
)
from tamis.metadata.values import categories
from tamis.metadata.view import Candidate, Value, View
from tamis.render.safe import safe_url

_Read = tuple[Value, str, int]  # a value, its place, the row of its element

# The properties of a field, the most telling first.
_KEYS = {
    "title": ("headline", "name", "alternativeHeadline"),
    "authors": ("author", "creator"),
    "date": ("datePublished", "dateCreated", "uploadDate", "datePosted"),
    "date_modified": ("dateModified",),
    "site_name": ("publisher", "isPartOf"),
    "description": ("description", "abstract"),
    "language": ("inLanguage",),
    "section": ("articleSection",),
    "categories": ("articleSection", "category", "recipeCategory", "genre"),
    "tags": ("keywords", "about", "mentions"),
    "license": ("license",),
    "canonical_url": ("url", "mainEntityOfPage"),
    "image": ("image", "primaryImageOfPage", "thumbnailUrl"),
    "is_paywalled": ("isAccessibleForFree", "hasPart"),
}
# Which things are asked for a field: for most all that are the page's own.
_OWN = frozenset({*GROUPS, LOOSE})
_ASKED = {
    "title": _OWN | {LISTED},
    "authors": _OWN | {LISTED, COMMENT},
    "date": _OWN | {LISTED, COMMENT},
    "date_modified": _OWN | {LISTED},
    "canonical_url": frozenset({"Article", "Page", "Forum"}),  # that of a thing that is no text may be any
}
_MOST_TEASERS = 3

# Candidates of a field, values of a property that are looked at, characters of texts, of titles and names, of dates.
_MOST_CANDIDATES, _MOST_VALUES, _LONGEST, _LONGEST_NAME, _LONGEST_DATE = 12, 50, 10_000, 500, 100
# Authors with more elements between them stand in other parts of the page: in comments, below pictures.
_FAR, _MOST_PARTS = 30, 3


class Described:
    """The candidates in the things of one source, which `read` finds when the first field is asked for."""

    def __init__(self, source: str, view: View, read: Callable[[View], Iterable[Thing]]) -> None:
        self._source, self._view, self._read = source, view, read

    @cached_property
    def _all(self) -> list[Thing]:
        return list(self._read(self._view))

    def candidates(self, field: str) -> list[Candidate]:
        """The candidates for a field, those of telling types first."""
        if not self._all or field not in _READERS:
            return []
        reader = _READERS[field]
        found: dict[Candidate, None] = {}
        asked = _ASKED.get(field, _OWN)
        for group, thing in self._told:
            for key in _KEYS[field] if group in asked else ():
                if key in thing.keys and (given := thing.values(key)):
                    for value, suffix, row in reader(self, given, key):
                        if suffix and group == LISTED:
                            suffix = ""
                        found[Candidate(value, self._source, f"{group}.{key}{suffix}", row)] = None
        for value, place, row in self._around(field) if field in ("site_name", "categories") else ():
            found[Candidate(value, self._source, place, row)] = None
        return list(islice(found, _MOST_CANDIDATES))

    @cached_property
    def _told(self) -> list[Told]:
        found = told(self._all, self._view)
        teasers = [each for each in found if each.group == LISTED]
        return [each for each in found if each.group != LISTED] + teasers[:_MOST_TEASERS]

    def _around(self, field: str) -> Iterator[_Read]:
        """What stands around the content: the site, breadcrumbs."""
        if field == "site_name":
            for kind in (SITE, ORGANIZATION):
                for thing in [thing for thing in self._all if thing.group == kind][:3]:
                    for name, _, row in self._names(thing.values("name"), "name"):
                        yield name, f"{kind}.name", row
        else:
            for thing in [thing for thing in self._all if thing.group == BREADCRUMB][:3]:
                if found := trail_categories(thing, self._view):
                    yield found, BREADCRUMB, -1

    # Readers of a property: its values, what is added to its place, rows.

    def _titles(self, given: list[Found], _: str) -> Iterator[_Read]:
        for value, row in given[:_MOST_VALUES]:
            text = next(texts(value), "")
            if len(text) <= _LONGEST_NAME and (text := plain(text)) and not is_address(text):
                yield text, "", row
                return

    def _descriptions(self, given: list[Found], _: str) -> Iterator[_Read]:
        for value, row in given[:2]:
            text = next(texts(value), "")
            if len(text) <= _LONGEST and (text := plain(text)):
                yield text, "", row

    def _authors(self, given: list[Found], _: str) -> Iterator[_Read]:
        for number, part in enumerate(islice(_parts(given[:_MOST_VALUES]), _MOST_PARTS)):
            names: dict[str, list[str]] = {}
            for found in part:
                for author in each(found.value)[:_MOST_VALUES]:
                    names.setdefault(_kind(author), []).extend(_author_names(author))
            if ".person" in names and "" in names:
                names[".person"] += names.pop("")
            for kind, written in names.items():
                if authors := people(written):
                    yield authors, ".later" if number else kind, part[0].row

    def _dates(self, given: list[Found], _: str) -> Iterator[_Read]:
        for value, row in given[:_MOST_VALUES]:
            text = next(texts(value), "")
            if text and len(text) <= _LONGEST_DATE and (moment := read(text, self._view.language)):
                yield moment, "", row

    def _names(self, given: list[Found], key: str) -> Iterator[_Read]:
        for value, row in given[:2]:
            if key == "isPartOf" and isinstance(value, dict) and group_of(types_of(value)) in ("Page", "Article"):
                continue
            text = plain(next(texts(value), "")[:_LONGEST_NAME])
            if text and not is_address(text):
                yield text, "", row

    def _languages(self, given: list[Found], _: str) -> Iterator[_Read]:
        for value, row in given[:3]:
            if isinstance(value, dict):
                value = value.get("alternateName") or value.get("name")
            if found := values.language(value):
                yield found, "", row

    def _sections(self, given: list[Found], _: str) -> Iterator[_Read]:
        if found := categories(section([value for value, _ in given[:_MOST_VALUES]])):
            yield found[0], "", given[0].row

    def _categories(self, given: list[Found], key: str) -> Iterator[_Read]:
        found = section([value for value, _ in given[:_MOST_VALUES]])
        if found := categories(found) if key == "articleSection" else found:  # "Home" is a category of products
            yield found, "", given[0].row

    def _tags(self, given: list[Found], _: str) -> Iterator[_Read]:
        if found := tags([value for value, _ in given[:_MOST_VALUES]]):
            yield found, "", given[0].row

    def _licenses(self, given: list[Found], key: str) -> Iterator[_Read]:
        found = self._addresses(given, key) if address_in(given[0].value) else self._names(given, key)
        for value, suffix, row in found:
            yield values.licence(value) or value, suffix, row

    def _addresses(self, given: list[Found], _: str) -> Iterator[_Read]:
        for value, row in given[:2]:
            address = address_in(value) or ""
            if address.startswith(("http", "/")) and (safe := safe_url(plain(address), self._view.base)):
                yield safe, "", row

    def _images(self, given: list[Found], _: str) -> Iterator[_Read]:
        if found := image_address([value for value, _ in given[:_MOST_VALUES]], self._view.base):
            yield found, "", given[0].row

    def _paywalls(self, given: list[Found], key: str) -> Iterator[_Read]:
        for value, row in given[:5]:
            if key == "hasPart":
                parts = [part.get("isAccessibleForFree") for part in each(value)[:20] if isinstance(part, dict)]
                if any(truth(part) is False for part in parts):
                    yield True, "", row
            elif (is_free := truth(value)) is not None:
                yield not is_free, "", row


_READERS: dict[str, Callable[[Described, list[Found], str], Iterator[_Read]]] = {
    "title": Described._titles,
    "authors": Described._authors,
    "date": Described._dates,
    "date_modified": Described._dates,
    "site_name": Described._names,
    "description": Described._descriptions,
    "language": Described._languages,
    "section": Described._sections,
    "categories": Described._categories,
    "tags": Described._tags,
    "license": Described._licenses,
    "canonical_url": Described._addresses,
    "image": Described._images,
    "is_paywalled": Described._paywalls,
}


def _parts(given: list[Found]) -> Iterator[list[Found]]:
    """The values in runs that stand near each other."""
    part: list[Found] = []
    for found in given:
        if part and found.row - part[-1].row > _FAR:
            yield part
            part = []
        part.append(found)
    yield part


def _kind(author: object) -> str:
    """What is added to the place if the type says that it is a person or an organisation."""
    group = group_of(types_of(author)) if isinstance(author, dict) else ""
    return {PERSON: ".person", ORGANIZATION: ".organization"}.get(group, "")


def _author_names(author: object) -> list[str]:
    """The names of an author as they are written."""
    if isinstance(author, dict) and not author.get("name"):
        parts = [next(texts(author.get(key)), "") for key in ("givenName", "familyName")]
        return [plain(" ".join(parts))] if any(parts) else []
    return [plain(text) for text in islice(texts(author), _MOST_VALUES) if len(text) <= _LONGEST_NAME]


# Keys under which things stand that the page is about, and those of them that make lists.
_LISTS = frozenset({"itemListElement", "item", "hasPart", "review"})
_ABOUT = _LISTS | {"@graph", "mainEntity", "mainEntityOfPage", "blogPost"}
_MOST_MEMBERS = 100


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
            return [Found(resolved(each)) for each in value[:_MOST_MEMBERS]]
        return [Found(resolved(value))]


def _things(view: View) -> list[_Object]:
    references, found = References(view.document.linked_data), []
    for thing in references.objects:
        if thing.keys and not _ABOUT.issuperset(thing.keys):
            continue
        fields, group = thing.fields, group_of(thing.types)
        if any(":" in name for name in thing.types):
            fields = {key if key[:1] == "@" else local_name(key): value for key, value in fields.items()}
        if not group and ("headline" in fields or "datePublished" in fields):
            group = "Other"
        if group:
            found.append(_Object(fields, group, not _LISTS.isdisjoint(thing.keys), references))
    return found
