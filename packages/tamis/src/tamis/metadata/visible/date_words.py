"""Words that tell what a date is: those beside it in the text, and those in the class of its element."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path

from tamis.document.dates.months import fold

PUBLISHED, UPDATED, OTHER, DATE, BOTH = "published", "updated", "other", "date", "date updated"

_TABLE = Path(__file__).with_name("dateline.json")
# A label stands close to its date: "Published in World by Ann Lee on Monday,".
_MOST_WORDS, _MOST_LETTERS, _MOST_BEHIND = 8, 80, 24
_SPACES = re.compile(r"[\s\d:,;|/()\[\]\-–—·•]+")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def label_before(text: str) -> str:
    """What the words before a date say: PUBLISHED, UPDATED, nothing, or OTHER, as in "member since"."""
    kinds = _kinds()
    for word in fold(text[-_MOST_LETTERS:]).split()[: -_MOST_WORDS - 1 : -1]:
        for part in (word, *_SPACES.split(word)) if not word.isalpha() else (word,):
            if kind := kinds.get(part):
                return kind
    return "" if text.isascii() else _unspaced(text[-_MOST_LETTERS:])


def label_behind(text: str) -> str:
    """The same of the first words behind a date, where some languages have them."""
    text = text[:_MOST_BEHIND]
    return "" if not text or text.isascii() else label_before(text)


def _unspaced(text: str) -> str:
    """The label that is nearest to the end of a text in a script without spaces."""
    table = _table()
    places = [(text.rfind(word), kind) for kind in (PUBLISHED, UPDATED) for word in table[f"{kind} in unspaced text"]]
    place, kind = max(places)
    return kind if place >= 0 else ""


@lru_cache(maxsize=2048)
def class_says(names: str) -> str:
    """What a class or id says about a date in its element: PUBLISHED, UPDATED, DATE, BOTH or nothing."""
    table, said = _table(), set()
    for name in names.split():
        parts = {part.lower() for part in _PART.findall(name)}
        for kind in (PUBLISHED, UPDATED, DATE):
            if not parts.isdisjoint(table[f"class {kind}"]):
                said.add(kind)
                break
    if PUBLISHED in said:
        return PUBLISHED
    return BOTH if len(said) > 1 else said.pop() if said else ""


@cache
def _kinds() -> dict[str, str]:
    return {word: kind for kind in (OTHER, PUBLISHED, UPDATED) for word in _table()[kind]}


@cache
def _table() -> dict[str, frozenset[str]]:
    given: dict[str, list[str]] = json.loads(_TABLE.read_text(encoding="utf-8"))
    return {name: frozenset(" ".join(lines).split()) for name, lines in given.items()}
