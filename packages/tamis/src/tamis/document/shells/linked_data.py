"""The content in the JSON-LD of a shell: the text of the things that the page is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from tamis.document.linked_data import Thing, type_names

# Deeper parts of a thing are not read; real ones nest five levels or so. Nor are more texts than a page can have.
_DEEPEST = 12
_MOST_TEXTS = 20_000

# What stands around the content: the site, who made it, where the page is in it.
_AROUND = frozenset(
    """
    WebSite Organization NewsMediaOrganization Corporation Person BreadcrumbList ImageObject SearchAction
    SiteNavigationElement WPHeader WPFooter WPSideBar SpeakableSpecification ContactPoint PostalAddress
    """.split()
)

# The fields with the text of a thing; the first that is there counts, for a description may be a summary of the others.
_BODY = ("articleBody", "reviewBody", "text", "transcript", "description", "abstract")

# More fields for readers, then things that belong to the content: answers, comments, sections. In reading order.
_MORE = (
    "recipeIngredient", "recipeInstructions", "step", "responsibilities", "qualifications", "skills",
    "acceptedAnswer", "suggestedAnswer", "answer", "comment", "review", "hasPart", "itemListElement", "item", "steps",
)  # fmt: skip


def content(things: list[Thing]) -> list[str]:
    """The texts of the content in reading order, each plain or HTML; none where JSON-LD describes no content."""
    texts = (text for thing in things if _is_main(thing) for text in _fields(thing.fields, 0))
    return list(islice(texts, _MOST_TEXTS))


def name(things: list[Thing]) -> str | None:
    """The name of the first main thing that has one."""
    names = (thing.fields.get(key) for thing in things if _is_main(thing) for key in ("headline", "name"))
    return next((name for name in names if isinstance(name, str) and name.strip()), None)


def _is_main(thing: Thing) -> bool:
    return thing.is_about_page and _AROUND.isdisjoint(thing.types)


def _texts(value: object, depth: int) -> Iterator[str]:
    """The texts of a value and of its parts: of a question the answers, of a recipe the steps."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, depth)
    elif isinstance(value, dict) and depth <= _DEEPEST and _AROUND.isdisjoint(type_names(value)):
        if isinstance(name := value.get("name"), str):
            yield name
        yield from _fields(value, depth)


def _fields(fields: Mapping[str, object], depth: int) -> Iterator[str]:
    bodies = (body for key in _BODY if isinstance(body := fields.get(key), str | list) and body)
    for part in (next(bodies, None), *(fields.get(key) for key in _MORE)):
        yield from _texts(part, depth + 1)
