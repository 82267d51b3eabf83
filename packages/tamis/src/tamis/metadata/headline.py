"""The title in the visible page and in its TITLE, and what is left of a title without the parts around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tamis.arrays import places
from tamis.document import tags
from tamis.document.titles import SEPARATOR, WORD, fold
from tamis.metadata.view import Candidate, View

_IS_LOWER = tags.lookup("h2", "h3")
_MOST_PIECES, _MOST_PARTS, _MOST_LEAVES = 4, 6, 20
_LONGEST = 400  # characters of a title
_LONGEST_KICKER = 4  # words above a headline
_MOST_LOWER = 15  # of these the first ones that repeat a part of the TITLE count
_ANCHORS = "¶#§🔗"  # behind headings of documentation


class TitleCut(NamedTuple):
    """A part of a title, and what was cut off."""

    text: str
    folded: str
    kind: str  # "" (nothing), "end", "ends" (more than one part), "begin", "begins", "middle"
    rest: tuple[str, ...]  # the parts that were cut off
    separator: str  # between the text and the nearest of them


class Headline:
    """Headings, the extractor's own headline, and the TITLE; of the latter also the name of the site."""

    def __init__(self, view: View) -> None:
        self._view = view

    def candidates(self, field: str) -> Iterator[Candidate]:
        """Titles as they are shown, the likeliest first; the parts of the TITLE as names of the site."""
        if field == "title":
            yield from self._headings()
            yield from self._roles()
            if title := self._view.document.title[:_LONGEST]:
                yield Candidate(title, "meta", "TITLE")
        elif field == "site_name":
            for cut in cuts(self._view.document.title[:_LONGEST]):
                if cut.kind in ("end", "begin"):
                    place = "TITLE end" if cut.kind == "end" else "TITLE begin"
                    yield Candidate(cut.rest[-1 if cut.kind == "end" else 0], "meta", place)

    def _headings(self) -> Iterator[Candidate]:
        view, code = self._view, self._view.document.elements.code
        rows = view.headings
        shown_above: set[str] = set()  # by headings of the first level, folded
        for number, row in enumerate(rows):
            leaves = view.leaves_in(row)
            shown = view.text_of(leaves)
            if not shown:
                if alternative := _alternative(view, row):
                    yield Candidate(alternative, "visible", "h1 image", row)
                continue
            place = "h1" if len(rows) == 1 else "h1 first" if not number else "h1 other"
            if _links_home(view, row):
                place = "h1 logo"
            shown_above.add(fold(shown))
            pieces = view.lines(leaves) if 1 < len(leaves) <= _MOST_PIECES else []
            rest = " ".join(pieces[1:]).lstrip(":|–- ")
            if (
                rest
                and len(pieces[0].split()) <= _LONGEST_KICKER
                and self._is_titled(rest)
                and not self._is_titled(shown)
            ):
                yield Candidate(rest, "visible", place, row)
                yield Candidate(shown, "visible", "h1 with kicker", row)
                continue
            yield Candidate(shown, "visible", place, row)
            if len(pieces) > 1:
                yield Candidate(pieces[0], "visible", "h1 first line", row)
                yield Candidate(rest, "visible", "h1 line", row)
        title = view.document.title[:_LONGEST]
        found = cuts(title)
        if any(not cut.rest and cut.folded in shown_above for cut in found):
            return  # the whole TITLE
        parts = {cut.folded for cut in found}
        lower = places(_IS_LOWER.take(code))[:_MOST_LOWER].tolist()
        inside = [(row, leaves) for row in lower if (leaves := view.leaves_in(row))]
        if rows:  # only parts of the TITLE count
            texts, lowered = view.document.leaves.text, title.casefold()
            inside = [(row, leaves) for row, leaves in inside if _may_begin(texts[leaves[0]], lowered)]
        headings = [(row, shown) for row, leaves in inside if (shown := view.text_of(leaves))]
        for row, shown in [each for each in headings if fold(each[1]) in parts][:2]:
            yield Candidate(shown, "visible", "h2", row)
        if not rows and headings and not view.is_behind_content(headings[0][0]):
            yield Candidate(headings[0][1], "visible", "h2 first", headings[0][0])

    def _is_titled(self, text: str) -> bool:
        """Is a text the TITLE, or what is left of it?"""
        return fold(text) in title_texts(self._view.document.title[:_LONGEST])

    def _roles(self) -> Iterator[Candidate]:
        """What the extractor takes for the headline, one candidate a block."""
        view = self._view
        leaves = view.titles[:_MOST_LEAVES]
        if not leaves:
            return
        block = view.document.leaves.block[leaves].tolist()
        for row in dict.fromkeys(block):
            if shown := view.text_of([leaf for leaf, holder in zip(leaves, block, strict=True) if holder == row]):
                yield Candidate(shown, "content", "title", row)


def _may_begin(text: str, title: str) -> bool:
    """Is the first word of a text in a title? A quick look."""
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
    """The text of an image that stands for a heading."""
    elements = view.document.elements
    inside = elements.all_nodes[row + 1 : min(int(elements.end[row]), row + 8)]
    return next((" ".join(text.split()) for node in inside if node.tag == "img" and (text := node.attr("alt"))), "")


def marks_in(title: str) -> set[str]:
    """The first characters of the separators at which a title can be cut."""
    return {_mark(match)[:1] for match in _separators(title.rstrip(_ANCHORS + " ") or title)}


def _mark(separator: re.Match[str]) -> str:
    return separator[0].strip() or " "


@lru_cache(maxsize=64)  # of titles, and of what is left of them
def _separators(title: str) -> list[re.Match[str]]:
    found = [match for match in SEPARATOR.finditer(title) if match.start() > 0 and match.end() < len(title)]
    return found[: _MOST_PARTS - 1]


def title_texts(title: str) -> list[str]:
    """A title and all that can be left of it, folded."""
    return [cut.folded for cut in cuts(title)]


@lru_cache(maxsize=64)  # several places of a page give the same title
def cuts(title: str) -> list[TitleCut]:
    """A title, and what is left of it if parts at its end or its begin are cut off: never in the middle of a part."""
    title = title.rstrip(_ANCHORS + " ") or title
    found = _separators(title)
    if not found:
        return [TitleCut(title, fold(title), "", (), "")] if title else []
    starts = [0, *(match.end() for match in found)]
    ends = [*(match.start() for match in found), len(title)]
    marks = [_mark(match) for match in found]
    parts = [title[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    kept = [TitleCut(title, fold(title), "", (), "")]
    last = len(parts) - 1
    for count in range(1, last + 1):
        kind, text = "end" if count == 1 else "ends", title[: ends[last - count]].strip()
        kept.append(TitleCut(text, fold(text), kind, tuple(parts[last - count + 1 :]), marks[last - count]))
    for count in range(1, last + 1):
        kind, text = "begin" if count == 1 else "begins", title[starts[count] :].strip()
        kept.append(TitleCut(text, fold(text), kind, tuple(parts[:count]), marks[count - 1]))
    if last > 1:
        text = title[starts[1] : ends[last - 1]].strip()
        kept.append(TitleCut(text, fold(text), "middle", (parts[0], parts[-1]), marks[0]))
    return [cut for cut in kept if cut.text]
