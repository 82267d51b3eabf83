from __future__ import annotations

import pytest

from tamis.document.addresses import site_of, without_credentials


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://me:secret@oven.example/a@b?c@d#e@f", "https://oven.example/a@b?c@d#e@f"),
        ("https://me:se@cret@oven.example", "https://oven.example"),
        ("https://me@oven.example:80?a", "https://oven.example:80?a"),
        ("//me:secret@oven.example/", "//oven.example/"),
        (" HTTPS:\\\\me:secret@oven.example/", " HTTPS:\\\\oven.example/"),
        ("https:///me:secret@oven.example/", "https:///oven.example/"),
    ],
)
def test_a_name_and_a_password_are_removed(url: str, expected: str) -> None:
    assert without_credentials(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://oven.example/@baker",
        "https://oven.example/?to=//a@b",
        "mailto:a@b",
        "a@b",
        "/a//b@c",
        "data:,//a@b",
        "",
        "https://[",
        "/" * 100_000,
        " " * 100_000,
        "//" + "a" * 100_000,
    ],
)
def test_other_addresses_stay(url: str) -> None:
    assert without_credentials(url) == url


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://news.example.org/a", "example.org"),
        ("https://news.example.co.uk/a", "example.co.uk"),
        ("https://mine.wordpress.com/a", "mine.wordpress.com"),
        ("https://wordpress.com/a", "wordpress.com"),
        ("http://192.168.0.1/", "192.168.0.1"),
        ("http://[::1]/", "::1"),
        (None, ""),
        ("no address", "no address"),
    ],
)
def test_the_site_of_an_address(url: str | None, site: str) -> None:
    assert site_of(url) == site
