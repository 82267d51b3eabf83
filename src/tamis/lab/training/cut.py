"""Articles cut to their first paragraphs, while all that is round them stays."""

from __future__ import annotations

import numpy as np

from tamis.document import parse
from tamis.document.table import Document
from tamis.lab.training.edit import Draft, words_inside

_FEW, _MOST = 4, 12  # paragraphs
_SHORT = 0.6  # how often only a few stay
_PARAGRAPH_WORDS = 15  # fewer are a heading or a line


def shorten(draft: Draft, random: np.random.Generator) -> None:
    """Keep one to four paragraphs of the content, or up to twelve, if it has more."""
    nodes: list[parse.Node] = []
    document = Document.from_tree(draft.tree, nodes).unfolded
    leaves, elements = document.leaves, document.elements
    content = np.zeros(len(leaves), dtype=np.bool_)
    content[~leaves.is_media] = [draft.truth[node].content for node in nodes]
    content &= leaves.visible
    blocks = np.unique(leaves.block[content])  # in document order
    good = words_inside(document, content)
    long = blocks[good[blocks] >= _PARAGRAPH_WORDS]
    count = int(random.integers(1, (_FEW if random.random() < _SHORT else _MOST) + 1))
    if len(long) <= count:
        return
    # From the first paragraph too many on, elements that hold nothing but content go, and texts of content.
    start, held, known = int(long[count]), words_inside(document, None), parse.elements(draft.tree)
    row = start
    while row < len(elements):
        if good[row] and good[row] == held[row]:
            known[row].extract()
            row = int(elements.end[row])
        else:
            row += 1
    texts = np.flatnonzero(~leaves.is_media)
    for leaf, node in zip(texts.tolist(), nodes, strict=True):
        if content[leaf] and leaves.element[leaf] >= start and node.parent is not None:
            node.extract()
