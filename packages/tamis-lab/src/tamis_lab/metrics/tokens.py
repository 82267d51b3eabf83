"""The tokens that texts are compared by."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np

from tamis.document import characters


def tokens(text: str) -> list[str]:
    r"""The lower-cased runs of word characters (letters, digits, underscore) of a text.

    Boilerpipe (§4.3.2) and WCXB count such words. In scripts without spaces between words (Han,
    kana, Thai, Lao, Khmer, Burmese) each character is a token. Combining marks, which Python's
    `\w` leaves out, stay with the character before them: without them every word of Hindi would
    fall into pieces.
    """
    return _pattern().findall(text.lower())


@cache
def _pattern() -> re.Pattern[str]:
    share = characters.word_share()  # one entry a code point; the last stands for all from there on
    unspaced = _char_class(np.flatnonzero(share[:-1]).tolist()) + f"{chr(len(share) - 1)}-{chr(0x10FFFF)}"
    marks = _char_class([point for point in range(len(share)) if unicodedata.category(chr(point)) in ("Mn", "Mc")])
    spaced = rf"[^\W{unspaced}]"
    return re.compile(rf"(?=\w)[{unspaced}][{marks}]*|{spaced}+(?:[{marks}]+{spaced}*)*")


def _char_class(points: list[int]) -> str:
    """The inside of a regular expression's brackets for these sorted code points."""
    runs: list[tuple[int, int]] = []
    for point in points:
        if runs and runs[-1][1] == point - 1:
            runs[-1] = runs[-1][0], point
        else:
            runs.append((point, point))
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in runs)
