"""Trafilatura's evaluation: JSON tables of URL to {file, with, without}; pages in cache/ or eval/."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.reader import Entry, Reader, counterpart, fields, text_or_none, texts

_FOLDERS = ("cache", "eval")


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
        return CorpusPage(
            corpus=self.info.name,
            id=entry.id,
            html=self.files.read(counterpart(self.files, *(f"{folder}/{entry.id}" for folder in _FOLDERS))),
            split=entry.split,
            url=url,
            year=self.info.year,
            title=text_or_none(record.get("title")),
            author=text_or_none(record.get("author")),
            date=text_or_none(record.get("date")),
            wanted=texts(record.get("with")),
            unwanted=texts(record.get("without")),
        )

    @cached_property
    def _records(self) -> dict[str, tuple[str, dict[str, object]]]:
        records = {}
        for name in self.files.below("", ".json"):
            for url, value in self.files.table(name).items():
                record = fields(value, self.files, name)
                page = text_or_none(record.get("file"))
                if page is None:
                    raise self.files.broken(name, "an entry has no file")
                records[page] = url, record
        return records
