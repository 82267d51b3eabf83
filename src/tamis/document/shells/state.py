"""The content in the state of a program: the part of its data that has the most prose.

The same data holds menus, labels and teasers of other pages. So the way leads from the top down to
the child that has nearly all the prose, and what is below is the content. If a record bears the title
of the page, the way begins there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tamis.document.shells.find import nested
from tamis.document.shells.prose import continues, goes_on_behind, is_around, is_label, is_prose, plain, words
from tamis.document.titles import fold

# Of larger state the beginning is read. On WCXB dev it has up to 43,000 values, mostly some thousand.
_MOST_VALUES = 50_000
_MOST_CHARACTERS = 2_000_000

# The way goes on to a field that has this share of the prose, ...
_SHARE_OF_FIELD = 0.7
# ... and to an item of a list only if the others have next to nothing: items are alike, such as the posts of a thread.
_SHARE_OF_ITEM = 0.9

# A record that bears the page's title is what the page is about if it has this share of the prose, and this weight.
_SHARE_OF_NAMED = 0.1
_WEIGHT_OF_NAMED = 40
_LONGEST_TITLE = 300

# A text of this many words counts in full, a shorter one less by its square: so hundreds of labels weigh less than
# one article.
_FULL_WEIGHT = 40

# A table with at least this many texts, all of them short, is one of labels.
_LABELS = 12

# A field that brings this share of the words is a field for prose; its short texts are headings or parts of sentences.
_SHARE_OF_KEY = 0.2


@dataclass
class _Values:
    """Containers and texts in the order they stand in; a row is after the row of what holds it."""

    parent: list[int] = field(default_factory=list)
    key: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)  # empty for containers
    is_list: list[bool] = field(default_factory=list)
    words: list[float] = field(default_factory=list)  # of prose; 0 for other texts and for containers

    def add(self, parent: int, key: str, text: str = "", *, is_list: bool = False) -> int:
        self.parent.append(parent)
        self.key.append(key)
        self.text.append(text)
        self.is_list.append(is_list)
        self.words.append(words(plain(text)) if text and is_prose(text) else 0.0)
        return len(self.key) - 1


class Found(NamedTuple):
    """The content of a value: texts in their order, each plain or HTML."""

    texts: list[str]
    weight: float  # about its words, those of short texts counted less
    named: bool  # does it bear the title of the page?


def content(value: object, titles: frozenset[str]) -> Found:
    """The content of a value; no texts where it has no prose. `titles` are what the page may be called, folded."""
    values = _read(value)
    _forget_repetitions(values)
    _forget_labels(values)
    weight = _weights(values)
    top = _named(values, weight, titles)
    first, end = _richest(values, weight, max(top, 0))
    return Found(list(_texts(values, first, end)), weight[first] if weight else 0.0, top >= 0)


def _read(value: object) -> _Values:
    """All containers and texts of a value but those whose names say that they are not content."""
    values = _Values()
    todo: list[tuple[object, int, str]] = [(value, -1, "")]
    room = _MOST_CHARACTERS
    while todo and len(values.key) < _MOST_VALUES and room > 0:
        each, parent, key = todo.pop()
        if isinstance(each, str):
            room -= len(each)
            inner = nested(each)
            if inner is None:
                values.add(parent, key, each)
                continue
            each = inner
        if isinstance(each, dict):
            row = values.add(parent, key)
            todo += [(below, row, name) for name, below in reversed(each.items()) if not is_around(name)]
        elif isinstance(each, list):
            row = values.add(parent, key, is_list=True)
            todo += [(below, row, key) for below in reversed(each[:_MOST_VALUES])]
    return values


def _forget_repetitions(values: _Values) -> None:
    """A text counts where it stands first: variants of a product repeat the description."""
    seen: set[str] = set()
    for row, count in enumerate(values.words):
        if count:
            folded = fold(plain(values.text[row]))
            if folded in seen:
                values.words[row] = 0.0
                values.text[row] = ""
            seen.add(folded)


def _forget_labels(values: _Values) -> None:
    """The texts of a table of labels are no prose."""
    tables: dict[int, list[int]] = {}
    for row, count in enumerate(values.words):
        if count and not values.is_list[values.parent[row]]:
            tables.setdefault(values.parent[row], []).append(row)
    for rows in tables.values():
        if len(rows) >= _LABELS and max(values.words[row] for row in rows) < _FULL_WEIGHT:
            for row in rows:
                values.words[row] = 0.0


def _weights(values: _Values) -> list[float]:
    """For each row: how much prose it holds."""
    weight = [count * min(1.0, count / _FULL_WEIGHT) for count in values.words]
    for row in range(len(weight) - 1, 0, -1):
        weight[values.parent[row]] += weight[row]
    return weight


def _named(values: _Values, weight: list[float], titles: frozenset[str]) -> int:
    """The record that bears the title of the page and has a good part of the prose, -1 if there is none."""
    titled = (row for row, text in enumerate(values.text) if 0 < len(text) <= _LONGEST_TITLE and fold(text) in titles)
    row = max({values.parent[row] for row in titled} - {-1}, key=weight.__getitem__, default=-1)
    return row if row >= 0 and weight[row] >= max(_WEIGHT_OF_NAMED, _SHARE_OF_NAMED * weight[0]) else -1


def _richest(values: _Values, weight: list[float], row: int) -> tuple[int, int]:
    """The rows, from and up to, of the container below a row that has nearly all of its prose."""
    rows = len(weight)
    best = [-1] * rows
    for below in range(rows - 1, 0, -1):
        above = values.parent[below]
        if best[above] < 0 or weight[below] >= weight[best[above]]:
            best[above] = below
    while row < rows and (below := best[row]) >= 0 and not values.text[below]:
        if weight[below] < weight[row] * (_SHARE_OF_ITEM if values.is_list[row] else _SHARE_OF_FIELD):
            break
        row = below
    end = row + 1
    while end < rows and values.parent[end] >= row:
        end += 1
    return row, end


def _texts(values: _Values, first: int, end: int) -> Iterator[str]:
    """The prose of these rows, and the short texts in fields that are for prose."""
    per_key: dict[str, float] = {}
    for row in range(first, end):
        per_key[values.key[row]] = per_key.get(values.key[row], 0.0) + values.words[row]
    enough = _SHARE_OF_KEY * sum(per_key.values())
    last = ""
    for row in range(first, end):
        text = values.text[row]
        if values.words[row] or (text and 0 < enough <= per_key[values.key[row]] and _belongs(text, last)):
            yield text
            last = text


def _belongs(text: str, last: str) -> bool:
    """Is a short text a heading, or a piece of the sentence that the last one began?"""
    return is_label(plain(text)) or (bool(text.strip()) and goes_on_behind(last)) or continues(text)
