"""What an extractor is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from tamis.document import Document
from tamis.labels import Labels


class Extractor(Protocol):
    """Answers which leaves of a page are its main content.

    An extractor has no state that a page changes: the same document gets the same labels,
    from any thread, and the document stays as it is.
    """

    def label(self, document: Document) -> Labels:
        """A score and a keep flag for each leaf of `document`."""
        ...


@runtime_checkable
class Reader(Protocol):
    """An extractor that reads a page in its own way before it labels it: unfolded, say, or from its data."""

    def read(self, document: Document) -> Document:
        """The page that `label` is to be asked about, and that is rendered."""
        ...
