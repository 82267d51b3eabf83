"""Addresses that point to a place in a page by its text: https://site.example/a#:~:text=first%20words,last%20words."""

from __future__ import annotations

import re
from urllib.parse import quote

# Browsers look for the start in one block, so it ends where a line, a cell or a run of spaces does.
_BORDERS = re.compile(r"[\n\t\r]|  +")
# Words of the start and the end. Browsers propose at least three.
_WORDS = 5
_ENOUGH_WORDS = 3  # of a line that a start or an end is taken from, if there is one
_SHORT = 80  # characters of a text that is given as a whole
# A text without spaces is cut at its punctuation, since browsers find whole words only; not near its edge.
_MARKS = re.compile(r"[。！？，、；：」』）…]")
_LEAST_UNSPACED = 8
_LONGEST = 300  # characters of a start or an end


def text_fragment(text: str) -> str:
    """The fragment by which a browser finds a text, from `#` on; empty for a text without letters and digits.

    A short line is given as a whole; else the first and the last words, which must be on the page in this order.
    """
    lines = [line.split() for line in _BORDERS.split(text)]
    lines = [line for line in lines if any(map(str.isalnum, "".join(line)))]
    if not lines:
        return ""
    long = [line for line in lines if len(line) >= _ENOUGH_WORDS] or lines
    whole = " ".join(long[0])
    if len(long) == 1 and len(whole) <= _SHORT:
        return f"#:~:text={_encoded(whole)}"
    opening, closing = _opening(long[0]), _closing(long[-1])
    if len(long) == 1 and len(opening) + len(closing) >= len(whole):
        return f"#:~:text={_encoded(opening)}"
    return f"#:~:text={_encoded(opening)},{_encoded(closing)}"


def cited(url: str | None, text: str) -> str | None:
    """The address of a text on a page; None if the page's address is unknown or the text has no words."""
    fragment = text_fragment(text)
    if not url or not fragment:
        return None
    return f"{url}{fragment[1:]}" if "#" in url else f"{url}{fragment}"


def _opening(words: list[str]) -> str:
    text = " ".join(words[:_WORDS])
    if len(text) > _SHORT and (mark := _MARKS.search(text, _LEAST_UNSPACED)):
        text = text[: mark.start()]
    return text[:_LONGEST]


def _closing(words: list[str]) -> str:
    text = " ".join(words[-_WORDS:])
    if len(text) > _SHORT:
        marks = [mark.end() for mark in _MARKS.finditer(text, 0, len(text) - _LEAST_UNSPACED)]
        text = text[marks[-1] :] if marks else text
    return text[-_LONGEST:]


def _encoded(text: str) -> str:
    """Percent-encoded; a hyphen too, since it would mark a word before or after the text."""
    return quote(text, safe="").replace("-", "%2D")
