"""Which site a page of a corpus is from."""

from __future__ import annotations

import pytest

from tamis.document.domains import site_of as site_of_url
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.corpora.sites import by_site, own_address, site_of


def page(html: str = "", *, corpus: str = "dragnet", id: str = "1", url: str | None = None) -> CorpusPage:
    return CorpusPage(corpus, id, html.encode(), "all", gold_text="gold", url=url)


@pytest.mark.parametrize(
    ("given", "site"),
    [
        (page(corpus="daniel", id="20120106_www.small_town.example_02a"), "www.small_town.example"),
        (page(corpus="daniel", id="1"), ""),
        (page(url="https://news.example.co.uk/1"), "example.co.uk"),
        (page('<link rel="canonical" href="http://www.harbour.example/1">'), "harbour.example"),
        (page('<meta property="og:url" content="https://harbour.example/1">'), "harbour.example"),
        (
            page("<a href=http://a.example/>a</a><a href='http://b.example/1'>b</a><a href=http://www.b.example>"),
            "b.example",
        ),
        (page("<p>nothing</p>"), ""),
    ],
)
def test_a_site_is_told_by_id_address_or_links(given: CorpusPage, site: str) -> None:
    assert site_of(given) == site


def test_sites_with_enough_pages_are_kept() -> None:
    pages = [page(id=str(number), url=f"https://{site}.example/") for number, site in enumerate("aba", 1)]
    assert {site: [each.id for each in found] for site, found in by_site(pages, 2).items()} == {"a.example": ["1", "3"]}


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://news.example.org/a", "example.org"),
        ("https://mine.wordpress.com/a", "mine.wordpress.com"),
        ("https://wordpress.com/a", "wordpress.com"),
        ("http://192.168.0.1/", "192.168.0.1"),
        (None, ""),
        ("no address", "no address"),
    ],
)
def test_the_site_of_an_address(url: str | None, site: str) -> None:
    assert site_of_url(url) == site


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ('<link rel="canonical" href="https://a.example/1?a=1&amp;b=2">', "https://a.example/1?a=1&b=2"),
        ("<link href='//a.example/1' rel='canonical'/>", "https://a.example/1"),
        ("<LINK REL=canonical HREF=http://a.example/1>", "http://a.example/1"),
        ('<meta content="https://a.example/2" property="og:url">', "https://a.example/2"),
        (
            '<meta property="og:url" content="https://a.example/2"><link rel=canonical href="https://a.example/1">',
            "https://a.example/1",
        ),
        ('<link rel="canonical" href="/1">', None),
        ('<link rel="next" href="https://a.example/canonical">', None),
        ("", None),
    ],
)
def test_the_address_that_a_page_names_as_its_own(html: str, address: str | None) -> None:
    assert own_address(html.encode()) == address
