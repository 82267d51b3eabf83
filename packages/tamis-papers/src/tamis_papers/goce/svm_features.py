"""The eleven features of HTML that GOCE's baseline classifier is given (§4.2)."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tamis.document import Document

_MARKS = {
    "periods": ".", "commas": ",", "semicolons": ";", "colons": ":", "questions": "?", "exclamations": "!",
}  # fmt: skip


def features(document: Document) -> dict[str, float]:
    """The features of one page, by name, in the paper's order."""
    leaves, elements = document.leaves, document.elements
    text = " ".join(leaves.text[leaf] for leaf in leaves.visible_text.tolist())
    alike = [count for count in _shapes(document).values() if count > 1]
    images = sum(tag == "img" and bool(elements.attribute(row, "src")) for row, tag in enumerate(elements.tag))
    found = {
        "text length": len(text),
        "clusters of elements alike": len(alike),
        "elements alike": sum(alike),
        "image URLs": images,
        **{name: text.count(mark) for name, mark in _MARKS.items()},
        "digits": sum(map(text.count, "0123456789")),
    }
    return {name: float(value) for name, value in found.items()}


def _shapes(document: Document) -> Counter[tuple[int, int]]:
    """How many elements have the same tag, class, and children of the same tags and classes in the same order.

    The number of children follows from these. Kinds of children are summed up as a running hash, so that
    an element with thousands of them costs no more than its children do.
    """
    elements = document.elements
    numbers: dict[tuple[str, str], int] = {}
    kind = np.array(
        [numbers.setdefault(name, len(numbers) + 1) for name in zip(elements.tag, elements.class_, strict=True)],
        dtype=np.int64,
    )
    children = [0] * (len(elements) + 1)  # the last entry is that of the parent of the root
    for own, parent in zip(kind.tolist(), elements.parent.tolist(), strict=True):
        children[parent] = hash((children[parent], own))
    return Counter(zip(kind.tolist(), children, strict=False))
