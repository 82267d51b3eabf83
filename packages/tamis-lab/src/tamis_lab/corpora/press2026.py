"""The test pages of fundus: COUNTRY/PUBLISHER_DATE.html.gz, COUNTRY/PUBLISHER.json (one article a parser version)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from tamis.cached import cached_property
from tamis.document import Document
from tamis_lab.align import BADLY_PLACED
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, language_of, text_or_none
from tamis_lab.corpora.sites import own_address
from tamis_lab.metrics import tokens

_SUFFIX = ".html.gz"
_DATE = re.compile(r"_(\d{4})_\d\d_\d\d$")
_LANGUAGE = re.compile(rb"<html\b[^>]*?\slang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)


class _Article(NamedTuple):
    """What one version of a publisher's parser found."""

    text: str
    fields: dict[str, object]


class Press2026(Reader):
    """News of forty countries; ids are COUNTRY/PUBLISHER_DATE.

    A table does not say which of a publisher's pages an article is of: a page takes the article of which it has the
    most words. About a third of the articles were taken from another state of their page; those pages have no gold.
    """

    def entries(self) -> Iterator[Entry]:
        """The pages by country and name."""
        return (Entry(name.removesuffix(_SUFFIX), "all") for name in self.files.names if name.endswith(_SUFFIX))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and the article that is most of all on it."""
        html = self.files.unzip(entry.id + _SUFFIX)
        articles = self._articles(f"{_publisher(entry.id)}.json")
        on_page = Counter(tokens("\n".join(Document.from_html(html).leaves.text)))
        shares = [_share(article.text, on_page) for article in articles]
        best = max(range(len(articles)), key=shares.__getitem__)
        date, language = _DATE.search(entry.id), _LANGUAGE.search(html)
        page = replace(
            self.page(entry, html),
            url=own_address(html) or self._addresses.get(_publisher(entry.id)) or _made_up(entry.id),
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
            author=", ".join(_strings(fields.get("authors"))) or None,
            date=text_or_none(fields.get("publishing_date")),
        )

    @cached_property
    def _addresses(self) -> dict[str, str]:
        """The address of a page of each publisher of which one names its own."""
        found: dict[str, str] = {}
        for entry in self.entries():
            if address := own_address(self.files.unzip(entry.id + _SUFFIX)):
                found.setdefault(_publisher(entry.id), address)
        return found

    def _articles(self, name: str) -> list[_Article]:
        articles = []
        for version in self.files.table(name).values():
            fields = self.fields(version, name)
            body = self.fields(fields.get("body"), name)
            lines = _strings(body.get("summary"))
            sections = body.get("sections")
            for section in sections if isinstance(sections, list) else []:
                lines += _strings(self.fields(section, name).get("headline"))
                lines += _strings(section.get("paragraphs"))
            articles.append(_Article("\n".join(lines).replace("\r", ""), fields))
        if not articles:
            raise self.files.broken(name, "it has no article")
        return articles


def _publisher(page: str) -> str:
    return _DATE.sub("", page)


def _made_up(page: str) -> str:
    """An address that tells publishers apart where no page of theirs has one."""
    return f"https://{_publisher(page).rpartition('/')[2].lower()}.invalid/"


def _strings(value: object) -> list[str]:
    return [text for item in value if (text := text_or_none(item))] if isinstance(value, list) else []


def _share(gold_text: str, on_page: Counter[str]) -> float:
    """The share of the gold's words that the page has, each as often."""
    gold = Counter(tokens(gold_text))
    return (gold & on_page).total() / max(1, gold.total())
