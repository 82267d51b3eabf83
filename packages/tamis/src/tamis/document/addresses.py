"""Addresses of pages: the site that one belongs to, and what must not be shown of one."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

# Second-level names under which countries sell domains. The full public suffix list knows 9,000
# suffixes; this short form errs towards putting two sites together, which keeps folds honest.
_SECOND_LEVEL = frozenset("ac co com edu go gob gov gv ltd me mil ne net or org plc sch".split())


# Under these, each host is a site of its own.
_HOSTING = frozenset(
    "blogspot.com github.io livejournal.com medium.com substack.com tumblr.com typepad.com wordpress.com".split()
)


def site_of(url: str | None) -> str:
    """The site of a page: its registrable domain, with a hosting service the host; empty without an address."""
    domain = registrable_domain(url) if url else ""
    return _host(url) if url and domain in _HOSTING else domain


def registrable_domain(url: str) -> str:
    """The domain that somebody registered: news.example.co.uk belongs to example.co.uk.

    An IP address stands for itself; what is no URL gives an empty text.
    """
    host = _host(url)
    labels = host.split(".")
    if ":" in host or labels[-1].isdigit() or len(labels) < 3:
        return host
    long = len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return ".".join(labels[-3 if long else -2 :])


def _host(url: str) -> str:
    try:
        return (urlsplit(url if "://" in url else f"//{url}").hostname or "").rstrip(".")
    except ValueError:
        return ""


# What stands between the slashes and the last @ of the host's part. A password may hold an @ of its own.
_CREDENTIALS = re.compile(r"(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2,})[^/\\?#]*@")


def without_credentials(url: str) -> str:
    """The address without a user name and password; unchanged where it has none."""
    return _CREDENTIALS.sub(r"\1", url, count=1) if _CREDENTIALS.match(url) else url
