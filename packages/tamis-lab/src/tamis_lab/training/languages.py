"""Class names, labels and texts in other languages, and parts of pages that are built of them from templates."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis.document import parse
from tamis.extractor.declared import NAME_PART

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_READERS: list[str] = _WORDS["readers"].split()
_LABEL_WORDS: dict[str, list[str]] = {name: words.split("|") for name, words in _WORDS["labels"].items()}
_MONTHS = "January February March April May June July August September October November December".split()


# Parts of pages, built from templates and the words of other pages


class Template(NamedTuple):
    """The markup of a part before its items, of each item, and after them."""

    before: str
    item: str
    after: str

    def built(self, labels: Mapping[str, str], items: Iterable[Mapping[str, str]]) -> parse.Element:
        """The part with these labels and, for each item, these values."""
        markup = (_filled(self.before, labels), *(_filled(self.item, item) for item in items))
        holder = parse.Element("div")
        holder.set_inner_html("".join((*markup, _filled(self.after, labels))))
        return next(node for node in holder.children if isinstance(node, parse.Element)).extract()


def read_templates(name: str) -> list[Template]:
    """The templates of a file: three lines each, with an empty line between two."""
    text = files("tamis_lab.training").joinpath(name).read_text(encoding="utf-8")
    return [Template(*part.splitlines()) for part in text.strip().split("\n\n")]


def _filled(markup: str, values: Mapping[str, str]) -> str:
    return markup.format(**{name: escape(value) for name, value in values.items()})


class FillerText:
    """Texts of other pages, cut into sentences and headlines of any length."""

    def __init__(self, texts: Sequence[str], random: np.random.Generator) -> None:
        self._words = [word for text in texts for word in text.split()] or ["words"]
        self._random = random
        self._style = self.below(7)  # of all dates
        self._language = self.below(len(_LABEL_WORDS["comments"]))

    def some(self, least: int, most: int) -> str:
        """Consecutive words, few more often than many."""
        length = round(least * (most / least) ** self._random.random())
        start = int(self._random.integers(max(1, len(self._words) - length)))
        found = " ".join(self._words[start : start + length])
        return found[0].upper() + found[1:]

    def sentences(self, least: int, most: int) -> str:
        """Words that end like a sentence, mostly."""
        found = self.some(least, most)
        ends = (".", ".", ".", "!", "?", "", "...", " :)")
        return found if found[-1] in ".!?" else found.rstrip(",;:-") + ends[self.below(len(ends))]

    def name(self) -> str:
        """The name of a reader."""
        return _READERS[self.below(len(_READERS))]

    def date(self) -> str:
        """A date, with the time in most styles."""
        day, month, year = 1 + self.below(28), 1 + self.below(12), 1999 + self.below(14)
        hour, minute = self.below(24), self.below(60)
        return (
            f"{_MONTHS[month - 1]} {day}, {year} at {1 + hour % 12}:{minute:02} {'ap'[hour // 12]}m",
            f"{day:02}.{month:02}.{year} {hour:02}:{minute:02}",
            f"{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{minute:02}",
            f"{month}/{day}/{year}",
            f"{day} {_MONTHS[month - 1][:3]} {year}",
            f"{hour + 1} hours ago",
            f"{year}年{month}月{day}日 {hour:02}:{minute:02}",
        )[self._style]

    def below(self, most: int) -> int:
        """A number from 0 up to `most`, without it."""
        return int(self._random.integers(most))

    def share(self) -> float:
        """A number from 0 to 1."""
        return float(self._random.random())

    def one_of(self, *choices: str) -> str:
        """One of several texts."""
        return choices[self.below(len(choices))]

    def label(self, name: str) -> str:
        """A label in the language of the page."""
        return _LABEL_WORDS[name][self._language]


# Class names and ids

_ENGLISH, *_OTHERS = (words.split() for words in _WORDS["names"].values())
_NAME_WORDS = [dict(zip(_ENGLISH, words, strict=True)) for words in _OTHERS]


def rename(tree: parse.Tree, random: np.random.Generator) -> None:
    """Withhold the names of a page, number them, or write them in another language."""
    choice = random.random()
    words = _NAME_WORDS[int(random.integers(len(_NAME_WORDS)))]
    kept = random.random() < 0.5  # whether words without a translation stay
    numbers: dict[str, str] = {}

    def word(found: re.Match[str]) -> str:
        given = found[0].lower()
        return words.get(given) or (found[0] if kept else "x")

    def renamed(given: str) -> str:
        if choice < 0.45:
            return NAME_PART.sub(word, given[:100])
        return numbers.setdefault(given, f"{'csdbt'[len(numbers) % 5]}{len(numbers)}")

    for node in tree.iter_elements():
        for attribute in ("class", "id"):
            if (given := node.attr(attribute)) is not None:
                if choice > 0.7 or not given.strip():
                    del node.attrs[attribute]
                else:
                    node.attrs[attribute] = renamed(given)


# Texts in other languages. The network does not see words, only their number and length, marks and capitals. So a text
# in another script is a Latin one with each word rewritten, always in the same way.

# Rewrites a text; never to blanks, unless it is blank.
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
        return "的" if small in _ARTICLES else _characters(_HAN, 31, small, 1 if len(small) < 4 else 2)

    return _SPACES.sub("", _WORD.sub(word, text).translate(_FULL_WIDTH))


def _japanese(text: str) -> str:
    def word(found: re.Match[str]) -> str:
        small = found[0].lower()
        stem = _characters(_HAN, 31, small, 1 if len(small) < 4 else 2)
        return stem + _characters(_KANA, 17, small, _number(small) % 4)

    return _SPACES.sub("", _WORD.sub(word, text).translate(_FULL_WIDTH).replace("，", "、"))


def _korean(text: str) -> str:
    return _WORD.sub(lambda found: _characters(_HANGUL, 11, found[0].lower(), 1 + len(found[0]) // 2), text)


def _characters(alphabet: str, step: int, word: str, count: int) -> str:
    """Some characters of an alphabet, always the same for a word."""
    return "".join(alphabet[(_number(word) + step * place) % len(alphabet)] for place in range(count))


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
