"""The names of the months in some seventy languages. `python -m tools.month_names` writes the table, from CLDR."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from unicodedata import normalize

TABLE = Path(__file__).with_name("months.json")

# Accents, and the marks of hamza and madda, which many leave out; dots and apostrophes of abbreviations.
_MARKS = re.compile(r"[\u0300-\u036f\u0653-\u0655\u0640.'’`´׳\u200b-\u200f]+")
_ELIDED = re.compile(r"^[dl]['’]")  # "d'abril"
_SAME_LETTER = str.maketrans("ıیىک", "iييك")  # of Turkish, Persian and Arabic
_SAME_LANGUAGE = {"no": "nb", "iw": "he", "in": "id", "tl": "fil", "sh": "sr"}
_LONGEST_TAG, _LONGEST_NAME = 12, 20
# A shorter word is the beginning of many.
_SHORTEST_BEGINNING = 3


def fold(word: str) -> str:
    """A word in the spelling of the table: without capitals, accents and dots."""
    if word.isascii():
        word = word.lower().replace(".", "")
        return word[2:] if word[1:2] == "'" else word
    return _MARKS.sub("", normalize("NFKD", _ELIDED.sub("", word.casefold()))).translate(_SAME_LETTER)


def primary(language: str) -> str:
    """The language alone, of a tag such as "pt-br"."""
    return _primary(language[:_LONGEST_TAG])


@lru_cache(maxsize=256)
def _primary(tag: str) -> str:
    code = tag.replace("_", "-").partition("-")[0].lower()
    return _SAME_LANGUAGE.get(code, code)


@lru_cache(maxsize=4096)
def number(word: str, language: str = "", *, is_sure: bool = True) -> int:
    """The number of the month with that name, 0 if it is none.

    It is a name in the language, in English or in any other. If it is not sure that the word is a month, short words
    of other languages are none: "Mac" is a month to Malays only.
    """
    if not 1 < len(word) <= _LONGEST_NAME:
        return 0
    name = fold(word)
    own = _names().get(primary(language), {})
    if found := own.get(name) or _names()["en"].get(name) or _beginning(name, own):
        return found
    if is_sure or (not own and len(name) > _SHORTEST_BEGINNING):
        return _of_any().get(name, 0)
    return 0


def _beginning(word: str, own: dict[str, int]) -> int:
    """The one month whose names begin with the word; 0 if there is none, or several."""
    if len(word) < _SHORTEST_BEGINNING:
        return 0
    found = {month for name, month in own.items() if name.startswith(word)}
    return found.pop() if len(found) == 1 else 0


@cache
def _names() -> dict[str, dict[str, int]]:
    """For each language: from a name to its month."""
    table: dict[str, list[str]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return {
        language: {name: month for month, names in enumerate(lists, 1) for name in names.split()}
        for language, lists in table.items()
    }


@cache
def _of_any() -> dict[str, int]:
    """From a name in any language to its month. Of two languages that disagree, the first in the table is right."""
    found: dict[str, int] = {}
    for names in _names().values():
        for name, month in names.items():
            found.setdefault(name, month)
    return found
