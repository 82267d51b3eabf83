"""Signs beside headings that link to them, the edit links of wikis, and buttons that copy something.

They are for the page's own use and are skipped. Of a heading that is all a link to itself only its text is written.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tamis.document import tags
from tamis.render.content.marks import Marks
from tamis.render.content.node import Node
from tamis.render.content.source import Source

_TABLE: Mapping[str, Any] = json.loads(Path(__file__).with_name("anchors.json").read_text(encoding="utf-8"))
_CLASSES = tuple(_TABLE["classes"])
_SIGNS = frozenset(_TABLE["signs"])
_BEGINS = tuple(_TABLE["begins"])
_EDIT = tuple(_TABLE["edit"])
_COPY = frozenset(_TABLE["copy"])
_COPYING = tuple(_TABLE["copying"])
_BUTTONS = ("button", "clipboard-copy")

# Longer texts, and texts in more pieces, are no sign and no label.
_LONGEST, _MOST_LEAVES = 200, 4
_LONGEST_LABEL = 30
_ICONS = "\ue000", "\uf8ff"  # the letters of icon fonts are for private use
_UNSEEN = str.maketrans("", "", "\u200b\u200d\ufe0e\ufe0f\ufeff\u2060")


def anchors(source: Source) -> Marks | None:
    """The anchors and buttons of a page, which are skipped."""
    by_class = source.classes
    skipped: set[int] = set()
    named: dict[int, Node] = {}
    for name in _EDIT:
        skipped.update(by_class.get(name, ()))
    for name in _CLASSES:
        skipped.update(row for row in by_class.get(name, ()) if _is_sign(source, row))
    links = source.tagged("a")
    for heading in [row for tag in tags.HEADINGS for row in source.tagged(tag)]:
        for row in links[bisect_left(links, heading) : bisect_left(links, int(source.elements.end[heading]))]:
            if "#" not in (source.attribute(row, "href") or ""):
                continue
            if _is_sign(source, row):
                skipped.add(row)
            elif source.leaves_in(heading) == source.leaves_in(row) and _is_own(source, row, heading):
                named[row] = Node("")
    for tag in _BUTTONS:
        skipped.update(row for row in source.tagged(tag) if _copies(source, row))
    return Marks(named=named, skipped=frozenset(skipped)) if skipped or named else None


def _text(source: Source, row: int) -> str | None:
    """The text of an element in lower case, None if it is long."""
    inside = source.leaves_in(row)
    if len(inside) > _MOST_LEAVES or sum(len(source.leaves.text[leaf]) for leaf in inside) > _LONGEST:
        return None
    text = source.text(row)
    return " ".join((text if text.isascii() else text.translate(_UNSEEN)).lower().split())


def _is_sign(source: Source, row: int) -> bool:
    text = _text(source, row)
    return text is not None and is_anchor(text)


def is_anchor(text: str) -> bool:
    """Is this what links to headings show, in lower case?"""
    if text in _SIGNS or text.startswith(_BEGINS):
        return True
    first, last = _ICONS
    return first <= text[:1] <= last and all(first <= letter <= last for letter in text)


def _is_own(source: Source, row: int, heading: int) -> bool:
    """Does a link in a heading lead to that heading?"""
    href = source.attribute(row, "href") or ""
    names = [source.attribute(place, key) for place in range(heading, row + 1) for key in ("id", "name")]
    return href.startswith("#") and len(href) > 1 and href[1:] in names


def _copies(source: Source, row: int) -> bool:
    text = _text(source, row)
    if text is None or not text or len(text) > _LONGEST_LABEL:
        return False
    if text in _COPY:
        return True
    says = " ".join(source.attribute(row, name) or "" for name in ("class", "aria-label", "title", "data-action"))
    return any(word in says.lower() for word in _COPYING) or source.attribute(row, "data-clipboard-text") is not None
