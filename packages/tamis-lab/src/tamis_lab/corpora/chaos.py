"""Chaos-style pages: html/QUERY (N).htm or .html, gold/QUERY (N).txt."""

from __future__ import annotations

from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, decode_gold


class Chaos(Reader):
    """Ten pages each for 36 queries; the id is the query and a number."""

    folder, suffix = "gold", ".txt"

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its gold text."""
        html = self.first_of(f"html/{entry.id}.htm", f"html/{entry.id}.html")
        return self.page(entry, html, decode_gold(self.files.read(f"gold/{entry.id}.txt")).strip())
