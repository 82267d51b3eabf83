"""Whether something on the page opens a hidden element.

Text that something opens is folded: a reader can see it. Other hidden text is never shown and not meant for readers.
docs/research/tamis.md counts the words of the gold texts that each way of hiding holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from tamis.document import parse
from tamis.document.tags import BLOCK, HEADINGS

# Names of parts that open, in the class, the id, the role and the names of attributes: anywhere in them, or as a word.
_OPENING = (
    "accord", "animat", "answer", "carousel", "clamp", "collaps", "defer", "dialog", "disclos", "drawer", "dropdown",
    "expand", "fadein", "faq", "flyout", "labelledby", "lazy", "lightbox", "modal", "overlay", "panel", "paywall",
    "popover", "popup", "premium", "reveal", "slide", "spoiler", "subscriber", "swiper", "tabbed", "tabpan", "toggl",
    "tooltip", "trunc",
)  # fmt: skip
_OPENING_WORDS = frozenset(
    """
    aos fold folded less listbox menu more ng-if ng-show pane panes region tab tabs v-if v-show wow x-cloak x-if x-show
    """.split()
)
_WORD = re.compile(r"(?:ng|v|x)-[a-z]+|[a-z]+")
# Elements that a reader clicks on: their tags and their attributes.
_CLICKED = {"button", "summary"}
_CLICKABLE = frozenset({"aria-expanded", "aria-controls", "onclick", "data-toggle", "data-bs-toggle", "tabindex"})
_POINTERS = ("href", "aria-controls", "data-target", "data-bs-target")
# How many elements of a hidden element's neighbour are searched for something to click on.
_LOOKED_AT = 4
# The names of ancestors matter only for these parts of a page, not for a paragraph or a word in one.
_PARTS = BLOCK - {"p", "td", "th", "li", *HEADINGS}
_HEADS = {*HEADINGS, "dt"}
_LONGEST = 1_000  # characters of names
_WHOLES = {"html", "body", "main", "article"}


def opened(nodes: Sequence[parse.Element], notable: Sequence[parse.Element], tree: parse.Tree) -> list[bool]:
    """For each hidden element: does something on the page open it? `notable` has the elements with a role.

    The evidence is its names, those of the part around it, something to click on next to it, and pointers to it.
    """
    found = [_opens(_names_of(node)) or _is_in_opening(node) or _is_next_to_click(node) for node in nodes]
    # A single hidden part below a heading may be anything. In several such pairs, the headings open the parts.
    pairs = [None if is_open else _heading_pair(node) for is_open, node in zip(found, nodes, strict=True)]
    if any(pairs):
        counts = Counter(pairs)
        found = [is_open or (pair is not None and counts[pair] > 1) for is_open, pair in zip(found, pairs, strict=True)]
    if all(is_open or "id" not in node.attrs for is_open, node in zip(found, nodes, strict=True)):
        return found
    # Queries for one tag are fast.
    targets = _pointed_ids((*parse.select(tree, 'a[href^="#"]'), *parse.select(tree, "button"), *notable))
    return [is_open or node.attr("id") in targets for is_open, node in zip(found, nodes, strict=True)]


def _is_in_opening(node: parse.Element) -> bool:
    """Is it a part of something with the name of a part that opens?"""
    if node.tag not in _PARTS:
        return False
    return any(above.tag not in _WHOLES and _opens(_names_of(above)) for above in parse.parents(node, 2))


def _names_of(node: parse.Element) -> str:
    return " ".join([*node.attrs, *(node.attr(name) or "" for name in ("class", "id", "role")), node.tag])


@lru_cache(maxsize=4_096)  # the parts of a page, and the pages of a site, have the same names
def _opens(names: str) -> bool:
    names = names[:_LONGEST].lower()
    return any(map(names.__contains__, _OPENING)) or not _OPENING_WORDS.isdisjoint(_WORD.findall(names))


def _is_next_to_click(node: parse.Element) -> bool:
    """Is there something to click on directly before or after it?"""
    return any(each is not None and _is_clickable(each) for each in parse.neighbours(node))


def _is_clickable(node: parse.Element) -> bool:
    return any(
        inner.tag in _CLICKED
        or not _CLICKABLE.isdisjoint(inner.attrs)
        or inner.attr("role") in ("button", "tab")
        or (href := inner.attr("href") or "") == "#"
        or href.startswith("javascript:")
        for inner in (node, *islice(node.iter_elements(), _LOOKED_AT))
    )


def _heading_pair(node: parse.Element) -> tuple[str | None, ...] | None:
    """Tags and classes of a hidden part and of the element before it, if that may be its heading."""
    above = parse.neighbours(node)[0]
    if above is None or node.tag not in _PARTS or (above.tag not in _HEADS and not above.attr("class")):
        return None
    return above.tag, above.attr("class"), node.tag, node.attr("class")


def _pointed_ids(nodes: Iterable[parse.Element]) -> set[str]:
    """The ids that links and buttons point to."""
    values = (node.attr(name) or "" for node in nodes for name in _POINTERS if name in node.attrs)
    return {word.lstrip("#") for value in values for word in value.split()} - {""}
