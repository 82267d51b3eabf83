"""Names of authors: clean names from what a page writes ("By Ann Lee, PhD, and Bob Ray | CNN"), and what they are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import NamedTuple

from tamis.document import dates
from tamis.document.decode import clean_text
from tamis.metadata.name_words import (
    ADJECTIVES,
    AND,
    BRACKETS,
    COLLECTIVE,
    COMMA,
    CREDENTIALS,
    EDGE,
    GENERATION,
    LOOSE,
    ORGANISATION,
    OUTLET,
    OUTLETS,
    PARTICLES,
    PLACE,
    PRESS,
    ROLES,
    SIMPLE_LABELS,
    TITLES,
    has,
    has_label,
    is_degree,
    is_name,
    is_outlet,
    is_person,
    is_plain,
    is_short,
    lowered,
    starts_like_name,
    without_label,
    without_tail,
)

_LONGEST, _MOST = 2_000, 40  # characters of a text, and names
_MOST_LEVELS = 4  # of lists and dicts in each other
_LONGEST_REMEMBERED, _MOST_REMEMBERED = 200, 4_096  # texts: several places of a page, and pages, have the same ones

_MARKUP = re.compile(r"<[^<>]{0,500}>")
_MAIL = re.compile(r"[^\s<>()@,;:]{1,64}@[^\s<>()@,;]{1,99}\.[^\s<>()@,;]{1,30}")
_ADDRESS = re.compile(r"(?:https?:|//|www\.)\S++")
_PATH = re.compile(r"^\s*+(?:[./#]\S++|[^\s/]*+/[^\s/]*+/\S*+)\s*+$")
_HANDLE = re.compile(r"(?<![^\s(])@++[\w.-]++")
_EMPTY = re.compile(r"[(\[]\s?[)\]]")
_SEGMENT = re.compile(r"\s[-–—~>»]{1,3}\s|\s?[|·•∙●⋅｜丨―]\s?|\s/\s|—|／|::")
_JUNIOR = re.compile(r",\s?([JS]r\b\.?)(?=\s?(?:[,;&]|and\b|$))")
_INVERTED = re.compile(r"^(?P<last>[^\s,]++),\s?(?P<first>[^\s,]++(?:\s[^\W\d_]\.?){1,2})$")
_INITIAL = re.compile(r"\b[^\W\d_]\.?$")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # scripts without spaces between names
_DIGIT, _NO_WORD = re.compile(r"\d"), re.compile(r"[\W_]+")


class _Part(NamedTuple):
    text: str
    is_listed: bool  # after a comma, where titles and outlets stand, too


def people(value: object, *, inverted: bool = False) -> tuple[str, ...]:
    """The names of people or organisations in a text, a list or a JSON-LD thing, each once; () if there are none.

    With `inverted` a text such as "Lee, Ann" is one name with the surname first.
    """
    found: dict[str, str] = {}
    for name in islice(_names(value, inverted, _MOST_LEVELS), _MOST):
        found.setdefault(folded_name(name) or name, name)
    return tuple(_without_outlets(list(found.values())))


def is_organisation(name: str, site_name: str, host: str) -> bool:
    """Is a name that of the site itself or of its staff: "Example News", "The Example News Team", "Staff"?"""
    words = [word for word in _folded(name).split() if word not in COLLECTIVE and word not in ("the", "by", "our")]
    core = "".join(words).removesuffix("com")
    if not core:
        return True
    labels = host.lower().removeprefix("www.").split(".")
    others = ["".join(word for word in _folded(site_name).split() if word != "the").removesuffix("com")]
    others += [label.replace("-", "") for label in labels[: max(1, len(labels) - 1)]]
    return any(
        core == other or (min(len(core), len(other)) > 5 and (core in other or other in core)) for other in others
    )


def _names(value: object, inverted: bool, levels: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from _from_text(value, inverted)
    elif isinstance(value, Mapping) and levels:
        name = value.get("name") or value.get("@value")
        if not name and isinstance(value.get("familyName"), str):
            name = f"{value.get('givenName') or ''} {value['familyName']}"
        if isinstance(name, str) and "Organization" in str(value.get("@type")):
            yield from filter(is_name, [_clean(_plain(name[:_LONGEST]))])  # "Lee & Ray" is one
        else:
            yield from _names(name, inverted, levels - 1)
    elif isinstance(value, list | tuple) and levels:
        for each in value[:_MOST]:
            yield from _names(each, inverted, levels - 1)


def _plain(text: str) -> str:
    """A text without markup, addresses and handles."""
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = _MARKUP.sub(" ", text)
    if "@" in text or "//" in text or "www." in text:
        text = " ".join(_HANDLE.sub(" ", _ADDRESS.sub(" ", _MAIL.sub(" ", text))).split())
        text = _EMPTY.sub("", text).strip()
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]  # "ann@example.org (Ann Lee)"
    return _without_dates(" ".join(clean_text(text).replace("\xad", "").replace("،", ",").split()))


def _without_dates(text: str) -> str:
    """A text with commas in place of its dates."""
    if not _DIGIT.search(text):
        return text
    for found in reversed(dates.find(text)):
        text = f"{text[: found.start]}, {text[found.end :]}"
    return text


def _from_text(text: str, inverted: bool) -> tuple[str, ...]:
    if is_plain(text):
        return (text,)
    label, _, rest = text.partition(" ")
    if label in SIMPLE_LABELS and is_plain(rest):
        return (rest,)
    if len(text) <= _LONGEST_REMEMBERED:
        return _remembered(text, inverted)
    return _read(text, inverted) if len(text) <= _LONGEST else ()


def _read(text: str, inverted: bool) -> tuple[str, ...]:
    if _PATH.match(text):
        return ()
    segments = [segment for segment in _SEGMENT.split(_plain(text)) if segment]
    if len(segments) > 1 and (labelled := [segment for segment in segments if has_label(segment)]):
        segments = [*labelled, *segments]
    others: list[str] = []
    for segment in segments:
        if names := _listed(segment, inverted):
            if not all(map(is_outlet, names)):
                return tuple(names)
            others = others or names
    return tuple(others)


_remembered = lru_cache(maxsize=_MOST_REMEMBERED)(_read)


def _listed(text: str, inverted: bool) -> list[str]:
    """The names of a text without separators of parts."""
    text = _JUNIOR.sub(r" \1", without_tail(without_label(text)))
    names: list[str] = []
    for part in _parts(text, inverted) if text else ():
        name = _clean(part)
        if is_name(name) and (not names or starts_like_name(name)):
            names.append(name)
        elif len(name.split()) > 2:
            break  # a sentence about the last one
    return names


def _parts(text: str, inverted: bool) -> list[str]:
    """The names of a list, without degrees, jobs and outlets behind them."""
    if (found := _INVERTED.match(text)) and found["last"].lower() not in OUTLETS:
        return [f"{found['first']} {found['last']}"]
    chunks: list[_Part] = []
    start, is_listed = 0, False
    for comma in COMMA.finditer(lowered(text)):
        chunks.append(_Part(text[start : comma.start()], is_listed))
        start, is_listed = comma.end(), comma["comma"] == comma[0]
    chunks.append(_Part(text[start:], is_listed))
    parts: list[str] = []
    is_after_job = False
    for chunk in _turned(chunks) if inverted else chunks:
        if chunk.is_listed and parts and (is_after_job or _is_addition(chunk.text, parts[0])):
            is_after_job = not is_after_job and has(ROLES, chunk.text)
            continue
        is_after_job = False
        for place, each in enumerate([chunk.text] if has(ORGANISATION, chunk.text) else _split(chunk.text)):
            is_first = chunk.is_listed and not place
            if not (parts and (_is_addition(each, parts[0]) if is_first else is_degree(each))):
                parts.append(each)
    return parts


def _split(text: str) -> list[str]:
    """The names that "and" joins."""
    found = list(AND.finditer(lowered(text)))
    starts, ends = [0, *(match.end() for match in found)], [*(match.start() for match in found), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _turned(chunks: list[_Part]) -> list[_Part]:
    """Surname and given name in their usual order."""
    turned: list[_Part] = []
    for place, chunk in enumerate(chunks):
        after = chunks[place + 1] if place + 1 < len(chunks) else _Part("", False)
        if after.is_listed and not chunk.is_listed and (place + 2 == len(chunks) or not chunks[place + 2].is_listed):
            words = len(chunk.text.split()), len(after.text.split())
            is_turned = min(words) == 1 or chunk.text.split()[0] in PARTICLES or _INITIAL.search(after.text)
            if max(words) <= 3 and is_turned and not is_degree(after.text, known=chunk.text.isupper()):
                turned.append(_Part(f"{after.text} {chunk.text}", False))
                continue
        elif chunk.is_listed and turned and turned[-1].text.startswith(f"{chunk.text} "):
            continue
        turned.append(chunk)
    return turned


def _is_addition(text: str, first: str) -> bool:
    """Is what stands after a comma no name: a degree, a job, an outlet, a town? `first` is the first name."""
    if is_degree(text) or is_outlet(text) or has(ROLES, text):
        return True
    if _WIDE.search(text):
        return False
    words = first.split()
    is_after_person = len(words) > 1 and is_person(words)
    is_group = text.startswith("The ") or has(ORGANISATION, text) or bool(PLACE.search(text))
    return is_after_person and (is_group or len(text.split()) == 1)


def _clean(text: str) -> str:
    """A name without what is around it."""
    text = text.strip(EDGE).removesuffix(" .")
    while found := BRACKETS.search(text):
        inner = found[1]
        if not (_WIDE.search(text) or is_degree(inner) or is_outlet(inner) or _DIGIT.search(inner)) and not any(
            has(words, inner) for words in (ROLES, ORGANISATION)
        ):
            break
        text = text[: found.start()].strip(EDGE)
    if (found := PLACE.search(text)) and len(head := text[: found.start()].split()) > 1 and is_person(head):
        text = " ".join(head)
    if (found := OUTLET.search(lowered(text))) and len(head := text[: found.start()].split()) > 1 and is_person(head):
        text = " ".join(head)
    words = text.split()
    is_after_job = False
    while len(words) > 1 and words[-1] in LOOSE:
        words.pop()
    while len(words) > 2 and _is_behind_name(words, is_after_job):
        is_after_job = is_after_job or words[-1].lower() in PRESS
        words.pop()
    text = " ".join(words).strip(EDGE)
    last = words[-1] if words else ""
    return text[:-1] if last.endswith(".") and len(last) > 4 and "." not in last[:-1] else text


def _is_behind_name(words: list[str], is_after_job: bool) -> bool:
    """Is the last word a degree, a job or an outlet behind the name of a person?"""
    last, before = words[-1], words[:-1]
    lower = last.lower().strip(".,")
    person = [word for word in before if word.lower() not in ADJECTIVES]
    if len(person) < 2 or not is_person(person):
        return False
    if lower in PRESS or (is_after_job and lower in ADJECTIVES):
        return True
    return (lower.replace(".", "") in CREDENTIALS and is_short(last)) or (last.isupper() and lower in OUTLETS)


def _without_outlets(names: list[str]) -> list[str]:
    """The names without outlets and jobs, if there are others."""
    return [name for name in names if not is_outlet(name) and not has(ROLES, name)] or names


@lru_cache(maxsize=1024)
def _folded(text: str) -> str:
    folded = text.casefold()
    if not folded.isascii():
        decomposed = unicodedata.normalize("NFKD", folded)
        folded = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(_NO_WORD.sub(" ", folded).split())


@lru_cache(maxsize=4096)
def folded_name(name: str) -> str:
    """What is equal of equal names."""
    words = [word for word in name.replace(",", " ").split() if word.lower() not in TITLES]
    while len(words) > 2 and (
        (last := words[-1].lower().strip(".").replace(".", "")) in GENERATION
        or (last in CREDENTIALS and is_short(words[-1]))
    ):
        words.pop()
    folded = _folded(" ".join(words).replace("'", "").replace("’", "")).split()
    return " ".join(word for place, word in enumerate(folded) if not place or len(word) > 1 or word > "z")
