"""Scrapinghub's article extraction benchmark: ground-truth.json, html/ID.html.gz."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.reader import Entry, Reader, fields, gold, text_or_none

_TABLE = "ground-truth.json"


class Scrapinghub(Reader):
    """Articles of news sites and blogs with the text of their body."""

    def entries(self) -> Iterator[Entry]:
        """The pages by id."""
        return (Entry(page, "all") for page in sorted(self._articles))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its article."""
        article = fields(self._articles[entry.id], self.files, _TABLE)
        return CorpusPage(
            corpus=self.info.name,
            id=entry.id,
            html=self.files.unzip(f"html/{entry.id}.html.gz"),
            split=entry.split,
            gold_text=gold(article.get("articleBody"), self.files, _TABLE),
            url=text_or_none(article.get("url")),
            page_type="article",
            year=self.info.year,
        )

    @cached_property
    def _articles(self) -> dict[str, object]:
        return self.files.table(_TABLE)
