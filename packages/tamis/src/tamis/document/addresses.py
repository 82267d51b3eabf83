"""The site that an address belongs to, and addresses without credentials."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

# Second-level names under which countries sell domains. The public suffix list knows 9,000 suffixes;
# docs/dependencies.md says why this short form is enough.
_SECOND_LEVEL = frozenset("ac co com edu go gob gouv gov govt gv ltd me mil ne net nom or org plc sch".split())
# Under these, each host is a site of its own.
_HOSTING = frozenset(
    "blogspot.com github.io livejournal.com medium.com substack.com tumblr.com typepad.com wordpress.com".split()
)


def site_of(url: str | None) -> str:
    """The site of a page: its registrable domain, or the host at a hosting service; empty without an address."""
    domain = registrable_domain(url) if url else ""
    return _host(url) if url and domain in _HOSTING else domain


def registrable_domain(url: str) -> str:
    """The registered domain of an address or host: news.example.co.uk belongs to example.co.uk.

    An IP address stays as it is; an invalid URL gives an empty text.
    """
    host = _host(url)
    labels = host.split(".")
    if is_ip(host) or len(labels) < 3:
        return host
    long = len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return ".".join(labels[-3 if long else -2 :])


def is_ip(host: str) -> bool:
    """Is a host an IP address?"""
    return ":" in host or host.rpartition(".")[2].isdigit()


def _host(url: str) -> str:
    try:
        return (urlsplit(url if "://" in url else f"//{url}").hostname or "").rstrip(".")
    except ValueError:
        return ""


# Everything between the slashes and the last @ before the path. A password may contain an @.
_CREDENTIALS = re.compile(r"(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2,})[^/\\?#]*@")


def without_credentials(url: str) -> str:
    """The address without a user name and password; unchanged where it has none."""
    return _CREDENTIALS.sub(r"\1", url, count=1) if _CREDENTIALS.match(url) else url
