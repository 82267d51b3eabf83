"""Corpora with JSON records of their pages: WCXB, news-2023, Scrapinghub, trafilatura, Readability, fundus."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tamis.cached import cached_property
from tamis.document import Document
from tamis.document.addresses import registrable_domain
from tamis.labels import Labels
from tamis.render.text import to_text
from tamis_lab.corpora.reader import CorpusEntry, CorpusPage, Reader, language_of, text_or_none
from tamis_lab.corpora.sites import own_address
from tamis_lab.gold import BADLY_PLACED
from tamis_lab.metrics import tokens


class ArticleReader(Reader):
    """A JSON table of articles by page id, each with an `articleBody`."""

    table: str

    def article(self, page: str) -> dict[str, object]:
        """The article of a page."""
        return self.fields(self.articles[page], self.table)

    def read_article(self, entry: CorpusEntry, html: bytes) -> CorpusPage:
        """A page and its article."""
        article = self.article(entry.id)
        body = article.get("articleBody")
        if not isinstance(body, str):
            raise self.files.broken(self.table, "an entry has no gold text")
        page = replace(self.page(entry, html, body), url=text_or_none(article.get("url")), page_type="article")
        return with_metadata(page, article, author="authors")

    @cached_property
    def articles(self) -> dict[str, object]:
        """The whole table."""
        return self.files.table(self.table)


def with_metadata(
    page: CorpusPage, record: Mapping[str, object], *, author: str = "author", date: str = "date"
) -> CorpusPage:
    """The page with the metadata and the snippets of a record; `author` and `date` are the names of these fields."""
    return replace(
        page,
        title=text_or_none(record.get("title")),
        author=text_or_none(record.get(author)),
        date=text_or_none(record.get(date)),
        wanted=tuple(_texts_that_are_not_blank(record.get("with"))),
        unwanted=tuple(_texts_that_are_not_blank(record.get("without"))),
    )


def _texts_that_are_not_blank(value: object) -> list[str]:
    """The texts of a list that are not blank."""
    return [text for item in value if (text := text_or_none(item))] if isinstance(value, list) else []


# Three articles of the table were published without their page.
_WITHOUT_PAGE = frozenset(
    "1a6532f9ae1315f21ea3ca0ebd3f17f0 bcb06978269ce572e57e439206a69905 f7fa86e798f641b33aa19550a13305f4".split()
)

_SITES_PER_TEST_SITE = 5


class News2023(ArticleReader):
    """article-extraction-dataset, the evaluation set of newspaper4k: articles.json, html/ID.html.

    News articles, split by site: the corpus has no splits of its own.
    """

    table = "articles.json"

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages by id."""
        for page in sorted(self.articles):
            if f"html/{page}.html" in self.files or page not in _WITHOUT_PAGE:
                article = self.article(page)
                yield CorpusEntry(page, split_of(str(article.get("site") or article.get("url") or "")))

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its article."""
        return self.read_article(entry, self.files.read(f"html/{entry.id}.html"))


def split_of(site: str) -> str:
    """The split of a site: "test" for about a fifth of them, chosen by a hash that never changes."""
    digest = hashlib.sha256(registrable_domain(site).encode()).digest()
    return "test" if int.from_bytes(digest[:8], "big") % _SITES_PER_TEST_SITE == 0 else "train"


class Scrapinghub(ArticleReader):
    """Scrapinghub's article extraction benchmark: ground-truth.json, html/ID.html.gz."""

    table = "ground-truth.json"

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages by id."""
        return (CorpusEntry(page, "all") for page in sorted(self.articles))

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its article."""
        return self.read_article(entry, self.files.unzip(f"html/{entry.id}.html.gz"))


class Trafilatura(Reader):
    """Trafilatura's evaluation: JSON tables of URL to {file, with, without}; pages in cache/ or eval/.

    Snippets that an extractor should find or leave out; there is no full gold text. The id of a page is its file name.
    """

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages by file name."""
        return (CorpusEntry(page, "all") for page in sorted(self._records_by_page))

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its snippets."""
        url, record = self._records_by_page[entry.id]
        page = self.page(entry, self.first_of(f"cache/{entry.id}", f"eval/{entry.id}"))
        return replace(with_metadata(page, record), url=url)

    @cached_property
    def _records_by_page(self) -> dict[str, tuple[str, dict[str, object]]]:
        records = {}
        for name in self.files.below("", ".json"):
            for url, value in self.files.table(name).items():
                record = self.fields(value, name)
                page = text_or_none(record.get("file"))
                if page is None:
                    raise self.files.broken(name, "an entry has no file")
                records[page] = url, record
        return records


class Readability(Reader):
    """Mozilla Readability's tests: test-pages/NAME/{source.html, expected.html, expected-metadata.json}.

    The gold of these real pages is the output of Readability itself.
    """

    folder, suffix, deep = "test-pages/", "/expected.html", True

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page, the expected markup as text, and the expected metadata."""
        folder = f"{self.folder}{entry.id}"
        metadata = self.files.table(f"{folder}/expected-metadata.json")
        page = self.page(
            entry, self.files.read(f"{folder}/source.html"), _shown_text(self.files.read(folder + self.suffix))
        )
        language = text_or_none(metadata.get("lang"))
        return replace(with_metadata(page, metadata, author="byline", date="publishedTime"), language=language)


def _shown_text(html: bytes) -> str:
    document = Document.from_html(html)
    keep = document.leaves.visible
    return to_text(document, Labels(keep.astype(np.float64), keep))


class Wcxb(Reader):
    """WCXB, modern pages of seven types: {dev,test}/html/ID.html.gz, {dev,test}/ground-truth/ID.json.

    Two of the development pages have no gold text.
    """

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages by number, dev before test."""
        for split in self.info.splits:
            yield from self.entries_in(f"{split}/ground-truth", ".json", split)

    def page_type(self, entry: CorpusEntry) -> str | None:
        """The type by the JSON record alone."""
        return _page_type(self.files.table(_record_name(entry)))

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its JSON record."""
        name = _record_name(entry)
        record = self.files.table(name)
        truth = self.fields(record.get("ground_truth"), name)
        content = truth.get("main_content")
        # Empty content means that the page has none; a missing field means unknown.
        gold_text = content if isinstance(content, str) else None
        page = self.page(entry, self.files.unzip(f"{entry.split}/html/{entry.id}.html.gz"), gold_text)
        return replace(
            with_metadata(page, truth, date="publish_date"),
            url=text_or_none(record.get("url")) or text_or_none(truth.get("url")),
            page_type=_page_type(record),
        )


def _record_name(entry: CorpusEntry) -> str:
    return f"{entry.split}/ground-truth/{entry.id}.json"


def _page_type(record: dict[str, object]) -> str | None:
    internal = record.get("_internal")
    kind = internal.get("page_type") if isinstance(internal, dict) else None
    return text_or_none(kind.get("primary")) if isinstance(kind, dict) else None


_DATE = re.compile(r"_(\d{4})_\d\d_\d\d$")
_LANGUAGE = re.compile(rb"<html\b[^>]*?\slang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)


class _ParsedArticle(NamedTuple):
    """What one version of a publisher's parser found."""

    text: str
    fields: dict[str, object]


class Press2026(Reader):
    """The test pages of fundus: COUNTRY/PUBLISHER_DATE.html.gz, COUNTRY/PUBLISHER.json (one article a parser version).

    A table does not say which of a publisher's pages an article is of: a page takes the article of which it has the
    most words. About a third of the articles were taken from another state of their page; those pages have no gold.
    """

    suffix, deep = ".html.gz", True

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and the article that is most of all on it."""
        html = self.files.unzip(entry.id + self.suffix)
        publisher = _publisher_of_page(entry.id)
        articles = self._parsed_articles(f"{publisher}.json")
        on_page = Counter(tokens("\n".join(Document.from_html(html).leaves.text)))
        shares = [_share_on_page(article.text, on_page) for article in articles]
        best = max(range(len(articles)), key=shares.__getitem__)
        date, language = _DATE.search(entry.id), _LANGUAGE.search(html)
        # An address that tells publishers apart where no page of theirs has one.
        placeholder = f"https://{publisher.rpartition('/')[2].lower()}.invalid/"
        page = replace(
            self.page(entry, html),
            url=own_address(html) or self._addresses_by_publisher.get(publisher) or placeholder,
            page_type="article",
            language=language_of(language[1].decode("ascii", "replace")) if language else None,
            year=int(date[1]) if date else None,
        )
        if shares[best] < BADLY_PLACED:
            return page
        fields = articles[best].fields
        return replace(
            page,
            gold_text=articles[best].text,
            title=text_or_none(fields.get("title")),
            author=", ".join(_texts_that_are_not_blank(fields.get("authors"))) or None,
            date=text_or_none(fields.get("publishing_date")),
        )

    @cached_property
    def _addresses_by_publisher(self) -> dict[str, str]:
        """The address of a page of each publisher of which one names its own."""
        found: dict[str, str] = {}
        for entry in self.entries():
            if address := own_address(self.files.unzip(entry.id + self.suffix)):
                found.setdefault(_publisher_of_page(entry.id), address)
        return found

    def _parsed_articles(self, name: str) -> list[_ParsedArticle]:
        articles = []
        for version in self.files.table(name).values():
            fields = self.fields(version, name)
            body = self.fields(fields.get("body"), name)
            lines = _texts_that_are_not_blank(body.get("summary"))
            sections = body.get("sections")
            for section in sections if isinstance(sections, list) else []:
                lines += _texts_that_are_not_blank(self.fields(section, name).get("headline"))
                lines += _texts_that_are_not_blank(section.get("paragraphs"))
            articles.append(_ParsedArticle("\n".join(lines).replace("\r", ""), fields))
        if not articles:
            raise self.files.broken(name, "it has no article")
        return articles


def _publisher_of_page(page: str) -> str:
    return _DATE.sub("", page)


def _share_on_page(gold_text: str, on_page: Counter[str]) -> float:
    """The share of the gold's words that the page has, each as often."""
    gold = Counter(tokens(gold_text))
    return (gold & on_page).total() / max(1, gold.total())
