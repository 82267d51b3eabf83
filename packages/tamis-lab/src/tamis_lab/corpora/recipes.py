"""The test pages of recipe-scrapers: SITE/NAME.testhtml, SITE/NAME.json."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress

from tamis.document import Document
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, language_of, text_or_none
from tamis_lab.metrics import tokens

LINE, UNKNOWN = "line", "unknown"

_SUFFIX = ".testhtml"

# A line with fewer words than this ("Salt") counts only where another line is at most so many words away.
_SHORT, _NEAR = 3, 80

# Pages with less of their lines were saved without the recipe, or say it otherwise.
_LEAST_FOUND = 0.5

# A leaf belongs to a line when at least this share of its words does, as in tamis_lab.align.
_SHARE = 0.5


class Recipes(Reader):
    """Recipes with their ingredients and steps; ids are SITE/NAME. Of the rest of a page nothing is known."""

    def entries(self) -> Iterator[Entry]:
        """The pages by site and name."""
        return (Entry(name.removesuffix(_SUFFIX), "all") for name in self.files.names if name.endswith(_SUFFIX))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and find the lines of its recipe on it. A page without most of them has no gold."""
        html = self.files.read(entry.id + _SUFFIX)
        record = self.files.table(f"{entry.id}.json")
        lines = [*_lines(record.get("ingredients")), *_lines(record.get("instructions_list"))]
        found = FoundLines(Document.from_html(html), lines)
        page = replace(
            self.page(entry, html),
            url=text_or_none(record.get("canonical_url")) or f"https://{entry.id.partition('/')[0]}/",
            page_type="article",
            language=language_of(record.get("language")),
            title=text_or_none(record.get("title")),
            author=text_or_none(record.get("author")),
        )
        if not lines or sum(found.lines) < _LEAST_FOUND * len(lines):
            return page
        there = tuple(compress(lines, found.lines))
        return replace(
            page,
            gold_text="\n".join(there),
            lines=there,
            leaf_labels=found.labels,
            content_labels=frozenset({LINE}),
            unclear_labels=frozenset({UNKNOWN}),
        )


class FoundLines:
    """Where lines are on a page, word for word. Words may be divided otherwise: "1½" is "1 ½", "100g" is "100 g"."""

    def __init__(self, document: Document, lines: Sequence[str]) -> None:
        leaves = document.leaves
        shown = (leaves.visible | leaves.folded) & ~leaves.is_media
        self._owner: list[int] = []  # the leaf of each word
        self._starts: list[int] = []  # where each word starts in the text of all, and at the end how long that is
        at = 0
        parts: list[str] = []
        for leaf in shown.nonzero()[0].tolist():
            for word in _words(leaves.text[leaf]):
                self._owner.append(leaf)
                self._starts.append(at)
                parts.append(word)
                at += len(word)
        self._starts.append(at)
        self._text = "".join(parts)
        self._at_start = set(self._starts)
        self._matched = bytearray(len(self._owner))
        self.lines = self._find(lines)  # for each: is it there?
        self.labels = self._labels(leaves.text)

    def _find(self, lines: Sequence[str]) -> list[bool]:
        words = [_words(line) for line in lines]
        found = [len(each) >= _SHORT and self._mark(self._places(each)) for each in words]
        for number, each in enumerate(words):
            if len(each) < _SHORT:
                found[number] = self._mark([place for place in self._places(each) if self._is_near_another(*place)])
        return found

    def _mark(self, places: Iterable[tuple[int, int]]) -> bool:
        """Mark the words of some places, and say whether there are any."""
        is_found = False
        for first, last in places:
            self._matched[first:last] = b"\1" * (last - first)
            is_found = True
        return is_found

    def _places(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The first word of each place where these words are, and the one after the last."""
        line = "".join(words)
        start = self._text.find(line) if line else -1
        while start >= 0:
            end = start + len(line)
            whole = start in self._at_start and end in self._at_start
            if whole:
                yield bisect_left(self._starts, start), bisect_left(self._starts, end)
            start = self._text.find(line, end if whole else start + 1)

    def _is_near_another(self, first: int, last: int) -> bool:
        return self._matched.find(1, max(0, first - _NEAR), last + _NEAR) >= 0

    def _labels(self, texts: Sequence[str]) -> tuple[str, ...]:
        words, matched = [0] * len(texts), [0] * len(texts)
        for leaf, is_matched in zip(self._owner, self._matched, strict=True):
            words[leaf] += 1
            matched[leaf] += is_matched
        marks = (
            LINE if total and part >= _SHARE * total else UNKNOWN for total, part in zip(words, matched, strict=True)
        )
        return tuple(mark if text else "" for mark, text in zip(marks, texts, strict=True))


def _lines(value: object) -> Iterator[str]:
    given: Iterable[object] = value if isinstance(value, list) else [value]
    for item in given:
        if isinstance(item, str):
            yield from (line for part in item.splitlines() if tokens(line := part.strip()))


def _words(text: str) -> list[str]:
    """The words, with fractions and letters in other forms ("½") as the plain ones."""
    return tokens(text if text.isascii() else unicodedata.normalize("NFKC", text))
