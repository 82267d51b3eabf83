"""Typed facts: the recipe, product, event, questions, how-to, video, job or paper that a page is about.

What a page declares comes first (JSON-LD, microdata, RDFa, then META elements), and the visible page where that is
missing. A page with several things of a kind lists them; it is about one of them only if that one has the page's
address or title.
"""

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
from tamis.metadata.schema import References, members, plain_text, texts, types_of
from tamis.metadata.structured import ThingWriter
from tamis.metadata.view import View
from tamis.page_type import PageType
from tamis.records.papers import DOI, meta_paper, shown_abstract
from tamis.records.products import meta_product, shown_price
from tamis.records.recipes import ShownLists, declared_steps, has_recipe_cue, shown_lists
from tamis.render.safe import safe_url

Things = Sequence[Mapping[str, Any]]
Kind = TypeVar("Kind", bound="Fact")

_MOST_VALUES = 200  # lines, questions or answers of a fact
_MOST_THINGS = 1_000
_LEAST_INGREDIENTS = 2  # of a recipe that is not declared
# Lines of the page divide a declared text if they share this much of their runs of three letters.
_LEAST_SHARED = 0.85

# How sure a value is by its source. Ingredients and steps: the share that is right in the corpus `recipes`, rounded
# (docs/reference/facts.md). Others are set by hand: no corpus has their gold.
_CONFIDENCES = {"json-ld": 0.95, "microdata": 0.9, "rdfa": 0.9, "meta": 0.9, "opengraph": 0.85, "visible": 0.7}


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


@dataclass(frozen=True, kw_only=True)
class Recipe(Fact):
    """A recipe. Times are ISO 8601 durations such as PT1H30M, or as the page writes them."""

    name: str | None = None
    ingredients: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()  # names of steps and of their parts ("For the sauce") are lines of their own
    servings: str | None = None
    prep_time: str | None = None
    cook_time: str | None = None
    total_time: str | None = None
    rating: float | None = None
    rating_count: int | None = None


@dataclass(frozen=True, kw_only=True)
class Product(Fact):
    """A product with its offer; of several offers the first that has a price."""

    name: str | None = None
    brand: str | None = None
    price: str | None = None  # "1299.00"
    currency: str | None = None  # ISO 4217; "$" alone does not tell it
    availability: str | None = None  # as in schema.org: InStock, OutOfStock, PreOrder ...
    sku: str | None = None
    gtin: str | None = None
    rating: float | None = None
    rating_count: int | None = None


@dataclass(frozen=True, kw_only=True)
class Event(Fact):
    """An event. Times are ISO 8601."""

    name: str | None = None
    start: str | None = None
    end: str | None = None
    location: str | None = None
    organizer: str | None = None
    status: str | None = None  # as in schema.org: EventScheduled, EventCancelled ...
    price: str | None = None
    currency: str | None = None


@dataclass(frozen=True, kw_only=True)
class Question(Fact):
    """A question with its answers; the accepted one is the first of them."""

    question: str | None = None
    answers: tuple[str, ...] = ()
    accepted_answer: str | None = None


@dataclass(frozen=True, kw_only=True)
class HowTo(Fact):
    """Instructions."""

    name: str | None = None
    steps: tuple[str, ...] = ()
    supplies: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    total_time: str | None = None


@dataclass(frozen=True, kw_only=True)
class Video(Fact):
    """A video."""

    name: str | None = None
    description: str | None = None
    url: str | None = None  # of the file
    embed_url: str | None = None
    thumbnail: str | None = None
    duration: str | None = None
    date: str | None = None


@dataclass(frozen=True, kw_only=True)
class JobPosting(Fact):
    """A job that is offered."""

    title: str | None = None
    company: str | None = None
    location: str | None = None
    employment_type: str | None = None
    salary: str | None = None  # "50000-60000 EUR YEAR"
    date: str | None = None
    valid_through: str | None = None


@dataclass(frozen=True, kw_only=True)
class Paper(Fact):
    """A scholarly article."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    doi: str | None = None
    journal: str | None = None
    date: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    abstract: str | None = None
    pdf_url: str | None = None


@dataclass(frozen=True)
class Facts:
    """What a page is about, by kind; None where it is not about such a thing."""

    recipe: Recipe | None = None
    product: Product | None = None
    event: Event | None = None
    questions: tuple[Question, ...] = ()
    how_to: HowTo | None = None
    video: Video | None = None
    job: JobPosting | None = None
    paper: Paper | None = None


def facts(document: Document, labels: Labels | None, structured: Things) -> Facts:
    """The facts of a page; `structured` is what it declares, as `tamis.metadata.structured` writes it."""
    page = _Declared(document, labels, structured)
    return Facts(
        _recipe(page),
        _product(page),
        _event(page),
        tuple(_questions(page)),
        _how_to(page),
        _video(page),
        _job(page),
        _paper(page),
    )


class _Declared:
    """The things that a page declares, and how to find its own among them."""

    def __init__(self, document: Document, labels: Labels | None, structured: Things) -> None:
        self.document, self.labels = document, labels
        self.things = list(islice(_main_things(structured), _MOST_THINGS))
        self.view = View(document, labels)

    @cached_property
    def meta(self) -> dict[str, list[str]]:
        return self.view.head.meta

    @cached_property
    def _titles(self) -> frozenset[str]:
        """The page's titles, folded."""
        shown = (self.view.text_of(self.view.leaves_in(row)) for row in self.view.headings)
        declared = [*title_parts(self.document.title), self.document.title, *self.meta.get("og:title", [])]
        return frozenset(filter(None, map(fold, (*declared, *shown))))

    def of(self, *kinds: str) -> Things:
        """The things of some types, which are written in lower case; "*event" is any type that ends so."""
        return [thing for thing in self.things if any(_is_kind(name.lower(), kinds) for name in types_of(thing))]

    def own(self, things: Things) -> Mapping[str, Any] | None:
        """The one of some things that the page is about."""
        if len(things) < 2:
            return next(iter(things), None)
        address = _bare(self.view.address)
        same = [each for each in things if address and address in map(_bare, _addresses(each))]
        same = same or [each for each in things if fold(_name(each)) in self._titles]
        return same[0] if same and len({fold(_name(each)) for each in same}) == 1 else None

    def written(self, thing: Mapping[str, Any]) -> dict[str, Any]:
        """A thing that was read elsewhere on the page, with its values written as those of declared things."""
        return ThingWriter(self.view, References(self.document.linked_data)).thing(thing)

    def is_type(self, kind: PageType) -> bool:
        """Does the extractor take the page for one of a type?"""
        return self.view.page_type is kind

    def fact(self, kind: type[Kind], readers: Mapping[str, _Read], things: Things) -> Kind | None:
        """The fact of the one of some things that the page is about."""
        if (thing := self.own(things)) is None:
            return None
        draft = _Draft()
        draft.read(thing, readers)
        return draft.fact(kind) if draft.values else None


def _is_kind(name: str, kinds: Iterable[str]) -> bool:
    return any(name.endswith(kind[1:]) if kind[0] == "*" else name == kind for kind in kinds)


def _main_things(structured: Things) -> Iterator[Mapping[str, Any]]:
    """Things, and those that pages among them name as their main one, with the source of the page."""
    for thing in structured:
        yield thing
        for inner in members(thing.get("mainEntity"))[:_MOST_VALUES]:
            if isinstance(inner, dict):
                yield {"@source": thing.get("@source"), **inner}


def _name(thing: Mapping[str, Any]) -> str:
    return next(texts(thing.get("name") or thing.get("headline") or thing.get("title")), "")


def _addresses(thing: Mapping[str, Any]) -> Iterator[str]:
    for key in ("url", "mainEntityOfPage", "@id"):
        value = thing.get(key)
        value = value.get("@id") or value.get("url") if isinstance(value, dict) else value
        if isinstance(value, str):
            yield value


def _bare(address: str) -> str:
    """An address as it is compared: without scheme, fragment and last slash."""
    return re.sub(r"^https?://(?:www\.)?", "", address.partition("#")[0]).rstrip("/")


class _Draft:
    """The fields of a fact that is being read; the first value of a field counts."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}

    def add(self, name: str, value: object, source: str) -> None:
        """Set a field, unless it is set or the value is empty."""
        if value not in (None, "", ()) and name not in self.values:
            self.values[name], self.sources[name] = value, source

    def read(self, thing: Mapping[str, Any] | None, readers: Mapping[str, _Read]) -> None:
        """Set fields from the properties of a thing: for each the reader of its value."""
        if thing is not None:
            source = next(iter(members(thing.get("@source"))), "json-ld")
            for name, read in readers.items():
                self.add(name, read(thing), str(source))

    def fact(self, kind: type[Kind]) -> Kind:
        """The fact."""
        confidences = {name: _CONFIDENCES[source] for name, source in self.sources.items()}
        return kind(**self.values, sources=self.sources, confidences=confidences)


_Read = Callable[[Mapping[str, Any]], object]


def _text(*keys: str) -> _Read:
    """Reads the first text of a property, the first of some that has one; of a thing its name."""

    def read(thing: Mapping[str, Any]) -> str | None:
        for key in keys:
            for value in members(thing.get(key)):
                if text := (str(value) if isinstance(value, int | float) else next(texts(value), "")):
                    return text
        return None

    return read


def _texts(key: str) -> _Read:
    """Reads all texts of a property."""
    return lambda thing: tuple(islice(filter(None, texts(thing.get(key))), _MOST_VALUES))


def _inside(key: str, read: _Read) -> _Read:
    """Reads a property of the first thing in a property that has it."""

    def read_inner(thing: Mapping[str, Any]) -> object:
        inner = (each for each in members(thing.get(key)) if isinstance(each, dict))
        return next((found for each in islice(inner, _MOST_VALUES) if (found := read(each)) is not None), None)

    return read_inner


def _number(*keys: str) -> _Read:
    """Reads the first number of some properties."""

    def read(thing: Mapping[str, Any]) -> float | None:
        given = (thing.get(key) for key in keys)
        return next((each for each in given if isinstance(each, int | float) and not isinstance(each, bool)), None)

    return read


_RATING: dict[str, _Read] = {
    "rating": _inside("aggregateRating", _number("ratingValue")),
    "rating_count": _inside("aggregateRating", _number("ratingCount", "reviewCount")),
}
_PRICE = _text("price", "lowPrice")

# Recipes

_RECIPE: dict[str, _Read] = {
    "name": _text("name"),
    "servings": _text("recipeYield"),
    "prep_time": _text("prepTime"),
    "cook_time": _text("cookTime"),
    "total_time": _text("totalTime"),
    **_RATING,
}


def _recipe(page: _Declared) -> Recipe | None:
    declared = [
        thing for thing in page.of("recipe") if thing.get("recipeIngredient") or thing.get("recipeInstructions")
    ]
    thing = page.own(declared) or next(iter(declared), None)
    draft = _Draft()
    draft.read(thing, _RECIPE)
    source = str(next(iter(members(thing.get("@source"))), "json-ld")) if thing else ""
    ingredients: tuple[str, ...] = tuple(thing.get("recipeIngredient", ())) if thing else ()
    steps = _steps(page, thing) if thing else ()
    shown = ShownLists()
    if not (_is_whole(ingredients) and _is_whole(steps)) and has_recipe_cue(page.document):
        shown = shown_lists(page.document, page.labels)
        if thing is None and not (len(shown.ingredients) >= _LEAST_INGREDIENTS and shown.steps):
            return None
    for name, given, seen in (("ingredients", ingredients, shown.ingredients), ("steps", steps, shown.steps)):
        if _is_better(seen, given):
            draft.add(name, seen, "visible")
        draft.add(name, given, source)
    if not draft.values:
        return None
    if thing is None:
        draft.add(
            "name",
            page.view.text_of(page.view.leaves_in(page.view.headings[0])) if page.view.headings else "",
            "visible",
        )
    return draft.fact(Recipe)


def _steps(page: _Declared, thing: Mapping[str, Any]) -> tuple[str, ...]:
    """The steps of a declared recipe, with their names where JSON-LD has them."""
    written: tuple[str, ...] = tuple(thing.get("recipeInstructions", ()))
    if "json-ld" not in members(thing.get("@source")):
        return written
    references = References(page.document.linked_data)
    recipes = [each.fields for each in references.objects if "Recipe" in each.types]
    named = [each for each in recipes if plain_text(str(each.get("name", ""))) == thing.get("name")] or recipes
    return next((steps for each in named if (steps := declared_steps(each, references.resolved))), written)


def _is_whole(lines: Sequence[str]) -> bool:
    """Are declared lines a list, and not one text with all of them or their pieces?"""
    return len(lines) > 1 and all(any(map(str.isalpha, line)) for line in lines)


def _is_better(shown: Sequence[str], declared: Sequence[str]) -> bool:
    """Do lines that the page shows divide what it declares, or replace what is broken?"""
    if not shown or _is_whole(declared):
        return False
    if len(declared) != 1:
        return True
    written, seen = (_trigrams("".join(lines)) for lines in (declared, shown))
    return len(shown) > 1 and len(written & seen) > _LEAST_SHARED * max(len(written), len(seen))


def _trigrams(text: str) -> set[str]:
    letters = "".join(filter(str.isalnum, text.casefold()))
    return {letters[place : place + 3] for place in range(len(letters) - 2)}


# Products

_PRODUCT: dict[str, _Read] = {
    "name": _text("name"),
    "brand": _text("brand", "manufacturer"),
    "price": _inside("offers", _PRICE),
    "currency": _inside("offers", _text("priceCurrency")),
    "availability": _inside("offers", _text("availability")),
    "sku": _text("sku", "mpn", "productID"),
    "gtin": _text("gtin", "gtin13", "gtin14", "gtin12", "gtin8", "isbn"),
    **_RATING,
}
_PRODUCTS = ("product", "productgroup", "productmodel", "individualproduct", "vehicle", "car")
# A thing with none of these is a name for the stars of a service or an article.
_OF_A_PRODUCT = frozenset({"offers", "sku", "mpn", "gtin", "gtin13", "gtin12", "gtin14", "gtin8", "hasVariant"})


def _product(page: _Declared) -> Product | None:
    declared = [thing for thing in page.of(*_PRODUCTS) if not _OF_A_PRODUCT.isdisjoint(thing)]
    thing = page.own(declared)
    if declared and thing is None:
        return None
    draft = _Draft()
    draft.read(thing, _PRODUCT)
    for variant in members(thing.get("hasVariant"))[:1] if thing else ():
        if isinstance(variant, dict):
            draft.read({"@source": thing and thing.get("@source"), **variant}, _PRODUCT)
    if given := meta_product(page.meta):
        draft.read({"@source": ["opengraph"], **page.written(given)}, _PRODUCT)
    if "price" not in draft.values and (draft.values or page.is_type(PageType.PRODUCT)):
        _add_shown_price(page, draft)
    return draft.fact(Product) if draft.values else None


def _add_shown_price(page: _Declared, draft: _Draft) -> None:
    """Add the price below the first heading, and that heading as the name."""
    first = next(iter(page.view.headings), None)
    if first is not None and (price := shown_price(page.document, page.view, first)) is not None:
        draft.add("name", page.view.text_of(page.view.leaves_in(first)), "visible")
        draft.add("price", page.written({"price": price.text}).get("price"), "visible")
        draft.add("currency", price.currency, "visible")


# Events


def _place(thing: Mapping[str, Any]) -> str | None:
    """The place of an event or job: its name and address."""
    for place in members(thing.get("location") or thing.get("jobLocation")):
        if isinstance(place, str):
            return place
        if isinstance(place, dict):
            address = place.get("address")
            parts = (
                [next(texts(address.get(key)), "") for key in _ADDRESS]
                if isinstance(address, dict)
                else [*texts(address)][:1]
            )
            if found := list(dict.fromkeys(filter(None, (next(texts(place.get("name")), ""), *parts)))):
                return ", ".join(found)
    return None


_ADDRESS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
_EVENT: dict[str, _Read] = {
    "name": _text("name"),
    "start": _text("startDate"),
    "end": _text("endDate"),
    "location": _place,
    "organizer": _text("organizer"),
    "status": _text("eventStatus"),
    "price": _inside("offers", _PRICE),
    "currency": _inside("offers", _text("priceCurrency")),
}


def _event(page: _Declared) -> Event | None:
    return page.fact(Event, _EVENT, [thing for thing in page.of("*event", "festival") if thing.get("startDate")])


# Questions


def _questions(page: _Declared) -> Iterator[Question]:
    things = [thing for thing in page.of("question") if _name(thing) or thing.get("text")]
    for thing in things[:_MOST_VALUES]:
        accepted = _answers(thing, "acceptedAnswer")
        draft = _Draft()
        answers = tuple(dict.fromkeys((*accepted, *_answers(thing, "suggestedAnswer"))))
        readers = {"question": _text("name", "text"), "answers": lambda _, found=answers: found}
        draft.read(thing, {**readers, "accepted_answer": lambda _, found=accepted: next(iter(found), None)})
        if answers:
            yield draft.fact(Question)


def _answers(thing: Mapping[str, Any], key: str) -> list[str]:
    given = (each.get("text") if isinstance(each, dict) else each for each in members(thing.get(key))[:_MOST_VALUES])
    return [text for each in given if (text := next(texts(each), ""))]


# How-tos, videos, jobs


def _how_steps(thing: Mapping[str, Any]) -> tuple[str, ...]:
    return declared_steps({"recipeInstructions": thing.get("step") or thing.get("steps")}, lambda value: value)


_HOW_TO: dict[str, _Read] = {
    "name": _text("name"),
    "steps": _how_steps,
    "supplies": _texts("supply"),
    "tools": _texts("tool"),
    "total_time": _text("totalTime"),
}
_VIDEO: dict[str, _Read] = {
    "name": _text("name"),
    "description": _text("description"),
    "url": _text("contentUrl"),
    "embed_url": _text("embedUrl"),
    "thumbnail": _text("thumbnailUrl", "image"),
    "duration": _text("duration"),
    "date": _text("uploadDate", "datePublished"),
}


def _salary(thing: Mapping[str, Any]) -> str | None:
    """The salary of a job in one text: "50000-60000 EUR YEAR"."""
    given = next(iter(members(thing.get("baseSalary"))), None)
    if not isinstance(given, dict):
        return str(given) if given else None
    value = given.get("value")
    inner = value if isinstance(value, dict) else {**given, "value": value}
    numbers = dict.fromkeys(str(inner[key]) for key in ("minValue", "maxValue", "value") if inner.get(key))
    parts = ("-".join(numbers), given.get("currency") or inner.get("currency"), inner.get("unitText"))
    return " ".join(str(part) for part in parts if part) if numbers else None


_JOB: dict[str, _Read] = {
    "title": _text("title", "name"),
    "company": _text("hiringOrganization"),
    "location": _place,
    "employment_type": _text("employmentType"),
    "salary": _salary,
    "date": _text("datePosted"),
    "valid_through": _text("validThrough"),
}


def _how_to(page: _Declared) -> HowTo | None:
    return page.fact(HowTo, _HOW_TO, [thing for thing in page.of("howto") if _how_steps(thing)])


def _video(page: _Declared) -> Video | None:
    return page.fact(Video, _VIDEO, page.of("videoobject"))


def _job(page: _Declared) -> JobPosting | None:
    return page.fact(JobPosting, _JOB, page.of("jobposting"))


# Papers


def _doi(thing: Mapping[str, Any]) -> str | None:
    given = (text for key in ("identifier", "sameAs", "@id", "url") for text in _identifiers(thing.get(key)))
    return next((found[0] for text in islice(given, _MOST_VALUES) if (found := DOI.search(text))), None)


def _identifiers(value: object) -> Iterator[str]:
    for each in members(value):
        yield from texts(each.get("value") if isinstance(each, dict) else each)


_PAPER: dict[str, _Read] = {
    "title": _text("headline", "name"),
    "authors": _texts("author"),
    "doi": _doi,
    "journal": lambda thing: _journal(thing.get("isPartOf")),
    "date": _text("datePublished"),
    "pages": _text("pagination"),
    "abstract": _text("abstract", "description"),
}


def _journal(value: object, depth: int = 0) -> str | None:
    """The name of the outermost thing that an article is part of: an issue is part of a volume of a journal."""
    for each in members(value):
        if isinstance(each, dict) and depth < 4:
            return _journal(each.get("isPartOf"), depth + 1) or next(texts(each.get("name")), None)
        if isinstance(each, str):
            return each
    return None


def _paper(page: _Declared) -> Paper | None:
    draft = _Draft()
    for name, value in meta_paper(page.meta, page.view).items():
        draft.add(name, value, "meta")
    declared = page.own(page.of("scholarlyarticle", "medicalscholarlyarticle"))
    draft.read(declared, _PAPER)
    if not draft.values.keys() & {"doi", "journal", "pdf_url"}:
        return draft.fact(Paper) if declared else None
    if "abstract" not in draft.values:
        draft.add("abstract", shown_abstract(page.document, page.view), "visible")
    return draft.fact(Paper)
