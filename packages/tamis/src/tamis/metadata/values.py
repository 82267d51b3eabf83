"""Cleans the values of sources: text, tags, categories, licences. Unusable ones become None or ()."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

from tamis.document.decode import clean_text
from tamis.render.content.source import without_invisible_marks

_LANGUAGE = re.compile(r"^[A-Za-z]{2,3}(?:[-_]\w++(?:-\w++)*+)?$")

_LONGEST = 5_000  # characters; longer contents are not metadata
# Contents that a script or a template should have filled in.
_NOTHING = frozenset(("[object object]", *"null undefined none nan n/a na false true - . 0 unknown default".split()))
_UNFILLED = re.compile(r"\{\{|\$\{|\{%|<%|\[%|%%\w|^\{\w{1,50}\}$|^%\w{1,50}%$|^\[\w{1,50}\]$")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
# Formatting of a headline. Without an end tag it is a text about HTML.
_MARKUP = re.compile(r"</?(?:i|em|b|strong|span|p|br|sup|sub|a|u|small|q|cite|font|mark)(?:\s[^<>]{0,200})?/?>", re.I)

_SEPARATORS = (";；", "|｜", "\n", ",，、،")
_LONGEST_TAG = 100  # characters
_MOST_TAGS = 100
_AROUND_TAG = ' \t\r\n"“”„«»#,;|'
# Tags for machines, such as nid:1234 or site:section/travel.
_MACHINE_TAG = re.compile(r"[\w-]{1,40}[:=|][\w./:-]{1,200}")

_CREATIVE_COMMONS = re.compile(
    r"creativecommons\.org/(licenses|publicdomain)/([a-z-]{2,12}+|zero|mark)(?:/([1-4]\.[05]))?(?:/([a-z]{2,3})\b)?",
    re.IGNORECASE,
)
_CC_NAME = re.compile(
    r"\bcc[\s_-]?(by(?:[\s_-](?:nc|nd|sa)){0,2}|0)\b(?:\s?(?:v|version)?\.?\s?([1-4]\.[05]))?", re.IGNORECASE
)
_CC_WORDS = re.compile(
    r"\bcreative\s+commons\s+attribution((?:[\s-]+(?:non-?commercial|no-?derivat(?:iv)?es|share-?alike)){0,2})"
    r"(?:\s+([1-4]\.[05]))?",
    re.IGNORECASE,
)
_CC_PARTS = {"noncommercial": "nc", "noderivatives": "nd", "noderivates": "nd", "noderivs": "nd", "sharealike": "sa"}


def table(name: str) -> Any:
    """The data of a JSON file of this folder."""
    return json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def text(value: object) -> str | None:
    """A text with its white space folded; of a list the first text."""
    if isinstance(value, list):
        value = next((each for each in value if isinstance(each, str)), None)
    if not isinstance(value, str):
        return None
    return _clean(value[:_LONGEST])


def language(value: object) -> str | None:
    """A language tag such as pt-BR; of several with commas the first."""
    found = text(value)
    found = found and found.partition(",")[0].strip()
    return found.replace("_", "-") if found and _LANGUAGE.match(found) else None


def tags(value: object) -> tuple[str, ...]:
    """The tags in a list, or in a text with commas, semicolons or bars between them; each once."""
    given = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    texts = [each for each in given if isinstance(each, str)]
    found: dict[str, str] = {}
    for each in texts:
        for tag in _split(each[:_LONGEST]) if len(texts) == 1 or each.count(",") > 1 else [each]:
            tag = (text(tag) or "").strip(_AROUND_TAG)
            if tag and len(tag) <= _LONGEST_TAG and not _MACHINE_TAG.fullmatch(tag):
                found.setdefault(tag.casefold(), tag)
        if len(found) >= _MOST_TAGS:
            break
    return tuple(found.values())[:_MOST_TAGS]


def licence(value: object) -> str | None:
    """The address of the Creative Commons licence that a text names or contains."""
    if not isinstance(value, str) or "c" not in value[:_LONGEST].lower():
        return None
    value = value[:_LONGEST]
    if found := _CREATIVE_COMMONS.search(value):
        kind, name, version, country = ((part or "").lower() for part in found.groups())
        return _licence_address(kind, name.strip("-"), version, country)
    if found := _CC_NAME.search(value):
        name = re.sub(r"[\s_]", "-", found[1].lower())
        given = ("publicdomain", "zero", "1.0") if name == "0" else ("licenses", name, found[2] or "")
        return _licence_address(*given)
    if found := _CC_WORDS.search(value):
        words = found[1].lower().replace("non-", "non").replace("no-", "no").replace("share-", "share")
        parts = [_CC_PARTS[word] for word in words.replace("-", " ").split()]
        return _licence_address("licenses", "-".join(["by", *parts]), found[2] or "")
    return None


def unique(values: Iterable[str | None]) -> list[str]:
    """The values that are not empty, each once."""
    return list(dict.fromkeys(filter(None, values)))


@lru_cache(maxsize=256)  # several places of a page have the same title, description or tag
def _clean(value: str) -> str | None:
    found = _folded(value)
    if not found or (len(found) < 16 and found.lower() in _NOTHING):
        return None
    return None if any(mark in found for mark in "{[%") and _UNFILLED.search(found) else found


def _licence_address(kind: str, name: str, version: str, country: str = "") -> str:
    return "https://creativecommons.org/" + "".join(f"{part}/" for part in (kind, name, version, country) if part)


def _split(value: str) -> list[str]:
    """The parts of a list, at its most frequent separator: parts may contain another one, mostly a comma."""
    *others, commas = (sum(value.count(mark) for mark in marks) for marks in _SEPARATORS)
    counts = [*others, commas / 2]
    if not any(counts):
        return [value]
    marks = _SEPARATORS[counts.index(max(counts))]
    for mark in marks[1:]:
        value = value.replace(mark, marks[0])
    return value.split(marks[0])


def _folded(value: str) -> str:
    if "&" in value and _ENTITY.search(value):
        value = unescape(value)  # escaped twice
    if "</" in value or "<br" in value:
        value = _MARKUP.sub(" ", value)
    if value.isprintable() and "  " not in value:
        return value.strip()
    # JSON can write half a surrogate pair, which no output can.
    return " ".join(without_invisible_marks(clean_text(value)).split())


_CATEGORIES = table("categories.json")
_NONE = frozenset(_CATEGORIES["none"])
_HOME = frozenset(_CATEGORIES["home"])


def categories(names: Iterable[str]) -> tuple[str, ...]:
    """The names that are categories, not placeholders such as "Uncategorized"."""
    return tuple(name for name in names if name.casefold() not in _NONE)


def is_home(name: str) -> bool:
    """Do breadcrumbs call the home page so?"""
    return name.strip().casefold() in _HOME
