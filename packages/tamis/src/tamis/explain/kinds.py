"""The kind of each run: what it is and where it stands, such as a paragraph in an `<article>`.

A kind is what a reader of the markup sees at a glance. Blocks are compared with the typical one of their kind
(`typical`).
"""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bools, Bytes
from tamis.document import tags
from tamis.extractor.runs import COLUMNS, NO_TAG
from tamis.extractor.scaling import Singles

# What it is and where it stands, in words.
Kind = tuple[str, str]

# What a run is, by its own tag. All other tags are plain.
_TAGS = {
    "paragraph": ("p",),
    "main heading": ("h1",),
    "heading": ("h2", "h3", "h4", "h5", "h6"),
    "list item": ("li",),
    "table cell": ("td", "th"),
    "glossary entry": ("dt", "dd"),
    "preformatted block": ("pre", "listing", "xmp"),
    "caption": ("figcaption", "caption"),
    "button": ("button",),
}
PLAIN = "plain block"
_WHAT = (*_TAGS, PLAIN)

# Where it stands: the first of these elements that holds it, at any depth. Those that seldom hold content come first.
_PLACES = {
    "in a <nav>": "nav",
    "in a <footer>": "footer",
    "in an <aside>": "aside",
    "in a <form>": "form",
    "in a <header>": "header",
    "in an <article>": "article",
    "in <main>": "main",
}
# Within these, it makes no difference to the kind which other of them there are.
_CONTENT_PLACES = ("in an <article>", "in <main>")
_WHERE = (*_PLACES, "outside of <main> and <article>")

_WHAT_OF_TAG = np.full(tags.OTHER + 1, len(_TAGS))
for _number, _names in enumerate(_TAGS.values()):
    _WHAT_OF_TAG[[tags.CODES[_name] for _name in _names]] = _number
_IS_PLAIN = tags.lookup("html", "body", "div", "center", "section", *_PLACES.values())
# Headings of several levels are of one kind.
_LEVELS = [COLUMNS.index(f"in {name}") for name in ("h2", "h3", "h4 h5 h6")]
_CONTENT = [COLUMNS.index(f"in {name}") for name in ("article", "main", "section")]
_HOLDERS = [COLUMNS.index(f"in {tag}") for tag in _PLACES.values()]


def kinds_of(values: Singles, codes: Bytes) -> list[Kind]:
    """The kind of each run, given its columns and the codes of its tags."""
    held = values[:, _HOLDERS] > 0
    where = np.where(held.any(axis=1), held.argmax(axis=1), len(_PLACES)).tolist()
    what = _WHAT_OF_TAG.take(codes[:, 0]).tolist()
    return [(_WHAT[first], _WHERE[second]) for first, second in zip(what, where, strict=True)]


def same_markup(kinds: list[Kind], values: Singles, codes: Bytes) -> tuple[Bools, Bools]:
    """Which values and tags say no more than the kind: a typical run has the same ones.

    That is the tag by which a run is of its kind, and around it each plain element and each that is named by the kind.
    """
    same_values, same_codes = np.zeros(values.shape, dtype=np.bool_), np.zeros(codes.shape, dtype=np.bool_)
    tagged = np.array([what != PLAIN for what, _ in kinds])
    content = np.array([where in _CONTENT_PLACES for _, where in kinds])
    same_values[:, _LEVELS] = tagged[:, np.newaxis]
    same_values[:, _CONTENT] = content[:, np.newaxis]
    same_codes[:, 1:] = _IS_PLAIN.take(codes[:, 1:]) | (codes[:, 1:] == NO_TAG)
    same_codes[tagged, 0] = True
    return same_values, same_codes


def anywhere(kind: Kind) -> Kind:
    """The same, wherever it stands."""
    return kind[0], ""
