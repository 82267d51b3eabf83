"""A page as text segments: the lines that a text browser would write, each a stretch of visible texts."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Bytes, Ints
from tamis.document import Document, tags

# Segments end at block-level elements and at line breaks.
_IS_BREAK = tags.lookup(*tags.BLOCK, "br")

# The alphabet: printable ASCII, one character for all others, and one around each segment.
OTHER, BORDER = 1, 2

# The longest n-grams. Between two segments there are so many borders that none of them reaches over.
ORDER = 4


@dataclass(frozen=True, eq=False)
class Segments:
    """The segments of a page."""

    number: Ints  # of each visible text: which segment it is in
    codes: Bytes  # the characters of all segments, with borders before and after each
    starts: Ints  # the first character of each segment, and the size at the end

    @classmethod
    def of(cls, document: Document) -> Segments:
        """Divide the visible texts of a page."""
        leaves = document.leaves
        texts = leaves.visible_text
        breaks = _breaks(document)
        number = breaks.cumsum() - 1
        parts: list[str] = []
        for leaf, breaks_here in zip(texts.tolist(), breaks.tolist(), strict=True):
            if breaks_here:
                parts.append("\n")
            elif leaves.gap[leaf]:
                parts.append(" ")
            parts.append(leaves.text[leaf].replace("\n", " "))
        lines = "".join(parts).split("\n")[1:]
        plain = [b" ".join(_ascii(line).split()) for line in lines]
        borders = bytes([BORDER]) * (ORDER - 1)
        codes = np.frombuffer(borders + b"".join(line + borders for line in plain), dtype=np.uint8)
        starts = np.cumsum([len(borders), *(len(line) + len(borders) for line in plain)])
        return cls(number, codes, starts)


def _breaks(document: Document) -> Bools:
    """For each visible text: does a segment begin with it?"""
    elements, leaves = document.elements, document.leaves
    texts = leaves.visible_text
    mask = _IS_BREAK[elements.code]
    opened = mask.cumsum()[leaves.opened[texts]]  # breaking elements opened up to each text
    closed = opened - elements.covering(mask)[leaves.element[texts]]
    begins: Bools = np.ones(len(texts), dtype=np.bool_)
    begins[1:] = (opened[1:] != opened[:-1]) | (closed[1:] != closed[:-1])
    return begins


def _ascii(text: str) -> bytes:
    """The text in ASCII: accents are dropped, and what has no ASCII form is OTHER."""
    if not text.isascii():
        marked = unicodedata.normalize("NFKD", text.translate(_PUNCTUATION))
        text = _FOREIGN.sub(chr(OTHER), _ACCENTS.sub("", marked))
    return text.encode().translate(_CONTROLS)


_PUNCTUATION = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "•": "*", "·": "*"})
_ACCENTS = re.compile("[\u0300-\u036f]")
_FOREIGN = re.compile("[^\\x00-\\x7f]")

# Control characters but white space are OTHER.
_CONTROLS = bytes(code if code >= 32 or code in b"\t\n\r\v\f" else OTHER for code in range(256))
