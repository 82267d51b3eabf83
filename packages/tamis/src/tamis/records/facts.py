"""Typed facts: the recipe, product, event, questions, how-to, video, job or paper that a page is about.

What a page declares comes first (JSON-LD, microdata, RDFa, then META elements), and the visible page where that is
missing. A page with several things of a kind lists them; it is about one of them only if that one has the page's
address or title.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tamis.document import Document
from tamis.labels import Labels
from tamis.metadata.schema import References, members, plain_text, texts
from tamis.page_type import PageType
from tamis.records.declared import (
    DeclaredThings,
    Fact,
    FactDraft,
    Read,
    Thing,
    Things,
    inside,
    name_of,
    number,
    source_of,
    text,
    text_list,
)
from tamis.records.papers import DOI, meta_paper, shown_abstract
from tamis.records.products import meta_product, shown_price
from tamis.records.recipes import ShownLists, declared_steps, has_recipe_cue, shown_lists

_MOST_VALUES = 200  # questions, answers or identifiers of a fact
_LEAST_INGREDIENTS = 2  # of a recipe that is not declared
# Lines of the page divide a declared text if they share this much of their runs of three letters.
_LEAST_SHARED = 0.85
_DEEPEST = 4  # an article is in an issue, which is in a volume, which is in a journal


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
    page = DeclaredThings(document, labels, structured)
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


_RATING: dict[str, Read] = {
    "rating": inside("aggregateRating", number("ratingValue")),
    "rating_count": inside("aggregateRating", number("ratingCount", "reviewCount")),
}
_PRICE = text("price", "lowPrice")

# Recipes

_RECIPE: dict[str, Read] = {
    "name": text("name"),
    "servings": text("recipeYield"),
    "prep_time": text("prepTime"),
    "cook_time": text("cookTime"),
    "total_time": text("totalTime"),
    **_RATING,
}


def _recipe(page: DeclaredThings) -> Recipe | None:
    declared = [
        thing for thing in page.of("recipe") if thing.get("recipeIngredient") or thing.get("recipeInstructions")
    ]
    thing = page.own(declared) or next(iter(declared), None)
    draft = FactDraft()
    draft.read(thing, _RECIPE)
    source = source_of(thing) if thing else ""
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
        draft.add("name", page.heading, "visible")
    return draft.fact(Recipe)


def _steps(page: DeclaredThings, thing: Thing) -> tuple[str, ...]:
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
    """Do lines that the page shows divide a declared text, or replace a broken list?"""
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


def _gtin(thing: Thing) -> str | None:
    """The number of a product; some declare "n/a"."""
    given = text("gtin", "gtin13", "gtin14", "gtin12", "gtin8", "isbn")(thing)
    return given if isinstance(given, str) and any(map(str.isdigit, given)) else None


_PRODUCT: dict[str, Read] = {
    "name": text("name"),
    "brand": text("brand", "manufacturer"),
    "price": inside("offers", _PRICE),
    "currency": inside("offers", text("priceCurrency")),
    "availability": inside("offers", text("availability")),
    "sku": text("sku", "mpn", "productID"),
    "gtin": _gtin,
    **_RATING,
}
_PRODUCTS = ("product", "productgroup", "productmodel", "individualproduct", "vehicle", "car")
# A thing with none of these is a name for the stars of a service or an article.
_OF_A_PRODUCT = frozenset({"offers", "sku", "mpn", "gtin", "gtin13", "gtin12", "gtin14", "gtin8", "hasVariant"})


def _product(page: DeclaredThings) -> Product | None:
    declared = [thing for thing in page.of(*_PRODUCTS) if not _OF_A_PRODUCT.isdisjoint(thing)]
    thing = page.own(declared)
    if thing is None and (declared or page.view.page_type in (PageType.LISTING, PageType.COLLECTION)):
        return None
    draft = FactDraft()
    draft.read(thing, _PRODUCT)
    if thing is not None:  # the price of a group is that of its first variant
        variants = (each for each in members(thing.get("hasVariant")) if isinstance(each, dict))
        draft.read({"@source": thing.get("@source"), **next(variants, {})}, _PRODUCT)
    if given := meta_product(page.meta):
        draft.read({"@source": ["opengraph"], **page.written(given)}, _PRODUCT)
    if "price" not in draft.values and (draft.values or page.view.page_type is PageType.PRODUCT):
        _add_shown_price(page, draft)
    return draft.fact(Product) if draft.values.keys() - {"name"} else None


def _add_shown_price(page: DeclaredThings, draft: FactDraft) -> None:
    """Add the price below the first heading, and that heading as the name."""
    first = next(iter(page.view.headings), None)
    if first is not None and (price := shown_price(page.document, page.view, first)) is not None:
        draft.add("name", page.heading, "visible")
        draft.add("price", page.written({"price": price.text}).get("price"), "visible")
        draft.add("currency", price.currency, "visible")


# Events


def _place(thing: Thing) -> str | None:
    """The place of an event or job: its name and address."""
    for place in members(thing.get("location") or thing.get("jobLocation")):
        if isinstance(place, str):
            return place
        if isinstance(place, dict):
            address = place.get("address")
            lines = [address.get(key) for key in _ADDRESS] if isinstance(address, dict) else [address]
            parts = (next(texts(line), "") for line in (place.get("name"), *lines))
            if found := ", ".join(dict.fromkeys(filter(None, parts))):
                return found
    return None


_ADDRESS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
_EVENT: dict[str, Read] = {
    "name": text("name"),
    "start": text("startDate"),
    "end": text("endDate"),
    "location": _place,
    "organizer": text("organizer"),
    "status": text("eventStatus"),
    "price": inside("offers", _PRICE),
    "currency": inside("offers", text("priceCurrency")),
}


def _event(page: DeclaredThings) -> Event | None:
    return page.fact(Event, _EVENT, [thing for thing in page.of("*event", "festival") if thing.get("startDate")])


# Questions


def _questions(page: DeclaredThings) -> Iterator[Question]:
    things = [thing for thing in page.of("question") if name_of(thing) or thing.get("text")]
    for thing in things[:_MOST_VALUES]:
        accepted = _answers(thing, "acceptedAnswer")
        draft = FactDraft()
        draft.read(thing, {"question": text("name", "text")})
        draft.add("answers", tuple(dict.fromkeys((*accepted, *_answers(thing, "suggestedAnswer")))), source_of(thing))
        draft.add("accepted_answer", next(iter(accepted), None), source_of(thing))
        if "answers" in draft.values:
            yield draft.fact(Question)


def _answers(thing: Thing, key: str) -> list[str]:
    given = (each.get("text") if isinstance(each, dict) else each for each in members(thing.get(key))[:_MOST_VALUES])
    return [answer for each in given if (answer := next(texts(each), ""))]


# How-tos, videos, jobs


def _how_steps(thing: Thing) -> tuple[str, ...]:
    return declared_steps({"recipeInstructions": thing.get("step") or thing.get("steps")}, lambda value: value)


_HOW_TO: dict[str, Read] = {
    "name": text("name"),
    "steps": _how_steps,
    "supplies": text_list("supply"),
    "tools": text_list("tool"),
    "total_time": text("totalTime"),
}
_VIDEO: dict[str, Read] = {
    "name": text("name"),
    "description": text("description"),
    "url": text("contentUrl"),
    "embed_url": text("embedUrl"),
    "thumbnail": text("thumbnailUrl", "image"),
    "duration": text("duration"),
    "date": text("uploadDate", "datePublished"),
}


def _salary(thing: Thing) -> str | None:
    """The salary of a job in one text: "50000-60000 EUR YEAR"."""
    given = next(iter(members(thing.get("baseSalary"))), None)
    if not isinstance(given, dict):
        return str(given) if given else None
    value = given.get("value")
    inner = value if isinstance(value, dict) else {**given, "value": value}
    numbers = dict.fromkeys(str(inner[key]) for key in ("minValue", "maxValue", "value") if inner.get(key))
    parts = ("-".join(numbers), given.get("currency") or inner.get("currency"), inner.get("unitText"))
    return " ".join(str(part) for part in parts if part) if numbers else None


_JOB: dict[str, Read] = {
    "title": text("title", "name"),
    "company": text("hiringOrganization"),
    "location": _place,
    "employment_type": text("employmentType"),
    "salary": _salary,
    "date": text("datePosted"),
    "valid_through": text("validThrough"),
}


def _how_to(page: DeclaredThings) -> HowTo | None:
    return page.fact(HowTo, _HOW_TO, [thing for thing in page.of("howto") if _how_steps(thing)])


def _video(page: DeclaredThings) -> Video | None:
    return page.fact(Video, _VIDEO, page.of("videoobject"))


def _job(page: DeclaredThings) -> JobPosting | None:
    return page.fact(JobPosting, _JOB, page.of("jobposting"))


# Papers


def _doi(thing: Thing) -> str | None:
    given = (name for key in ("identifier", "sameAs", "@id", "url") for name in _identifiers(thing.get(key)))
    return next((found[0] for name in islice(given, _MOST_VALUES) if (found := DOI.search(name))), None)


def _identifiers(value: object) -> Iterator[str]:
    for each in members(value):
        yield from texts(each.get("value") if isinstance(each, dict) else each)


_PAPER: dict[str, Read] = {
    "title": text("headline", "name"),
    "authors": text_list("author"),
    "doi": _doi,
    "journal": lambda thing: _journal(thing.get("isPartOf")),
    "date": text("datePublished"),
    "pages": text("pagination"),
    "abstract": text("abstract", "description"),
}


def _journal(value: object, depth: int = 0) -> str | None:
    """The name of the outermost thing that an article is part of: an issue is part of a volume of a journal."""
    for each in members(value):
        if isinstance(each, dict) and depth < _DEEPEST:
            return _journal(each.get("isPartOf"), depth + 1) or next(texts(each.get("name")), None)
        if isinstance(each, str):
            return each
    return None


def _paper(page: DeclaredThings) -> Paper | None:
    draft = FactDraft()
    for name, value in meta_paper(page.meta, page.view).items():
        draft.add(name, value, "meta")
    declared = page.own(page.of("scholarlyarticle", "medicalscholarlyarticle"))
    draft.read(declared, _PAPER)
    if not draft.values.keys() & {"doi", "journal", "pdf_url"}:
        return draft.fact(Paper) if declared else None
    if "abstract" not in draft.values:
        draft.add("abstract", shown_abstract(page.document, page.view), "visible")
    return draft.fact(Paper)
