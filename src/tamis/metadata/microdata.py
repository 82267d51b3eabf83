"""Metadata in microdata: itemscope and itemprop in the markup."""

from __future__ import annotations

from tamis.document import Document, parse
from tamis.metadata.linked_data import CONTENT_TYPE, KEYS
from tamis.metadata.values import names


class Microdata:
    """The items of types that describe content, in document order."""

    def __init__(self, document: Document) -> None:
        items = parse.microdata(document.tree)
        self._items = [properties for kind, properties in items if CONTENT_TYPE.search(kind)]

    def get(self, field: str) -> object:
        """The first value of a field."""
        keys = KEYS.get(field, ())
        value = next((value for item in self._items for key in keys for value in item.get(key, [])), None)
        return names(value) if field == "author" else value
