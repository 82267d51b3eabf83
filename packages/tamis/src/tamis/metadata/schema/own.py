"""Which of the things that a page declares are about the page itself, and which are teasers of other pages."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple, Protocol

from tamis.cached import cached_property
from tamis.document.titles import fold, title_parts
from tamis.metadata.schema.types import COMMENT, GROUPS, each, plain, texts
from tamis.metadata.view import View
from tamis.render.safe import safe_url

LISTED = "Listed"  # the group of teasers
LOOSE = "loose"  # the group of properties that belong to no thing

_RANK = {group: rank for rank, group in enumerate((*GROUPS, LOOSE, COMMENT))}

# Things that are parts of a page with an article.
_BESIDE = frozenset({"Forum", "Product", "Event", "Video"})

# Things of a group that are looked at, and values of a property.
_MOST_THINGS, _MOST_VALUES = 15, 5
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
    for group in sorted(_RANK.keys() & groups.keys(), key=_RANK.__getitem__):
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
            found.value for key in ("url", "mainEntityOfPage", "@id") for found in thing.values(key)[:_MOST_VALUES]
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
    for inner in each(value)[:_MOST_VALUES]:
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
