"""The result of an extraction."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tamis.document import Document
from tamis.labels import Labels
from tamis.render.options import HtmlOptions
from tamis.render.text import to_text

if TYPE_CHECKING:
    from tamis.metadata import Metadata
    from tamis.page_type import GenreGuess, PageType, PageTypes
    from tamis.render.json import Block
    from tamis.render.media import Medium


@dataclass(frozen=True, eq=False)
class Page:
    """A page and its main content; each form is rendered when first asked for."""

    document: Document = field(repr=False)
    labels: Labels = field(repr=False)
    extractor: str
    original: Document = field(repr=False)  # the page as it came; `document` may be unfolded, or a shell's content
    options: HtmlOptions = field(default=HtmlOptions(), repr=False)

    @cached_property
    def text(self) -> str:
        """The main content as plain text; empty where the page has none."""
        return to_text(self.document, self.labels)

    @cached_property
    def markdown(self) -> str:
        """The main content as Markdown."""
        from tamis.render.markdown import to_markdown

        return to_markdown(self.document, self.labels, self.options)

    @cached_property
    def html(self) -> str:
        """The main content as a clean HTML fragment."""
        from tamis.render.html import to_html

        return to_html(self.document, self.labels, self.options)

    @cached_property
    def blocks(self) -> list[Block]:
        """All visible text of the page, kept or not, with scores and places."""
        from tamis.render.json import blocks

        return blocks(self.document, self.labels)

    @cached_property
    def media(self) -> list[Medium]:
        """The images, films, sounds and embedded pages of the main content."""
        from tamis.render.html import base_url
        from tamis.render.media import kept_media

        return kept_media(self.document, self.labels, base_url(self.document))

    @cached_property
    def metadata(self) -> Metadata:
        """Title, author, date and so on, each with where it was found."""
        from tamis.metadata import read_metadata

        return read_metadata(self.original)

    @cached_property
    def page_types(self) -> PageTypes | None:
        """How likely each of seven page types is, by the network of the default extractor; None without any text.

        It is free where that extractor was used; after another one it costs about as much as an extraction.
        """
        if self.labels.page_types is not None:
            return self.labels.page_types
        from tamis.extractor.tamis import tamis

        return tamis.page_types(self.document, self.original)

    @property
    def page_type(self) -> PageType | None:
        """The likeliest type: article, documentation, service, forum, product, listing or collection."""
        return self.page_types.best if self.page_types else None

    @property
    def page_type_confidence(self) -> float | None:
        """The probability of that type."""
        return self.page_types.confidence if self.page_types else None

    @property
    def genre(self) -> GenreGuess | None:
        """Article or list, and how that was decided, if the extractor is one that asks (goce)."""
        return self.labels.genre

    @cached_property
    def title(self) -> str | None:
        """The title of the page's content."""
        from tamis.metadata import read_title

        return read_title(self.original)

    @property
    def url(self) -> str | None:
        """The address the page came from, where it is known."""
        return self.document.url

    @property
    def source(self) -> str:
        """Where the content was found: "page", or the name of the data in the page that alone held it."""
        return self.document.source

    @cached_property
    def highlighted(self) -> str:
        """A copy of the original page with the kept content marked."""
        from tamis.render.highlight import highlight

        return highlight(self.document, self.labels)

    def as_dict(self) -> dict[str, object]:
        """The page as plain data: metadata, text and every block."""
        return {
            "url": self.url,
            "extractor": self.extractor,
            "source": self.source,
            "encoding": self.document.encoding,
            "page_type": self.page_type,
            "page_type_confidence": None if self.page_types is None else round(self.page_types.confidence, 4),
            "genre": self.genre.as_dict() if self.genre else None,
            "metadata": self.metadata.as_dict(),
            "text": self.text,
            "blocks": [block.as_dict() for block in self.blocks],
        }

    @cached_property
    def json(self) -> str:
        """The same as JSON text."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)
