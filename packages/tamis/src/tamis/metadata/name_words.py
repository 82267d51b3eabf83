"""The words around names: before them, behind them, between them; jobs, degrees, outlets, accounts, controls.

The table is names.json. Texts are compared in lower case: expressions that ignore the case are several times slower.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any

_TABLE: Mapping[str, Any] = json.loads(files("tamis.metadata").joinpath("names.json").read_text(encoding="utf-8"))
BY = frozenset(chain.from_iterable(_TABLE["by"].values()))  # words before a name

TITLES, CREDENTIALS, GENERATION, ROLES, ADJECTIVES, COLLECTIVE, ORGANISATION, OUTLETS, ACCOUNTS, PARTICLES, PRESS = (
    frozenset(_TABLE[key])
    for key in (
        "titles", "credentials", "generation", "roles", "adjectives", "collective", "organisation", "outlets",
        "accounts", "particles", "press",
    )
)  # fmt: skip
LOOSE = frozenset(_TABLE["places"]) | frozenset(_TABLE["loose"])  # at the end of what was cut
EDGE = " \t\r\n,;:|-–—·•∙●/\\&⋅\"'`“”„«»*#>＞【】：，。~+_‹›→←…\u200b\u200e\u200f\ufeff\xa0"
LONGEST_NAME = 60

SIMPLE_LABELS = frozenset("By BY by Von Par Por Door Autor: Author:".split())

_OF_NAMES = frozenset(f"{word} " for word in _TABLE["particles"])
_SEPARATORS = frozenset(_TABLE["and"]) | {""}
_COMMAS, _JOINING = ",，;；、&", frozenset(_TABLE["and"]) | frozenset(_TABLE["middle"])
_CONTROLS = frozenset(_TABLE["controls"])
_ENGLISH = ("by", "author", "written by", "posted by", "published by")  # on pages in all languages
_GLUED = frozenset(label[:2] for label in _TABLE["glued"]) | {"文/", "文：", "文｜", "文|", "文・", "文＝"}
_LONGEST_LABEL, _MOST_LABELS = 40, 3  # characters; and words before one name: "Author: By"
_MOST_WORDS, _MOST_WORDS_OF_ORGANISATION = 5, 8
_MOST_WORDS_OF_PERSON, _MOST_PLAIN = 4, 3


def any_of(words: Iterable[str]) -> str:
    """An expression for one of these words, the longest first."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s") for word in sorted(set(words), key=len, reverse=True))


def lowered(text: str) -> str:
    """A text in lower case and of the same length."""
    lower = text.lower()
    return (
        lower if len(lower) == len(text) else "".join(low if len(low := char.lower()) == 1 else char for char in text)
    )


# White space is folded where these are used.
_COLON = r"\s?[:：]\s?"
_OTHERS = any_of(_TABLE["others"])  # who did something else: photos, reviews
_CERTAIN = re.compile(
    rf"^(?:(?:{any_of(BY - set(_TABLE['ambiguous']))})(?:{_COLON}|\s|$)|(?:{any_of(_TABLE['glued'])})[\s:：/／]{{0,3}}"
    rf"|(?:{any_of(BY)}){_COLON}|文\s?[/／・＝]\s?|(?:[\w&'-]{{1,20}}\s){{1,4}}by(?:{_COLON}|\s))"
)
_MIDDLE = re.compile(rf"\s(?:{any_of(_TABLE['middle'])})(?:{_COLON}|\s)")
_HEAD = re.compile(rf"(?:{any_of(_TABLE['heads'])})\s")
_AMBIGUOUS = re.compile(rf"(?:{any_of(_TABLE['ambiguous'])})\s(?=\S{{1,40}}\s\S)")
_BEHIND = re.compile(rf"\s?(?:{any_of(_TABLE['behind'])})$")
_OTHER_WORK = re.compile(rf"(?:{_OTHERS})(?:\s|:|：|$)")
_SOME_OTHER_WORK = re.compile(rf"\b(?:{_OTHERS})(?:\s|:|：|$)")
_DIGIT = re.compile(r"\d")
_MONTHS, _DAYS, _UNITS = (any_of(_TABLE[key]) for key in ("months", "days", "units"))
_DATE = re.compile(
    rf"(?:(?:^|[\s,(])(?:(?:{_DAYS})[.,]{{0,2}}\s)?(?:(?:{_MONTHS})[^\W\d]{{0,9}}\.?\s\d|"
    rf"\d{{1,4}}\.?\s?(?:st|nd|rd|th|de|er)?\s(?:de\s)?(?:{_MONTHS})|\d{{1,4}}[./:年-]\d|\d{{1,3}}\+?\s?(?:{_UNITS})\b"
    r"|(?:19|20)\d\d\b|\d{1,2}月))"
)
_TAIL = re.compile(
    rf"(?:^|[\s,;(])(?:{any_of(_TABLE['tails'])}|(?:{_OTHERS}){_COLON})(?=[\s:：,.)]|$)"
    r"|(?:发布于|發布於|发表于|發表於|来源[:：]|來源[:：]|编辑[:：]|編輯[:：])"
)
_VERB = re.compile(rf"\s(?:{any_of(_TABLE['verbs'])})\s")
_CAPITAL = re.compile(r"^(?:[dDlLO]['’])?[^\W\d_a-zß-ÿ][^\W\d_]*+(?:[-'’.][^\W\d_]*+)*+$")
_CREDENTIAL = re.compile(r"^(?:[A-Z][A-Za-z]?\.?-?){1,4}[A-Z]\.?®?(?:\s\d{1,3})?$")
BRACKETS = re.compile(r"\s?[(（\[]([^()（）\[\]]{0,80})[)）\]]$")
_IDENTIFIER = re.compile(r"^(?:(?=[a-f]*+\d)[0-9a-f]{8,}+|[0-9a-f]{8}-[0-9a-f-]{8,}+)$")
_NO_NAME = re.compile(
    r"[?!]$|[:：$\x00-\x1f\x7f-\x9f]|[{}<>=\\%_]{2}|\[object|[{}\\]|\.(?:jpe?g|png|gif|html?|php|aspx?)$|^[/.#]|^[\d\W_]*$"
)
_STRONG_AND, _WEAK_AND = any_of(set(_TABLE["and"]) - set(_TABLE["weak and"])), any_of(_TABLE["weak and"])
COMMA = re.compile(rf"(?P<comma>\s?[,，]\s?)(?:(?:{_STRONG_AND}|{_WEAK_AND})\s)?|\s?[;；、､]\s?")
AND = re.compile(
    rf"\s(?:{_STRONG_AND})\s|\s(?:{_WEAK_AND})\s(?=\S{{1,40}}\s\S)|(?<=\w)/(?=\w)"
    r"|(?<=[\u3400-\u9fff]{2})[和与與及](?=[\u3400-\u9fff]{2})"
)
OUTLET = re.compile(rf"\s(?:{any_of(outlet for outlet in OUTLETS if ' ' in outlet)})$")
PLACE = re.compile(rf"\s(?:{any_of(_TABLE['places'])})\s")
# The words that are more than a part of a name.
_SPECIAL = frozenset(
    chain(
        TITLES, CREDENTIALS, GENERATION, ROLES, ADJECTIVES, COLLECTIVE, ORGANISATION, OUTLETS, ACCOUNTS, PARTICLES,
        LOOSE, _SEPARATORS, _CONTROLS, (label.split()[0] for label in BY), *(phrase.split() for phrase in OUTLETS),
        *(phrase.split() for key in ("tails", "verbs", "others") for phrase in _TABLE[key]),
    )
)  # fmt: skip


def is_plain(text: str) -> bool:
    """Is a text two or three words with capitals, of which none is more than a part of a name? A quick look."""
    words = text.split(" ")
    return 1 < len(words) <= _MOST_PLAIN and all(
        word.isalpha() and word[0].isupper() and word[0].isascii() and word.lower() not in _SPECIAL for word in words
    )


def without_label(text: str) -> str:
    """A text without the words before a name: "By", "Geschrieben von", "Автор:", "Posted on May 3 by"."""
    lower = lowered(text)
    if (found := _MIDDLE.search(lower)) and (_DIGIT.search(lower, 0, found.start()) or _HEAD.match(lower)):
        text = text[found.end() :]
    for _ in range(_MOST_LABELS):
        text = text.strip(EDGE)
        lower = lowered(text)
        found = _CERTAIN.match(lower) or _AMBIGUOUS.match(lower)
        if found and found[0] in _OF_NAMES and text[found.end() :].split(" ")[0] in PARTICLES:
            break  # "Von der Heide"
        if not found or any(_OTHER_WORK.match(word + " ") for word in found[0].split()[:-1]):
            break
        text = text[found.end() :]
    return _BEHIND.sub("", text.strip(EDGE))


def without_tail(text: str) -> str:
    """A text up to the first date, or to words such as "Updated"; empty if it begins with what others did."""
    lower = lowered(text)
    if _DIGIT.search(lower) and (found := _DATE.search(lower)):
        lower = lower[: found.start()]
    if found := _TAIL.search(lower):
        lower = lower[: found.start()]
    if found := _VERB.search(text):
        lower = lower[: found.start()]
    return "" if _OTHER_WORK.match(lower) else text[: len(lower)]


def has_label(text: str) -> bool:
    """Does a text begin with words that only stand before a name?"""
    return bool(_CERTAIN.match(lowered(text)))


@cache
def label_words(language: str) -> frozenset[str]:
    """The first words of what stands before names in a language, in lower case; of all languages if it is not known."""
    own = _TABLE["by"].get(language)
    labels = chain(own, _ENGLISH) if own else BY
    return frozenset(label.split()[0] for label in labels) | _GLUED


def is_label(text: str) -> bool:
    """Is a text only words before a name: "By", "Article written by:"?"""
    lower = " ".join(text.lower().split()).rstrip(":： /")
    return lower in BY or (lower.endswith(" by") and len(lower) < _LONGEST_LABEL and not _OTHER_WORK.match(lower))


def is_other_work(text: str) -> bool:
    """Does a text say that the name behind it is not the author's: "Reviewed by", "Photos:"?"""
    return len(text) < _LONGEST_LABEL and bool(_SOME_OTHER_WORK.search(text.lower()))


def is_separator(text: str) -> bool:
    """Does a text only separate names: a comma, "and", a line?"""
    return text.strip(EDGE + "()").lower() in _SEPARATORS


def joins(text: str) -> bool:
    """Does a text begin or end with a word or a mark between names: ", and", "Ann Lee,", "and Bob Ray", "by"?"""
    words = text.lower().split()
    return is_separator(text) or text[0] in _COMMAS or text[-1] in _COMMAS or {words[0], words[-1]} & _JOINING != set()


def is_control(text: str) -> bool:
    """Is a text the label of a control, such as "Share" or "Read more"?"""
    words = text.lower().split()
    return bool(words) and (" ".join(words) in ACCOUNTS or not _CONTROLS.isdisjoint(words))


def starts_like_name(text: str) -> bool:
    """Does a text begin with a capital, or is it one word?"""
    return not text[:1].islower() or " " not in text or text.split()[0] in PARTICLES


def looks_like_person(text: str) -> bool:
    """Is a text two to four words with capitals, as names of people are, and no known word of something else?"""
    words = text.split()
    return (
        1 < len(words) <= _MOST_WORDS_OF_PERSON
        and len(text) < LONGEST_NAME
        and all(_CAPITAL.match(word) or word in PARTICLES for word in words)
        and is_person(words)
        and is_name(text)
    )


_ARTICLES = frozenset("the a an this that these those its his her their our my".split())  # in small letters


def is_name(text: str) -> bool:
    """May a text be the name of a person or an organisation?"""
    lower = text.lower()
    if not 1 < len(text) <= LONGEST_NAME or lower in ACCOUNTS or lower in BY or lower in LOOSE:
        return False
    if _NO_NAME.search(text) or _IDENTIFIER.match(lower):
        return False
    words = text.split()
    if (len(words) == 1 and "/" in text) or words[0] in _ARTICLES or (words[0].isdigit() and words[-1].isdigit()):
        return False
    plain = sum(word[0].islower() and word.lower() not in PARTICLES for word in words)
    if len(words) > 3 and plain > 1:
        return False  # a sentence
    return len(words) <= (_MOST_WORDS_OF_ORGANISATION if has(ORGANISATION | PARTICLES, text) else _MOST_WORDS)


def is_outlet(name: str) -> bool:
    """Is it an agency or another known outlet, or only a job: "Reuters", "Staff Writer"?"""
    lower = name.lower().strip(EDGE)
    return lower in OUTLETS or all(word.strip(".,") in ROLES or word in ADJECTIVES for word in lower.split())


def is_person(words: list[str]) -> bool:
    """May these words be the name of a person? It has none of organisations and jobs."""
    return bool(words) and not any(
        word in ORGANISATION or word in COLLECTIVE or word in ROLES or word in ("the", "for", "of")
        for word in (word.lower().strip(".,") for word in words)
    )


def is_degree(text: str, *, known: bool = False) -> bool:
    """Is it only degrees: "PhD", "M.D. FACLM", "MS"? With `known` capitals alone are not enough: "JOHN"."""
    text = BRACKETS.sub("", text.strip(" ,;"))
    are_known = all(word.lower().strip(",®").replace(".", "") in CREDENTIALS for word in text.split())
    return are_known or (not known and bool(_CREDENTIAL.match(text)))


def is_short(word: str) -> bool:
    """Is it written as an abbreviation, with two capitals?"""
    return sum(map(str.isupper, word)) > 1


def has(words: frozenset[str], text: str) -> bool:
    """Has a text one of these words?"""
    return not words.isdisjoint(word.strip(".,:()") for word in text.lower().split())
