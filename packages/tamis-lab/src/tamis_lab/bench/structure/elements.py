"""The elements that are counted, and the form in which their texts and addresses are compared."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

from tamis_lab.metrics import tokens

# Each kind with what makes two of them the same.
KINDS = {
    "heading": "text",
    "heading level": "text and level",
    "list item": "text without that of inner lists",
    "list depth": "text, depth, numbered or not",
    "table cell": "text, first cell of the row, first cell of the column",
    "code": "every character, without line numbers and trailing blanks",
    "code language": "the same and the language",
    "formula": "TeX without white space",
    "footnote": "text of a note that a mark refers to",
    "callout": "last paragraph",
    "link": "text and address",
    "image": "any address of the image",
    "quotation": "text of each paragraph",
}

# Powers and indices: 10^6, x_(i,j) and 10⁶ are written for what pages show as 106 and xi,j.
_SCRIPTS = re.compile(r"[_^]\(?")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff]")
_MARK = re.compile(r"\[(?:\d{1,3}|[a-z])\]")  # of a note
_DELIMITERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
_STYLE = re.compile(r"\\(?:display|text)style(?![a-zA-Z])")


class Element(NamedTuple):
    """One element: its kind, what it is compared by, and its place in the text of the page."""

    kind: str
    key: tuple[str, ...]
    start: int
    end: int
    # Elements that one careful person would write as such and another would not are neither wanted nor wrong.
    sure: bool = True


def words(text: str) -> str:
    """A text as its words, however it is spaced and punctuated, without marks of notes."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    return " ".join(tokens(_SCRIPTS.sub("", _MARK.sub(" ", text))))


def plain_tex(tex: str) -> str:
    """TeX without delimiters, style and white space."""
    tex = _STYLE.sub("", tex).strip()
    for opening, closing in _DELIMITERS:
        if tex.startswith(opening) and tex.endswith(closing) and len(tex) >= len(opening) + len(closing):
            tex = tex[len(opening) : len(tex) - len(closing)]
            break
    tex = "".join(tex.split()).replace("\\,", "")
    while tex.startswith("{") and _closes(tex) == len(tex) - 1:  # Wikipedia's braces round the whole
        tex = tex[1:-1]
    return tex.rstrip(".,;")


def _closes(tex: str) -> int:
    """Where the brace that begins a TeX source is closed."""
    depth = 0
    for place, letter in enumerate(tex):
        depth += (letter == "{") - (letter == "}")
        if not depth:
            return place
    return -1


def address(value: str, base: str) -> str:
    """An address as it is compared: absolute, without escapes; empty if it is none of the web."""
    try:
        whole = urljoin(base, value.strip().replace("\\", "/"))  # as browsers read it
        parts = urlsplit(whole)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https"):
        return ""
    path = unquote(parts.path) or "/"
    query = f"?{unquote(parts.query)}" if parts.query else ""
    fragment = f"#{unquote(parts.fragment)}" if parts.fragment else ""
    return f"{parts.netloc.lower()}{path}{query}{fragment}"
