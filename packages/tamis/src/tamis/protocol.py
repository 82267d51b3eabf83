"""The methods of an extractor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeGuard, cast

from tamis.document import Document
from tamis.labels import Labels


class Extractor(Protocol):
    """Decides which leaves of a page are its main content.

    The same document gets the same labels, in any thread and after any other pages. The document is not changed.
    """

    def label(self, document: Document) -> Labels:
        """A score and a keep flag for each leaf of `document`."""
        ...


class SiteExtractor(Extractor, Protocol):
    """An extractor that compares a page with others of its site. Without others it keeps every visible leaf."""

    def learned(self, pages: Sequence[Document]) -> Extractor:
        """The extractor for pages of the site that these pages are from; `self` stays as it is."""
        ...


class Reader(Protocol):
    """An extractor that prepares a page before it labels it, for example by unfolding it."""

    def read(self, document: Document) -> Document:
        """The page that is labelled and rendered."""
        ...


def prepared_by(extractor: Extractor, document: Document) -> Document:
    """The page as this extractor prepares it if it is a Reader, else the page itself."""
    if not callable(getattr(extractor, "read", None)):  # isinstance with a protocol takes 30 µs a page
        return document
    return cast("Reader", extractor).read(document)


def learns_sites(extractor: Extractor) -> TypeGuard[SiteExtractor]:
    """Does this extractor learn from other pages of a site?"""
    return callable(getattr(extractor, "learned", None))


def extractor_name(extractor: Extractor) -> str:
    """The name of an extractor in results: its own if it has one, else that of its class."""
    name = getattr(extractor, "name", None)
    return name if isinstance(name, str) else type(extractor).__name__
