"""Chaos-style pages: html/QUERY (N).htm or .html, gold/QUERY (N).txt."""

from __future__ import annotations

from collections.abc import Iterator

from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.reader import Entry, Reader, counterpart, decode_gold, stems


class Chaos(Reader):
    """Ten pages each for 36 queries; the id is the query and a number."""

    def entries(self) -> Iterator[Entry]:
        """The pages by query."""
        for page in stems(self.files.below("gold", ".txt"), ".txt"):
            yield Entry(page, "all")

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its gold text."""
        page = counterpart(self.files, f"html/{entry.id}.htm", f"html/{entry.id}.html")
        return CorpusPage(
            corpus=self.info.name,
            id=entry.id,
            html=self.files.read(page),
            split=entry.split,
            gold_text=decode_gold(self.files.read(f"gold/{entry.id}.txt")).strip(),
            year=self.info.year,
        )
