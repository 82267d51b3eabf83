"""Images, videos and frames: their best address, and what they are as content."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from tamis.document import Elements
from tamis.render.content.embeds import embed
from tamis.render.content.marks import Marks
from tamis.render.content.names import NAMES
from tamis.render.content.node import Node
from tamis.render.content.source import Source
from tamis.render.safe import safe_url

# Attributes with the real source of lazily loaded media, most common first, and others that may have it.
_LAZY_SOURCES, _SETS, _LAST_SOURCES = (NAMES["media"][key] for key in ("lazy", "sets", "others"))

# Addresses of pictures that only hold the place of one. The first are the place holder by their whole name; of the
# others any other address of the image is more likely to be it.
_PLACEHOLDER = re.compile(
    r"/(?:blank|placeholder|spacer|pixel|transparent|trans|loading|loader|lazy|lazyload|empty|dummy|clear|1x1|shim)"
    r"(?:[-_.]?(?:image|img|placeholder|pixel|bg|[0-9]{1,4}(?:x[0-9]{1,4})?))?\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)",
    re.IGNORECASE,
)
_DOUBTFUL = re.compile(r"placeholder|blank\.|spacer|1x1|lazy[-_]|[-_]lazy|loading\.|transparent", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#/]|$)", re.IGNORECASE)
# Small pictures with one of these in their address, or without a text, are signs of the page.
_ICON = re.compile(r"(?:^|[/_.-])(?:icons?|sprites?|bullets?|arrows?|btn|button|favicon)(?=[/_.-]|$)", re.IGNORECASE)
_LARGEST_ICON = 32  # pixels
_PIXELS = re.compile(r"([0-9]{1,4})(?:px)?")
_TINY = frozenset({"0", "1", "2", "0px", "1px", "2px"})

_SIZE_IN_ADDRESS = re.compile(r"(?<![0-9a-zA-Z])(?:w|h|width|height|resize|size)[=:_/-]?([0-9]{2,4})(?![0-9])")
# What differs between versions of one image: its size at the end of the name, and the query.
_SIZE_IN_NAME = re.compile(r"(?:-[0-9]{1,5}x[0-9]{1,5}|@[0-9]x)(?=\.[a-zA-Z]{3,4}$)")

# An address in a srcset, and its width or density behind it.
_ADDRESS = re.compile(r"[\s,]*([^\s,]\S*)")
_SPACE = re.compile(r"[\s\"'(){}<>]")
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx]")

_NEAR = 4  # elements around an image that may hold its copy for those without scripts

_IMAGES = ("img", "picture", "amp-img")
_PLAYERS = ("video", "audio")


def medium_source(elements: Elements, row: int, base: str | None) -> str | None:
    """The address of the content of a media element: lazily loaded, the largest of a set, or of an inner source.

    None if there is none but a placeholder, and for elements that could run code (svg, canvas, object and embed).
    """
    tag = elements.tag[row]
    if tag not in (*_IMAGES, *_PLAYERS, "iframe"):
        return None
    inner = [each for each in range(row + 1, int(elements.end[row])) if elements.tag[each] in ("img", "source")]
    # The <img> of a <picture> comes last; every browser supports it.
    order = [row, *inner] if tag != "picture" else inner[::-1]
    doubtful = None
    for each in order:
        attributes = dict(elements.attributes(each))
        if attributes.get("width") in _TINY and attributes.get("height") in _TINY:
            return None  # it counts visitors
        is_small = tag in _IMAGES and all(_is_small(attributes.get(name, "")) for name in ("width", "height"))
        if is_small and (not attributes.get("alt", "").strip() or _ICON.search(attributes.get("src", ""))):
            return None
        for url in _candidates(attributes, is_image=tag in _IMAGES):
            if "{" in url or not (address := safe_url(url, base)):
                continue  # "{width}" is for a script to fill in
            if tag not in _IMAGES:
                return address
            if _PLACEHOLDER.search(address):
                continue
            if not _DOUBTFUL.search(address):
                return address
            doubtful = doubtful or address
    return doubtful


def medium_node(elements: Elements, row: int, base: str | None) -> Node | None:
    """A media element as content; None if it has no address."""
    tag = elements.tag[row]
    source = medium_source(elements, row, base)
    if tag not in _IMAGES:
        return embed(elements, row, source, base) if source else None
    alts = (elements.attribute(inner, "alt") for inner in range(row, int(elements.end[row])))
    alt = " ".join(next(filter(None, alts), "").split())
    return Node("img", {"src": source, "alt": alt}, row=row) if source else None


def _is_small(size: str) -> bool:
    found = _PIXELS.fullmatch(size.strip())
    return found is not None and int(found[1]) <= _LARGEST_ICON


def same_image(url: str, other: str) -> bool:
    """Are these addresses of one image, perhaps in two sizes?"""
    return url == other or (_PICTURE.search(url) is not None and _file(url) == _file(other))


def size_in(url: str) -> int:
    """The largest number that an address names as a width or height; 0 if there is none."""
    return max((int(number) for number in _SIZE_IN_ADDRESS.findall(url)), default=0)


def _file(url: str) -> str:
    path = url.partition("#")[0].partition("?")[0]
    return _SIZE_IN_NAME.sub("", path.partition(":")[2] or path)


def _candidates(attributes: Mapping[str, str], *, is_image: bool) -> Iterator[str]:
    """The addresses in the attributes of one element, the most likely first."""
    for name in _LAZY_SOURCES:
        if value := attributes.get(name):
            yield value
    for name in _SETS:
        if (value := attributes.get(name)) and (largest := _largest(value)):
            yield largest
    if value := attributes.get("src"):
        yield value
    if is_image:
        others = [name for name in attributes if name.startswith("data-")]
        for name in (*_LAST_SOURCES, *others):
            value = attributes.get(name, "").strip()
            if _PICTURE.search(value) and not _SPACE.search(value):
                yield value


def _largest(srcset: str) -> str | None:
    """The address with the largest width or density of a srcset, which is read as the HTML standard says."""
    largest, best = 0.0, None
    place = 0
    while found := _ADDRESS.match(srcset, place):
        url, place = found.group(1), found.end()
        size = 1.0
        if not url.endswith(","):
            end = srcset.find(",", place)
            described = srcset[place : end if end >= 0 else None].split(maxsplit=1)
            place = end if end >= 0 else len(srcset)
            number = _SIZE.fullmatch(described[0]) if described else None
            size = float(number.group(1)) if number else 0.0 if described else 1.0
        if size > largest:
            largest, best = size, url.rstrip(",")
    return best


def copies(source: Source) -> Marks | None:
    """Images in a <noscript> beside the same image for those with scripts."""
    skipped: set[int] = set()
    for row in source.tagged("noscript"):
        leaves, is_media = source.leaves_in(row), source.leaves.is_media
        if len(leaves) != 1 or not is_media[leaves.start]:
            continue
        for beside in (leaves.start - 1, leaves.stop):
            if 0 <= beside < len(is_media) and is_media[beside] and source.keep[beside]:
                other = int(source.leaves.element[beside])
                is_near = source.elements.parent[row] in islice(source.elements.ancestors(other), 1, _NEAR)
                if is_near and source.tag(other) in _IMAGES and medium_source(source.elements, other, source.base):
                    skipped.add(row)
    return Marks(skipped=frozenset(skipped)) if skipped else None
