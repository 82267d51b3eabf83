"""The parts of a TITLE such as "Headline - Section | Site", and how headlines are compared."""

from __future__ import annotations

import re
from functools import lru_cache

# White space is matched from its beginning only, and never given back: a hostile TITLE can have a megabyte.
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uff01-\uff5e]"  # Chinese and Japanese titles, which lack spaces
SEPARATOR = re.compile(
    r"(?=[\s|:\u00ab\u00bb\u203a\uff5c_-])(?:"  # few characters start one
    r"(?<!\s)\s++(?:[-\u2013\u2014|:\u00b7\u2022/\u00ab\u00bb\u2039\u203a]++\s++|[|\u00bb\u00ab\u203a\uff5c]\s*+)"
    r"|[|\u00bb\u00ab\u203a\uff5c]\s*+|:\s++"
    rf"|(?<={_UNSPACED})[-_]|_(?={_UNSPACED}))"
)
WORD = re.compile(r"\w+")


def title_parts(title: str) -> list[str]:
    """The parts of a TITLE in order."""
    return [part for part in SEPARATOR.split(title) if part]


@lru_cache(maxsize=512)  # several places of a page have the same headline, and parts of it
def fold(text: str) -> str:
    """The words of a text in lower case: equal for two spellings of one headline."""
    return " ".join(WORD.findall(text.casefold()))
