"""Media elements: where they come from, how they are written, and the list of those that stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Literal

import numpy as np

from tamis.document import Document, Elements, tags
from tamis.labels import Labels
from tamis.render.layout import Layout
from tamis.render.links import safe_url
from tamis.render.text import pieces

# Where pages that load media late put the real source, most common first.
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-url")
_SETS = ("srcset", "data-srcset", "data-lazy-srcset")

# One image of a srcset: its address, and its width or density where it has one.
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+(\d+(?:\.\d+)?)[wx])?\s*(?:,|$)")

_IMAGES = ("img", "picture", "amp-img")
_PLAYERS = ("video", "audio")

Kind = Literal["image", "video", "audio", "embed"]
_KINDS: dict[str, Kind] = {"img": "image", "picture": "image", "amp-img": "image", "video": "video", "audio": "audio",
                           "iframe": "embed", "object": "embed", "embed": "embed"}  # fmt: skip
# What these show is run by a plug-in, so they are never written; their address can be told.
_PLUGIN_SOURCES = {"object": "data", "embed": "src"}

_IS_FIGURE = tags.lookup("figure")
_IS_CAPTION = tags.lookup("figcaption")


@dataclass(frozen=True)
class Medium:
    """An image, film, sound or frame that stays, with what the page says of it."""

    kind: Kind
    url: str  # the largest one that is offered; absolute where the page's address is known
    alt: str  # the text that stands for it; empty where there is none
    caption: str  # of the figure around it; empty where there is none
    leaf: int  # row of the document's leaves

    def as_dict(self) -> dict[str, str]:
        """The medium as plain data."""
        return {"kind": self.kind, "url": self.url, "alt": self.alt, "caption": self.caption}


def kept_media(document: Document, labels: Labels, base: str | None) -> list[Medium]:
    """The media that stay and have an address, in document order, each address once.

    Drawings in the markup itself (svg, canvas, math) have none.
    """
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
    """What an element, or one inside it, says in place of itself."""
    said = (
        " ".join((elements.attribute(inner, name) or "").split())
        for name in ("alt", "aria-label", "title")
        for inner in range(row, int(elements.end[row]))
    )
    return next(filter(None, said), "")


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
    """The address of what a media element shows: lazy ones, the largest of a set, inner sources.

    None where there is none or where it could run code (svg, canvas, object and embed).
    """
    tag = elements.tag[row]
    if tag not in (*_IMAGES, *_PLAYERS, "iframe"):
        return None
    inner = [each for each in range(row + 1, int(elements.end[row])) if elements.tag[each] in ("img", "source")]
    # The <img> of a <picture> comes last in it and is the one that every browser understands.
    order = [row, *inner] if tag != "picture" else inner[::-1]
    return next((url for each in order if (url := _source(dict(elements.attributes(each)), base))), None)


def medium_html(elements: Elements, row: int, source: str, *, as_link: bool) -> str:
    """The element as clean HTML; players and frames as a link where asked for."""
    tag = elements.tag[row]
    if tag in _IMAGES:
        every = [row, *range(row + 1, int(elements.end[row]))]
        alt = next((alt for each in every if (alt := elements.attribute(each, "alt"))), "")
        return f"<img{written({'src': source, 'alt': ' '.join(alt.split())})}>"
    title = " ".join((elements.attribute(row, "title") or "").split())
    if as_link:
        return f"<a{written({'href': source})}>{escape(title or source)}</a>"
    if tag == "iframe":
        return f"<iframe{written({'src': source, 'title': title})} sandbox></iframe>"
    return f"<{tag}{written({'src': source})} controls></{tag}>"


def written(values: Mapping[str, str | None]) -> str:
    """Attributes as they stand in a start tag."""
    return "".join(f' {key}="{escape(value)}"' for key, value in values.items() if value is not None)


def _source(attributes: Mapping[str, str], base: str | None) -> str | None:
    candidates = [attributes.get(name) for name in _LAZY_SOURCES]
    candidates += [_largest(attributes[name]) for name in _SETS if attributes.get(name)]
    candidates.append(attributes.get("src"))
    return next((safe for url in candidates if (safe := safe_url(url, base))), None)


def _largest(srcset: str) -> str | None:
    """The URL with the largest width or density of a srcset."""
    found = [(float(size or 1), url) for url, size in _CANDIDATE.findall(srcset)]
    return max(found, key=lambda candidate: candidate[0])[1] if found else None
