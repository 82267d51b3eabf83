"""The title in the visible page and in its TITLE, and the cuts of a title: without parts at its start or end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tamis.arrays import places
from tamis.cached import cached_property
from tamis.document import tags
from tamis.document.titles import SEPARATOR, WORD, fold
from tamis.metadata.view import Candidate, MetadataSource, View

_IS_LOWER = tags.lookup("h2", "h3")
_MOST_PIECES = 4  # texts in a heading whose first one may be a kicker
_MOST_PARTS = 6  # of a title
_MOST_LEAVES = 20
_LONGEST = 400  # characters of a title
_LONGEST_KICKER = 4  # words above a headline
_MOST_LOWER = 15  # of these the first ones that repeat a part of the TITLE count
_ANCHORS = "¶#§🔗"  # behind headings of documentation


class TitleCut(NamedTuple):
    """A part of a title, and the parts that were cut off."""

    text: str
    folded: str
    kind: str  # "" (nothing), "end", "ends" (more than one part), "begin", "begins", "middle"
    rest: tuple[str, ...]  # the parts that were cut off
    separator: str  # between the text and the nearest of them


class Headline(MetadataSource):
    """Headings, the extractor's own headline, and the TITLE; of the latter also the name of the site."""

    def candidates(self, field: str) -> Iterator[Candidate]:
        """Titles as they are shown, the likeliest first; the parts of the TITLE as names of the site."""
        if field == "title":
            yield from self._main_headings()
            yield from self._lower_headings()
            yield from self._extracted_headlines()
            if title := self._view.document.title[:_LONGEST]:
                yield Candidate(title, "meta", "TITLE")
        elif field == "site_name":
            for cut in cuts(self._view.document.title[:_LONGEST]):
                if cut.kind in ("end", "begin"):
                    place = "TITLE end" if cut.kind == "end" else "TITLE begin"
                    yield Candidate(cut.rest[-1 if cut.kind == "end" else 0], "meta", place)

    @cached_property
    def _shown(self) -> list[tuple[list[int], str]]:
        """The leaves and the text of each heading of the first level."""
        inside = map(self._view.leaves_in, self._view.headings)
        return [(leaves, self._view.text_of(leaves)) for leaves in inside]

    def _main_headings(self) -> Iterator[Candidate]:
        """Headings of the first level."""
        view, rows = self._view, self._view.headings
        for number, row in enumerate(rows):
            leaves, shown = self._shown[number]
            if not shown:
                if alternative := _alternative(view, row):
                    yield Candidate(alternative, "visible", "h1 image", row)
                continue
            place = "h1" if len(rows) == 1 else "h1 first" if not number else "h1 other"
            if _links_home(view, row):
                place = "h1 logo"
            pieces = view.lines(leaves) if 1 < len(leaves) <= _MOST_PIECES else []
            rest = " ".join(pieces[1:]).lstrip(":|–- ")
            titles = title_texts(view.document.title[:_LONGEST])
            has_kicker = rest and len(pieces[0].split()) <= _LONGEST_KICKER
            if has_kicker and fold(rest) in titles and fold(shown) not in titles:
                yield Candidate(rest, "visible", place, row)
                yield Candidate(shown, "visible", "h1 with kicker", row)
                continue
            yield Candidate(shown, "visible", place, row)
            if len(pieces) > 1:
                yield Candidate(pieces[0], "visible", "h1 first line", row)
                yield Candidate(rest, "visible", "h1 line", row)

    def _lower_headings(self) -> Iterator[Candidate]:
        """Headings of lower levels that repeat a part of the TITLE, unless one of the first level repeats all."""
        view, code = self._view, self._view.document.elements.code
        rows, title = view.headings, view.document.title[:_LONGEST]
        parts = title_texts(title)
        if parts and parts[0] in {fold(text) for _, text in self._shown if text}:
            return
        lower = places(_IS_LOWER.take(code))[:_MOST_LOWER].tolist()
        inside = [(row, leaves) for row in lower if (leaves := view.leaves_in(row))]
        if rows:  # only parts of the TITLE count
            texts, lowered = view.document.leaves.text, title.casefold()
            inside = [(row, leaves) for row, leaves in inside if _may_begin(texts[leaves[0]], lowered)]
        headings = [(row, shown) for row, leaves in inside if (shown := view.text_of(leaves))]
        for row, shown in [each for each in headings if fold(each[1]) in parts][:2]:
            yield Candidate(shown, "visible", "h2", row)
        if not rows and headings and not (view.kept and view.leaf(headings[0][0]) > view.kept[-1]):
            yield Candidate(headings[0][1], "visible", "h2 first", headings[0][0])

    def _extracted_headlines(self) -> Iterator[Candidate]:
        """The headline as the extractor labels it, one candidate a block."""
        view = self._view
        leaves = view.titles[:_MOST_LEAVES]
        if not leaves:
            return
        block = view.document.leaves.block[leaves].tolist()
        for row in dict.fromkeys(block):
            if shown := view.text_of([leaf for leaf, holder in zip(leaves, block, strict=True) if holder == row]):
                yield Candidate(shown, "content", "title", row)


def _may_begin(text: str, title: str) -> bool:
    """Is the first word of a text in a title? A quick check."""
    word = WORD.search(text)
    return word is None or word[0].casefold() in title


def _links_home(view: View, row: int) -> bool:
    """Is a heading a link to the first page of the site, as logos are?"""
    elements = view.document.elements
    near = elements.all_nodes[max(int(elements.parent[row]), 0)], *elements.all_nodes[row + 1 : row + 3]
    inside = min(int(elements.end[row]) - row, 3)
    addresses = [(node.attr("href") or "").rstrip("/") for node in near[: 1 + inside] if node.tag == "a"]
    host = f"//{view.host}", f"//www.{view.host}"
    return any(address in ("", "/index.html") or (view.host and address.endswith(host)) for address in addresses)


def _alternative(view: View, row: int) -> str:
    """The text of an image in place of a heading."""
    elements = view.document.elements
    inside = elements.all_nodes[row + 1 : min(int(elements.end[row]), row + 8)]
    return next((" ".join(text.split()) for node in inside if node.tag == "img" and (text := node.attr("alt"))), "")


def marks_in(title: str) -> set[str]:
    """The first characters of the separators at which a title can be cut."""
    return {_mark(match)[:1] for match in _separators(title.rstrip(_ANCHORS + " ") or title)}


def _mark(separator: re.Match[str]) -> str:
    return separator[0].strip() or " "


@lru_cache(maxsize=64)  # of titles and their cuts
def _separators(title: str) -> list[re.Match[str]]:
    found = [match for match in SEPARATOR.finditer(title) if match.start() > 0 and match.end() < len(title)]
    return found[: _MOST_PARTS - 1]


def title_texts(title: str) -> list[str]:
    """A title and all its cuts, folded."""
    return [cut.folded for cut in cuts(title)]


@lru_cache(maxsize=64)  # several places of a page give the same title
def cuts(title: str) -> list[TitleCut]:
    """A title, and its cuts: without parts at its end or start, never in the middle of a part."""
    title = title.rstrip(_ANCHORS + " ") or title
    found = _separators(title)
    starts = [0, *(match.end() for match in found)]
    ends = [*(match.start() for match in found), len(title)]
    marks = [_mark(match) for match in found]
    parts = [title[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    kept = [TitleCut(title, fold(title), "", (), "")]
    last = len(parts) - 1
    for count in range(last, 0, -1):
        kind, text = "end" if count == last else "ends", title[: ends[count - 1]].strip()
        kept.append(TitleCut(text, fold(text), kind, tuple(parts[count:]), marks[count - 1]))
    for count in range(1, last + 1):
        kind, text = "begin" if count == 1 else "begins", title[starts[count] :].strip()
        kept.append(TitleCut(text, fold(text), kind, tuple(parts[:count]), marks[count - 1]))
    if last > 1:
        text = title[starts[1] : ends[last - 1]].strip()
        kept.append(TitleCut(text, fold(text), "middle", (parts[0], parts[-1]), marks[0]))
    return [cut for cut in kept if cut.text]
