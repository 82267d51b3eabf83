"""What the head of a page declares beside Open Graph: names of META, LINK, the language of the root."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tamis.document import parse
from tamis.metadata.candidate import Candidate
from tamis.metadata.head import values
from tamis.metadata.head.named import Named, addresses, usable
from tamis.metadata.view import View

_SOURCE = "meta"
_LINKS = {"canonical_url": ("canonical",), "image": ("image_src", "thumbnail"), "license": ("license", "licence")}
# The fields of the object that parsely-page holds.
_PARSELY = {
    "title": "title",
    "authors": "authors",
    "date": "pub_date",
    "section": "section",
    "tags": "tags",
    "canonical_url": "link",
    "image": "image_url",
}
_LONGEST_OBJECT = 20_000


class Meta:
    """META elements by name, LINK elements, and the language of the root."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._named = Named(view, _SOURCE)

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field, the most telling places first."""
        for relation in _LINKS.get(field, ()):
            for address in addresses(self._view.head.links.get(relation, []), self._view):
                value = (values.licence(address) or address) if field == "license" else address
                yield Candidate(value, _SOURCE, f"rel={_LINKS[field][0]}")
        if field == "language":
            yield from self._root_language()
        yield from self._named.candidates(field)
        if "parsely-page" in self._view.head.meta:
            yield from self._parsely(field)

    def _root_language(self) -> Iterator[Candidate]:
        for name in ("lang", "xml:lang"):
            if found := values.language(parse.root_attribute(self._view.document.tree, name)):
                yield Candidate(found, _SOURCE, "html lang")
                return

    def _parsely(self, field: str) -> Iterator[Candidate]:
        """What the object in parsely-page says, as older pages have it."""
        try:
            given = json.loads(self._view.head.meta["parsely-page"][0][:_LONGEST_OBJECT])
        except (ValueError, RecursionError):
            return
        value = given.get(_PARSELY.get(field)) if isinstance(given, dict) else None
        if field == "authors" and isinstance(given, dict):
            value = value or given.get("author")
        contents = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]
        if contents:
            for found in usable(field, contents, self._view):
                yield Candidate(found, _SOURCE, "parsely-page")
