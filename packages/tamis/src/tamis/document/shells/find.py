"""The JSON in scripts and attributes of a page. It is decoded, and nothing is ever run.

Decoded are scripts of a JSON type, literals inside other scripts (``window.__STATE__ = {...}``, ``JSON.parse("...")``,
``push([1, "..."])``), and attributes that begin like JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tamis.document import parse

# Shorter JSON has no content worth showing.
_SHORTEST = 200

# Characters that are decoded of one page. The largest data of WCXB dev has 1.5 million; hostile JSON takes about a
# second for each million, and a script of many beginnings that all break off late is read again and again.
_BUDGET = 4_000_000
# What an attempt costs on top of the characters read. A failed one also counts the lines before it.
_ATTEMPT, _CHARACTERS_COUNTED = 100, 20
# The rows of a stream, or of a flat list, that are read.
_MOST_ROWS = 100_000

_JSON_TYPE = re.compile(r"(?:^|[/+])json\b|hydrate", re.IGNORECASE)
_OTHER_JSON = re.compile(r"ld\+json|importmap|speculationrules|manifest", re.IGNORECASE)

# Where a literal may begin: after an assignment or as an argument.
_BEGINNING = re.compile(r"[=(]\s{0,20}(?=[\[{\"])")
# JavaScript has undefined where JSON has null.
_UNDEFINED = re.compile(r"(?<=[:,\[])\s?undefined(?=\s?[,}\]])")

# A row of the stream of React's server components: a number, then JSON, or T, a length in bytes and text.
_ROW = re.compile(rb"([0-9a-f]{1,8}):(?:T([0-9a-f]{1,8}),)?")
_NAMED_ROW = re.compile(rb'"\$([0-9a-f]{1,8})"')
_STREAM = "__next_f"

_JSON = json.JSONDecoder(strict=False)


@dataclass
class _Decoder:
    """Decodes JSON until the budget of the page is spent. Broken and too deep data becomes None."""

    left: int = _BUDGET

    def whole(self, text: str) -> object:
        """Decode a text that is JSON from its beginning to its end."""
        if len(text) > self.left:
            return None
        self.left -= len(text)
        try:
            return _JSON.decode(text)
        except (ValueError, RecursionError):
            return None

    def at(self, text: str, start: int) -> tuple[object, int]:
        """Decode the value that begins at `start`. Returns it and its end, or None and `start`."""
        try:
            value, end = _JSON.raw_decode(text, start)
        except json.JSONDecodeError as error:
            # Decoding a string that does not end reads all the rest.
            read = len(text) - start if error.msg.startswith("Unterminated") else error.pos - start
            self.left -= read + _ATTEMPT + error.pos // _CHARACTERS_COUNTED
            return None, start
        except (ValueError, RecursionError):
            self.left -= len(text) - start
            return None, start
        self.left -= end - start + _ATTEMPT
        return value, end


def from_scripts(tree: parse.Tree) -> Iterator[object]:
    """The values in the scripts of a page in document order, without JSON-LD."""
    decoder = _Decoder()
    stream: list[str] = []
    for node in parse.select(tree, "script"):
        kind = node.attr("type") or ""
        if _OTHER_JSON.search(kind):
            continue
        text = node.text
        if _STREAM in text:
            pushed = _literals(text, decoder, shortest=0)
            stream += [each[1] for each in pushed if isinstance(each, list) and len(each) == 2 and type(each[1]) is str]
        elif len(text) < _SHORTEST:
            continue
        elif _JSON_TYPE.search(kind):
            yield _unflattened(decoder.whole(text))
        else:
            yield from map(_unflattened, _literals(text, decoder, shortest=_SHORTEST))
    if stream:
        yield list(_rows("".join(stream).encode("utf-8", "replace"), decoder))


def from_attributes(tree: parse.Tree) -> Iterator[object]:
    """The values of attributes that are JSON, each once."""
    decoder = _Decoder()
    seen: set[str] = set()
    for node in parse.select(tree, "body, body *"):
        for _, value in parse.attributes(node):
            if len(value) >= _SHORTEST and value.lstrip()[:1] in ("{", "[") and value not in seen:
                seen.add(value)
                yield decoder.whole(value)


def nested(text: str) -> object:
    """The value of a string that is JSON itself, else None."""
    return _Decoder(len(text)).whole(text) if text[:1] in ("{", "[") and text.rstrip()[-1:] in ("}", "]") else None


def _literals(text: str, decoder: _Decoder, *, shortest: int) -> Iterator[object]:
    """The JSON literals in a script that have at least so many characters."""
    if "undefined" in text:
        text = _UNDEFINED.sub("null", text)
    place = 0
    while (found := _BEGINNING.search(text, place)) is not None and decoder.left > 0:
        value, place = decoder.at(text, found.end())
        if place - found.end() < shortest:
            continue
        # A string may be data, as in JSON.parse("...").
        yield nested(value) if isinstance(value, str) else value


def _unflattened(value: object) -> object:
    """State that is one flat list, in which objects hold the places of their values, as a tree; other state as it is.

    Each container is put in at the first place that names it, so the tree has no cycles and no copies.
    """
    if not isinstance(value, list) or len(value) > _MOST_ROWS:
        return value
    places = [place for each in value if isinstance(each, dict) for place in each.values()]
    if not all(type(place) is int for place in places) or not any(isinstance(each, dict) for each in value):
        return value
    built: list[Any] = [{} if isinstance(each, dict) else [] if isinstance(each, list) else each for each in value]
    free = {row for row, each in enumerate(built) if isinstance(each, dict | list)} - {0}

    def put(place: object) -> Any:
        if type(place) is not int or not 0 <= place < len(built):
            return None
        if isinstance(built[place], dict | list):
            if place not in free:
                return None
            free.remove(place)
        return built[place]

    for each, made in zip(value, built, strict=True):
        if isinstance(each, dict):
            made.update((_key(key, value), put(place)) for key, place in each.items())
        elif isinstance(each, list):
            made.extend(put(place) for place in each)
    return built[0]


def _key(key: str, flat: list[object]) -> str:
    """Some flat lists hold the keys, too: "_7" is the text at place 7."""
    place = int(key[1:]) if len(key) < 9 and key[:1] == "_" and key[1:].isdecimal() else len(flat)
    name = flat[place] if place < len(flat) else key
    return name if isinstance(name, str) else key


def _rows(stream: bytes, decoder: _Decoder) -> Iterator[object]:
    """The values of the rows of a stream. Rows of text are put where another row names them, each once."""
    texts: dict[bytes, bytes] = {}
    rows: list[bytes] = []
    place = 0
    for _ in range(_MOST_ROWS):
        if (head := _ROW.match(stream, place)) is None:
            break
        if head[2] is not None:
            place = head.end() + int(head[2], 16)
            texts[head[1]] = stream[head.end() : place]
        else:
            end = stream.find(b"\n", head.end())
            end = len(stream) if end < 0 else end
            if stream[head.end() : head.end() + 1] in (b"{", b"[", b'"'):
                rows.append(stream[head.end() : end])
            place = end + 1

    def put(named: re.Match[bytes]) -> bytes:
        text = texts.pop(named[1], None)
        return named[0] if text is None else json.dumps(text.decode("utf-8", "replace")).encode()

    for row in rows:
        yield decoder.whole(_NAMED_ROW.sub(put, row).decode("utf-8", "replace"))
    for text in texts.values():
        yield text.decode("utf-8", "replace")
