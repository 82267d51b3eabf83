"""Makes usable values of what sources have: clean text, tags. Unusable values become None or ()."""

from __future__ import annotations

import re

from tamis.document.decode import clean_text

_LANGUAGE = re.compile(r"^[A-Za-z]{2,3}(?:[-_]\w++(?:-\w++)*+)?$")


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
