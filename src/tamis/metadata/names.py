"""Names of authors: clean names from what a page writes ("By Ann Lee, PhD, and Bob Ray | CNN"), and what they are.

The words are in names.json: words before names in some forty languages, titles, jobs, outlets, accounts.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html import unescape
from importlib.resources import files
from itertools import chain, islice
from typing import Any, NamedTuple

from tamis.document.decode import clean_text

_TABLE: Mapping[str, Any] = json.loads(files("tamis.metadata").joinpath("names.json").read_text(encoding="utf-8"))
BY = frozenset(chain.from_iterable(_TABLE["by"].values()))  # words before a name

_TITLES, _CREDENTIALS, _GENERATION, _ROLES, _ADJECTIVES, _COLLECTIVE, _ORGANISATION, _OUTLETS, _ACCOUNTS, _PARTICLES = (
    frozenset(_TABLE[key])
    for key in (
        "titles", "credentials", "generation", "roles", "adjectives", "collective", "organisation", "outlets",
        "accounts", "particles",
    )
)  # fmt: skip

_SEPARATORS = frozenset(_TABLE["and"]) | {""}
_ENGLISH = ("by", "author", "written by", "posted by", "published by")  # on pages in all languages
_GLUED_BEGINS = frozenset(label[:2] for label in _TABLE["glued"]) | {"文/", "文：", "文｜", "文|"}
_LOOSE = frozenset(_TABLE["places"]) | {"by", "and", "von", "par", "por"}  # at the end of what was cut
_CONTROLS = frozenset(_TABLE["controls"])
_LONGEST_LABEL = 40
_CAPITAL = re.compile(r"(?:[dDlLO]['’])?[^\W\d_a-zß-ÿ][^\W\d_]*+(?:[-'’.][^\W\d_]*+)*+$")
_LONGEST, _LONGEST_NAME, _MOST, _MOST_WORDS, _MOST_WORDS_OF_ORGANISATION = 2_000, 60, 40, 5, 8
_MOST_LEVELS = 4  # of lists and dicts in each other
_MOST_LABELS = 3  # words before one name: "Author: By"


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(set(words), key=len, reverse=True))


_OTHERS = _any_of(_TABLE["others"])  # who did something else: photos, reviews
_COLON = r"\s*[:：]\s*"
_MARKUP = re.compile(r"<[^<>]{0,500}>")
_MAIL = re.compile(r"[^\s<>()@,;:]{1,64}@[^\s<>()@,;]{1,99}\.[^\s<>()@,;]{1,30}")
_ADDRESS = re.compile(r"(?:https?:|//|www\.)\S++")
_PATH = re.compile(r"\s*[./#][^\s/]++(?:/\S*)?\s*$|\s*[^\s/]*/[^\s/]*/\S*\s*$")
_HANDLE = re.compile(r"(?<![^\s(])@[\w.-]++")
_EMPTY = re.compile(r"[(\[]\s*[)\]]")
_SEGMENT = re.compile(r"\s++[-–—~>»]++\s++|\s*+[|·•∙｜丨―]++\s*+|\s++/+\s++|—|／|::++")
_CERTAIN = re.compile(
    rf"(?:{_any_of(BY - set(_TABLE['ambiguous']))})(?:{_COLON}|\s+|$)|(?:{_any_of(_TABLE['glued'])})[\s:：/／]*"
    rf"|(?:{_any_of(BY)}){_COLON}|文\s*[/／]\s*|(?:[\w&'-]{{1,20}}\s){{1,4}}by(?:{_COLON}|\s)",
    re.IGNORECASE,
)
_AMBIGUOUS = re.compile(rf"(?:{_any_of(_TABLE['ambiguous'])})\s+(?=\S+\s+\S)", re.IGNORECASE)
_BEHIND = re.compile(rf"\s*(?:{_any_of(_TABLE['behind'])})$")
_OTHER_WORK = re.compile(rf"(?:{_OTHERS})(?:\s|:|：|$)", re.IGNORECASE)
_TAIL = re.compile(
    rf"(?:^|[\s,;(])(?:(?i:{_any_of(_TABLE['tails'])})|{_any_of(_TABLE['verbs'])}|(?i:{_OTHERS}){_COLON})(?=[\s:：,.)]|$)"
    r"|(?:发布于|發布於|发表于|發表於|来源[:：]|來源[:：]|编辑[:：]|編輯[:：])"
)
_MONTHS, _DAYS, _UNITS = (_any_of(_TABLE[key]) for key in ("months", "days", "units"))
_DATE = re.compile(
    rf"(?:(?:^|[\s,(])(?:(?:{_DAYS})[.,]*\s+)?(?:(?:{_MONTHS})[^\W\d]{{0,9}}\.?\s+\d|"
    rf"\d{{1,4}}\.?\s*(?:st|nd|rd|th|de|er)?\s+(?:de\s+)?(?:{_MONTHS})|\d{{1,4}}[./:年-]\d|\d{{1,3}}\+?\s?(?:{_UNITS})\b"
    r"|(?:19|20)\d\d\b|\d{1,2}月))",
    re.IGNORECASE,
)
_STRONG_AND = _any_of(set(_TABLE["and"]) - set(_TABLE["weak and"]))
_WEAK_AND = _any_of(_TABLE["weak and"])
_COMMA = re.compile(rf"(?P<comma>\s*+[,，]\s*+)(?:(?:{_STRONG_AND}|{_WEAK_AND})\s++)?|\s*+[;；、､]\s*+", re.IGNORECASE)
_AND = re.compile(
    rf"\s++(?:{_STRONG_AND})\s++|\s++(?:{_WEAK_AND})\s++(?=\S++\s++\S)|(?<=\w)/(?=\w)"
    r"|(?<=[\u3400-\u9fff]{2})[和与與及](?=[\u3400-\u9fff]{2})",
    re.IGNORECASE,
)
_JUNIOR = re.compile(r",\s*([JS]r\b\.?)(?=\s*(?:[,;&]|and\b|$))")
_OUTLET = re.compile(rf"\s(?:{_any_of(outlet for outlet in _OUTLETS if ' ' in outlet)})$", re.IGNORECASE)
_PLACE = re.compile(rf"\s(?:{_any_of(_TABLE['places'])})\s")
_BRACKETS = re.compile(r"\s*[(（\[]([^()（）\[\]]{0,80})[)）\]]$")
_CREDENTIAL = re.compile(r"(?:[A-Z][A-Za-z]?\.?-?){1,4}[A-Z]\.?®?(?:\s\d{1,3})?$")
_INVERTED = re.compile(r"(?P<last>[^\s,]+),\s*(?P<first>[^\s,]+(?:\s[^\W\d_]\.?){1,2})$")
_INITIAL = re.compile(r"\b[^\W\d_]\.?$")
_IDENTIFIER = re.compile(r"(?=[^\W_]*\d)[0-9a-f]{8,}$|[0-9a-f]{8}-[0-9a-f-]{8,}$", re.IGNORECASE)
_NO_NAME = re.compile(
    r"[?!]$|[{}<>=\\%_]{2}|\[object|[{}\\]|\.(?:jpe?g|png|gif|html?|php|aspx?)$|^[/.#]|^\W*$|^[\d\W]+$"
)
_SOME_LETTER = re.compile(r"[^\W\d_]")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # scripts without spaces between names
_EDGE = " \t\r\n,;:|-–—·•∙/\\\"'`“”„«»*#>＞【】：，。~+_‹›→←…\u200b\u200e\u200f\ufeff\xa0"


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


def same_name(first: str, second: str) -> bool:
    """Are two names equal but for case, accents, dots, middle initials, titles and degrees?"""
    return folded_name(first) == folded_name(second)


def is_organisation(name: str, site_name: str, host: str) -> bool:
    """Is a name that of the site itself or of its staff: "Example News", "The Example News Team", "Staff"?"""
    words = [word for word in _folded(name).split() if word not in _COLLECTIVE and word not in ("the", "by", "our")]
    core = "".join(words).removesuffix("com")
    if not core:
        return True
    labels = host.lower().removeprefix("www.").split(".")
    others = ["".join(word for word in _folded(site_name).split() if word != "the").removesuffix("com")]
    others += [label.replace("-", "") for label in labels[: max(1, len(labels) - 1)]]
    return any(
        core == other or (min(len(core), len(other)) > 5 and (core in other or other in core)) for other in others
    )


def is_collective(name: str) -> bool:
    """Is a name that of a group, an outlet or a job by one of its words: "Example Team", "Reuters", "Staff Writer"?"""
    return _is_outlet(name) or not _is_person(name.split())


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
        text = _EMPTY.sub("", _HANDLE.sub(" ", _ADDRESS.sub(" ", _MAIL.sub(" ", text)))).strip()
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]  # "ann@example.org (Ann Lee)"
    return " ".join(clean_text(text).split())


def _from_text(text: str, inverted: bool) -> list[str]:
    if len(text) > _LONGEST or _PATH.match(text):
        return []
    text = _plain(text)
    segments = [segment for segment in _SEGMENT.split(text) if segment]
    if len(segments) > 1 and (labelled := [segment for segment in segments if _CERTAIN.match(segment)]):
        segments = [*labelled, *segments]
    others: list[str] = []
    for segment in segments:
        if names := _listed(segment, inverted):
            if not all(map(_is_outlet, names)):
                return names
            others = others or names
    return others


def _listed(text: str, inverted: bool) -> list[str]:
    """The names of a text without separators of parts."""
    text = without_label(text)
    for cut in (_DATE, _TAIL):
        if found := cut.search(text):
            text = text[: found.start()]
    if not text or _OTHER_WORK.match(text):
        return []
    text = _JUNIOR.sub(r" \1", text)
    names: list[str] = []
    for part in _parts(text, inverted):
        name = _clean(part)
        if is_name(name) and (not names or starts_like_name(name)):
            names.append(name)
        elif len(name.split()) > 2:
            break  # a sentence about the last one
    return names


def without_label(text: str) -> str:
    """A text without the words before a name: "By", "Geschrieben von", "Автор:"."""
    for _ in range(_MOST_LABELS):
        text = text.strip(_EDGE)
        found = _CERTAIN.match(text)
        if not found and (found := _AMBIGUOUS.match(text)) and text[found.end() :].split(" ")[0].lower() in _PARTICLES:
            found = None
        if not found or any(_OTHER_WORK.match(word + " ") for word in found[0].split()[:-1]):
            break
        text = text[found.end() :]
    return _BEHIND.sub("", text.strip(_EDGE))


@cache
def label_words(language: str) -> frozenset[str]:
    """The first words of what stands before names in a language, in lower case; of all languages if it is not known."""
    own = _TABLE["by"].get(language)
    labels = chain(own, _ENGLISH) if own else BY
    return frozenset(label.split()[0] for label in labels) | _GLUED_BEGINS


def is_label(text: str) -> bool:
    """Is a text only words before a name: "By", "Article written by:"?"""
    lower = " ".join(text.lower().split()).rstrip(":： /")
    return lower in BY or (lower.endswith(" by") and len(lower) < _LONGEST_LABEL and not _OTHER_WORK.match(lower))


def is_other_work(text: str) -> bool:
    """Does a text say that the name behind it is not the author's: "Reviewed by", "Photos:"?"""
    return len(text) < _LONGEST_LABEL and bool(_OTHER_WORK.search(text.lower()))


def is_separator(text: str) -> bool:
    """Does a text only separate names: a comma, "and", a line?"""
    return text.strip(_EDGE + "()").lower() in _SEPARATORS


def is_control(text: str) -> bool:
    """Is a text the label of a control, such as "Share" or "Read more"?"""
    words = text.lower().split()
    return bool(words) and (" ".join(words) in _ACCOUNTS or not _CONTROLS.isdisjoint(words))


def starts_like_name(text: str) -> bool:
    """Does a text begin with a capital, or is it one word?"""
    return not text[:1].islower() or " " not in text or text.split()[0] in _PARTICLES


def looks_like_person(text: str) -> bool:
    """Is a text two to four words with capitals, as names of people are, and no known word of something else?"""
    words = text.split()
    return (
        1 < len(words) <= 4
        and len(text) < _LONGEST_NAME
        and all(_CAPITAL.match(word) or word in _PARTICLES for word in words)
        and _is_person(words)
        and is_name(text)
    )


def _parts(text: str, inverted: bool) -> list[str]:
    """The names of a list, without degrees, jobs and outlets behind them."""
    if (found := _INVERTED.match(text)) and found["last"].lower() not in _OUTLETS:
        return [f"{found['first']} {found['last']}"]
    chunks: list[_Part] = []
    start, is_listed = 0, False
    for comma in _COMMA.finditer(text):
        chunks.append(_Part(text[start : comma.start()], is_listed))
        start, is_listed = comma.end(), comma["comma"] == comma[0]
    chunks.append(_Part(text[start:], is_listed))
    parts: list[str] = []
    is_after_job = False
    for chunk in _turned(chunks) if inverted else chunks:
        if chunk.is_listed and parts and (is_after_job or _is_addition(chunk.text, parts[0])):
            is_after_job = not is_after_job and _has(_ROLES, chunk.text)
            continue
        is_after_job = False
        for place, each in enumerate([chunk.text] if _has(_ORGANISATION, chunk.text) else _AND.split(chunk.text)):
            is_first = chunk.is_listed and not place
            if not (parts and (_is_addition(each, parts[0]) if is_first else _is_degree(each))):
                parts.append(each)
    return parts


def _turned(chunks: list[_Part]) -> list[_Part]:
    """Surname and given name in their usual order."""
    turned: list[_Part] = []
    for place, chunk in enumerate(chunks):
        after = chunks[place + 1] if place + 1 < len(chunks) else _Part("", False)
        if after.is_listed and not chunk.is_listed and (place + 2 == len(chunks) or not chunks[place + 2].is_listed):
            words = len(chunk.text.split()), len(after.text.split())
            is_turned = min(words) == 1 or chunk.text.split()[0] in _PARTICLES or _INITIAL.search(after.text)
            if max(words) <= 3 and is_turned and not _is_degree(after.text):
                turned.append(_Part(f"{after.text} {chunk.text}", False))
                continue
        elif chunk.is_listed and turned and turned[-1].text.startswith(f"{chunk.text} "):
            continue
        turned.append(chunk)
    return turned


def _is_addition(text: str, first: str) -> bool:
    """Is what stands after a comma no name: a degree, a job, an outlet, a town? `first` is the first name."""
    if _is_degree(text) or _is_outlet(text) or _has(_ROLES, text):
        return True
    if _WIDE.search(text):
        return False
    words = first.split()
    is_after_person = len(words) > 1 and _is_person(words)
    is_outlet = text.startswith("The ") or _has(_ORGANISATION, text) or bool(_PLACE.search(text))
    return is_after_person and (is_outlet or len(text.split()) == 1)


def _clean(text: str) -> str:
    """A name without what is around it."""
    text = text.strip(_EDGE)
    while found := _BRACKETS.search(text):
        inner = found[1]
        if not (_WIDE.search(text) or _is_degree(inner) or _is_outlet(inner) or re.search(r"\d", inner)) and not any(
            _has(words, inner) for words in (_ROLES, _ORGANISATION)
        ):
            break
        text = text[: found.start()].strip(_EDGE)
    if (found := _PLACE.search(text)) and len(head := text[: found.start()].split()) > 1 and _is_person(head):
        text = " ".join(head)
    if (found := _OUTLET.search(text)) and len(head := text[: found.start()].split()) > 1 and _is_person(head):
        text = " ".join(head)
    words = text.split()
    is_after_job = False
    while len(words) > 1 and words[-1] in _LOOSE:
        words.pop()
    while len(words) > 2 and _is_behind_name(words, is_after_job):
        is_after_job = words.pop().lower() in _ROLES
    text = " ".join(words).strip(_EDGE)
    last = words[-1] if words else ""
    return text[:-1] if last.endswith(".") and len(last) > 4 and "." not in last[:-1] else text


def _is_behind_name(words: list[str], is_after_job: bool) -> bool:
    """Is the last word a degree, a job or an outlet behind the name of a person?"""
    last, before = words[-1], words[:-1]
    lower = last.lower().strip(".,")
    person = [word for word in before if word.lower() not in _ADJECTIVES]
    if len(person) < 2 or not _is_person(person):
        return False
    if lower in _ROLES or (is_after_job and lower in _ADJECTIVES):
        return True
    return (lower.replace(".", "") in _CREDENTIALS and _is_short(last)) or (last.isupper() and lower in _OUTLETS)


def is_name(text: str) -> bool:
    """May a text be the name of a person or an organisation?"""
    lower = text.lower()
    if not text or len(text) > _LONGEST_NAME or lower in _ACCOUNTS or lower in BY:
        return False
    if _NO_NAME.search(text) or _IDENTIFIER.match(text) or not _SOME_LETTER.search(text):
        return False
    words = text.split()
    if len(words) == 1 and "/" in text:
        return False
    plain = sum(word[0].islower() and word.lower() not in _PARTICLES for word in words)
    if len(words) > 3 and plain > 1:
        return False  # a sentence
    return len(words) <= (_MOST_WORDS_OF_ORGANISATION if _has(_ORGANISATION | _PARTICLES, text) else _MOST_WORDS)


def _without_outlets(names: list[str]) -> list[str]:
    """The names without outlets and jobs, if there are others."""
    return [name for name in names if not _is_outlet(name)] or names


def _is_outlet(name: str) -> bool:
    lower = name.lower().strip(_EDGE)
    return lower in _OUTLETS or all(word.strip(".,") in _ROLES or word in _ADJECTIVES for word in lower.split())


def _is_person(words: list[str]) -> bool:
    return bool(words) and not any(
        word in _ORGANISATION or word in _COLLECTIVE or word in _ROLES or word in ("the", "for", "of")
        for word in (word.lower().strip(".,") for word in words)
    )


def _is_degree(text: str) -> bool:
    """Is it only degrees: "PhD", "M.D. FACLM", "MS"?"""
    text = _BRACKETS.sub("", text.strip(" ,;"))
    known = all(word.lower().strip(",®").replace(".", "") in _CREDENTIALS for word in text.split())
    return known or bool(_CREDENTIAL.match(text))


def _is_short(word: str) -> bool:
    """Is it written as an abbreviation, with two capitals?"""
    return sum(map(str.isupper, word)) > 1


def _has(words: frozenset[str], text: str) -> bool:
    return not words.isdisjoint(word.strip(".,:()") for word in text.lower().split())


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(
        re.sub(r"[\W_]+", " ", "".join(char for char in decomposed if not unicodedata.combining(char))).split()
    )


@lru_cache(maxsize=4096)
def folded_name(name: str) -> str:
    """What is equal of equal names."""
    words = [word for word in name.replace(",", " ").split() if word.lower() not in _TITLES]
    while len(words) > 2 and (
        (last := words[-1].lower().strip(".").replace(".", "")) in _GENERATION
        or (last in _CREDENTIALS and _is_short(words[-1]))
    ):
        words.pop()
    folded = _folded(" ".join(words).replace("'", "").replace("’", "")).split()
    return " ".join(word for place, word in enumerate(folded) if not place or len(word) > 1 or word > "z")
