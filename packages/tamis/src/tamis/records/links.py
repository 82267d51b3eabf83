"""The links of the content, each with its text, its address, the heading above and whether it leaves the site."""

from __future__ import annotations

from dataclasses import dataclass

from tamis.arrays import Bools, places
from tamis.deadline import check, checked
from tamis.document import Document, tags
from tamis.document.addresses import site_of
from tamis.labels import Labels
from tamis.render.content.source import base_url
from tamis.render.safe import Room, safe_url

_IS_LINK, _IS_HEADING = tags.lookup("a"), tags.lookup(*tags.HEADINGS)
_LONGEST_HEADING = 1_000  # characters; it is repeated for each link below
_PAGES = ("http:", "https:", "//")  # how the address of a page on another host starts


@dataclass(frozen=True)
class ContentLink:
    """A link of the main content."""

    text: str  # as it is shown; the alternative text of an image
    url: str  # absolute where the page's address is known
    heading: str | None  # the text of the heading above, or around
    is_external: bool | None  # does it leave the site of the page? None if the page's address is unknown


def links(document: Document, labels: Labels) -> tuple[ContentLink, ...]:
    """The links of the kept content in document order, without those to places on the page itself.

    Addresses that could run code are left out. Raises PageTooLarge if the addresses are too long altogether.
    """
    if not document.elements.has("a") or not labels.keep.any():
        return ()
    check()
    elements, leaves, keep = document.elements, document.leaves, labels.keep
    kept = places(keep)
    above = elements.nearest(_IS_LINK.take(elements.code), leaves.element.take(kept)).tolist()
    headings = _headings(document, keep)
    base, site, room = base_url(document), site_of(document.url), Room(document)
    found: list[ContentLink] = []
    inside: dict[int, list[int]] = {}  # the kept leaves of each link
    for leaf, row in zip(kept.tolist(), above, strict=True):
        if row >= 0:
            inside.setdefault(row, []).append(leaf)
    for row, members in checked(inside.items()):
        href = (elements.attribute(row, "href") or "").strip()
        url = None if href[:1] in ("", "#") else safe_url(href, base)
        if url and (text := _text(document, members)):
            room.take(len(url))
            found.append(ContentLink(text, url, headings.get(members[0]), _is_external(url, site)))
    return tuple(found)


def _is_external(url: str, site: str) -> bool | None:
    """Is an address one of another site?"""
    return url.startswith(_PAGES) and site_of(url) != site if site else None


def _text(document: Document, members: list[int]) -> str:
    """The text of a link, or else the alternative text of its image."""
    leaves, elements = document.leaves, document.elements
    texts = [f"{leaves.gap[leaf]}{leaves.text[leaf]}" for leaf in members if not leaves.is_media[leaf]]
    if text := " ".join("".join(texts).split()):
        return text
    names = (elements.attribute(int(leaves.element[leaf]), "alt") for leaf in members if leaves.is_media[leaf])
    return next((" ".join(name.split()) for name in names if name and name.strip()), "")


def _headings(document: Document, keep: Bools) -> dict[int, str]:
    """For each kept leaf in a link, the text of the last kept heading before, or around it."""
    leaves, elements = document.leaves, document.elements
    kept = places(keep)
    rows = elements.nearest(_IS_HEADING.take(elements.code), leaves.element.take(kept)).tolist()
    parts: dict[int, list[str]] = {}  # of each heading
    above: dict[int, int] = {}
    last = -1
    for leaf, row, in_link in checked(zip(kept.tolist(), rows, leaves.in_link.take(kept).tolist(), strict=True)):
        if row >= 0:
            last = row
            parts.setdefault(row, []).append(f"{leaves.gap[leaf]}{leaves.text[leaf]}")
        if in_link and last >= 0:
            above[leaf] = last
    texts = {row: " ".join("".join(some).split())[:_LONGEST_HEADING] for row, some in parts.items()}
    return {leaf: texts[row] for leaf, row in above.items() if texts[row]}
