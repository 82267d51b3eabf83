"""Makes usable values of what sources have: clean text, dates, tags. Unusable values become None or ()."""

from __future__ import annotations

import re
from datetime import date

from tamis.document.decode import clean_text

_LANGUAGE = re.compile(r"^[A-Za-z]{2,3}(?:[-_]\w++(?:-\w++)*+)?$")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# In the order they are tried.
_DATES = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"),
    re.compile(r"^(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})"),
    re.compile(r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?:\D|$)"),
    re.compile(r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?P<month>[A-Za-z]{3})[a-z]*\.?,?\s+(?P<year>\d{4})\b"),
    re.compile(r"\b(?P<month>[A-Za-z]{3})[a-z]*\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})\b"),
)


def text(value: object) -> str | None:
    """A text with its white space folded; of a list the first text."""
    if isinstance(value, list):
        value = next((each for each in value if isinstance(each, str)), None)
    return _folded(value) or None if isinstance(value, str) else None


def language(value: object) -> str | None:
    """A language tag such as pt-BR."""
    found = text(value)
    return found.replace("_", "-") if found and _LANGUAGE.match(found) else None


def tags(value: object) -> tuple[str, ...]:
    """The tags of a list, or of a text with commas between them; each once."""
    given = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(dict.fromkeys(filter(None, (_folded(tag) for tag in given if isinstance(tag, str)))))


def day(value: object) -> str | None:
    """The day of a date in one of the usual notations, as ISO."""
    if not isinstance(value, str):
        return None
    found = next((match for pattern in _DATES if (match := pattern.search(value.strip()))), None)
    if found is None:
        return None
    month = found["month"].lower()
    number = int(month) if month.isdigit() else _MONTHS.index(month) + 1 if month in _MONTHS else 0
    try:
        return date(int(found["year"]), number, int(found["day"])).isoformat()
    except ValueError:
        return None


def names(value: object) -> str | None:
    """The name of a person or organisation, or several of them joined by commas. Addresses are no names."""
    if isinstance(value, str):
        return None if "://" in value else value
    if isinstance(value, dict):
        return names(value.get("name"))
    if isinstance(value, list):
        return ", ".join(dict.fromkeys(name for each in value if (name := names(each)))) or None
    return None


def _folded(value: str) -> str:
    # JSON can write half a surrogate pair, which no output can.
    return " ".join(clean_text(value).split())
