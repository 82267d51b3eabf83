"""What the tests of sources share."""

from __future__ import annotations

import json
from collections.abc import Callable

from tamis.document import Document
from tamis.document.dates import Moment
from tamis.metadata.view import Candidate, MetadataSource, View

URL = "https://oven.example/news/bread.html"


def script(data: object) -> str:
    """JSON-LD as it stands in a page; text is taken as it is."""
    return f'<script type="application/ld+json">{data if isinstance(data, str) else json.dumps(data)}</script>'


def view(html: str, *, url: str | None = URL) -> View:
    """A page without labels."""
    return View(Document.from_html(html, url=url))


def found(source: Callable[[View], MetadataSource], html: str, field: str) -> list[tuple[object, str]]:
    """The candidates of a field: plain values and places."""
    return [(plain(each), each.place) for each in source(view(html)).candidates(field)]


def plain(candidate: Candidate) -> object:
    value = candidate.value
    return value.iso if isinstance(value, Moment) else value
