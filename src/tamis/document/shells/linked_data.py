"""The content in a page's JSON-LD: what schema.org calls the text of the thing that the page is about."""

from __future__ import annotations

from collections.abc import Iterator

from tamis.document.parse import json_ld_types

# Deeper JSON-LD is not read; real ones nest five levels or so. Nor are more things than a page can be about.
_DEEPEST = 12
_MOST_THINGS = 20_000

# Below these keys JSON-LD says more about the page itself.
_ABOUT_THE_PAGE = ("@graph", "mainEntity", "mainEntityOfPage")

# What stands around the content: the site, who made it, where the page is in it.
_AROUND = frozenset(
    """
    WebSite Organization NewsMediaOrganization Corporation Person BreadcrumbList ImageObject SearchAction
    SiteNavigationElement WPHeader WPFooter WPSideBar SpeakableSpecification ContactPoint PostalAddress
    """.split()
)

# The fields with the text of a thing, the first that is there; a description may be a summary of the others.
_BODY = ("articleBody", "reviewBody", "text", "transcript", "description", "abstract")

# More fields for readers, in the order they are read in.
_MORE = ("recipeIngredient", "recipeInstructions", "step", "responsibilities", "qualifications", "skills")

# Things below a thing that belong to its content: answers, comments, sections.
_BELOW = (
    "acceptedAnswer", "suggestedAnswer", "answer", "comment", "review", "hasPart", "itemListElement", "item", "steps",
)  # fmt: skip

_Thing = dict[str, object]


def content(values: list[object]) -> list[str]:
    """The texts of the content in their order, each plain or HTML; none where JSON-LD describes no content."""
    return [text for thing in _main_things(values) for text in _texts(thing)]


def name(values: list[object]) -> str | None:
    """What the first of the main things is called."""
    for thing in _main_things(values):
        for key in ("headline", "name"):
            if isinstance(value := thing.get(key), str) and value.strip():
                return value
    return None


def _main_things(values: list[object]) -> Iterator[_Thing]:
    """The things that the page is about."""
    todo = [(value, 0) for value in reversed(values)]
    for _ in range(_MOST_THINGS):
        if not todo:
            return
        value, depth = todo.pop()
        if isinstance(value, list):
            todo += [(each, depth) for each in reversed(value) if isinstance(each, dict)]
        elif isinstance(value, dict) and depth <= _DEEPEST:
            if not _is_around(value):
                yield value
            todo += [(value[key], depth + 1) for key in reversed(_ABOUT_THE_PAGE) if key in value]


def _texts(thing: _Thing) -> Iterator[str]:
    """The texts of one thing and of what is below it: of a question its answers, of a recipe its steps."""
    todo: list[tuple[object, int]] = [(thing, 0)]
    for _ in range(_MOST_THINGS):
        if not todo:
            return
        value, depth = todo.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            todo += [(each, depth) for each in reversed(value)]
        elif isinstance(value, dict) and depth <= _DEEPEST and not (depth and _is_around(value)):
            if depth and isinstance(called := value.get("name"), str):
                yield called
            bodies = (value[key] for key in _BODY if isinstance(value.get(key), str | list) and value[key])
            parts = [
                next(bodies, None),
                *(value[key] for key in (*_MORE, *_BELOW) if isinstance(value.get(key), str | list | dict)),
            ]
            todo += [(part, depth + 1) for part in reversed(parts)]


def _is_around(thing: _Thing) -> bool:
    return any(kind in _AROUND for kind in json_ld_types(thing))
