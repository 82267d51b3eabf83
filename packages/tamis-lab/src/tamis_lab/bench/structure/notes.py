"""Footnotes: a mark that refers to a note on the same page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tamis_lab.bench.structure.elements import address, words
from tamis_lab.bench.structure.rows import Row, Rows

_MARK = re.compile(r"[\[(]?(?:(?:note|nb|fn) ?)?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶]{1,3})[\])]?", re.IGNORECASE)
_NOTE = re.compile(
    r"(?:^|[-_:.])(?:s?d?foot|end|side|cite_?)?_?(?:fn|ftn|edn|note|footnote|endnote|reference|ref)s?\d*(?:$|[-_:.\d])",
    re.IGNORECASE,
)
_HOLDERS = frozenset(("li", "p", "div", "td", "dd", "aside", "section"))
_MOST_WORDS = 400


class Note(NamedTuple):
    """A note, the row of its text, and the row of the first mark that refers to it."""

    text: str
    row: int
    mark: int


def marks(page: Rows) -> Iterator[tuple[int, int]]:
    """The places of marks that lead to another place of the page, whether there is a note or not."""
    here = address(page.base, page.base).partition("#")[0]
    for row in page.rows:
        if row.tag == "a" and "#" in (target := row.attribute("href")):
            leads_here = address(target, page.base).partition("#")[0] == here
            if leads_here and _MARK.fullmatch(page.text[row.start : row.end].strip()):
                yield row.start, row.end


def notes(page: Rows) -> Iterator[Note]:
    """The notes that a mark before them refers to, each once."""
    targets: dict[str, int] = {}
    links: list[int] = []
    for number, row in enumerate(page.rows):
        name = row.attribute("id") or (row.attribute("name") if row.tag == "a" else "")
        if name:
            targets.setdefault(name, number)
        if row.tag == "a" and row.attribute("href").startswith("#"):
            links.append(number)
    seen: set[int] = set()
    for mark in links:
        row = page.rows[mark]
        target = targets.get(row.attribute("href")[1:])
        if target is None or target <= mark or not _MARK.fullmatch(page.text[row.start : row.end].strip()):
            continue
        holder = _holder(page, target)
        if holder is None or holder in seen or page.rows[holder].start <= row.start:
            continue
        if not _NOTE.search(row.attribute("href")[1:]) and not _leads_back(page, holder, mark, targets):
            continue
        seen.add(holder)
        text = words(_without_links_back(page, holder))
        if text and len(text.split()) <= _MOST_WORDS:
            yield Note(text, holder, mark)


def _holder(page: Rows, target: int) -> int | None:
    for number in (target, *page.around(target)):
        if page.rows[number].tag in _HOLDERS:
            return number
        if page.rows[number].tag in ("body", "article", "ol", "ul", "table"):
            return None
    return None


def _leads_back(page: Rows, holder: int, mark: int, targets: dict[str, int]) -> bool:
    names = {page.rows[number].attribute("id") for number in (mark, *list(page.around(mark))[:2])}
    names |= {row.attribute("id") for row in page.inside(mark)}
    return any(row.tag == "a" and row.attribute("href")[1:] in names - {""} for row in page.inside(holder))


def _without_links_back(page: Rows, holder: int) -> str:
    row = page.rows[holder]
    text, at = "", row.start
    for inner in page.inside(holder):
        if inner.start >= at and _leads_within(inner):
            text += page.text[at : inner.start]
            at = inner.end
    return text + page.text[at : row.end]


def _leads_within(row: Row) -> bool:
    return (row.tag == "a" and row.attribute("href").startswith("#")) or "mw-cite-backlink" in row.classes
