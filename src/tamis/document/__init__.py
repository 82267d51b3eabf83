"""From bytes to one Document: decode, parse, tables."""

from tamis.document.table import Document, Elements, Leaves

__all__ = ["Document", "Elements", "Leaves"]
