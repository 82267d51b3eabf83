"""Metadata in linked data (JSON-LD)."""

from __future__ import annotations

import re
from html import unescape

from tamis.document import Document
from tamis.document.linked_data import Thing
from tamis.metadata.values import names

# Types that describe the content of a page; the others (WebSite, Organization, BreadcrumbList, Person) describe what
# stands around it.
CONTENT_TYPE = re.compile(
    r"(Article|BlogPosting|Posting|Recipe|Product|HowTo|QAPage|Question|Review|Event|JobPosting|Movie|Book"
    r"|Dataset|SoftwareApplication|Course|Report|ScholarlyArticle|VideoObject|ImageGallery|CollectionPage"
    r"|SearchResultsPage|ItemPage|AboutPage|FAQPage|WebPage)$"
)

# What schema.org calls the fields, in linked data and in microdata.
KEYS = {
    "title": ("headline", "name"),
    "author": ("author", "creator"),
    "date": ("datePublished", "dateCreated", "uploadDate", "datePosted"),
    "description": ("description",),
    "image": ("image",),
}
_VAGUE_TYPE = re.compile(r"(WebPage|CollectionPage|ItemPage|SearchResultsPage|AboutPage|FAQPage)$")
_KEYS = KEYS | {"language": ("inLanguage",), "image": ("image", "thumbnailUrl"), "tags": ("keywords",)}


class LinkedDataSource:
    """The things that the page is about, the most telling types first."""

    def __init__(self, document: Document) -> None:
        things = sorted(document.linked_data.things, key=lambda thing: thing.level)  # outer ones first
        described = (thing.fields for thing in things if "@id" in thing.fields and len(thing.fields) > 1)
        self._by_id = {str(fields["@id"]): fields for fields in described}
        about = [thing for thing in things if thing.is_about_page and _content_type(thing)]
        if sum(_is_question(thing) for thing in about) > 1:  # a list of them at the end of a page about something else
            about = [thing for thing in about if not _is_question(thing)]
        self._things = [thing.fields for thing in sorted(about, key=_rank)]

    def get(self, field: str) -> object:
        """The value of a field, from the first thing that has it."""
        if field == "site_name":
            return names(self._first("publisher")) or names(self._first("isPartOf"))
        value = self._first(*_KEYS.get(field, ()))
        if field == "author":
            return names(value)
        if field == "image":
            while isinstance(value, list | dict) and value:
                value = value[0] if isinstance(value, list) else value.get("url") or value.get("contentUrl")
        return value

    def _first(self, *keys: str) -> object:
        values = (value for thing in self._things for key in keys if (value := thing.get(key)))
        value = self._resolved(next(values, None))
        return unescape(value) if isinstance(value, str) else value

    def _resolved(self, value: object) -> object:
        """A reference such as {"@id": "#author"} stands for the thing of that id."""
        if isinstance(value, list):
            return [self._resolved(each) for each in value]
        if isinstance(value, dict) and len(value) == 1 and "@id" in value:
            return self._by_id.get(str(value["@id"]))
        return value


def _content_type(thing: Thing) -> str | None:
    return next(filter(CONTENT_TYPE.search, thing.types), None)


def _is_question(thing: Thing) -> bool:
    return _content_type(thing) == "Question"


def _rank(thing: Thing) -> int:
    """How well the type tells what the page is about: articles best, pages as such least."""
    kind = _content_type(thing) or ""
    if kind.endswith(("Article", "Posting", "Report")):
        return 0
    return 3 if _VAGUE_TYPE.search(kind) else 2 if kind == "VideoObject" else 1
