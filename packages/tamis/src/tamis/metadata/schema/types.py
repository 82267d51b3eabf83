"""What schema.org calls things and their properties, for the sources that use its words: JSON-LD, microdata, RDFa."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import unescape

from tamis.document.decode import clean_text

# Groups of types, the most telling about the content of a page first.
GROUPS = ("Article", "Forum", "Recipe", "Review", "Product", "Event", "Video", "Other", "Page")
# Things that stand around the content.
SITE, ORGANIZATION, BREADCRUMB = "Site", "Organization", "Breadcrumb"
PERSON, COMMENT = "Person", "Comment"

_TYPES = {
    "Article": """
        article blogposting creativework liveblogposting posting report socialmediaposting hentry item post blogpost
        """,
    "Forum": "discussionforumposting question thread",
    "Recipe": "recipe",
    "Review": "review criticreview",
    "Product": """
        product productgroup productmodel individualproduct someproducts vehicle car softwareapplication
        mobileapplication webapplication videogame singlefamilyresidence apartment house accommodation
        """,
    "Video": "videoobject clip tvepisode episode",
    "Event": "eventseries festival courseinstance",
    "Other": """
        howto jobposting movie book dataset course imagegallery mediagallery podcastepisode
        radioepisode musicrecording musicalbum musicplaylist tvseries tvseason movieseries bookseries podcastseries game
        boardgame touristattraction place trip touristtrip definedterm guide quiz legislation photograph visualartwork
        painting sculpture chapter thesis claimreview softwaresourcecode menu drug medicalcondition diet
        """,
    "Page": "document blog",
    SITE: "website",
    ORGANIZATION: "organization corporation newsmediaorganization brand",
    BREADCRUMB: "breadcrumblist",
    PERSON: "person useraccount agent",
    COMMENT: "comment usercomment",
}
_GROUP_OF = {name: group for group, names in _TYPES.items() for name in names.split()}
_ENDINGS = {"article": "Article", "page": "Page", "event": "Event", "organization": ORGANIZATION, "recipe": "Recipe"}
_RANK = {group: rank for rank, group in enumerate((*GROUPS, SITE, BREADCRUMB, PERSON, ORGANIZATION, COMMENT))}

_TAG = re.compile(
    r"</?(?:(blockquote|br|div|h[1-6]|hr|li|ol|p|table|td|tr|ul)|a|b|em|font|i|mark|small|span|strong|sub|sup|u)"
    r"(?:\s[^<>]*+)?/?>",
    re.IGNORECASE,
)
# Texts that nest deeper are none.
_DEEPEST = 4


@lru_cache(maxsize=4096)
def local_name(name: str) -> str:
    """The name of a type or property without the address or prefix of its vocabulary."""
    return re.split(r"[/#:]", name.strip().rstrip("/#"))[-1]


@lru_cache(maxsize=4096)
def _group_of(name: str) -> str:
    name = local_name(name).lower()
    return _GROUP_OF.get(name) or next((group for end, group in _ENDINGS.items() if name.endswith(end)), "")


def group_of(types: Iterable[str]) -> str:
    """The most telling group of a thing's types; empty for types that tell nothing."""
    groups = [group for name in types if (group := _group_of(name))]
    return min(groups, key=_RANK.__getitem__) if groups else ""


def types_of(value: Mapping[str, object]) -> list[str]:
    """The types of an object, as they are written."""
    given = value.get("@type")
    return [name for name in (given if isinstance(given, list) else (given,)) if isinstance(name, str)]


def each(value: object) -> list[object]:
    """The members of a list, or the value itself; nothing for None."""
    if isinstance(value, dict) and isinstance(value.get("@list"), list):
        value = value["@list"]
    return value if isinstance(value, list) else [] if value is None else [value]


def texts(value: object, depth: int = 0) -> Iterator[str]:
    """The texts in a value: itself, those of a list, the names of things."""
    if isinstance(value, str):
        yield value
    elif depth > _DEEPEST:
        return
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, depth + 1)
    elif isinstance(value, dict):
        yield from texts(value.get("@value") or value.get("name"), depth + 1)


def plain(text: str) -> str:
    """A text without markup and entities, white space folded. Entities are often escaped twice."""
    if "&" in text:
        text = unescape(text)
        if "&" in text:
            text = unescape(text)
    if "<" in text:
        text = _TAG.sub(lambda found: " " if found[1] else "", text)
    return " ".join(clean_text(text).split())
