"""What the address of a page tells."""

from __future__ import annotations

import pytest

from tamis.document import Document
from tamis.metadata.address import Address
from tamis.metadata.view import View

CANONICAL = "<link rel=canonical href=https://example.com/2021/05/03/river>"


def found(url: str | None, field: str, html: str = "<p>Text") -> list[tuple[str, str]]:
    given = Address(View(Document.from_html(html, url=url))).candidates(field)
    return [(each.value if isinstance(each.value, str) else each.value.iso, each.place) for each in given]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "path",
    [
        "/2021/05/03/river", "/2021/5/3/", "/news/2021-05-03-river.html", "/news/20210503/river", "/2021/0503/a.html",
        "/2021/may/03/river", "/river-03-05-2021", "/a/river_20210503.html", "/news?id=7&date=2021-05-03",
        "/2021%2F05%2F03/river", "/may-3-2021",
    ],
)  # fmt: skip
def test_days(path: str) -> None:
    assert found(f"https://example.com{path}", "date") == [("2021-05-03", "day")]


@pytest.mark.parametrize("path", ["/2021/05/river", "/archive/2021-05/", "/2021/may/river"])
def test_months(path: str) -> None:
    assert found(f"https://example.com{path}", "date") == [("2021-05", "month")]


@pytest.mark.parametrize(
    "path",
    ["/", "/2021", "/2021/13/river", "/2021/02/30x", "/id/20219999", "/river-2021", "/1234567890", "/best-10-of-2021"],
)
def test_no_dates(path: str) -> None:
    assert [place for _, place in found(f"https://example.com{path}", "date") if place == "day"] == []


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("/politics/2021/05/03/river", "politics"),
        ("/en/news/world-news/river", "world news"),
        ("/blog/river", None),
        ("/river", None),
        ("/2021/05/river", None),
        ("/wirtschaft/river.html", "wirtschaft"),
    ],
)
def test_sections(path: str, section: str | None) -> None:
    assert found(f"https://example.com{path}", "section") == ([(section, "path")] if section else [])


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.example.com/a", "example.com"),
        ("https://news.example.co.uk/a", "example.co.uk"),
        ("https://a.b.example.de/a", "example.de"),
        ("http://127.0.0.1/a", None),
        ("http://localhost/a", None),
        ("https://[::1]/", None),
        ("https://[bad/", None),
        (None, None),
    ],
)
def test_site(url: str | None, name: str | None) -> None:
    assert found(url, "site_name") == ([(name, "host")] if name else [])
