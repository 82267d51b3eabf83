"""Small structures: anchors of headings, callouts, task lists, and tables by ARIA's roles.

Signs that link to their heading, the edit links of wikis, and buttons that copy something serve the page itself and are
skipped. If a whole heading is a link to itself, only its text is written.

A callout is a box with a remark, a tip or a warning beside the text. It is known by the classes of the system that
wrote it, or by a class such as "note" together with that word at its start. Its kind is one of GitHub's five. Its title
is an attribute, and left out if it only repeats the kind.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tamis.document import tags
from tamis.render.content import Node
from tamis.render.content.source import NAMES, Marks, PageSource
from tamis.render.layout import table_parts

_ANCHORS: Mapping[str, Any] = json.loads(Path(__file__).with_name("anchors.json").read_text(encoding="utf-8"))
_CLASSES = tuple(_ANCHORS["classes"])
_SIGNS = frozenset(_ANCHORS["signs"])
_BEGINS = tuple(_ANCHORS["begins"])
_EDIT = tuple(_ANCHORS["edit"])
_COPY = frozenset(_ANCHORS["copy"])
_COPYING = tuple(_ANCHORS["copying"])
_BUTTONS = ("button", "clipboard-copy")

_LONGEST = 200  # characters of a sign or label
_MOST_LEAVES_OF_SIGN = 4
_LONGEST_LABEL = 30
_ICONS_OF_FONTS = re.compile("[\ue000-\uf8ff]+")  # icon fonts use the letters for private use
_UNSEEN = str.maketrans("", "", "\u200b\u200d\ufe0e\ufe0f\ufeff\u2060")


def anchors(source: PageSource) -> Marks | None:
    """The anchors and buttons of a page, which are skipped."""
    by_class, found = source.classes, Marks()
    for name in _EDIT:
        found.skipped.update(by_class.get(name, ()))
    for name in _CLASSES:
        found.skipped.update(row for row in by_class.get(name, ()) if is_anchor(_short_text(source, row)))
    links = source.tagged("a")
    for heading in [row for tag in tags.HEADINGS for row in source.tagged(tag)]:
        for row in links[bisect_left(links, heading) : bisect_left(links, int(source.elements.end[heading]))]:
            if "#" not in (source.attribute(row, "href") or ""):
                continue
            if is_anchor(_short_text(source, row)):
                found.skipped.add(row)
            elif source.leaves_in(heading) == source.leaves_in(row):  # a heading that is all a link to itself
                names = [source.attribute(each, key) for each in range(heading, row + 1) for key in ("id", "name")]
                href = source.attribute(row, "href") or ""
                if href.startswith("#") and len(href) > 1 and href[1:] in names:
                    found.named[row] = Node("")
    for tag in _BUTTONS:
        found.skipped.update(row for row in source.tagged(tag) if _copies(source, row))
    return found if found.skipped or found.named else None


def _short_text(source: PageSource, row: int) -> str | None:
    """The text of an element in lower case, None if it is long."""
    inside = source.leaves_in(row)
    if len(inside) > _MOST_LEAVES_OF_SIGN or sum(len(source.leaves.text[leaf]) for leaf in inside) > _LONGEST:
        return None
    text = source.text(row)
    return " ".join((text if text.isascii() else text.translate(_UNSEEN)).lower().split())


def is_anchor(text: str | None) -> bool:
    """Is this lower-case text one that links to headings show?"""
    return text is not None and (text in _SIGNS or text.startswith(_BEGINS) or bool(_ICONS_OF_FONTS.fullmatch(text)))


def _copies(source: PageSource, row: int) -> bool:
    """Is it a button that copies something?"""
    text = _short_text(source, row)
    if not text or len(text) > _LONGEST_LABEL:
        return False
    if text in _COPY:
        return True
    says = " ".join(source.attribute(row, name) or "" for name in ("class", "aria-label", "title", "data-action"))
    return any(word in says.lower() for word in _COPYING) or source.attribute(row, "data-clipboard-text") is not None


_CALLOUTS = NAMES["callouts"]
# The kind for each word of the systems that write callouts. Words of other kinds keep their title.
_KINDS = {word: kind for kind, words in _CALLOUTS["kinds"].items() for word in words}
_ALL_KINDS = _KINDS | {word: kind for kind, words in _CALLOUTS["other_kinds"].items() for word in words}
# Classes of boxes. The kind is another class of the same element, with or without one of the prefixes. Some are boxes
# for other purposes, too: a word that says the kind has to be there.
_BOXES = frozenset(_CALLOUTS["boxes"])
_NEED_KIND = frozenset(_CALLOUTS["need_kind"])
_PREFIXES = tuple(_CALLOUTS["prefixes"])
_KIND_ATTRIBUTES = tuple(_CALLOUTS["kind_attributes"])
_TITLES = frozenset(_CALLOUTS["titles"])
_TITLE_PREFIXES = tuple(_CALLOUTS["title_prefixes"])
_ICONS = frozenset(_CALLOUTS["icons"])
_BOX_TAGS = frozenset(_CALLOUTS["tags"])
# These are boxes only with the same word at their start, or as the class of <details>.
_GENERIC = frozenset(_CALLOUTS["generic"])
_CUES = _BOXES | _GENERIC | {name.upper() for name in _GENERIC}

_LONGEST_TITLE = 150  # characters; more is the text
_MOST_LEAVES = 200  # more is a part of the page
_FIRST_ROWS = 12  # elements that are looked at for a title


def callouts(source: PageSource) -> Marks | None:
    """The callouts of a page."""
    classes = source.classes
    if _CUES.isdisjoint(classes):
        return None
    found = Marks()
    start = -1  # the first leaf of the callout before: an element around the same texts is part of that callout
    for row in sorted({row for name in _CUES.intersection(classes) for row in classes[name]}):
        leaves = source.leaves_in(row)
        if (
            not 0 < len(leaves) <= _MOST_LEAVES
            or leaves.start == start
            or source.tag(row) not in _BOX_TAGS
            or not source.holds[row]
        ):
            continue
        word = _word(source, row)
        title_row, title = _title(source, row, word)
        if not _is_box(source, row, word, title):
            continue
        start = leaves.start
        kind = _ALL_KINDS.get(word) or _KINDS.get(_bare(title), "note")
        is_repeated = _bare(title) in (kind, word if word in _KINDS else kind)
        found.named[row] = Node("callout", {"kind": kind, **({"title": title} if title and not is_repeated else {})})
        if title_row >= 0:
            found.replaced[title_row], found.text[title_row] = Node(""), title
        inside = range(row + 1, min(int(source.elements.end[row]), row + 1 + _FIRST_ROWS))
        found.skipped.update(inner for inner in inside if _is_icon(source, inner))
        if "admonitionblock" in source.class_names(row):  # a table that only puts an icon beside the text
            cells = [inner for inner in inside if source.tag(inner) in ("table", "tbody", "tr", "td")]
            found.named |= {inner: Node("") for inner in cells[:6]}
    return found if found.named else None


def _is_box(source: PageSource, row: int, word: str, title: str) -> bool:
    boxes = _BOXES.intersection(source.class_names(row))
    if boxes == {"panel"}:  # of Bootstrap and Confluence; others are boxes for anything
        return word in _KINDS and f"panel-{word}" in source.class_names(row) and word not in ("default", "primary")
    if boxes:
        return bool(word) or not _NEED_KIND.issuperset(boxes)
    if source.tag(row) == "details":
        return word in _ALL_KINDS
    return word in _KINDS and _KINDS.get(_bare(title)) == _KINDS[word]


def _word(source: PageSource, row: int) -> str:
    """The word for the kind of a box, as its system has it; empty if there is none."""
    for name in _KIND_ATTRIBUTES:
        if value := (source.attribute(row, name) or "").lower():
            return value
    words = [name.lower() for name in source.class_names(row)]
    for word in words:
        if word in _ALL_KINDS and word not in _BOXES:
            return word
    named = [
        word[len(prefix) :]
        for word in words
        for prefix in _PREFIXES
        if word.startswith(prefix) and word[len(prefix) :] in _ALL_KINDS
    ]
    if named:
        return next((word for word in named if word != "note"), "note")  # "awsdocs-note awsdocs-warning"
    boxes = _BOXES.intersection(words)
    return next((word for word in words if word in _ALL_KINDS and boxes - {word}), "")


def _title(source: PageSource, row: int, word: str) -> tuple[int, str]:
    """The element with the title of a box and its text; -1 and nothing if there is none."""
    end = min(int(source.elements.end[row]), row + 1 + _FIRST_ROWS)
    for inner in range(row + 1, end):
        if not source.holds[inner] or source.tag(inner) in tags.MEDIA:
            continue
        names, tag = source.class_names(inner), source.tag(inner)
        is_title = tag == "summary" and source.tag(row) == "details"
        is_title = is_title or not _TITLES.isdisjoint(names) or any(name.startswith(_TITLE_PREFIXES) for name in names)
        if is_title and (title := _short_title(source, inner)):
            return inner, title
    # The first words, if they say the kind: "Note:" in bold, or in a line of their own.
    for inner in range(row + 1, end):
        if source.holds[inner] and source.tag(inner) not in tags.MEDIA:
            title = _short_title(source, inner)
            if title and _KINDS.get(_bare(title)) and (_KINDS[_bare(title)] == _KINDS.get(word) or not word):
                return inner, title
            if source.tag(inner) not in tags.BLOCK and title:
                break
    return -1, ""


def _short_title(source: PageSource, row: int) -> str:
    """The kept text of a title, without icons; empty if it is too long for one."""
    parts: list[str] = []
    for leaf in source.leaves_in(row):
        if source.keep[leaf] and not source.leaves.is_media[leaf]:
            holder = int(source.leaves.element[leaf])
            if holder != row and not _ICONS.isdisjoint(source.class_names(holder)):
                continue
            parts += [source.leaves.gap[leaf], source.leaves.text[leaf]]
            if len(parts) > 2 * _FIRST_ROWS:
                return ""
    text = " ".join("".join(parts).split())
    return text if len(text) <= _LONGEST_TITLE else ""


def _bare(title: str) -> str:
    """A title in lower case, without punctuation and icons around it."""
    letters = [place for place, character in enumerate(title) if character.isalpha()]
    return title[letters[0] : letters[-1] + 1].lower() if letters else ""


def _is_icon(source: PageSource, row: int) -> bool:
    """Is it an icon by its classes, or a drawing?"""
    is_icon = source.tag(row) in ("svg", "canvas") or not _ICONS.isdisjoint(source.class_names(row))
    return bool(source.holds[row]) and is_icon


# Classes of items and of lists of them: GitHub and GitLab, Pandoc, MkDocs and Obsidian, Notion, Confluence, editors.
_ITEMS = frozenset(NAMES["lists"]["items"])
_LISTS = frozenset(NAMES["lists"]["lists"])
_CHECKED = frozenset(NAMES["lists"]["checked"])
_UNCHECKED = frozenset(NAMES["lists"]["unchecked"])
_FIRST_ROWS_OF_ITEM = 5  # elements of an item that are looked at for its box


def task_lists(source: PageSource) -> Marks | None:
    """The items of task lists."""
    classes = source.classes
    if _ITEMS.isdisjoint(classes) and _LISTS.isdisjoint(classes):
        return None
    rows = {row for name in _ITEMS.intersection(classes) for row in classes[name]}
    for name in _LISTS.intersection(classes):
        rows |= {item for row in classes[name] for item in source.children(row)}
    items = [row for row in sorted(rows) if source.tag(row) == "li" and source.holds[row]]
    named = {row: Node("li", {"checked": checked}) for row in items if (checked := _checked(source, row))}
    return Marks(named=named) if named else None


def _checked(source: PageSource, row: int) -> str:
    """Whether the box of an item is checked, "true" or "false"; empty if it has none."""
    for each in range(row, min(int(source.elements.end[row]), row + 1 + _FIRST_ROWS_OF_ITEM)):
        if each > row and source.tag(each) in ("ul", "ol", "li"):
            break
        names = source.class_names(each)
        if source.tag(each) == "input" and (source.attribute(each, "type") or "").lower() == "checkbox":
            return "false" if source.attribute(each, "checked") is None else "true"
        for name in ("data-checked", "aria-checked"):
            if (value := source.attribute(each, name)) in ("true", "false"):
                return value
        if not _CHECKED.isdisjoint(names):
            return "true"
        if not _UNCHECKED.isdisjoint(names):
            return "false"
    parent = int(source.elements.parent[row])
    return "false" if "inline-task-list" in source.class_names(parent) else ""


def role_tables(source: PageSource) -> Marks | None:
    """Tables that ARIA's roles make of other elements."""
    named: dict[int, Node] = {}
    for row, name in table_parts(source.elements).items():
        spans = {key: source.attribute(row, f"aria-{key}") for key in ("colspan", "rowspan") if name in ("td", "th")}
        named[row] = Node(name, {key: value for key, value in spans.items() if value})
    return Marks(named=named) if named else None
