"""Callouts: boxes with a remark, a tip or a warning beside the text.

A box is known by the classes of the system that wrote it, or by a class such as "note" together with that word at its
begin. Its kind is one of GitHub's five. Its title is an attribute, and left out if it only repeats the kind.
"""

from __future__ import annotations

from tamis.document import tags
from tamis.render.content.marks import Marks
from tamis.render.content.names import NAMES
from tamis.render.content.node import Node
from tamis.render.content.source import Source

_TABLE = NAMES["callouts"]
# What the words of the systems mean. The others have no kind of their own, so that their title says more than it.
_KINDS = {word: kind for kind, words in _TABLE["kinds"].items() for word in words}
_ALL_KINDS = _KINDS | {word: kind for kind, words in _TABLE["other_kinds"].items() for word in words}
# Classes of boxes. The kind is another class of the same element, with or without one of the prefixes. Some are boxes
# for other purposes, too: a word that says the kind has to be there.
_BOXES, _NEED_KIND = frozenset(_TABLE["boxes"]), frozenset(_TABLE["need_kind"])
_PREFIXES, _KIND_ATTRIBUTES = tuple(_TABLE["prefixes"]), tuple(_TABLE["kind_attributes"])
_TITLES, _TITLE_PREFIXES = frozenset(_TABLE["titles"]), tuple(_TABLE["title_prefixes"])
_ICONS, _BOX_TAGS = frozenset(_TABLE["icons"]), frozenset(_TABLE["tags"])
# These are boxes only with the same word at their begin, or as the class of <details>.
_GENERIC = frozenset(_TABLE["generic"])
_CUES = _BOXES | _GENERIC | {name.upper() for name in _GENERIC}

_LONGEST_TITLE = 150  # characters; more is the text
_MOST_LEAVES = 200  # more is a part of the page
_FIRST_ROWS = 12  # elements that are looked at for a title


def callouts(source: Source) -> Marks | None:
    """The callouts of a page."""
    classes = source.classes
    if _CUES.isdisjoint(classes):
        return None
    replaced: dict[int, Node] = {}
    named: dict[int, Node] = {}
    skipped: set[int] = set()
    text: dict[int, str] = {}
    begin = -1  # the first leaf of the callout before: an element around the same texts is part of it
    for row in sorted({row for name in _CUES.intersection(classes) for row in classes[name]}):
        leaves = source.leaves_in(row)
        if (
            not 0 < len(leaves) <= _MOST_LEAVES
            or leaves.start == begin
            or source.tag(row) not in _BOX_TAGS
            or not source.holds[row]
        ):
            continue
        word = _word(source, row)
        title_row, title = _title(source, row, word)
        if not _is_box(source, row, word, title):
            continue
        begin = leaves.start
        kind = _ALL_KINDS.get(word) or _KINDS.get(_bare(title), "note")
        is_repeated = _bare(title) in (kind, word if word in _KINDS else kind)
        named[row] = Node("callout", {"kind": kind, **({"title": title} if title and not is_repeated else {})})
        if title_row >= 0:
            replaced[title_row], text[title_row] = Node(""), title
        skipped |= _icons(source, row)
        for inner in _cells(source, row):
            named[inner] = Node("")
    return Marks(replaced, named, frozenset(skipped), text) if named else None


def _is_box(source: Source, row: int, word: str, title: str) -> bool:
    boxes = _BOXES.intersection(source.class_names(row))
    if boxes == {"panel"}:  # of Bootstrap and Confluence; others are boxes for anything
        return word in _KINDS and f"panel-{word}" in source.class_names(row) and word not in ("default", "primary")
    if boxes:
        return bool(word) or not _NEED_KIND.issuperset(boxes)
    if source.tag(row) == "details":
        return word in _ALL_KINDS
    return word in _KINDS and _KINDS.get(_bare(title)) == _KINDS[word]


def _word(source: Source, row: int) -> str:
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


def _title(source: Source, row: int, word: str) -> tuple[int, str]:
    """The element with the title of a box and its text; -1 and nothing if there is none."""
    end = min(int(source.elements.end[row]), row + 1 + _FIRST_ROWS)
    for inner in range(row + 1, end):
        if not source.holds[inner] or source.tag(inner) in tags.MEDIA:
            continue
        names, tag = source.class_names(inner), source.tag(inner)
        is_title = tag == "summary" and source.tag(row) == "details"
        is_title = is_title or not _TITLES.isdisjoint(names) or any(map(_is_heading, names))
        if is_title and (title := _shown(source, inner)):
            return inner, title
    # The first words, if they say the kind: "Note:" in bold, or in a line of their own.
    for inner in range(row + 1, end):
        if source.holds[inner] and source.tag(inner) not in tags.MEDIA:
            title = _shown(source, inner)
            if title and _KINDS.get(_bare(title)) and (_KINDS[_bare(title)] == _KINDS.get(word) or not word):
                return inner, title
            if source.tag(inner) not in tags.BLOCK and title:
                break
    return -1, ""


def _is_heading(name: str) -> bool:
    return name.startswith(_TITLE_PREFIXES)


def _shown(source: Source, row: int) -> str:
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


def _icons(source: Source, row: int) -> set[int]:
    """The icons of a box, by their classes, and drawings that are one."""
    found: set[int] = set()
    for inner in range(row + 1, min(int(source.elements.end[row]), row + 1 + _FIRST_ROWS)):
        if source.holds[inner] and (
            not _ICONS.isdisjoint(source.class_names(inner)) or source.tag(inner) in ("svg", "canvas")
        ):
            found.add(inner)
    return found


def _cells(source: Source, row: int) -> list[int]:
    """The elements of a table that only puts an icon beside the text."""
    inside = range(row + 1, min(int(source.elements.end[row]), row + 1 + _FIRST_ROWS))
    if "admonitionblock" not in source.class_names(row):
        return []
    return [inner for inner in inside if source.tag(inner) in ("table", "tbody", "tr", "td")][:6]
