"""Metadata that a reader sees: the first heading, bylines, dates, tag links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from tamis.deadline import checked
from tamis.document import Document, parse
from tamis.document.titles import fold, title_parts

_BYLINES = (
    '[rel~="author"], [itemprop~="author"], .author.vcard, .byline .author, .author-name, .byline-name, '
    ".p-author, .entry-author, .post-author, .byline"
)
_BY = re.compile(r"^(?:(?:written |posted |text )?by|text|texte|текст|โดย)(?:\b|(?=\s)):?\s*", re.IGNORECASE)
_LONGEST_BYLINE = 60  # characters; more is a sentence about somebody

# A page that repeats its TITLE does so in one of the first headings.
_MOST_HEADINGS = 50
_MOST_PARTS = 20
# Longer texts, and more of them, are no headlines, names or tags. Elements that nest repeat their text.
_LONGEST_TEXT, _MOST_CHARACTERS = 10_000, 4_000_000


class Visible:
    """The visible text and the TITLE. Each field is looked for when it is asked."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def get(self, field: str) -> object:
        """The value of a field."""
        if field == "title":
            return self._title
        if field == "author":
            name = next(self._texts(_BYLINES), "")
            return _BY.sub("", name) if len(name) < _LONGEST_BYLINE else None
        if field == "date":
            depth = int(self._document.elements.depth.max(initial=0))
            return parse.visible_date(self._document.tree, self._document.html, depth)
        if field == "site_name":
            return self._site_name
        return list(self._texts('a[rel~="tag"]')) if field == "tags" else None

    @cached_property
    def _title(self) -> str | None:
        title = self._document.title[:_LONGEST_TEXT]
        headings = [(fold(heading), heading) for heading in islice(self._texts("h1, h2, h3"), _MOST_HEADINGS)]
        parts = [(fold(part), part) for part in title_parts(title)[:_MOST_PARTS]]
        matches = [
            (min(len(part), len(heading)), heading if _holds(folded, folded_part) else part)
            for folded, heading in headings
            for folded_part, part in parts
            if _holds(folded, folded_part) or _holds(folded_part, folded)
        ]
        if matches:
            # The site's name may be a heading too; the headline is the longer one.
            return max(matches, key=lambda match: match[0])[1]
        # No heading repeats the TITLE: the longest part is rarely the site's name.
        return max(title_parts(title), key=len, default=None) or next(self._texts("h1"), None)

    @property
    def _site_name(self) -> str | None:
        """The last part of the TITLE that is not the title of the content."""
        parts = title_parts(self._document.title[:_LONGEST_TEXT])
        title = fold(str(self._title))
        others = [part for part in parts if fold(part) not in title and title not in fold(part)]
        return others[-1] if others and len(others) < len(parts) else None

    def _texts(self, selector: str) -> Iterator[str]:
        left = _MOST_CHARACTERS
        for node in checked(parse.select(self._document.tree, selector)):
            text = node.text
            left -= len(text)
            if left < 0:
                return
            if len(text) <= _LONGEST_TEXT and (folded := " ".join(text.split())):
                yield folded


def _holds(text: str, part: str) -> bool:
    """Does `text` have the words of `part` in their order? Both are folded."""
    return bool(part) and f" {part} " in f" {text} "
