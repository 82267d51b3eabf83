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
    content, roles = np.zeros((2, len(leaves)), dtype=np.bool_)
    truths = [draft.truth[node] for node in nodes]
    content[~leaves.is_media] = [truth.content for truth in truths]
    roles[~leaves.is_media] = [truth.comment or truth.related for truth in truths]
    content &= leaves.visible
    blocks = np.unique(leaves.block[content])  # in document order
    good = words_inside(document, content)
    long = blocks[good[blocks] >= _PARAGRAPH_WORDS]
    count = int(random.integers(1, (_FEW if random.random() < _SHORT else _MOST) + 1))
    if len(long) <= count:
        return
    # From the first paragraph too many on, elements that hold nothing but content go, and texts of content. Inside the
    # core others without links go, too: they belong to what was cut.
    start, held, nodes_of = int(long[count]), words_inside(document, None), parse.elements(draft.tree)
    spare = words_inside(document, leaves.in_link | roles)
    core = nodes_of.index(draft.core) if draft.core is not None else len(elements)
    row = start
    while row < len(elements):
        inside = core < row < elements.end[min(core, len(elements) - 1)]
        if (good[row] and good[row] == held[row]) or (inside and 10 * spare[row] < held[row]):
            nodes_of[row].extract()
            row = int(elements.end[row])
        else:
            row += 1
    texts = np.flatnonzero(~leaves.is_media)
    for leaf, node in zip(texts.tolist(), nodes, strict=True):
        if content[leaf] and leaves.element[leaf] >= start and node.parent is not None:
            node.extract()
