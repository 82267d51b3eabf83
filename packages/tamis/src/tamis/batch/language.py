"""The language of a text.

The parser's package has a language detector by letter trigrams in C, so no other library is needed.
"""

from __future__ import annotations

from turbohtml.detect import detect_language

from tamis.document.words import STOPWORDS
from tamis.errors import OptionError

# A few hundred characters are enough for trigrams; more cost time and add no certainty.
_SAMPLE = 600
# Below this confidence two languages are too similar to decide, as on a page of few words.
_SURE = 0.9

# The detector costs a twentieth of an extraction. So the lang attribute of a page is believed where a cheaper check
# agrees: the function words of English, or the first letters of another language.
# English texts have every other word in the list. Of the Declaration of Human Rights in 532 writings, in pieces of
# _SAMPLE, only Scots and Nigerian Pidgin reach _ENGLISH, and English never has less than 0.45. On WCXB dev
# the detector, given five times the text, contradicts none of the 559 in 672 English pages that pass.
_ENGLISH = 0.27
_ENOUGH_WORDS = 20
_FIRST_LETTERS = 200  # of another language, for the detector

# The detector answers in ISO 639-3; pages, filters and BCP 47 use the two-letter code where a language has one.
_SHORT = dict(
    pair.split(":")
    for pair in (
        "afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh cym:cy dan:da deu:de "
        "ell:el eng:en epo:eo est:et eus:eu fas:fa fin:fi fra:fr gle:ga glg:gl guj:gu hau:ha heb:he hin:hi "
        "hrv:hr hun:hu hye:hy ind:id isl:is ita:it jav:jv jpn:ja kan:kn kat:ka kaz:kk khm:km kor:ko kur:ku "
        "lao:lo lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mlg:mg mlt:mt mon:mn msa:ms mya:my nep:ne nld:nl "
        "nno:nn nob:nb nor:no nya:ny ori:or pan:pa pes:fa pol:pl por:pt pus:ps ron:ro run:rn rus:ru sin:si "
        "slk:sk slv:sl sna:sn snd:sd som:so sot:st spa:es sqi:sq srp:sr swa:sw swe:sv tam:ta tat:tt tel:te "
        "tgk:tg tgl:tl tha:th tsn:tn tuk:tk tur:tr uig:ug ukr:uk urd:ur uzb:uz vie:vi xho:xh yid:yi yor:yo "
        "zho:zh zul:zu "
    ).split()
)


# What the detector can answer, found by asking it for each code of three letters in each script: 70 languages.
DETECTED = frozenset(
    (
        "af ak am ar az be bg bn ca cs cy da de el en eo es et fa fi fr gu he hi hr hu hy id it ja jv ka km kn ko la "
        "lt lv mk ml mr my nb ne nl or pa pl pt ro ru si sk sl sn sr sv ta te th tk tl tr uk ur uz vi yi zh zu"
    ).split()
)


def known_code(word: str) -> str:
    """The code of a language that pages are selected by: `en` for `EN` and `eng`.

    Raises OptionError for a language that is never detected, and for one with a region or script.
    """
    code = primary(word)
    if code in DETECTED and len(word.strip()) <= 3:
        return code
    if code in DETECTED:
        raise OptionError(f"the language {word!r} has a region or script, which is not detected: choose {code}")
    raise OptionError(f"the language {word!r} is never detected; there are: {', '.join(sorted(DETECTED))}")


def language_of(text: str, declared: str | None) -> str | None:
    """The language of a text from a page whose `lang` is `declared`, which decides if the text is too short."""
    named = primary(declared) if declared else None
    if named and (_is_english(text) if named == "en" else detected(text[:_FIRST_LETTERS]) == named):
        return named
    return detected(text) or named


def detected(text: str) -> str | None:
    """The language that `text` is written in: two letters where it has such a code, else three; None if unsure."""
    match = detect_language(text[:_SAMPLE])
    if match.language is None or match.confidence < _SURE:
        return None
    return _SHORT.get(match.language, match.language)


def primary(tag: str) -> str | None:
    """The language in a tag such as `en-GB`, in the same codes; None for a wrong tag."""
    word = tag.replace("_", "-").partition("-")[0].strip().lower()
    return _SHORT.get(word, word) if word.isascii() and word.isalpha() and len(word) in (2, 3) else None


def _is_english(text: str) -> bool:
    words = text[:_SAMPLE].lower().split()
    return len(words) >= _ENOUGH_WORDS and sum(map(STOPWORDS.__contains__, words)) >= _ENGLISH * len(words)
