"""Boxes of links to other pages, as newspapers and blogs put them round and into an article."""

from __future__ import annotations

import numpy as np

from tamis.document import parse
from tamis_lab.training.edit import RELATED, Draft
from tamis_lab.training.made_up import Words, read_templates

_MOST_BOXES, _MOST_ITEMS = 4, 25

_BOXES = read_templates("teasers.txt")
_LISTS = [box for box in _BOXES if "{text}" not in box.item]
_BARE = 0.5  # how often a box has headlines only


def add_teasers(draft: Draft, words: Words, random: np.random.Generator) -> None:
    """Put some boxes before, behind or into the content, and into the frame."""
    for _ in range(1 + words.below(_MOST_BOXES)):
        box = _made_up(words)
        place = random.random()
        frame = [part for part in draft.frame if part.parent is not None and part.tag in ("div", "ul", "p", "table")]
        if place < 0.3 and frame:
            draft.learn([box], RELATED)
            frame[words.below(len(frame))].insert_before(box)
        elif place > 0.9 and draft.core is not None:
            draft.learn([box], RELATED)
            _insert_between(draft.core, box, words)
        else:
            draft.put(box, words.one_of("before", "after", "after", "inside", "inside"), RELATED)


def _insert_between(core: parse.Element, box: parse.Element, words: Words) -> None:
    """Put a box between two of the core's children."""
    children = [child for child in core.children if isinstance(child, parse.Element)]
    if children and core.tag not in ("table", "tbody", "tr", "ul", "ol", "dl", "p", "pre"):
        children[words.below(len(children))].insert_after(box)


def _made_up(words: Words) -> parse.Element:
    labels = {"label": words.label(words.one_of("related", "popular", "latest")), "more": words.label("more")}
    labels["date"] = words.date()
    items = []
    for number in range(1, 4 + words.below(_MOST_ITEMS)):
        own = {"title": words.some(3, 12).rstrip(".,;:"), "text": words.sentences(8, 30), "date": words.date()}
        items.append(labels | own | {"n": str(number)})
    boxes = _LISTS if words.share() < _BARE else _BOXES
    return boxes[words.below(len(boxes))].built(labels, items)
