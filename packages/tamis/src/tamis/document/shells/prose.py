"""Which strings of a page's data are text for readers, in any language.

Prose has words, or letters of a script without spaces, has sentence marks, and few of the signs that code is made of.
Addresses, class lists, queries, base64 and templates of labels do not.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from itertools import pairwise

# A string is judged by its beginning; the rest is of the same kind.
_SAMPLE = 4_000

# Longer strings are libraries or pictures, shorter ones can't have enough words in any script.
_LONGEST, _SHORTEST = 1_000_000, 15

# The fewest words of prose that stands by itself, and without any sentence mark. Labels of buttons and names of things
# are shorter, and so are lists of keywords.
FEWEST_WORDS, _FEWEST_UNMARKED = 8, 25

# Prose of any script is mostly letters; tables of numbers, sizes of pictures and dates are not. Lists of CSS classes
# are words joined by hyphens and colons.
_FEWEST_LETTERS, _MOST_CODE, _MOST_JOINED = 0.6, 0.03, 0.25

_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_MARKUP = re.compile(r"<(?:/?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?|!--[^<>]*--)>")
# An address, up to its end, from the mark that tells it; it begins at most so many characters before.
_ADDRESS = re.compile(r"(?:://|www\.)\S*")
_BEFORE_MARK = 200
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
    """The share of a title's longer words that a text has, both folded. Without spaces pairs of letters are words."""
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
    """Is a string text for readers, long enough to stand by itself? It may be plain or HTML."""
    if not _SHORTEST <= len(text) <= _LONGEST or (text.isascii() and text.count(" ") < FEWEST_WORDS - 1):
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
    """May a string beside prose be a part of it, such as a heading or a word in bold?"""
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
    """Does the name of a field tell that it stands around the content?"""
    return any(part.lower() in _AROUND for part in _WORD_OF_KEY.findall(key[:100]))
