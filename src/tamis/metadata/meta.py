"""Metadata in the head of a page: Open Graph properties, META and LINK elements, the language of the root."""

from __future__ import annotations

from tamis.document import Document, parse
from tamis.metadata.values import names

_OPEN_GRAPH = {
    "title": ("title",),
    "site_name": ("site_name",),
    "description": ("description",),
    "language": ("locale",),
    "canonical_url": ("url",),
    "image": ("image", "image:url"),
}
_NAMES = {
    "title": ("citation_title", "dc.title", "dcterms.title", "twitter:title", "parsely-title"),
    "author": ("dc.creator", "dcterms.creator", "article:author", "parsely-author"),
    "date": (
        "article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "dc.date.issued",
        "citation_publication_date", "citation_date", "pubdate", "publishdate", "publish-date", "parsely-pub-date",
    ),
    "site_name": ("application-name", "apple-mobile-web-app-title", "dc.publisher"),
    "description": ("description", "dc.description", "twitter:description"),
    "language": ("content-language", "dc.language"),
    "image": ("twitter:image", "twitter:image:src"),
    "tags": ("keywords", "news_keywords", "parsely-tags"),
}  # fmt: skip
_KEY_ATTRIBUTES = ("name", "property", "itemprop", "http-equiv")  # each may hold the name of a META element


class OpenGraph:
    """The og: properties."""

    def __init__(self, document: Document) -> None:
        self._properties = parse.opengraph(document.tree)

    def get(self, field: str) -> object:
        """The value of a field."""
        return next((value for key in _OPEN_GRAPH.get(field, ()) if (value := self._properties.get(key))), None)


class Meta:
    """META and LINK elements."""

    def __init__(self, document: Document) -> None:
        self._values: dict[str, list[str]] = {}
        self._links: dict[str, str] = {}
        self._root_language = parse.root_attribute(document.tree, "lang")
        for node in parse.select(document.tree, "meta, link"):
            if node.tag == "meta":
                key = next((key for name in _KEY_ATTRIBUTES if (key := node.attr(name))), "")
                self._values.setdefault(key.strip().lower(), []).append(node.attr("content") or "")
            else:
                for rel in (node.attr("rel") or "").lower().split():
                    self._links.setdefault(rel, node.attr("href") or "")

    def get(self, field: str) -> object:
        """The value of a field."""
        names_of = self._values.get
        first = next((value for key in _NAMES.get(field, ()) for value in names_of(key, []) if value.strip()), None)
        if field == "author":
            authors = [*names_of("citation_author", []), *names_of("author", [])] or [first or ""]
            return names([name for name in authors if "://" not in name])
        if field == "language":
            return self._root_language or first
        if field == "canonical_url":
            return self._links.get("canonical")
        if field == "image":
            return first or self._links.get("image_src")
        return names_of("article:tag") or first if field == "tags" else first
