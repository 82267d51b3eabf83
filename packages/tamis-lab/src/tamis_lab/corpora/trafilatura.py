"""Trafilatura's evaluation: JSON tables of URL to {file, with, without}; pages in cache/ or eval/."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tamis.cached import cached_property
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, described, text_or_none


class Trafilatura(Reader):
    """Pages with snippets that an extractor should find or leave out; there is no full gold text.

    An id is the name of the page's file.
    """

    def entries(self) -> Iterator[Entry]:
        """The pages by file name."""
        return (Entry(page, "all") for page in sorted(self._records))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its snippets."""
        url, record = self._records[entry.id]
        page = self.page(entry, self.first_of(f"cache/{entry.id}", f"eval/{entry.id}"))
        return replace(described(page, record), url=url)

    @cached_property
    def _records(self) -> dict[str, tuple[str, dict[str, object]]]:
        records = {}
        for name in self.files.below("", ".json"):
            for url, value in self.files.table(name).items():
                record = self.fields(value, name)
                page = text_or_none(record.get("file"))
                if page is None:
                    raise self.files.broken(name, "an entry has no file")
                records[page] = url, record
        return records
