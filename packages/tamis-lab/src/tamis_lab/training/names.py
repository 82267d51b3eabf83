"""Class names and ids as other sites would have them: withheld, translated or abbreviated."""

from __future__ import annotations

import re

import numpy as np

from tamis.document import parse
from tamis.extractor.declared import NAME_PART

# The words of a language for the parts of a page; what a language lacks keeps no name.
_ENGLISH = """
    content article main sidebar nav menu header footer comment comments title date author news text body related
    search post entry list item left right top bottom image category more latest popular archive page section box
""".split()
_LANGUAGES = {
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
_WORDS = {name: dict(zip(_ENGLISH, words.split(), strict=True)) for name, words in _LANGUAGES.items()}


def rename(tree: parse.Tree, random: np.random.Generator) -> None:
    """Withhold the names of a page, number them, or write them in another language."""
    choice = random.random()
    words = _WORDS[list(_WORDS)[int(random.integers(len(_WORDS)))]]
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
