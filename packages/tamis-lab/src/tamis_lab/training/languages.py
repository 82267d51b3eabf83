"""What pages would say in other languages: class names, labels, texts; and parts built of them from templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from tamis.document import parse
from tamis.extractor.conventions import NAME_PART

_READERS = """
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
_LABEL_WORDS = {name: words.split("|") for name, words in _LABELS.items()}
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


# The words of a language for the parts of a page; what a language lacks keeps no name.
_ENGLISH = """
    content article main sidebar nav menu header footer comment comments title date author news text body related
    search post entry list item left right top bottom image category more latest popular archive page section box
""".split()
_NAME_WORDS = {
    "pl": """tresc artykul glowna kolumna nawigacja menu naglowek stopka komentarz komentarze tytul data autor
        aktualnosci tekst cialo powiazane szukaj wpis notka lista pozycja lewa prawa gora dol zdjecie kategoria wiecej
        najnowsze popularne archiwum strona sekcja ramka""",
    "ru": """soderzhanie statja glavnaja kolonka navigacija menju shapka podval kommentarij kommentarii zagolovok data
        avtor novosti tekst telo pohozhie poisk zapis zametka spisok punkt levyj pravyj verh niz kartinka rubrika esche
        svezhee populjarnoe arhiv stranica razdel blok""",
    "cs": """obsah clanek hlavni sloupec navigace nabidka hlavicka paticka komentar diskuse nadpis datum autor zpravy
        text telo souvisejici hledat prispevek zapis seznam polozka levy pravy horni dolni obrazek rubrika dalsi
        nejnovejsi nejctenejsi archiv stranka sekce box""",
    "de": """inhalt artikel haupt seitenleiste navigation menue kopf fuss kommentar kommentare titel datum autor
        nachrichten text textkoerper verwandt suche beitrag eintrag liste eintraege links rechts oben unten bild rubrik
        mehr neueste beliebt archiv seite abschnitt kasten""",
    "es": """contenido articulo principal lateral navegacion menu cabecera pie comentario comentarios titulo fecha
        autor noticias texto cuerpo relacionados buscar entrada nota lista elemento izquierda derecha arriba abajo
        imagen categoria mas ultimas populares archivo pagina seccion caja""",
    "fr": """contenu article principal colonne navigation menu entete pied commentaire commentaires titre date auteur
        actualites texte corps lies recherche billet note liste element gauche droite haut bas image rubrique suite
        derniers populaires archives page section bloc""",
    "it": """contenuto articolo principale colonna navigazione menu testata piede commento commenti titolo data autore
        notizie testo corpo correlati cerca messaggio nota lista voce sinistra destra alto basso immagine categoria
        altro ultime popolari archivio pagina sezione riquadro""",
    "el": """periexomeno arthro kyrio stili ploigisi menou kefalida ypoeselido sxolio sxolia titlos imerominia
        syntaktis nea keimeno soma sxetika anazitisi anartisi eggrafi lista stoixeio aristera deksia pano kato eikona
        katigoria perissotera teleftaia dimofili arxeio selida enotita plaisio""",
    "tr": """icerik makale ana yan gezinti menu ust alt yorum yorumlar baslik tarih yazar haberler metin govde ilgili
        ara yazi kayit liste oge sol sag yukari asagi resim kategori devami sonhaber populer arsiv sayfa bolum kutu""",
    "zh": """neirong wenzhang zhu celan daohang caidan toubu dibu pinglun pinglunqu biaoti riqi zuozhe xinwen zhengwen
        zhuti xiangguan sousuo tiezi rizhi liebiao xiang zuo you shang xia tupian fenlei gengduo zuixin remen guidang
        ye bankuai kuang""",
    "short": """con art mn sb nv mnu hd ft cmt cmts ttl dt aut nws txt bd rel srch pst ent lst itm lft rgt tp bt img
        cat mr lt pop arc pg sec bx""",
}
_NAME_WORDS_BY_LANGUAGE = {name: dict(zip(_ENGLISH, words.split(), strict=True)) for name, words in _NAME_WORDS.items()}


def rename(tree: parse.Tree, random: np.random.Generator) -> None:
    """Withhold the names of a page, number them, or write them in another language."""
    choice = random.random()
    words = _NAME_WORDS_BY_LANGUAGE[list(_NAME_WORDS_BY_LANGUAGE)[int(random.integers(len(_NAME_WORDS_BY_LANGUAGE)))]]
    kept = random.random() < 0.5  # are words kept that have no translation?
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
