"""From bytes to one Document: decode, parse, tables, linked data, shells."""

from tamis.document.table import Document, Elements, Leaves

__all__ = ["Document", "Elements", "Leaves"]
