"""The linked data (JSON-LD) of a page, decoded once and walked once.

Decoding forgives common mistakes: marks of comments and of CDATA around the data, comments to the end of a line, a
comma before a closing bracket, several values in one script, control characters in strings, NaN, semicolons. Data that
is still broken is left out. The browser extension does the same (json.js and linked_data.js in
extension/src/core/extractors/tamis).

For metadata, `mended` reads the broken data again and guesses its meaning: entities for quotes, typographic quotes,
quotes inside strings, missing commas. The extractor does not see it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import unescape
from itertools import chain, takewhile
from typing import NamedTuple

from tamis.cached import cached_property
from tamis.document import parse

# Broken data is mended up to this length; that of real pages is shorter.
_LONGEST = 200_000
# The most closing brackets that may be missing before one that is there.
_MOST_FORGOTTEN = 10
_TYPOGRAPHIC = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'))
# A quote ends a string if a mark follows, or on another line the next key; others are part of the string.
_QUOTE_WITHIN = r'"(?!\s*+(?:[,:}\]]|\Z)|[ \t]*+[\r\n]\s*+["{\[]|\s*+"[^"\\]{1,50}+"\s*+:)'
_TOKEN = re.compile(
    r"<!--|-->|<!\[CDATA\[|\]\]>|/\*|\*/|//(?:[ \t]*+(?=<!|-->|\]\]>)|[^\n]*+)"
    r'|("(?:[^"\\]++|\\[\s\S]|' + _QUOTE_WITHIN + r')*+"?)|([{\[])|([}\]])|([,:])|([^\s"{\[}\],:]++)'
)
_TO_ESCAPE = re.compile(r'(\\["\\/bfnrtu])|["\\]')
_LITERAL = re.compile(r"-?(?:0|[1-9]\d{0,300}+)(?:\.\d{1,300}+)?(?:[eE][-+]?\d{1,3})?|true|false|null")
_CLOSING = {"{": "}", "[": "]"}


def mended(text: str) -> str:
    """The JSON that may have been meant, in time linear in the text. Valid JSON keeps its meaning."""
    text = text[:_LONGEST]
    if text.count("&quot;") > text.count('"'):
        text = unescape(text)
    if '"@' not in text:
        text = text.translate(_TYPOGRAPHIC)
    pieces: list[str] = []
    open_ones: list[str] = []  # what closes the objects and lists that are open
    for token in _TOKEN.finditer(text):
        if not token.lastindex:
            continue  # a comment
        string, opening, closing, mark, word = token.groups()
        last = pieces[-1] if pieces else ","
        if closing or mark == ",":
            if last == ":":
                pieces.append("null")
            if closing in open_ones[-_MOST_FORGOTTEN:]:
                while (end := open_ones.pop()) != closing:
                    pieces.append(end)
                pieces.append(closing)
            elif mark and last not in ",{[":
                pieces.append(mark)
            continue
        if mark != ":" and last not in ",:{[":
            pieces.append(",")
        if opening:
            open_ones.append(_CLOSING[opening])
        if word and not _LITERAL.fullmatch(word):
            word = "null"
        pieces.append(opening or mark or word or _escaped(string))
    if pieces and pieces[-1] == ":":
        pieces.append("null")
    return "".join((*pieces, *reversed(open_ones)))


def _escaped(string: str) -> str:
    """A string with its inner quotes escaped."""
    inner = string[1:-1] if len(string) > 1 and string[-1] == '"' else string[1:]
    return '"' + _TO_ESCAPE.sub(lambda found: found[1] or "\\" + found[0], inner) + '"'


# Characters that are read of one page; hostile JSON takes about a second for each million.
_MOST_CHARACTERS = 4_000_000
# Callers recurse over the values, so their nesting is capped. Real data nests ten levels or so.
_DEEPEST_VALUE = 200
# Limits of the walk; real pages stay below them.
_MOST_VALUES = 20_000
_DEEPEST_THING = 12

# The page is about things below these keys only.
_ABOUT_THE_PAGE = frozenset({"@graph", "mainEntity", "mainEntityOfPage"})

_DECODER = json.JSONDecoder(strict=False)
# Marks before, between and after the values of a script.
_MARKS = re.compile(r"(?:[ \t\n\r\xa0\ufeff;,]|//|/\*|\*/|<!--|-->|<!\[CDATA\[|\]\]>)*+")
# Group 1 matches text to keep; the rest of the match is removed. Possessive, so that an endless string costs no more
# than others.
_STRING = r'"(?:[^"\\]++|\\[\s\S])*+"?'
_COMMENT = re.compile(r'((?:[^"/*]++|' + _STRING + r"|/\*|\*/?|/(?!/(?![ \t]*(?:<!|-->|\]\]>))))++)|//[^\n]*")
_LAST_COMMA = re.compile(r'((?:[^",]++|' + _STRING + r"|,(?![ \t\n\r]*[}\]]))++)|,")


class Thing(NamedTuple):
    """An object of JSON-LD."""

    fields: Mapping[str, object]
    types: list[str]  # names of schema.org without its address: one, several or none
    keys: tuple[str, ...]  # the path of keys that leads to it through other things, the outermost first
    level: int  # how many lists and objects contain it

    @property
    def is_about_page(self) -> bool:
        """Does it describe the page itself, and not a part or another page?"""
        return _ABOUT_THE_PAGE.issuperset(self.keys)


@dataclass(frozen=True, eq=False)
class LinkedData:
    """The linked data of a page, decoded on first use."""

    _tree: parse.Tree = field(repr=False)

    @property
    def values(self) -> list[object]:
        """The decoded values of all scripts in document order."""
        return self._decoded[0]

    @cached_property
    def mended(self) -> list[Thing]:
        """The objects in data that could not be decoded, as far as they can be guessed."""
        return _Walk(chain.from_iterable(_decode(mended(text))[0] for text in self._decoded[1])).things

    @cached_property
    def _decoded(self) -> tuple[list[object], list[str]]:
        """The values, and the undecoded rest of each broken script."""
        values: list[object] = []
        broken: list[str] = []
        left = _MOST_CHARACTERS
        for node in parse.select(self._tree, 'script[type*="ld+json" i]'):
            text = node.text.strip()
            left -= len(text)
            if left < 0:
                break
            found, rest = _decode(text)
            values += found
            if rest:
                broken.append(rest)
        return values, broken

    @property
    def things(self) -> list[Thing]:
        """The objects in document order, outer ones before inner ones."""
        return self._walked.things

    @property
    def texts(self) -> list[tuple[Thing, str, str]]:
        """The fields of `things` that are strings, in document order: the thing, the key, the string."""
        return self._walked.texts

    @cached_property
    def _walked(self) -> _Walk:
        return _Walk(self.values)


def type_name(name: str) -> str:
    """A type of schema.org without its address."""
    return name.strip().rstrip("/").rpartition("/")[2]


def type_names(fields: Mapping[str, object]) -> list[str]:
    """The types of an object: one, several or none."""
    given = fields.get("@type")
    return [type_name(name) for name in (given if isinstance(given, list) else [given]) if isinstance(name, str)]


class _Walk:
    """The things and texts in some values, up to the limits."""

    def __init__(self, values: Iterable[object]) -> None:
        self.things: list[Thing] = []
        self.texts: list[tuple[Thing, str, str]] = []
        self._left = _MOST_VALUES
        for value in values:
            self._read(value)

    def _read(self, value: object, keys: tuple[str, ...] = (), level: int = 0) -> None:
        if not self._left:
            return
        self._left -= 1
        if level > _DEEPEST_THING:
            return
        if isinstance(value, list):
            for each in value[: self._left]:
                self._read(each, keys, level + 1)
        elif isinstance(value, dict):
            thing = Thing(value, type_names(value), keys, level)
            self.things.append(thing)
            for key, inner in value.items():
                if isinstance(inner, str):
                    self.texts.append((thing, key, inner))
                else:
                    self._read(inner, (*keys, key), level + 1)


def _decode(text: str) -> tuple[list[object], str]:
    """The values of one script up to the first broken or too deep one, and the text from the broken one on."""
    rest = ""
    try:
        values: list[object] = [_DECODER.decode(text)]
    except (ValueError, RecursionError):
        values, rest = _decode_broken(text)
    is_shallow = text.count("[") + text.count("{") < _DEEPEST_VALUE
    return values if is_shallow else list(takewhile(_is_shallow, values)), rest


def _decode_broken(text: str) -> tuple[list[object], str]:
    original, text = text, _LAST_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text))
    values: list[object] = []
    place = 0
    while (marks := _MARKS.match(text, place)) is not None and marks.end() < len(text):
        try:
            value, place = _DECODER.raw_decode(text, marks.end())
        except (ValueError, RecursionError):
            return values, text[marks.end() :] if values else original
        values.append(value)
    return values, ""


def _is_shallow(value: object) -> bool:
    level = [value]
    for _ in range(_DEEPEST_VALUE):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each if isinstance(each, list) else ())
        ]
        if not level:
            return True
    return False
