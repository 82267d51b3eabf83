"""Texts as other languages would have them: letters, lengths of words, articles, endings, punctuation.

The network sees no words, only how many they are, how long, with which marks and capitals. So a text in another script
is a Latin one with each word rewritten, always in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# A text in another language. A text that is not blank stays so.
Writer = Callable[[str], str]

_WORD = re.compile(r"[A-Za-z]+")
_SPACES = re.compile(r"(?<=[^\x00-\x7f])\s+(?=[^\x00-\x7f])")
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_ARTICLES = frozenset("the a an of to".split())
_FULL_WIDTH = str.maketrans({".": "。", ",": "，", "!": "！", "?": "？", ";": "；", ":": "：", "(": "（", ")": "）"})
_ARABIC_MARKS = str.maketrans({",": "،", ";": "؛", "?": "؟"})
_HAN = (
    "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然"
    "没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长"
)
_KANA = "のにはをたがでてとしれさあいるもかなっこくまりうきちそつ"
_HANGUL = "가나다라마바사아자하고기니도로리서스시어에오을이인지해한은를의들"


@dataclass(frozen=True)
class _Language:
    letters: str = _LATIN  # what each Latin letter becomes
    endings: tuple[str, ...] = ()  # which longer words may get
    has_articles: bool = False
    nouns: bool = False  # nouns have capitals
    marks: dict[int, str] | None = None

    def write(self, text: str) -> str:
        table = str.maketrans(_LATIN + _LATIN.upper(), self.letters + self.letters.upper())

        def word(found: re.Match[str]) -> str:
            given = found[0]
            small = given.lower()
            if not self.has_articles and small in _ARTICLES:
                return ""
            number = _number(small)
            if len(given) > 3 and self.endings and not given.isupper() and number % 5 < 3:
                given += self.endings[number % len(self.endings)]
            if self.nouns and len(given) > 3 and number % 3 == 0:
                given = given[0].upper() + given[1:]
            return given.translate(table)

        found = _WORD.sub(word, text)
        return (found if found.strip() else text.translate(table)).translate(self.marks or {})


def _chinese(text: str) -> str:
    """Chinese: words of one or two characters without spaces between them, full-width punctuation."""

    def word(found: re.Match[str]) -> str:
        small = found[0].lower()
        if small in _ARTICLES:
            return "的"
        number = _number(small)
        return "".join(_HAN[(number + 31 * place) % len(_HAN)] for place in range(1 if len(small) < 4 else 2))

    return _SPACES.sub("", _WORD.sub(word, text).translate(_FULL_WIDTH))


def _japanese(text: str) -> str:
    def word(found: re.Match[str]) -> str:
        small = found[0].lower()
        number = _number(small)
        stem = "".join(_HAN[(number + 31 * place) % len(_HAN)] for place in range(1 if len(small) < 4 else 2))
        return stem + "".join(_KANA[(number + 17 * place) % len(_KANA)] for place in range(number % 4))

    return _SPACES.sub("", _WORD.sub(word, text).translate(_FULL_WIDTH).replace("，", "、"))


def _korean(text: str) -> str:
    def word(found: re.Match[str]) -> str:
        small = found[0].lower()
        number = _number(small)
        return "".join(_HANGUL[(number + 11 * place) % len(_HANGUL)] for place in range(1 + len(small) // 2))

    return _WORD.sub(word, text)


def _number(word: str) -> int:
    """A number that is the same in every process, unlike hash()."""
    number = 7
    for letter in word:
        number = number * 31 + ord(letter) & 0xFFFFFF
    return number


_RUSSIAN = _Language("абцдефгхийклмнопярстувжхыз", ("ого", "ение", "ами", "ть", "ский", "ов", "ых", "ость"))
_POLISH = _Language("abcdeęghijkłmnoókrśtuwwżyz", ("ów", "ego", "ami", "ych", "nie", "ość", "owie", "ą"))
_GREEK = _Language("αβκδεφγηιξκλμνοπθρστυβωχψζ", ("ος", "ων", "ους", "ται", "ης", "ικό"), has_articles=True)
_GERMAN = _Language(
    "abcdefghijklmnopqrstuvwxyz", ("ung", "en", "lich", "keit", "schaft"), has_articles=True, nouns=True
)
_ARABIC = _Language("ابجدهوزحطيكلمنسعفصقرشتثخذض", ("ات", "ين", "ها"), marks=_ARABIC_MARKS)
_HINDI = _Language("अबचदएफगहइजकलमनओपखरसतउवशयठझ", ("ों", "ता", "ने"))

_WRITERS: tuple[Writer, ...] = (
    _RUSSIAN.write, _RUSSIAN.write, _POLISH.write, _POLISH.write, _GREEK.write, _chinese, _chinese,
    _GERMAN.write, _ARABIC.write, _HINDI.write, _japanese, _korean,
)  # fmt: skip


def some_script(random: np.random.Generator) -> Writer:
    """One of the languages, those that the network knows least more often."""
    return _WRITERS[int(random.integers(len(_WRITERS)))]
