"""Names of authors: clean names from what a page writes ("By Ann Lee, PhD, and Bob Ray | CNN"), and what they are.

The words around names (labels, jobs, degrees, outlets, accounts, controls) are in names.json. Texts are compared in
lower case: expressions that ignore the case are several times slower.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html import unescape
from itertools import chain, islice
from typing import Any, NamedTuple

from tamis.document import dates
from tamis.document.decode import clean_text
from tamis.metadata.values import table

_TABLE: Mapping[str, Any] = table("names.json")
BY = frozenset(chain.from_iterable(_TABLE["by"].values()))  # words before a name

_TITLES = frozenset(_TABLE["titles"])
_CREDENTIALS = frozenset(_TABLE["credentials"])
_GENERATION = frozenset(_TABLE["generation"])
_ROLES = frozenset(_TABLE["roles"])
_ADJECTIVES = frozenset(_TABLE["adjectives"])
_COLLECTIVE = frozenset(_TABLE["collective"])
_ORGANISATION = frozenset(_TABLE["organisation"])
_OUTLETS = frozenset(_TABLE["outlets"])
_ACCOUNTS = frozenset(_TABLE["accounts"])
_PARTICLES = frozenset(_TABLE["particles"])
_PRESS = frozenset(_TABLE["press"])
_LOOSE = frozenset(_TABLE["places"] + _TABLE["loose"])  # left over at the end of a cut name
_EDGE = " \t\r\n,;:|-–—·•∙●/\\&⋅\"'`“”„«»*#>＞【】：，。~+_‹›→←…\u200b\u200e\u200f\ufeff\xa0"
_SIMPLE_LABELS = frozenset("By BY by Von Par Por Door Autor: Author:".split())
_SEPARATORS = frozenset(_TABLE["and"]) | {""}
_COMMAS = ",，;；、&"
_JOINING = frozenset(_TABLE["and"] + _TABLE["middle"])
_CONTROLS = frozenset(_TABLE["controls"])
_ENGLISH = ("by", "author", "written by", "posted by", "published by")  # on pages in all languages
_GLUED = frozenset(label[:2] for label in _TABLE["glued"]) | {"文/", "文：", "文｜", "文|", "文・", "文＝"}
_LONGEST_NAME = 60  # characters
_LONGEST_LABEL = 40  # characters
_MOST_LABELS = 3  # in a row before one name: "Author: By"
_MOST_WORDS = 5
_MOST_WORDS_OF_ORGANISATION = 8
_MOST_WORDS_OF_PERSON = 4


def _any_of(words: Iterable[str]) -> str:
    """A pattern that matches one of these words, the longest first."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s") for word in sorted(set(words), key=len, reverse=True))


def _lowered(text: str) -> str:
    """A text in lower case and of the same length."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


# These patterns are used on texts with folded white space.
_COLON = r"\s?[:：]\s?"
_OTHERS = _any_of(_TABLE["others"])  # who did something else: photos, reviews
_CERTAIN = re.compile(
    rf"^(?:(?:{_any_of(BY - set(_TABLE['ambiguous']))})(?:{_COLON}|\s|$)"
    rf"|(?:{_any_of(_TABLE['glued'])})[\s:：/／]{{0,3}}|(?:{_any_of(BY)}){_COLON}|文\s?[/／・＝]\s?|(?:[\w&'-]{{1,20}}\s){{1,4}}by(?:{_COLON}|\s))"
)
_MIDDLE = re.compile(rf"\s(?:{_any_of(_TABLE['middle'])})(?:{_COLON}|\s)")
_HEAD = re.compile(rf"(?:{_any_of(_TABLE['heads'])})\s")
_AMBIGUOUS = re.compile(rf"(?:{_any_of(_TABLE['ambiguous'])})\s(?=\S{{1,40}}\s\S)")
_BEHIND = re.compile(rf"\s?(?:{_any_of(_TABLE['behind'])})$")
_OTHER_WORK = re.compile(rf"(?:{_OTHERS})(?:\s|:|：|$)")
_SOME_OTHER_WORK = re.compile(rf"\b(?:{_OTHERS})(?:\s|:|：|$)")
_DIGIT = re.compile(r"\d")
_MONTHS, _DAYS, _UNITS = (_any_of(_TABLE[key]) for key in ("months", "days", "units"))
_DATE = re.compile(
    rf"(?:(?:^|[\s,(])(?:(?:{_DAYS})[.,]{{0,2}}\s)?(?:(?:{_MONTHS})[^\W\d]{{0,9}}\.?\s\d|"
    rf"\d{{1,4}}\.?\s?(?:st|nd|rd|th|de|er)?\s(?:de\s)?(?:{_MONTHS})|\d{{1,4}}[./:年-]\d|\d{{1,3}}\+?\s?(?:{_UNITS})\b"
    r"|(?:19|20)\d\d\b|\d{1,2}月))"
)
_TAIL = re.compile(
    rf"(?:^|[\s,;(])(?:{_any_of(_TABLE['tails'])}|(?:{_OTHERS}){_COLON})(?=[\s:：,.)]|$)"
    r"|(?:发布于|發布於|发表于|發表於|来源[:：]|來源[:：]|编辑[:：]|編輯[:：])"
)
_VERB = re.compile(rf"\s(?:{_any_of(_TABLE['verbs'])})\s")
_CAPITAL = re.compile(r"^(?:[dDlLO]['’])?[^\W\d_a-zß-ÿ][^\W\d_]*+(?:[-'’.][^\W\d_]*+)*+$")
_CREDENTIAL = re.compile(r"^(?:[A-Z][A-Za-z]?\.?-?){1,4}[A-Z]\.?®?(?:\s\d{1,3})?$")
_BRACKETS = re.compile(r"\s?[(（\[]([^()（）\[\]]{0,80})[)）\]]$")
_IDENTIFIER = re.compile(r"^(?:(?=[a-f]*+\d)[0-9a-f]{8,}+|[0-9a-f]{8}-[0-9a-f-]{8,}+)$")
_NO_NAME = re.compile(
    r"[?!]$|[:：$\x00-\x1f\x7f-\x9f]|[{}<>=\\%_]{2}|\[object|[{}\\]|\.(?:jpe?g|png|gif|html?|php|aspx?)$|^[/.#]|^[\d\W_]*$"
)
_STRONG_AND, _WEAK_AND = _any_of(set(_TABLE["and"]) - set(_TABLE["weak and"])), _any_of(_TABLE["weak and"])
_COMMA = re.compile(rf"(?P<comma>\s?[,，]\s?)(?:(?:{_STRONG_AND}|{_WEAK_AND})\s)?|\s?[;；、､]\s?")
_AND = re.compile(
    rf"\s(?:{_STRONG_AND})\s|\s(?:{_WEAK_AND})\s(?=\S{{1,40}}\s\S)|(?<=\w)/(?=\w)"
    r"|(?<=[\u3400-\u9fff]{2})[和与與及](?=[\u3400-\u9fff]{2})"
)
_OUTLET = re.compile(rf"\s(?:{_any_of(outlet for outlet in _OUTLETS if ' ' in outlet)})$")
_PLACE = re.compile(rf"\s(?:{_any_of(_TABLE['places'])})\s")
# Words with a meaning beyond being a part of a name.
_SPECIAL = frozenset(
    chain(
        _TITLES, _CREDENTIALS, _GENERATION, _ROLES, _ADJECTIVES, _COLLECTIVE, _ORGANISATION, _OUTLETS, _ACCOUNTS,
        _PARTICLES, _LOOSE, _SEPARATORS, _CONTROLS, (label.split()[0] for label in BY),
        *(phrase.split() for phrase in _OUTLETS),
        *(phrase.split() for key in ("tails", "verbs", "others") for phrase in _TABLE[key]),
    )
)  # fmt: skip


def _is_plain(text: str) -> bool:
    """Is a text two or three capitalised words, none of them special? A quick check."""
    words = text.split(" ")
    return 1 < len(words) <= 3 and all(
        word.isalpha() and word[0].isupper() and word[0].isascii() and word.lower() not in _SPECIAL for word in words
    )


def without_label(text: str) -> str:
    """A text without the label before a name: "By", "Geschrieben von", "Автор:", "Posted on May 3 by"."""
    lower = _lowered(text)
    if (found := _MIDDLE.search(lower)) and (_DIGIT.search(lower, 0, found.start()) or _HEAD.match(lower)):
        text = text[found.end() :]
    for _ in range(_MOST_LABELS):
        text = text.strip(_EDGE)
        lower = _lowered(text)
        found = _CERTAIN.match(lower) or _AMBIGUOUS.match(lower)
        if found and found[0].removesuffix(" ") in _PARTICLES and text[found.end() :].split(" ")[0] in _PARTICLES:
            break  # "Von der Heide"
        if not found or any(_OTHER_WORK.match(word + " ") for word in found[0].split()[:-1]):
            break
        text = text[found.end() :]
    return _BEHIND.sub("", text.strip(_EDGE))


def _without_tail(text: str) -> str:
    """A text up to its first date or word such as "Updated"; empty if it starts with a label of other work."""
    lower = _lowered(text)
    if _DIGIT.search(lower) and (found := _DATE.search(lower)):
        lower = lower[: found.start()]
    if found := _TAIL.search(lower):
        lower = lower[: found.start()]
    if found := _VERB.search(text):
        lower = lower[: found.start()]
    return "" if _OTHER_WORK.match(lower) else text[: len(lower)]


@cache
def label_words(language: str) -> frozenset[str]:
    """The first words of the labels before names in a language, in lower case; of all languages if it is unknown."""
    own = _TABLE["by"].get(language)
    labels = chain(own, _ENGLISH) if own else BY
    return frozenset(label.split()[0] for label in labels) | _GLUED


def is_label(text: str) -> bool:
    """Is a text only a label: "By", "Article written by:"?"""
    lower = " ".join(text.lower().split()).rstrip(":： /")
    return lower in BY or (lower.endswith(" by") and len(lower) < _LONGEST_LABEL and not _OTHER_WORK.match(lower))


def is_other_work(text: str) -> bool:
    """Does a text say that the name after it is not the author's: "Reviewed by", "Photos:"?"""
    return len(text) < _LONGEST_LABEL and bool(_SOME_OTHER_WORK.search(text.lower()))


def is_separator(text: str) -> bool:
    """Is a text only a separator of names: a comma, "and", a line?"""
    return text.strip(_EDGE + "()").lower() in _SEPARATORS


def joins(text: str) -> bool:
    """Does a text start or end with a word or mark that joins names: ", and", "Ann Lee,", "and Bob Ray", "by"?"""
    words = text.lower().split()
    return is_separator(text) or text[0] in _COMMAS or text[-1] in _COMMAS or {words[0], words[-1]} & _JOINING != set()


def is_control(text: str) -> bool:
    """Is a text the label of a control, such as "Share" or "Read more"?"""
    words = text.lower().split()
    return bool(words) and (" ".join(words) in _ACCOUNTS or not _CONTROLS.isdisjoint(words))


def starts_like_name(text: str) -> bool:
    """Does a text start with a capital or particle, or is it one word?"""
    return not text[:1].islower() or " " not in text or text.split()[0] in _PARTICLES


def looks_like_person(text: str) -> bool:
    """Is a text two to four capitalised words, as names of people are, and none of them known as something else?"""
    words = text.split()
    return (
        1 < len(words) <= _MOST_WORDS_OF_PERSON
        and len(text) < _LONGEST_NAME
        and all(_CAPITAL.match(word) or word in _PARTICLES for word in words)
        and _is_person(words)
        and _is_name(text)
    )


_ARTICLES = frozenset("the a an this that these those its his her their our my".split())  # in small letters


def _is_name(text: str) -> bool:
    """Can a text be the name of a person or an organisation?"""
    lower = text.lower()
    if not 1 < len(text) <= _LONGEST_NAME or lower in _ACCOUNTS or lower in BY or lower in _LOOSE:
        return False
    if _NO_NAME.search(text) or _IDENTIFIER.match(lower):
        return False
    words = text.split()
    if (len(words) == 1 and "/" in text) or words[0] in _ARTICLES or (words[0].isdigit() and words[-1].isdigit()):
        return False
    plain = sum(word[0].islower() and word.lower() not in _PARTICLES for word in words)
    if len(words) > 3 and plain > 1:
        return False  # a sentence
    return len(words) <= (_MOST_WORDS_OF_ORGANISATION if _has(_ORGANISATION | _PARTICLES, text) else _MOST_WORDS)


def _is_outlet(name: str) -> bool:
    """Is a name that of an agency or other known outlet, or only a job: "Reuters", "Staff Writer"?"""
    lower = name.lower().strip(_EDGE)
    return lower in _OUTLETS or all(word.strip(".,") in _ROLES or word in _ADJECTIVES for word in lower.split())


def _is_person(words: list[str]) -> bool:
    """Can these words name a person? None of them belongs to organisations or jobs."""
    return bool(words) and not any(
        word in _ORGANISATION or word in _COLLECTIVE or word in _ROLES or word in ("the", "for", "of")
        for word in (word.lower().strip(".,") for word in words)
    )


def _is_degree(text: str, *, known: bool = False) -> bool:
    """Is a text only degrees: "PhD", "M.D. FACLM", "MS"? With `known`, capitals alone are not enough: "JOHN"."""
    text = _BRACKETS.sub("", text.strip(" ,;"))
    are_known = all(word.lower().strip(",®").replace(".", "") in _CREDENTIALS for word in text.split())
    return are_known or (not known and bool(_CREDENTIAL.match(text)))


def _is_short(word: str) -> bool:
    """Is a word written as an abbreviation, with two capitals?"""
    return sum(map(str.isupper, word)) > 1


def _has(words: frozenset[str], text: str) -> bool:
    """Does a text have one of these words?"""
    return not words.isdisjoint(word.strip(".,:()") for word in text.lower().split())


_LONGEST = 2_000  # characters of a text with names
_MOST = 40  # names
_MOST_LEVELS = 4  # of lists and dicts in each other
_LONGEST_REMEMBERED = 200  # characters; places of a page, and pages, repeat short texts

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
_NO_WORD = re.compile(r"[\W_]+")


class _ListedText(NamedTuple):
    text: str
    is_listed: bool  # after a comma, where titles and outlets are, too


def people(value: object, *, inverted: bool = False) -> tuple[str, ...]:
    """The names of people or organisations in a text, a list or a JSON-LD thing, each once; () if there are none.

    With `inverted` a text such as "Lee, Ann" is one name with the surname first.
    """
    found: dict[str, str] = {}
    for name in islice(_names(value, inverted, _MOST_LEVELS), _MOST):
        found.setdefault(folded_name(name) or name, name)
    names = tuple(found.values())
    return tuple(name for name in names if not _is_outlet(name) and not _has(_ROLES, name)) or names


def is_organisation(name: str, site_name: str, host: str) -> bool:
    """Does a name mean the site itself or its staff: "Example News", "The Example News Team", "Staff"?"""
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


def _names(value: object, inverted: bool, levels: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from _from_text(value, inverted)
    elif isinstance(value, Mapping) and levels:
        name = value.get("name") or value.get("@value")
        if not name and isinstance(value.get("familyName"), str):
            name = f"{value.get('givenName') or ''} {value['familyName']}"
        if isinstance(name, str) and "Organization" in str(value.get("@type")):
            yield from filter(_is_name, [_clean(_without_markup(name[:_LONGEST]))])  # "Lee & Ray" is one
        else:
            yield from _names(name, inverted, levels - 1)
    elif isinstance(value, list | tuple) and levels:
        for each in value[:_MOST]:
            yield from _names(each, inverted, levels - 1)


def _without_markup(text: str) -> str:
    """A text without markup, addresses and handles, and with commas in place of its dates."""
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = _MARKUP.sub(" ", text)
    if "@" in text or "//" in text or "www." in text:
        text = " ".join(_HANDLE.sub(" ", _ADDRESS.sub(" ", _MAIL.sub(" ", text))).split())
        text = _EMPTY.sub("", text).strip()
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]  # "ann@example.org (Ann Lee)"
    text = " ".join(clean_text(text).replace("\xad", "").replace("،", ",").split())
    for found in reversed(dates.find(text)) if _DIGIT.search(text) else ():
        text = f"{text[: found.start]}, {text[found.end :]}"
    return text


def _from_text(text: str, inverted: bool) -> tuple[str, ...]:
    if _is_plain(text):
        return (text,)
    label, _, rest = text.partition(" ")
    if label in _SIMPLE_LABELS and _is_plain(rest):
        return (rest,)
    if len(text) <= _LONGEST_REMEMBERED:
        return _remembered_names(text, inverted)
    return _names_in_segments(text, inverted) if len(text) <= _LONGEST else ()


def _names_in_segments(text: str, inverted: bool) -> tuple[str, ...]:
    """The names in the first part of a text that has any, the labelled parts first."""
    if _PATH.match(text):
        return ()
    segments = [segment for segment in _SEGMENT.split(_without_markup(text)) if segment]
    if len(segments) > 1:
        segments = [*(segment for segment in segments if _CERTAIN.match(_lowered(segment))), *segments]
    others: list[str] = []
    for segment in segments:
        if names := _listed(segment, inverted):
            if not all(map(_is_outlet, names)):
                return tuple(names)
            others = others or names
    return tuple(others)


_remembered_names = lru_cache(maxsize=4_096)(_names_in_segments)


def _listed(text: str, inverted: bool) -> list[str]:
    """The names of a text without separators of parts."""
    text = _JUNIOR.sub(r" \1", _without_tail(without_label(text)))
    names: list[str] = []
    for part in _listed_parts(text, inverted) if text else ():
        name = _clean(part)
        if _is_name(name) and (not names or starts_like_name(name)):
            names.append(name)
        elif len(name.split()) > 2:
            break  # a sentence about the last one
    return names


def _listed_parts(text: str, inverted: bool) -> list[str]:
    """The names of a list, without the degrees, jobs and outlets after them."""
    if (found := _INVERTED.match(text)) and found["last"].lower() not in _OUTLETS:
        return [f"{found['first']} {found['last']}"]
    chunks: list[_ListedText] = []
    start, is_listed = 0, False
    for comma in _COMMA.finditer(_lowered(text)):
        chunks.append(_ListedText(text[start : comma.start()], is_listed))
        start, is_listed = comma.end(), comma["comma"] == comma[0]
    chunks.append(_ListedText(text[start:], is_listed))
    parts: list[str] = []
    is_after_job = False
    for chunk in _in_usual_order(chunks) if inverted else chunks:
        if chunk.is_listed and parts and (is_after_job or _is_addition(chunk.text, parts[0])):
            is_after_job = not is_after_job and _has(_ROLES, chunk.text)
            continue
        is_after_job = False
        for place, each in enumerate([chunk.text] if _has(_ORGANISATION, chunk.text) else _split_at_and(chunk.text)):
            is_first = chunk.is_listed and not place
            if not (parts and (_is_addition(each, parts[0]) if is_first else _is_degree(each))):
                parts.append(each)
    return parts


def _split_at_and(text: str) -> list[str]:
    """The names that "and" joins."""
    found = list(_AND.finditer(_lowered(text)))
    starts, ends = [0, *(match.end() for match in found)], [*(match.start() for match in found), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _in_usual_order(chunks: list[_ListedText]) -> list[_ListedText]:
    """The list with given names before surnames."""
    turned: list[_ListedText] = []
    for place, chunk in enumerate(chunks):
        after = chunks[place + 1] if place + 1 < len(chunks) else _ListedText("", False)
        if after.is_listed and not chunk.is_listed and (place + 2 == len(chunks) or not chunks[place + 2].is_listed):
            words = len(chunk.text.split()), len(after.text.split())
            is_turned = min(words) == 1 or chunk.text.split()[0] in _PARTICLES or _INITIAL.search(after.text)
            if max(words) <= 3 and is_turned and not _is_degree(after.text, known=chunk.text.isupper()):
                turned.append(_ListedText(f"{after.text} {chunk.text}", False))
                continue
        elif chunk.is_listed and turned and turned[-1].text.startswith(f"{chunk.text} "):
            continue
        turned.append(chunk)
    return turned


def _is_addition(text: str, first: str) -> bool:
    """Is a text after a comma something other than a name: a degree, job, outlet or town? `first` is the first name."""
    if _is_degree(text) or _is_outlet(text) or _has(_ROLES, text):
        return True
    if _WIDE.search(text):
        return False
    words = first.split()
    is_after_person = len(words) > 1 and _is_person(words)
    is_group = text.startswith("The ") or _has(_ORGANISATION, text) or bool(_PLACE.search(text))
    return is_after_person and (is_group or len(text.split()) == 1)


def _clean(text: str) -> str:
    """A name without degrees, jobs, outlets, places and marks around it."""
    text = text.strip(_EDGE).removesuffix(" .")
    while found := _BRACKETS.search(text):
        inner = found[1]
        if not (_WIDE.search(text) or _is_degree(inner) or _is_outlet(inner) or _DIGIT.search(inner)) and not any(
            _has(words, inner) for words in (_ROLES, _ORGANISATION)
        ):
            break
        text = text[: found.start()].strip(_EDGE)
    for pattern in (_PLACE, _OUTLET):
        found = pattern.search(_lowered(text) if pattern is _OUTLET else text)
        if found and len(head := text[: found.start()].split()) > 1 and _is_person(head):
            text = " ".join(head)
    words = text.split()
    is_after_job = False
    while len(words) > 1 and words[-1] in _LOOSE:
        words.pop()
    while len(words) > 2 and _ends_with_addition(words, is_after_job):
        is_after_job = is_after_job or words[-1].lower() in _PRESS
        words.pop()
    text = " ".join(words).strip(_EDGE)
    last = words[-1] if words else ""
    return text[:-1] if last.endswith(".") and len(last) > 4 and "." not in last[:-1] else text


def _ends_with_addition(words: list[str], is_after_job: bool) -> bool:
    """Is the last word a degree, a job or an outlet after the name of a person?"""
    last, before = words[-1], words[:-1]
    lower = last.lower().strip(".,")
    person = [word for word in before if word.lower() not in _ADJECTIVES]
    if len(person) < 2 or not _is_person(person):
        return False
    if lower in _PRESS or (is_after_job and lower in _ADJECTIVES):
        return True
    return (lower.replace(".", "") in _CREDENTIALS and _is_short(last)) or (last.isupper() and lower in _OUTLETS)


@lru_cache(maxsize=1024)
def _folded(text: str) -> str:
    folded = text.casefold()
    if not folded.isascii():
        decomposed = unicodedata.normalize("NFKD", folded)
        folded = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(_NO_WORD.sub(" ", folded).split())


@lru_cache(maxsize=4096)
def folded_name(name: str) -> str:
    """A key that is the same for all spellings of a name."""
    words = [word for word in name.replace(",", " ").split() if word.lower() not in _TITLES]
    while len(words) > 2 and (
        (last := words[-1].lower().strip(".").replace(".", "")) in _GENERATION
        or (last in _CREDENTIALS and _is_short(words[-1]))
    ):
        words.pop()
    folded = _folded(" ".join(words).replace("'", "").replace("’", "")).split()
    return " ".join(word for place, word in enumerate(folded) if not place or len(word) > 1 or word > "z")
