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
# Lines, and words of each, at which a start is tried, or an end. Some are written otherwise: "5^2" for a raised 2.
_TRIES = 4
_WORDS_TRIED = 12
_FAR = 100_000  # characters between two texts


class ShownText:
    """The visible text of a page, in which texts are looked for in the order of the page."""

    def __init__(self, text: str) -> None:
        self._text = "\n".join([" ".join(line.split()) for line in _BORDERS.split(text)])
        self._place = 0

    def has(self, text: str) -> bool:
        """Is a text there, not far behind the one that was found last?"""
        place = self._text.find(text, self._place, self._place + _FAR)
        if place >= 0:
            self._place = place + len(text)
        return place >= 0


def text_fragment(text: str, shown: ShownText | None = None) -> str:
    """The fragment by which a browser finds a text, from `#` on; empty where it can find none.

    A short line is given as a whole; else the first and the last words, which must be on the page in this order. With
    the text of the page, only words that are `shown` there are taken.
    """
    lines = [line.split() for line in _BORDERS.split(text)]
    lines = [line for line in lines if any(map(str.isalnum, "".join(line)))]
    long = [line for line in lines if len(line) >= _ENOUGH_WORDS] or lines
    if not long:
        return ""
    whole = " ".join(long[0])
    if len(long) == 1 and len(whole) <= _SHORT and (shown is None or shown.has(whole)):
        return f"#:~:text={_encoded(whole)}"
    openings = (_opening(line[at:]) for line in long[:_TRIES] for at in _offsets(line))
    opening = next((each for each in openings if shown is None or shown.has(each)), None)
    if opening is None:
        return ""
    closings = (_closing(line[: len(line) - at]) for line in long[: -_TRIES - 1 : -1] for at in _offsets(line))
    closing = next((each for each in closings if shown is None or shown.has(each)), None)
    if closing is None or (len(long) == 1 and len(opening) + len(closing) >= len(whole)):
        return f"#:~:text={_encoded(opening)}"
    return f"#:~:text={_encoded(opening)},{_encoded(closing)}"


def _offsets(line: list[str]) -> range:
    """How many words may be left out at an edge of a line, so that enough stay."""
    return range(max(1, min(len(line) - _ENOUGH_WORDS + 1, _WORDS_TRIED)))


def cited(url: str | None, text: str, shown: ShownText | None = None) -> str | None:
    """The address of a text on a page; without a fragment where a browser can't find it, None without `url`."""
    if not url:
        return None
    fragment = text_fragment(text, shown)
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
