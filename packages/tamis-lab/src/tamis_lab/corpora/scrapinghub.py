"""Scrapinghub's article extraction benchmark: ground-truth.json, html/ID.html.gz."""

from __future__ import annotations

from collections.abc import Iterator

from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import ArticleReader, Entry


class Scrapinghub(ArticleReader):
    """Articles of news sites and blogs with the text of their body."""

    table = "ground-truth.json"

    def entries(self) -> Iterator[Entry]:
        """The pages by id."""
        return (Entry(page, "all") for page in sorted(self.articles))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its article."""
        return self.read_article(entry, self.files.unzip(f"html/{entry.id}.html.gz"))
