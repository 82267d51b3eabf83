"""DAnIEL, press articles in five languages: html/ID, reference/ID, doc_lg.json (id to language)."""

from __future__ import annotations

import re
from dataclasses import replace

from tamis.cached import cached_property
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, decode_gold, text_or_none

_SUFFIXES = ("", ".html", ".htm", ".txt")
_CODES = {"Greek": "el", "English": "en", "Polish": "pl", "Russian": "ru", "Chinese": "zh"}

# References have a paragraph a line in <p> and </p>. A few marks lost or doubled a character: "<p堅果", "/p>", "</p>>".
_MARK = re.compile(r"<p(?![a-z])>*|<?/p>+")
_WHOLE_PAGE = re.compile(r"\s*<(!doctype|html)\b", re.IGNORECASE)


class Daniel(Reader):
    """Greek, English, Polish, Russian and Chinese news; ids are the names of the reference files."""

    folder = "reference"

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its reference; the two may differ in the suffix."""
        stem = entry.id.removesuffix(".txt").removesuffix(".html").removesuffix(".htm")
        names = dict.fromkeys([entry.id, *(stem + suffix for suffix in _SUFFIXES)])
        language = next((found for name in names if (found := text_or_none(self._languages.get(name)))), None)
        page = self.page(
            entry,
            self.first_of(*(f"html/{name}" for name in names)),
            plain_gold(decode_gold(self.files.read(f"reference/{entry.id}"))),
        )
        return replace(page, page_type="article", language=_CODES.get(language or "", language))

    @cached_property
    def _languages(self) -> dict[str, object]:
        return self.files.table("doc_lg.json")


def plain_gold(text: str) -> str | None:
    """A reference without its marks, a paragraph a line; None for one that is a whole page of HTML instead."""
    if _WHOLE_PAGE.match(text):
        return None
    return "\n".join(paragraph for part in _MARK.split(text) if (paragraph := part.strip()))
