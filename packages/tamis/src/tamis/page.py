"""The result of an extraction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from textwrap import shorten
from typing import TYPE_CHECKING, TypeVar

from tamis.cached import cached_property
from tamis.deadline import limited
from tamis.document import Document
from tamis.labels import Labels, Role
from tamis.option_table import CHUNK_TOKENS
from tamis.renamed import takes_old_names
from tamis.render.content import HtmlOptions
from tamis.render.text import to_text

if TYPE_CHECKING:
    from tamis.metadata import Metadata
    from tamis.page_type import GenreGuess, PageState, PageType, PageTypes
    from tamis.records.facts import Facts
    from tamis.records.items import Item, ListedItem
    from tamis.records.links import ContentLink
    from tamis.records.posts import Post
    from tamis.render.chunks import Chunk
    from tamis.render.content import Child
    from tamis.render.content.media import Medium
    from tamis.render.markdown import MarkdownBlock
    from tamis.render.text import Block
    from tamis.render.tokens import Tokenizer
    from tamis.worth.state import StateGuess

Output = TypeVar("Output")

_LONGEST_TITLE = 60  # characters in a repr


def _rendered(render: Callable[[Page], Output]) -> cached_property[Output]:
    """A property that is rendered on first use, under the timeout of its page."""

    @wraps(render)
    def in_time(page: Page) -> Output:
        with limited(page.timeout):
            return render(page)

    return cached_property(in_time)


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """A page and its main content; each format is rendered on first use."""

    document: Document
    labels: Labels
    extractor: str
    original: Document  # as parsed; `document` may be unfolded, or the content of a shell
    options: HtmlOptions = field(default=HtmlOptions())
    timeout: float | None = None  # the most seconds for each output
    include_title: bool = False  # above the content, in text, Markdown and HTML
    status: int | None = None  # of HTTP, where it is known
    headers: Mapping[str, str] | None = None  # of HTTP, where they are known

    def __repr__(self) -> str:
        """Type, title and length; an error in place of them, since a debugger must always get an answer."""
        try:
            kind = f" {self.page_type} {self.page_type_confidence:.2f}" if self.page_types else ""
            title = f" {shorten(self.title, _LONGEST_TITLE, placeholder=' …')!r}" if self.title else ""
            return f"<Page{kind}{title} {self.words:,} word{'s' * (self.words != 1)}>"
        except Exception as error:
            return f"<Page {type(error).__name__}>"

    @_rendered
    def text(self) -> str:
        """The main content as plain text; empty if there is none."""
        labels, title = self._titled
        return f"{title}\n\n{to_text(self.document, labels)}" if title else to_text(self.document, labels)

    @_rendered
    def markdown(self) -> str:
        """The main content as Markdown."""
        return "\n\n".join([block.text for block in self._markdown_blocks])

    @cached_property
    def _markdown_blocks(self) -> list[MarkdownBlock]:
        from tamis.render.markdown import markdown_blocks

        labels, title = self._titled
        return markdown_blocks(self.document, labels, replace(self.options, title=title), self._thread or self._listing)

    @property
    def _thread(self) -> list[Child] | None:
        """The content with a line above each post that says who wrote it and when; None if it is not a thread."""
        if not self.posts:
            return None
        from tamis.records.posts import thread_content

        return self._cleaned(thread_content(self.document, self._titled[0], self.options, self.posts))

    @property
    def _listing(self) -> list[Child] | None:
        """The content with the entries of a listing as a list; None if it is not one."""
        from tamis.records.listing import listing_content

        labels = self._titled[0]
        found = self._entries if labels is self.labels else None  # without the title, other leaves are kept
        return self._cleaned(listing_content(self.document, labels, self.options, found))

    @cached_property
    def _entries(self) -> list[ListedItem]:
        """The entries of a listing, by the page type that the labels have; those of most papers have none."""
        from tamis.records.items import listed_items

        return listed_items(self.document, self.labels)

    def _cleaned(self, content: list[Child] | None) -> list[Child] | None:
        if content is None:
            return None
        from tamis.render.content import Node
        from tamis.render.content.tree import clean

        root = Node("root", {}, content)
        clean(root, self.options)
        return root.children

    @takes_old_names
    def chunks(
        self, *, chunk_tokens: int = CHUNK_TOKENS, tokenizer: Tokenizer | None = None, chunk_overlap: int = 0
    ) -> tuple[Chunk, ...]:
        """The Markdown in chunks of at most `chunk_tokens`, along headings and blocks, for search and retrieval.

        Args:
            chunk_tokens: The most tokens of a chunk, with all that it repeats.
            tokenizer: A function from a text to its number of tokens, or an object with a method `encode`, such as
                a tokenizer of tiktoken or transformers. Without one, tokens are estimated.
            chunk_overlap: The most tokens that a chunk repeats of the one before, in whole blocks or sentences; none
                where a chunk starts with a heading.

        Raises:
            OptionError: A number is too small, or the overlap more than half of a chunk.
            PageTooLarge: The output exceeds the limits.
            PageTooSlow: The time is over.
        """
        from tamis.document.paths import Paths
        from tamis.render.chunks import chunks
        from tamis.render.text import visible_text

        with limited(self.timeout):
            paths = Paths(self.document)
            metadata = ({"url": self.url} if self.url else {}) | self.metadata.values()
            return chunks(
                self._markdown_blocks,
                paths.element_xpath,
                metadata,
                chunk_tokens=chunk_tokens,
                tokenizer=tokenizer,
                chunk_overlap=chunk_overlap,
                shown=visible_text(self.document) if self.url else None,
            )

    @_rendered
    def html(self) -> str:
        """The main content as a clean HTML fragment."""
        from tamis.render.html import to_html

        labels, title = self._titled
        return to_html(self.document, labels, replace(self.options, title=title), self._thread)

    @_rendered
    def xml(self) -> str:
        """The main content and the comments as XML with trafilatura's names, and the metadata in attributes."""
        from tamis.render.safe import fitting
        from tamis.render.xml import to_xml

        return fitting(to_xml(self._content, self._described, self._other_comments), self.document)

    @_rendered
    def tei(self) -> str:
        """The main content and the comments as TEI P5, with the metadata in the header."""
        from tamis.render.safe import fitting
        from tamis.render.xml import to_tei

        return fitting(to_tei(self._content, self._described, self._other_comments), self.document)

    @property
    def _content(self) -> list[Child]:
        """The content tree, below the title if that is included."""
        from tamis.render.content import Node
        from tamis.render.content.tree import content_tree

        labels, title = self._titled
        content = content_tree(self.document, labels, self.options).children
        return [Node("h1", {}, [title]), *content] if title else content

    @property
    def _other_comments(self) -> tuple[Post, ...]:
        """The comments, unless they are part of the content."""
        roles = self.labels.roles or ()
        kept = any(role is Role.COMMENT and keep for role, keep in zip(roles, self.labels.keep.tolist(), strict=False))
        return () if kept else self.comments

    @property
    def _described(self) -> dict[str, str | tuple[str, ...]]:
        """The facts about the page in XML, with trafilatura's names where it has one."""
        from urllib.parse import urlsplit

        metadata, address = self.metadata, self.url or self.metadata.canonical_url or ""
        try:
            host = urlsplit(address).hostname
        except ValueError:
            host = None
        named = {
            "title": metadata.title,
            "author": metadata.authors,
            "date": metadata.date,
            "date_modified": metadata.date_modified,
            "source": address,
            "hostname": host,
            "sitename": metadata.site_name,
            "excerpt": metadata.description,
            "language": metadata.language,
            "section": metadata.section,
            "categories": metadata.categories,
            "tags": metadata.tags,
            "license": metadata.license,
            "image": metadata.image,
            "pagetype": None if self.page_type is None else str(self.page_type),
        }
        return {name: value for name, value in named.items() if value}

    @cached_property
    def _titled(self) -> tuple[Labels, str]:
        """The labels of the content below the title, and the title; empty if not included or if nothing is kept."""
        if not self.include_title or not self.title or not self.labels.keep.any():
            return self.labels, ""
        from tamis.render.text import without_title

        return without_title(self.document, self.labels, self.title), self.title

    @_rendered
    def blocks(self) -> list[Block]:
        """All visible text of the page, kept or not, with scores and XPaths."""
        from tamis.render.text import blocks

        labels, title = self._titled
        return blocks(self.document, self.labels, labels, len(title) + 2 if title else 0)

    @_rendered
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread: who says what, when and in answer to which; empty for other pages."""
        from tamis.records.posts import posts

        return posts(self.document, self.labels)

    @_rendered
    def comments(self) -> tuple[Post, ...]:
        """The readers' comments, with author and date if the page has them; most papers' extractors find none."""
        from tamis.records.posts import comments

        return comments(self.document, self.labels)

    @_rendered
    def items(self) -> tuple[Item, ...]:
        """The entries of a listing or collection: title, address, snippet, date, price, image; empty for others."""
        from tamis.records.items import items

        if not self.labels.keep.any():
            return ()
        if self.labels.page_types is None:
            return items(self.document, self.labels, self.page_types)
        return tuple(entry.item for entry in self._entries)

    @_rendered
    def facts(self) -> Facts:
        """The recipe, product, event, questions ... of the page; None for each that it does not have."""
        from tamis.records.facts import facts

        return facts(self.document, self.labels, self.structured_data)

    @_rendered
    def links(self) -> tuple[ContentLink, ...]:
        """The links of the main content: text, address, the heading above, and whether they leave the site."""
        from tamis.records.links import links

        return links(self.document, self.labels)

    @_rendered
    def media(self) -> list[Medium]:
        """The images, videos, audio files and frames of the main content."""
        from tamis.render.content.media import kept_media
        from tamis.render.content.source import base_url

        return kept_media(self.document, self.labels, base_url(self.document))

    @_rendered
    def metadata(self) -> Metadata:
        """Title, authors, date and so on, each with its source, its confidence, and the other candidates."""
        from tamis.metadata import read_metadata

        return read_metadata(self.original, self.own_labels)

    @_rendered
    def structured_data(self) -> list[dict[str, object]]:
        """The page's declarations in JSON-LD, microdata and RDFa, in one form: articles, products, recipes ..."""
        from tamis.metadata.structured import structured_data
        from tamis.metadata.view import View

        return structured_data(View(self.original, self.own_labels))

    @property
    def own_labels(self) -> Labels | None:
        """The labels, if they are of the page itself and not of content from its data."""
        return self.labels if self.document.tree is self.original.tree else None

    @_rendered
    def page_types(self) -> PageTypes | None:
        """The probabilities of the seven page types, by the network of the default extractor.

        None for a page of which that extractor keeps no text, whichever extractor was used. They cost nothing after an
        extraction with that extractor, and as much as an extraction after any other.
        """
        if self.labels.page_types is not None:
            return self.labels.page_types
        from tamis.extractor.tamis import tamis

        return tamis.page_types(self.original)

    @property
    def page_type(self) -> PageType | None:
        """The most likely type: article, documentation, service, forum, product, listing or collection."""
        return self.page_types.best if self.page_types else None

    @property
    def page_type_confidence(self) -> float | None:
        """The probability of that type."""
        return self.page_types.confidence if self.page_types else None

    @property
    def state(self) -> PageState:
        """What the page shows: its content, or a log-in, an error, a paywall, nothing without scripts ..."""
        return self._state_guess.state

    @property
    def state_probability(self) -> float:
        """The probability of that state."""
        return self._state_guess.probability

    @property
    def state_evidence(self) -> tuple[str, ...]:
        """What speaks for that state, in words, the strongest first."""
        return self._state_guess.evidence

    @_rendered
    def _state_guess(self) -> StateGuess:
        from tamis.worth.state import page_state

        return page_state(self.document, self.labels, status=self.status, headers=self.headers)

    @_rendered
    def confidence(self) -> float | None:
        """How good the extraction probably is: the token F1 to expect, from 0 to 1.

        None for a page without content, for content from a page's data, and with other extractors than the default.
        """
        from tamis.worth.confidence import confidence

        return confidence(self.document, self.labels)

    @property
    def genre(self) -> GenreGuess | None:
        """The genre that the extractor assigns, and how it decided; None with most extractors."""
        return self.labels.genre

    @_rendered
    def title(self) -> str | None:
        """The title of the page's content."""
        from tamis.metadata import read_title

        return read_title(self.original, self.own_labels)

    @_rendered
    def words(self) -> int:
        """The words of the text."""
        from tamis.render.tokens import words

        return words(self.text)

    @_rendered
    def tokens(self) -> int:
        """An estimate of the tokens that a language model reads in the text."""
        from tamis.render.tokens import estimated_tokens

        return estimated_tokens(self.text)

    @property
    def front_matter(self) -> str:
        """The metadata as YAML, for the top of the page's Markdown."""
        from tamis.render.markdown import front_matter

        metadata = self.metadata
        return front_matter(
            {
                "title": metadata.title,
                "author": metadata.author,
                "authors": metadata.authors,
                "date": metadata.date,
                "modified": metadata.date_modified,
                "source": self.url or metadata.canonical_url,
                "site": metadata.site_name,
                "description": metadata.description,
                "language": metadata.language,
                "section": metadata.section,
                "license": metadata.license,
                "image": metadata.image,
                "categories": metadata.categories,
                "tags": ["-".join(tag.split()) for tag in metadata.tags],
                "words": self.words,
                "tokens": self.tokens,
            }
        )

    @property
    def url(self) -> str | None:
        """The address of the page, if known."""
        return self.document.url

    @property
    def source(self) -> str:
        """Where the content is from: "page", or for a shell the kind of data, such as "json-ld"."""
        return self.document.source

    @_rendered
    def highlighted(self) -> str:
        """A copy of the page with the kept content marked."""
        from tamis.render.html import highlight

        return highlight(self.document, self.labels)

    def as_dict(self, *, blocks: bool = False) -> dict[str, object]:
        """The page as plain data: metadata, text and comments; with `blocks` also every block, kept or not."""
        from tamis.page_data import JSON, PAGE

        return PAGE.read(self, (*JSON, "blocks") if blocks else JSON)

    @_rendered
    def json(self) -> str:
        """`as_dict` as JSON text."""
        import json

        from tamis.render.safe import fitting

        return fitting(json.dumps(self.as_dict(), ensure_ascii=False, indent=2), self.document)
