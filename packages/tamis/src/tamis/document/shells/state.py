"""The content in the state of a program: the part of its data that has the most prose.

First the JSON in scripts and attributes is decoded, and nothing is ever run: scripts of a JSON type, literals inside
other scripts (``window.__STATE__ = {...}``, ``JSON.parse("...")``, ``push([1, "..."])``), and attributes that look like
JSON. Then its strings are sorted. Prose in any language has words, or letters of a script without spaces, has sentence
marks, and few of the signs of code. Addresses, class lists, queries, base64 and templates do not.

The same data holds menus, labels and teasers of other pages. So the search descends from the top to the child that has
nearly all the prose; its values are the content. If a record bears the title of the page, the search starts there.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import Any, NamedTuple

from tamis.document import parse
from tamis.document.titles import fold

# Shorter JSON is not worth showing.
_SHORTEST = 200

# Characters that are decoded of one page. The largest data of WCXB dev has 1.5 million; hostile JSON takes about a
# second for each million, and a script with many literals that all break off late is read again and again.
_BUDGET = 4_000_000
# The cost of an attempt, in addition to the characters read.
_ATTEMPT = 100
# A failed attempt also counts the lines before it, which takes as long as reading one character for this many.
_CHARACTERS_COUNTED = 20
# The most rows of a stream, or of a flat list, that are read.
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
    """Decodes JSON until the budget of the page is spent. Broken data and data that is too deep become None."""

    left: int = _BUDGET

    def decode(self, text: str) -> object:
        """Decode a text that is JSON as a whole."""
        if len(text) > self.left:
            return None
        self.left -= len(text)
        try:
            return _JSON.decode(text)
        except (ValueError, RecursionError):
            return None

    def decode_at(self, text: str, start: int) -> tuple[object, int]:
        """Decode the value that starts at `start`. Returns it and its end, or None and `start`."""
        try:
            value, end = _JSON.raw_decode(text, start)
        except json.JSONDecodeError as error:
            # Decoding an endless string reads all the rest.
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
            yield _unflattened(decoder.decode(text))
        else:
            yield from map(_unflattened, _literals(text, decoder, shortest=_SHORTEST))
    if stream:
        yield list(_row_values("".join(stream).encode("utf-8", "replace"), decoder))


def from_attributes(tree: parse.Tree) -> Iterator[object]:
    """The values of attributes that are JSON, each once."""
    decoder = _Decoder()
    seen: set[str] = set()
    for node in parse.select(tree, "body, body *"):
        for _, value in parse.attributes(node):
            if len(value) >= _SHORTEST and value.lstrip()[:1] in ("{", "[") and value not in seen:
                seen.add(value)
                yield decoder.decode(value)


def nested(text: str) -> object:
    """The value of a string that is JSON itself, else None."""
    return _Decoder(len(text)).decode(text) if text[:1] in ("{", "[") and text.rstrip()[-1:] in ("}", "]") else None


def _literals(text: str, decoder: _Decoder, *, shortest: int) -> Iterator[object]:
    """The JSON literals of at least `shortest` characters in a script."""
    if "undefined" in text:
        text = _UNDEFINED.sub("null", text)
    place = 0
    while (found := _BEGINNING.search(text, place)) is not None and decoder.left > 0:
        value, place = decoder.decode_at(text, found.end())
        if place - found.end() < shortest:
            continue
        # A string may be data, as in JSON.parse("...").
        yield nested(value) if isinstance(value, str) else value


def _unflattened(value: object) -> object:
    """State that is a flat list, whose objects hold the indices of their values, as a tree; other state as it is.

    Each container is inserted where it is first named, so the tree has neither cycles nor copies.
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
            made.update((_real_key(key, value), put(place)) for key, place in each.items())
        elif isinstance(each, list):
            made.extend(put(place) for place in each)
    return built[0]


def _real_key(key: str, flat: list[object]) -> str:
    """The real key: some flat lists also hold the keys, where "_7" is the text at index 7."""
    place = int(key[1:]) if len(key) < 9 and key[:1] == "_" and key[1:].isdecimal() else len(flat)
    name = flat[place] if place < len(flat) else key
    return name if isinstance(name, str) else key


def _row_values(stream: bytes, decoder: _Decoder) -> Iterator[object]:
    """The values of the rows of a stream. A row of text is inserted where another row names it, once."""
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
        yield decoder.decode(_NAMED_ROW.sub(put, row).decode("utf-8", "replace"))
    for text in texts.values():
        yield text.decode("utf-8", "replace")


# A string is judged by its first characters; the rest is of the same kind.
_SAMPLE = 4_000

# Longer strings are libraries or pictures.
_LONGEST_PROSE = 1_000_000
# Shorter strings can't have enough words in any script.
_SHORTEST_PROSE = 15

# The fewest words of independent prose; labels of buttons and names of things are shorter.
FEWEST_WORDS = 8
# The fewest without any sentence mark; lists of keywords are shorter.
_FEWEST_UNMARKED = 25

# The least share of letters: prose of any script is mostly letters; tables of numbers, sizes of pictures and dates are
# not.
_FEWEST_LETTERS = 0.6
_MOST_CODE = 0.03  # share of the signs of code
# The most words with a hyphen or colon inside, as in lists of CSS classes.
_MOST_JOINED = 0.25

_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_MARKUP = re.compile(r"<(?:/?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?|!--[^<>]*--)>")
# An address from its mark to its end.
_ADDRESS = re.compile(r"(?:://|www\.)\S*")
_BEFORE_MARK = 200  # the most characters of an address before its mark
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LETTER = re.compile(r"[^\W\d_]|[\u0300-\u036f\u0900-\u0dff\u0e31-\u0e4e]")
_CODE = re.compile(r"[{}=<>\[\]\\|_$]|//|/\*|;\s*$", re.MULTILINE)
_JOINED = re.compile(r"\S[-:]\S")
_SENTENCE_MARK = re.compile(r"[.!?…。！？؟।፡።:,、،]")
# Where a program puts a value into a label: {name}, {{name}}, %{name}, %s, %1$s.
_PLACEHOLDER = re.compile(r"\{\{?\s*[\w.]+\s*\}|%\{\w+\}|%(?:\d+\$)?[sd](?!\w)|\$t\(")
_GOES_ON = frozenset(" ,.;:!?)]…")
_SENTENCE_END = frozenset(".!?…。！？؟।።")
_WORD_OF_KEY = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")

# Words in names of fields around the content; programmers write them in English on sites in all languages.
_AROUND = frozenset(
    """
    i18n intl translation translations locale locales lang langs dictionary label labels tooltip tooltips
    placeholder placeholders
    cookie cookies consent gdpr ccpa onetrust privacy disclaimer disclaimers legal terms copyright
    nav navs navigation menu menus header footer sidebar breadcrumb breadcrumbs banner banners announcement
    announcements newsletter popup popups modal modals promo promos promotion promotions
    related recommended recommendation recommendations recommends suggested suggestion suggestions similar
    upsell upsells trending popular
    seo meta metadata og opengraph twitter analytics tracking datalayer experiment experiments feature features flags
    config configuration settings env routes route manifest chunks query queries fragment schema
    class classname style styles css stylesheet href src srcset url urls path alt icon svg script scripts
    error errors user session viewer
    """.split()
)


def words(text: str) -> float:
    """About how many words a text has; in scripts without spaces two letters count as one."""
    return len(text.split()) + len(_UNSPACED.findall(text)) / 2


def title_overlap(title: str, text: str) -> float:
    """The share of a title's longer words in a text, both folded. In scripts without spaces, words are letter pairs."""
    pairs = {f"{one}{two}" for one, two in pairwise(title) if _UNSPACED.match(one) and _UNSPACED.match(two)}
    sought = pairs | {word for word in title.split() if len(word) > 3 and _UNSPACED.search(word) is None}
    return sum(each in text for each in sought) / len(sought) if sought else 0.0


def is_markup(text: str) -> bool:
    """Is the text written in HTML?"""
    return _MARKUP.search(text) is not None


def plain(text: str) -> str:
    """A string as a reader sees it: HTML without its tags."""
    if "<" in text:
        text = _TAG.sub(" ", text)
    return unescape(text) if "&" in text else text


def is_prose(text: str) -> bool:
    """Is a string, plain or HTML, text for readers and long enough to be independent?"""
    if not _SHORTEST_PROSE <= len(text) <= _LONGEST_PROSE or (text.isascii() and text.count(" ") < FEWEST_WORDS - 1):
        return False
    sample = _without_addresses(plain(text[:_SAMPLE])).strip()
    count = words(sample)
    if count < FEWEST_WORDS or _PLACEHOLDER.search(sample):
        return False
    if count < _FEWEST_UNMARKED and _SENTENCE_MARK.search(sample) is None:
        return False
    signs = sum(map(len, sample.split()))
    return (
        len(_LETTER.findall(sample)) >= _FEWEST_LETTERS * signs
        and len(_CODE.findall(sample)) <= _MOST_CODE * signs
        and len(_JOINED.findall(sample)) <= _MOST_JOINED * count
    )


def _without_addresses(text: str) -> str:
    """A text with a space for each address."""
    *before, last = _ADDRESS.split(text)
    return " ".join((*map(_without_last_word, before), last))


def _without_last_word(text: str) -> str:
    """A text up to the white space before its last character, or without its last _BEFORE_MARK characters."""
    last = text[-_BEFORE_MARK:]
    return text[: len(text) - len(last.split()[-1])] if last and not last[-1].isspace() else text


def is_label(text: str) -> bool:
    """May a string next to prose belong to the prose, such as a heading or a word in bold?"""
    text = text.strip()
    return (
        0 < len(text) <= 300
        and _LETTER.search(text) is not None
        and _ADDRESS.search(text) is None
        and (" " in text or text[0].isupper() or _UNSPACED.search(text) is not None)
        and _CODE.search(text) is None
    )


def is_continuation(text: str) -> bool:
    """Does a text continue the sentence of another one? Rich text is cut up like that."""
    return text[:1] in _GOES_ON and text.strip() != ""


def is_cut_off(text: str) -> bool:
    """Does a text break off in a sentence, so that the next one continues it?"""
    return text[-1:] == " " and text[-_SAMPLE:].rstrip()[-1:] not in _SENTENCE_END


@lru_cache(maxsize=4_096)  # state repeats the same few hundred names thousands of times
def is_boilerplate_key(key: str) -> bool:
    """Does the name of a field say that it is boilerplate?"""
    return any(part.lower() in _AROUND for part in _WORD_OF_KEY.findall(key[:100]))


# Larger state is cut. On WCXB dev it has up to 43,000 values, mostly a few thousand.
_MOST_VALUES = 50_000
_MOST_CHARACTERS = 2_000_000

# The search descends to a field that has this share of the prose.
_SHARE_OF_FIELD = 0.7
# It descends to an item of a list only if the other items have next to nothing: items are alike, such as posts.
_SHARE_OF_ITEM = 0.9

# The page is about a record that bears its title if the record has this share of the prose, and this weight.
_SHARE_OF_NAMED = 0.1
_WEIGHT_OF_NAMED = 40
_LONGEST_TITLE = 300

# A text of this many words counts in full, a shorter text in proportion to its square: so hundreds of labels weigh less
# than one article.
_FULL_WEIGHT = 40

# A table with at least this many texts, all of them short, is a table of labels.
_LABELS = 12

# A field with this share of the words is a field for prose; its short texts are headings or parts of sentences.
_SHARE_OF_KEY = 0.2


@dataclass(slots=True)
class _Value:
    """A container or a text; `parent` is the number of its container in the list of values, -1 at the top."""

    parent: int
    key: str
    text: str = ""  # empty for containers, and for prose that is a repetition
    is_list: bool = False
    words: float = 0.0  # of prose; 0 for other texts and for containers


class StateContent(NamedTuple):
    """The content of a value: texts in their order, each plain or HTML."""

    texts: list[str]
    weight: float  # about its words; those of short texts count less
    named: bool  # does it bear the title of the page?


def content(value: object, titles: frozenset[str]) -> StateContent:
    """The content of a value; without prose, no texts. `titles` are possible titles of the page, folded."""
    values = _values_in(value)
    counts = _words_of_prose(values)
    weight = [count * min(1.0, count / _FULL_WEIGHT) for count in counts]
    for row in range(len(weight) - 1, 0, -1):  # a container is before what it holds
        weight[values[row].parent] += weight[row]
    top = _titled_record(values, weight, titles)
    first, end = _richest_container(values, weight, max(top, 0))
    texts = list(_content_texts(values[first:end], counts[first:end]))
    return StateContent(texts, weight[first] if weight else 0.0, top >= 0)


def _values_in(value: object) -> list[_Value]:
    """All containers and texts in document order, except those with the names of boilerplate."""
    values: list[_Value] = []
    seen: set[str] = set()  # variants of a product repeat its description: only the first copy of prose counts
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


def _titled_record(values: list[_Value], weight: list[float], titles: frozenset[str]) -> int:
    """The record that bears the title of the page and has a good part of the prose, -1 if there is none."""
    titled = {each.parent for each in values if 0 < len(each.text) <= _LONGEST_TITLE and fold(each.text) in titles}
    row = max(sorted(titled - {-1}), key=weight.__getitem__, default=-1)
    return row if row >= 0 and weight[row] >= max(_WEIGHT_OF_NAMED, _SHARE_OF_NAMED * weight[0]) else -1


def _richest_container(values: list[_Value], weight: list[float], row: int) -> tuple[int, int]:
    """The container below `row` that has nearly all of its prose: its row, and the row after its last value."""
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


def _content_texts(values: list[_Value], counts: list[float]) -> Iterator[str]:
    """The prose of these values, and the short texts in fields for prose."""
    per_key: defaultdict[str, float] = defaultdict(float)
    for value, count in zip(values, counts, strict=True):
        per_key[value.key] += count
    enough = _SHARE_OF_KEY * sum(per_key.values())
    last = ""
    for value, count in zip(values, counts, strict=True):
        text = value.text
        is_short_part = text and 0 < enough <= per_key[value.key]
        # A short text is kept as a heading, or as a piece of the sentence that the last one started.
        if count or (
            is_short_part and (is_label(plain(text)) or (text.strip() and is_cut_off(last)) or is_continuation(text))
        ):
            yield text
            last = text
