"""The sites of a corpus: pages that share templates."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from html import unescape

from tamis.document.addresses import registrable_domain
from tamis_lab.corpora.reader import CorpusPage

# Pages without an address name it themselves, or link to their own site most of all.
_OWN = (
    re.compile(rb"<link[^>]+rel=[\"']?canonical[\"']?[^>]*href=[\"'](https?://[^\"']+)", re.IGNORECASE),
    re.compile(rb"property=[\"']og:url[\"'][^>]*content=[\"'](https?://[^\"']+)", re.IGNORECASE),
)
_LINK = re.compile(rb"<a\s[^>]*href\s*=\s*[\"']?(https?://[^/\"'\s>]+)", re.IGNORECASE)


# The address that a page names as its own, whatever the order of the attributes.
_TAG = re.compile(rb"<(?:link|meta)\s[^>]*(?:canonical|og:url)[^>]*>", re.IGNORECASE)
_NAMED = re.compile(rb"""\b(?:rel|property|name)\s*=\s*["']?(canonical|og:url)(?=["'\s/>])""", re.IGNORECASE)
_ADDRESS = re.compile(rb"""\b(?:href|content)\s*=\s*["']?((?:https?:)?//[^"'\s>]+)""", re.IGNORECASE)


def own_address(html: bytes) -> str | None:
    """The address in a page's canonical link, else that of Open Graph; None without either."""
    found: dict[bytes, str] = {}
    for tag in _TAG.findall(html):
        if (name := _NAMED.search(tag)) and (address := _ADDRESS.search(tag)):
            text = unescape(address[1].decode("utf-8", "replace"))
            found.setdefault(name[1].lower(), f"https:{text}" if text.startswith("//") else text)
    return found.get(b"canonical") or found.get(b"og:url")


def site_of(page: CorpusPage) -> str:
    """The site of a page: its domain, for DAnIEL the host in its id; empty where nothing tells it."""
    if page.corpus == "daniel":  # DATE_HOST_DIGEST
        return page.id.partition("_")[2].rpartition("_")[0]
    if page.url:
        return registrable_domain(page.url)
    for pattern in _OWN:
        if own := pattern.search(page.html):
            return registrable_domain(own[1].decode("latin-1"))
    linked = Counter(registrable_domain(address.decode("latin-1")) for address in _LINK.findall(page.html))
    return linked.most_common(1)[0][0] if linked else ""


def by_site(pages: Iterable[CorpusPage], least: int) -> dict[str, list[CorpusPage]]:
    """The pages with a gold text of each site that has at least `least` of them."""
    found: dict[str, list[CorpusPage]] = defaultdict(list)
    for page in pages:
        if page.gold_text and (site := site_of(page)):
            found[site].append(page)
    return {site: pages for site, pages in found.items() if len(pages) >= least}
