"""One page of a corpus, as every reader yields it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tamis.document import Document
from tamis.errors import PageTooLarge


class Post(NamedTuple):
    """A post of a thread."""

    text: str
    author: str | None = None  # as the page shows it
    date: str | None = None  # as the page shows it
    url: str | None = None  # as the page links to it, which may be relative


@dataclass(frozen=True)
class CorpusPage:
    """A page with its gold. What a corpus does not say is None or empty."""

    corpus: str
    id: str
    html: bytes  # as published, with the marks of annotators taken out
    split: str  # train, dev, test, or all where the corpus has no splits
    gold_text: str | None = None  # the main content
    url: str | None = None
    page_type: str | None = None
    language: str | None = None
    year: int | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    comments: str | None = None  # comments of readers, where the corpus keeps them apart
    wanted: tuple[str, ...] = ()  # snippets that belong to the content
    unwanted: tuple[str, ...] = ()  # snippets that do not
    lines: tuple[str, ...] = ()  # ingredients and steps of a recipe, where nothing is known of the rest of the page
    posts: tuple[Post, ...] = ()  # of a thread, in the order of the page
    markdown: str | None = None  # the source that the page was built from: gold of its structure
    # Where annotators marked the page itself: the mark of each leaf of Document.from_html(html),
    # empty for leaves without one.
    leaf_labels: tuple[str, ...] | None = None
    content_labels: frozenset[str] = frozenset()  # the marks that mean content
    unclear_labels: frozenset[str] = frozenset()  # those of which the annotators were not sure

    def document(self) -> Document:
        """The page as tables. Raises PageTooLarge with the name of the page."""
        try:
            return Document.from_html(self.html, url=self.url)
        except PageTooLarge as error:
            raise PageTooLarge(f"{self.corpus}/{self.id}: {error}") from None
