"""Parts of pages that are made up: markup from templates, the words of other pages, labels in several languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from tamis.document import parse

_NAMES = """
    Anna Bob Carl Dmitri Eva Frank Gosia Hans Ivan Jan Kate Lena Marek Nikos Olga Pavel Rita Sam Tom Ute Vera Wei Xu
    Yannis Zoe anonymous Anonim guest Gość Гость Сергей Ольга Μαρία Γιώργος 李明 王 jsmith77 kitty_cat darkstar mod42
""".split()
# In ten languages: English, German, Polish, Russian, Greek, Spanish, French, Czech, Turkish and Chinese.
_LABELS = {
    "comments": "Comments|Kommentare|Komentarze|Комментарии|Σχόλια|Comentarios|Commentaires|Diskuse|Yorumlar|网友评论",
    "reply": "Reply|Antworten|Odpowiedz|Ответить|Απάντηση|Responder|Répondre|Odpovědět|Yanıtla|回复",
    "says": "says:|sagt:|pisze:|пишет:|είπε:|dice:|a écrit :|píše:|dedi ki:|发表于",
    "write": "Leave a comment|Kommentar schreiben|Dodaj komentarz|Добавить комментарий|Γράψτε σχόλιο|"
    "Deja un comentario|Laisser un commentaire|Přidat příspěvek|Yorum yaz|发表评论",
    "more": "read more|mehr|więcej|подробнее|περισσότερα|leer más|lire la suite|více|devamı|更多",
    "related": "Related stories|Mehr zum Thema|Zobacz także|Читайте также|Σχετικά|Noticias relacionadas|Lire aussi|"
    "Související články|İlgili haberler|相关新闻",
    "popular": "Most read|Meistgelesen|Najczęściej czytane|Самое популярное|Δημοφιλή|Lo más leído|Les plus lus|"
    "Nejčtenější|En çok okunanlar|热点新闻",
    "latest": "Latest news|Aktuelles|Najnowsze|Последние новости|Τελευταία νέα|Últimas noticias|À la une|Aktuálně|"
    "Son dakika|最新消息",
}
_LANGUAGES = {name: words.split("|") for name, words in _LABELS.items()}
_MONTHS = "January February March April May June July August September October November December".split()


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


class Words:
    """Texts of other pages, cut into sentences and headlines of any length."""

    def __init__(self, texts: Sequence[str], random: np.random.Generator) -> None:
        self._words = [word for text in texts for word in text.split()] or ["words"]
        self._random = random
        self._style = self.below(7)  # of all dates
        self._language = self.below(len(_LANGUAGES["comments"]))

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
        return _NAMES[self.below(len(_NAMES))]

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
        return _LANGUAGES[name][self._language]
