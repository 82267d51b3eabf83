"""The content in the state of a program: the part of its data that has the most prose.

The same data holds menus, labels and teasers of other pages. So the search goes down from the top to the child that has
nearly all the prose; what is below is the content. If a record bears the title of the page, the search begins there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tamis.document.shells.find import nested
from tamis.document.shells.prose import (
    is_boilerplate_key,
    is_continuation,
    is_cut_off,
    is_label,
    is_prose,
    plain,
    words,
)
from tamis.document.titles import fold

# Of larger state the beginning is read. On WCXB dev it has up to 43,000 values, mostly some thousand.
_MOST_VALUES = 50_000
_MOST_CHARACTERS = 2_000_000

# The search goes on to a field that has this share of the prose, and to an item of a list only if the other items have
# next to nothing: items are alike, such as the posts of a thread.
_SHARE_OF_FIELD, _SHARE_OF_ITEM = 0.7, 0.9

# The page is about a record that bears its title if the record has this share of the prose, and this weight.
_SHARE_OF_NAMED, _WEIGHT_OF_NAMED = 0.1, 40
_LONGEST_TITLE = 300

# A text of this many words counts in full, a shorter one less by its square: so hundreds of labels weigh less than
# one article.
_FULL_WEIGHT = 40

# A table with at least this many texts, all of them short, is one of labels.
_LABELS = 12

# A field that brings this share of the words is a field for prose; its short texts are headings or parts of sentences.
_SHARE_OF_KEY = 0.2


@dataclass(slots=True)
class _Value:
    """A container or a text; `parent` is the number of its container in the list of values, -1 at the top."""

    parent: int
    key: str
    text: str = ""  # empty for containers, and for prose that stands further up
    is_list: bool = False
    words: float = 0.0  # of prose; 0 for other texts and for containers


class Found(NamedTuple):
    """The content of a value: texts in their order, each plain or HTML."""

    texts: list[str]
    weight: float  # about its words, those of short texts counted less
    named: bool  # does it bear the title of the page?


def content(value: object, titles: frozenset[str]) -> Found:
    """The content of a value; no texts where it has no prose. `titles` are possible titles of the page, folded."""
    values = _read(value)
    counts = _words_of_prose(values)
    weight = [count * min(1.0, count / _FULL_WEIGHT) for count in counts]
    for row in range(len(weight) - 1, 0, -1):  # a container is before what it holds
        weight[values[row].parent] += weight[row]
    top = _named(values, weight, titles)
    first, end = _richest(values, weight, max(top, 0))
    return Found(list(_texts(values[first:end], counts[first:end])), weight[first] if weight else 0.0, top >= 0)


def _read(value: object) -> list[_Value]:
    """All containers and texts in document order, except those whose names say that they are not content."""
    values: list[_Value] = []
    seen: set[str] = set()  # variants of a product repeat its description: prose counts where it is first
    todo: list[tuple[object, int, str]] = [(value, -1, "")]
    room = _MOST_CHARACTERS
    while todo and len(values) < _MOST_VALUES and room > 0:
        each, parent, key = todo.pop()
        row = len(values)
        if isinstance(each, str):
            room -= len(each)
            if (inner := nested(each)) is None:
                values.append(_text_value(parent, key, each, seen))
                continue
            each = inner
        if isinstance(each, dict):
            values.append(_Value(parent, key))
            todo += [(below, row, name) for name, below in reversed(each.items()) if not is_boilerplate_key(name)]
        elif isinstance(each, list):
            values.append(_Value(parent, key, is_list=True))
            todo += [(below, row, key) for below in reversed(each[:_MOST_VALUES])]
    return values


def _text_value(parent: int, key: str, text: str, seen: set[str]) -> _Value:
    if not is_prose(text):
        return _Value(parent, key, text)
    if (folded := fold(plain(text))) in seen:
        return _Value(parent, key)
    seen.add(folded)
    return _Value(parent, key, text, words=words(plain(text)))


def _words_of_prose(values: list[_Value]) -> list[float]:
    """For each value: its words of prose; none in tables of labels."""
    counts = [value.words for value in values]
    tables: defaultdict[int, list[int]] = defaultdict(list)
    for row, value in enumerate(values):
        if value.words and not values[value.parent].is_list:
            tables[value.parent].append(row)
    for rows in tables.values():
        if len(rows) >= _LABELS and max(counts[row] for row in rows) < _FULL_WEIGHT:
            for row in rows:
                counts[row] = 0.0
    return counts


def _named(values: list[_Value], weight: list[float], titles: frozenset[str]) -> int:
    """The record that bears the title of the page and has a good part of the prose, -1 if there is none."""
    titled = {each.parent for each in values if 0 < len(each.text) <= _LONGEST_TITLE and fold(each.text) in titles}
    row = max(sorted(titled - {-1}), key=weight.__getitem__, default=-1)
    return row if row >= 0 and weight[row] >= max(_WEIGHT_OF_NAMED, _SHARE_OF_NAMED * weight[0]) else -1


def _richest(values: list[_Value], weight: list[float], row: int) -> tuple[int, int]:
    """The container below `row` that has nearly all of its prose: its row, and the row behind its last value."""
    best = [-1] * len(values)
    for below in range(len(values) - 1, 0, -1):
        above = values[below].parent
        if best[above] < 0 or weight[below] >= weight[best[above]]:
            best[above] = below
    while row < len(values) and (below := best[row]) >= 0 and not values[below].text:
        if weight[below] < weight[row] * (_SHARE_OF_ITEM if values[row].is_list else _SHARE_OF_FIELD):
            break
        row = below
    end = row + 1
    while end < len(values) and values[end].parent >= row:
        end += 1
    return row, end


def _texts(values: list[_Value], counts: list[float]) -> Iterator[str]:
    """The prose of these values, and the short texts in fields that are for prose."""
    per_key: defaultdict[str, float] = defaultdict(float)
    for value, count in zip(values, counts, strict=True):
        per_key[value.key] += count
    enough = _SHARE_OF_KEY * sum(per_key.values())
    last = ""
    for value, count in zip(values, counts, strict=True):
        text = value.text
        if count or (text and 0 < enough <= per_key[value.key] and _belongs(text, last)):
            yield text
            last = text


def _belongs(text: str, last: str) -> bool:
    """Is a short text a heading, or a piece of the sentence that the last one began?"""
    return is_label(plain(text)) or (bool(text.strip()) and is_cut_off(last)) or is_continuation(text)
