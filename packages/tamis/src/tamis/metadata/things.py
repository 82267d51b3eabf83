"""Things of schema.org: their types, how single values are written, and which of them the page itself is."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import NamedTuple, Protocol

from tamis.cached import cached_property
from tamis.document.decode import clean_text
from tamis.document.titles import fold, title_parts
from tamis.metadata.view import View
from tamis.render.safe import safe_url

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


# Tags of a page, values that are looked at, characters of a tag or section, of a list of them.
_MOST_TAGS, _MOST_VALUES, _LONGEST_TAG, _LONGEST_LIST = 60, 100, 80, 10_000

_SEPARATORS = tuple(map(re.compile, (";", r"\|", "[,\uff0c\u3001]")))
_LEVELS = re.compile("[>\u203a\u00bb]| / ")
_TRUTH = {"false": False, "no": False, "0": False, "true": True, "yes": True, "1": True}


def tags(value: object) -> tuple[str, ...]:
    """The tags in a text with separators, in a list of texts or in the names of things; each once.

    The only text of a list may hold all tags. Texts such as _noindex or /article are meant for machines.
    """
    given = [plain(text) for text in islice(texts(value), _MOST_VALUES) if len(text) <= _LONGEST_LIST]
    if len(given) == 1:
        given = _split(given[0])
    found = (tag.lstrip("#") for tag in given if tag[:1] not in ("_", "/") and not is_address(tag))
    return tuple(dict.fromkeys(tag for tag in found if 0 < len(tag) <= _LONGEST_TAG))[:_MOST_TAGS]


def section(value: object) -> tuple[str, ...]:
    """The sections or categories in a list or a path, the widest first. Sentences are none."""
    given = [plain(text) for text in islice(texts(value), _MOST_VALUES) if len(text) <= _LONGEST_LIST]
    if len(given) == 1 and given[0].count(",") > 1:
        given = _split(given[0])
    found = (name.strip() for path in given for name in _LEVELS.split(path) if not is_address(path))
    return tuple(dict.fromkeys(name for name in found if 0 < len(name) <= _LONGEST_TAG))[:_MOST_TAGS]


def _split(text: str) -> list[str]:
    separator = next((mark for mark in _SEPARATORS if mark.search(text)), None)
    return [part.strip() for part in separator.split(text)] if separator else [text]


def image_address(value: object, base: str | None) -> str | None:
    """The address of the widest image, of the first if no width is known."""
    given = [size_and_address(image) for images in each(value) for image in each(images)[:_MOST_VALUES]]
    for _, address in sorted(given[:_MOST_VALUES], key=lambda image: -image[0]):
        safe = safe_url(plain(address), base) if address else None
        if safe and safe.rstrip("/").count("/") > 2 * ("://" in safe):  # else it is a site
            return safe
    return None


def size_and_address(image: object) -> tuple[int, str]:
    """The width of an image, 0 if it is not known, and its address."""
    if not isinstance(image, dict):
        return 0, image if isinstance(image, str) else ""
    address = next((text for key in ("url", "contentUrl", "@id") for text in texts(image.get(key))), "")
    width = image.get("width")
    digits = str(next(texts(width), width)).partition(".")[0].removesuffix("px").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else 0, address


def truth(value: object) -> bool | None:
    """True or false, however it is written; None for anything else."""
    value = value[0] if isinstance(value, list) and value else value
    return _TRUTH.get(str(value).rpartition("/")[2].strip().lower())


def is_address(text: str) -> bool:
    """Is it an address and no text?"""
    return "://" in text and " " not in text


LISTED = "Listed"  # the group of teasers
LOOSE = "loose"  # the group of properties that belong to no thing

_OWN_RANK = {group: rank for rank, group in enumerate((*GROUPS, LOOSE, COMMENT))}

# Things that are parts of a page with an article.
_BESIDE = frozenset({"Forum", "Product", "Event", "Video"})

# Things of a group that are looked at, and values of a property.
_MOST_THINGS, _MOST_ADDRESSES = 15, 5
# A shorter part of the TITLE is in many headlines.
_LEAST_WORDS = 3


class Found(NamedTuple):
    """A value of a property."""

    value: object  # as JSON has it
    row: int = -1  # of the element that has it, if one does


class Thing(Protocol):
    """Something that the page declares."""

    @property
    def group(self) -> str:
        """The group of its types."""
        ...

    @property
    def is_listed(self) -> bool:
        """Does it stand in a list?"""
        ...

    @property
    def keys(self) -> Container[str]:
        """Its properties."""
        ...

    def values(self, key: str) -> list[Found]:
        """The values of a property."""
        ...


class Told(NamedTuple):
    """A thing and the group that its places are named after."""

    group: str
    thing: Thing


def told(things: Iterable[Thing], view: View) -> list[Told]:
    """The things with content, the page's own first, then those without an owner, then teasers."""
    groups: dict[str, list[Thing]] = {}
    for thing in things:
        if not (thing.is_listed and thing.group == "Page"):  # pages in lists are steps of breadcrumbs
            groups.setdefault(thing.group, []).append(thing)
    page = _Page(view)
    own: list[Told] = []
    listed: list[Told] = []
    for group in sorted(_OWN_RANK.keys() & groups.keys(), key=_OWN_RANK.__getitem__):
        given = groups[group][: _MOST_THINGS if group != COMMENT else 1]  # the first of a thread may be its post
        is_beside = group in _BESIDE and bool(own) and own[0].group == GROUPS[0]
        for thing, is_own in page.judged(given):
            if is_own and not is_beside:
                own.append(Told(group, thing))
            elif group != "Review":  # those of readers
                listed.append(Told(LISTED, thing))
    return own + listed


class _Page:
    """What is known about the page itself."""

    def __init__(self, view: View) -> None:
        self._view = view

    def judged(self, things: list[Thing]) -> list[tuple[Thing, bool]]:
        """The things of one group: is each the page's own?"""
        free = [thing for thing in things if not thing.is_listed]
        if len(things) == 1:
            return [(things[0], bool(free) or self._is_own(things[0]))]
        own = [thing for thing in free or things if len(free) == 1 or self._is_own(thing)]
        headlines = {fold(headline(thing)) for thing in free} if not own else set()
        if len(headlines) == 1 and "" not in headlines:
            own = free
        elif not own and len(free) == 2:
            own = free[:1]
        return [(thing, True) for thing in own] + [(thing, False) for thing in things if thing not in own]

    def _is_own(self, thing: Thing) -> bool:
        found = (
            found.value for key in ("url", "mainEntityOfPage", "@id") for found in thing.values(key)[:_MOST_ADDRESSES]
        )
        if any(
            address_key(address, self._view.base) in self._addresses for address in map(address_in, found) if address
        ):
            return True
        name = f" {fold(headline(thing))} "
        return bool(name.strip()) and (name in self._title or any(part in name for part in self._parts))

    @cached_property
    def _addresses(self) -> frozenset[str]:
        links = self._view.head.links.get("canonical", [])
        given = (self._view.document.url, self._view.address, *links[:1])
        return frozenset(address_key(address, self._view.base) for address in given if address) - {""}

    @cached_property
    def _title(self) -> str:
        return f" {fold(self._view.document.title[:1000])} "

    @cached_property
    def _parts(self) -> list[str]:
        parts = map(fold, title_parts(self._view.document.title[:1000]))
        return [f" {part} " for part in parts if part.count(" ") + 1 >= _LEAST_WORDS]


def headline(thing: Thing) -> str:
    """The headline or name of a thing; empty if it has none."""
    given = (text for key in ("headline", "name") for found in thing.values(key)[:1] for text in texts(found.value))
    return plain(next(given, "")[:1000])


def address_in(value: object) -> str | None:
    """The address in a value: itself, or that of a thing."""
    for inner in each(value)[:_MOST_ADDRESSES]:
        if isinstance(inner, dict):
            inner = inner.get("url") or inner.get("@id")
            inner = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(inner, str) and inner.strip():
            return inner.strip()
    return None


def address_key(address: str, base: str | None) -> str:
    """Equal for two spellings of an address: without scheme, www, fragment and the last slash."""
    if not address.startswith("http"):
        address = safe_url(address, base) or ""
    key = address.partition("#")[0].partition("://")[2].rstrip("/")
    return key.removeprefix("www.").lower()
