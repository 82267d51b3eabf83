"""DAnIEL, press articles in five languages: html/ID, reference/ID, doc_lg.json (id to language)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.reader import Entry, Reader, counterpart, decode_gold, stems, text_or_none

_LANGUAGES = "doc_lg.json"
_SUFFIXES = ("", ".html", ".htm", ".txt")


class Daniel(Reader):
    """Greek, English, Polish, Russian and Chinese news; ids are the names of the reference files."""

    def entries(self) -> Iterator[Entry]:
        """The pages by id."""
        return (Entry(page, "all") for page in stems(self.files.below("reference")))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its reference; the two may differ in the suffix."""
        stem = entry.id.removesuffix(".txt").removesuffix(".html").removesuffix(".htm")
        names = dict.fromkeys([entry.id, *(stem + suffix for suffix in _SUFFIXES)])
        language = next((found for name in names if (found := self._languages.get(name))), None)
        return CorpusPage(
            corpus=self.info.name,
            id=entry.id,
            html=self.files.read(counterpart(self.files, *(f"html/{name}" for name in names))),
            split=entry.split,
            gold_text=decode_gold(self.files.read(f"reference/{entry.id}")).strip(),
            page_type="article",
            language=text_or_none(language),
            year=self.info.year,
        )

    @cached_property
    def _languages(self) -> dict[str, object]:
        return self.files.table(_LANGUAGES)
