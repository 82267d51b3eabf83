"""article-extraction-dataset, the evaluation set of newspaper4k: articles.json, html/ID.html."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from tamis.document.addresses import registrable_domain
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import ArticleReader, Entry

# Three articles of the table were published without their page.
_WITHOUT_PAGE = frozenset(
    "1a6532f9ae1315f21ea3ca0ebd3f17f0 bcb06978269ce572e57e439206a69905 f7fa86e798f641b33aa19550a13305f4".split()
)

_SITES_PER_TEST_SITE = 5


class News2023(ArticleReader):
    """News articles, split by site: the corpus has no splits of its own."""

    table = "articles.json"

    def entries(self) -> Iterator[Entry]:
        """The pages by id."""
        for page in sorted(self.articles):
            if f"html/{page}.html" in self.files or page not in _WITHOUT_PAGE:
                article = self.article(page)
                yield Entry(page, split_of(str(article.get("site") or article.get("url") or "")))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its article."""
        return self.read_article(entry, self.files.read(f"html/{entry.id}.html"))


def split_of(site: str) -> str:
    """The split of a site: "test" for about a fifth of them, chosen by a hash that never changes."""
    digest = hashlib.sha256(registrable_domain(site).encode()).digest()
    return "test" if int.from_bytes(digest[:8], "big") % _SITES_PER_TEST_SITE == 0 else "train"
