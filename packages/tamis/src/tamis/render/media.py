"""The kept media as a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tamis.document import Document, Elements, tags
from tamis.labels import Labels
from tamis.page_data import MEDIUM
from tamis.render.content.media import medium_source
from tamis.render.layout import Layout
from tamis.render.safe import safe_url
from tamis.render.text import pieces

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

    def as_dict(self) -> dict[str, object]:
        """The medium as plain data."""
        return MEDIUM.read(self)


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
