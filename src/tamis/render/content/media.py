"""Media elements: their addresses, their HTML, and the list of those that are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tamis.document import Document, Elements, tags
from tamis.labels import Labels
from tamis.render.content.node import Node
from tamis.render.layout import Layout
from tamis.render.safe import safe_url
from tamis.render.text import pieces

# Attributes with the real source of lazily loaded media, most common first.
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-url")
_SETS = ("srcset", "data-srcset", "data-lazy-srcset")

# An address in a srcset, and its width or density behind it.
_ADDRESS = re.compile(r"[\s,]*([^\s,]\S*)")
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx]")

_IMAGES = ("img", "picture", "amp-img")
_PLAYERS = ("video", "audio")

Kind = Literal["image", "video", "audio", "embed"]
_KINDS: dict[str, Kind] = {"img": "image", "picture": "image", "amp-img": "image", "video": "video", "audio": "audio",
                           "iframe": "embed", "object": "embed", "embed": "embed"}  # fmt: skip
# Plug-ins run the content of these elements, so they are never written, only listed with their address.
_PLUGIN_SOURCES = {"object": "data", "embed": "src"}

_IS_FIGURE = tags.lookup("figure")
_IS_CAPTION = tags.lookup("figcaption")


@dataclass(frozen=True)
class Medium:
    """A kept image, video, audio or frame."""

    kind: Kind
    url: str  # that of the largest version; absolute if the page's address is known
    alt: str  # the alternative text, or empty
    caption: str  # the caption of the figure around it, or empty
    leaf: int  # row of the document's leaves

    def as_dict(self) -> dict[str, str]:
        """The medium as plain data."""
        return {"kind": self.kind, "url": self.url, "alt": self.alt, "caption": self.caption}


def kept_media(document: Document, labels: Labels, base: str | None) -> list[Medium]:
    """The kept media that have an address (svg, canvas and math have none), in document order, each address once."""
    elements, leaves = document.elements, document.leaves
    rows = np.flatnonzero(labels.keep & leaves.is_media)
    figures = elements.nearest(_IS_FIGURE[elements.code], leaves.element[rows])
    captions = _captions(document) if (figures >= 0).any() else {}
    found: dict[str, Medium] = {}
    for leaf, figure in zip(rows.tolist(), figures.tolist(), strict=True):
        row = int(leaves.element[leaf])
        kind = _KINDS.get(elements.tag[row])
        url = _address(elements, row, base) if kind else None
        if kind and url and url not in found:
            found[url] = Medium(kind, url, _alt(elements, row), captions.get(figure, ""), leaf)
    return list(found.values())


def _address(elements: Elements, row: int, base: str | None) -> str | None:
    plugin = _PLUGIN_SOURCES.get(elements.tag[row])
    return safe_url(elements.attribute(row, plugin), base) if plugin else medium_source(elements, row, base)


def _alt(elements: Elements, row: int) -> str:
    """The first alternative text of an element or of one inside it."""
    texts = (
        " ".join((elements.attribute(inner, name) or "").split())
        for name in ("alt", "aria-label", "title")
        for inner in range(row, int(elements.end[row]))
    )
    return next(filter(None, texts), "")


def _captions(document: Document) -> dict[int, str]:
    """The text of each figure's caption, by the row of the figure."""
    elements, texts = document.elements, document.leaves.visible_text
    element = document.leaves.element[texts]
    caption = elements.nearest(_IS_CAPTION[elements.code], element)
    texts, caption = texts[caption >= 0], caption[caption >= 0]
    figure = elements.nearest(_IS_FIGURE[elements.code], caption).tolist()
    parts: dict[int, list[str]] = {}
    for row, piece in zip(figure, pieces(document, Layout(document, texts)), strict=True):
        parts.setdefault(row, []).append(piece)
    return {row: " ".join("".join(words).split()) for row, words in parts.items()}


def medium_source(elements: Elements, row: int, base: str | None) -> str | None:
    """The address of the content of a media element: lazily loaded, the largest of a set, or of an inner source.

    None if there is none, and for elements that could run code (svg, canvas, object and embed).
    """
    tag = elements.tag[row]
    if tag not in (*_IMAGES, *_PLAYERS, "iframe"):
        return None
    inner = [each for each in range(row + 1, int(elements.end[row])) if elements.tag[each] in ("img", "source")]
    # The <img> of a <picture> comes last; every browser supports it.
    order = [row, *inner] if tag != "picture" else inner[::-1]
    return next((url for each in order if (url := _source(dict(elements.attributes(each)), base))), None)


def medium_node(elements: Elements, row: int, source: str) -> Node:
    """The element as content."""
    tag = elements.tag[row]
    if tag in _IMAGES:
        alts = (elements.attribute(inner, "alt") for inner in range(row, int(elements.end[row])))
        alt = next(filter(None, alts), "")
        return Node("img", {"src": source, "alt": " ".join(alt.split())}, row=row)
    title = " ".join((elements.attribute(row, "title") or "").split())
    return Node("embed", {"src": source, "title": title, "kind": "frame" if tag == "iframe" else tag}, row=row)


def _source(attributes: Mapping[str, str], base: str | None) -> str | None:
    candidates = [attributes.get(name) for name in _LAZY_SOURCES]
    candidates += [_largest(attributes[name]) for name in _SETS if attributes.get(name)]
    candidates.append(attributes.get("src"))
    return next((safe for url in candidates if (safe := safe_url(url, base))), None)


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
