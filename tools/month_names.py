"""Write the table of month names from Unicode CLDR: python -m tools.month_names

It needs Babel, which has the data of CLDR and is not a dependency of tamis. For each language the table has the names
and abbreviations of twelve months, in all cases and regions that CLDR knows, in the spelling of `months.fold`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tamis.document.dates import calendars

# A name that is a month of two languages is first that of the language named first.
LANGUAGES = """
en de fr es it pt nl pl ru uk cs sk sl hr sr bs mk bg ro hu el tr sv da nb nn fi et lv lt is ca eu gl ga cy sq be
ar fa he ur hi bn ta te mr gu kn ml pa ne si th lo km my id ms fil sw af am ka hy az kk uz ky tg eo lb mt fo
""".split()

# In use, and not in CLDR: the number of the month, and names.
OTHERS = {
    "en": {9: "sept"},
    "de": {1: "jän jaen jaenner", 2: "feber", 3: "maerz mrz", 9: "sept"},
    "fr": {1: "jan", 2: "fév fevr", 7: "jui juill", 8: "aou", 9: "sep"},
    "es": {9: "set setiembre"},
    "it": {9: "sett"},
    "nl": {3: "maa"},
    "ru": {6: "июн", 7: "июл", 9: "сен", 11: "ноя"},
    "el": {1: "γεναρη", 2: "φλεβαρη", 5: "μαη", 6: "ιουνη", 7: "ιουλη"},
    "ar": {11: "نونبر", 12: "دجنبر"},
    "id": {2: "pebruari", 8: "agu", 11: "nopember"},
    "hi": {1: "जन", 2: "फर", 9: "सितंबर", 10: "अक्टूबर", 12: "दिसंबर"},
}
# What articles and cases add to a written name: before it and after it.
AROUND: dict[str, tuple[str, tuple[str, ...]]] = {
    "he": ("ב", ()),
    "eu": ("", ("ren", "k")),
}
_WIDTHS = ("wide", "abbreviated")
_SCRIPTS_OF_FEW = ("Dsrt", "Shaw")


def given(language: str, month: int) -> Iterator[str]:
    """The names of a month in all regions where the language is written, as CLDR writes them."""
    from babel import localedata

    for identifier in sorted(localedata.locale_identifiers()):
        code, *regions = identifier.split("_")
        if code == language and not set(regions) & set(_SCRIPTS_OF_FEW):
            tables = localedata.load(identifier)["months"]
            for table in (tables[context][width] for context in ("format", "stand-alone") for width in _WIDTHS):
                # An alias refers to another table of the same locale; with names of its own it is a pair.
                own = table[1] if isinstance(table, tuple) else table
                if isinstance(own, dict):
                    yield own.get(month, "")


def names(language: str, month: int) -> list[str]:
    """All spellings of a month, each once. A name of two words is written as one."""
    found = [calendars.fold("".join(name.removeprefix("de ").split())) for name in given(language, month)]
    found += [calendars.fold(name) for name in OTHERS.get(language, {}).get(month, "").split()]
    before, behind = AROUND.get(language, ("", ()))
    found += [f"{before}{name}" for name in found] if before else []
    found += [f"{name}{end}" for name in found for end in behind if len(name) > len("urr")]
    return list(dict.fromkeys(name for name in found if name and not any(letter.isdigit() for letter in name)))


def main() -> None:
    """Write the table."""
    table = {language: [" ".join(names(language, month)) for month in range(1, 13)] for language in LANGUAGES}
    lines = (f"{json.dumps(language)}: {json.dumps(found, ensure_ascii=False)}" for language, found in table.items())
    calendars.TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
