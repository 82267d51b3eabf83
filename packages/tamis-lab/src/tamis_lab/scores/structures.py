"""What becomes of the structures of a page: lists, tables, quotations, code, figures with a caption, and headings.

A structure belongs to the content if the gold has all of its texts; then it is whole (all of its texts are kept), torn
(some are) or lost (none is). Of structures of one kind inside each other, the outermost that the gold has entirely
counts, and those inside it do not. If the gold has none of its texts, the structure is foreign, and it is either
dropped or kept in whole or in part. Of foreign ones, too, the outermost counts.

These are not structures: a menu (a list in a nav, a form or a button), a list of less than two items with words, a
table that arranges a page (it has a heading, a form or another table inside, or less than two rows), and a structure
without any word. A structure is also whole if the texts that it lacks are kept elsewhere on the page: it does not
matter which of two copies stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tamis import Document
from tamis.arrays import Bools, places
from tamis.document import tags
from tamis_lab.metrics import tokens

KINDS = {
    "list": ("ul", "ol", "dl"),
    "table": ("table",),
    "quotation": ("blockquote",),
    "code": ("pre", "listing", "xmp"),
    "figure": ("figure",),
}
OUTCOMES = ("whole", "torn", "lost", "foreign", "foreign kept")

_IS_MENU = tags.lookup("nav", "form", "button", "select")
_IN_LAYOUT = tags.lookup("table", "form", *tags.HEADINGS)
_IS_ROW = tags.lookup("tr")
_IS_CAPTION = tags.lookup("figcaption")
_IS_HEADING = tags.lookup(*tags.HEADINGS)
_LEVELS = {tags.CODES[name]: level for level, name in enumerate(tags.HEADINGS, 1)}


class Structure(NamedTuple):
    """One structure of a page and what has become of it."""

    kind: str
    outcome: str


class Headings(NamedTuple):
    """The kept headings of a page."""

    kept: int
    hollow: int  # with no kept text before the next heading of the same or a higher level
    ends_in_one: bool


def judged(document: Document, content: Bools, keep: Bools) -> Iterator[Structure]:
    """The structures of a page: `content` are the leaves that the gold has, `keep` those that an extractor keeps."""
    elements, leaves = document.elements, document.leaves
    worded = [leaf for leaf in leaves.visible_text.tolist() if tokens(leaves.text[leaf])]
    kept_texts = {leaves.text[leaf].strip() for leaf in worded if keep[leaf]}
    in_menu = elements.inside(_IS_MENU[elements.code])
    inner, rows = elements.sums(_IN_LAYOUT[elements.code]), elements.sums(_IS_ROW[elements.code])
    captions = elements.sums(_IS_CAPTION[elements.code])
    for kind, names in KINDS.items():
        is_kind = tags.lookup(*names)
        done = 0  # up to this row, elements are in a structure that counts
        for row in places(is_kind[elements.code]).tolist():
            end = int(elements.end[row])
            if row < done or (kind == "list" and in_menu[row]) or (kind == "figure" and not captions[row]):
                continue
            if kind == "table" and (inner[row] > 1 or rows[row] < 2):
                continue
            inside = [leaf for leaf in worded if row <= leaves.element[leaf] < end]
            if kind == "list" and len({int(leaves.block[leaf]) for leaf in inside}) < 2:
                continue
            in_gold = sum(bool(content[leaf]) for leaf in inside)
            if not inside or 0 < in_gold < len(inside):
                continue
            done = end
            kept = sum(bool(keep[leaf]) for leaf in inside)
            if not in_gold:
                outcome = "foreign kept" if kept else "foreign"
            elif all(keep[leaf] or leaves.text[leaf].strip() in kept_texts for leaf in inside):
                outcome = "whole"
            else:
                outcome = "torn" if kept else "lost"
            yield Structure(kind, outcome)


def table(counts: Counter[Structure]) -> str:
    """Shares of whole, torn and lost structures of each kind, and of foreign ones that are kept."""
    lines = [f"{'':10s} {'in gold':>8s} {'whole':>7s} {'torn':>7s} {'lost':>7s} {'foreign':>8s} {'kept':>7s}"]
    bars = [kind for kind in KINDS if kind != "figure"]
    for name, kinds in (*((kind, [kind]) for kind in KINDS), ("all", [*KINDS]), ("no figures", bars)):
        whole, torn, lost, foreign, kept = (sum(counts[Structure(kind, each)] for kind in kinds) for each in OUTCOMES)
        ours, others = max(whole + torn + lost, 1), max(foreign + kept, 1)
        shares = "".join(f" {100 * each / ours:6.2f}%" for each in (whole, torn, lost))
        lines.append(f"{name:10s} {whole + torn + lost:8d}{shares} {foreign + kept:8d} {100 * kept / others:6.2f}%")
    return "\n".join(lines)


def headings(document: Document, keep: Bools) -> Headings:
    """Count kept headings, and those that nothing follows: the next kept text is a heading as high, or the end."""
    elements, leaves = document.elements, document.leaves
    texts = places(keep & leaves.is_visible_text)
    around = elements.nearest(_IS_HEADING[elements.code], leaves.element[texts]).tolist()
    kept = hollow = 0
    waiting: list[int] = []  # the levels of headings that no text has followed yet
    last = -1
    for leaf, row in zip(texts.tolist(), around, strict=True):
        if not tokens(leaves.text[leaf]) or (row >= 0 and row == last):
            continue
        if row < 0:
            waiting = []
        else:
            level = _LEVELS[int(elements.code[row])]
            higher = [each for each in waiting if each < level]
            hollow += len(waiting) - len(higher)
            waiting = [*higher, level]
            kept += 1
        last = row
    return Headings(kept, hollow + len(waiting), last >= 0)
