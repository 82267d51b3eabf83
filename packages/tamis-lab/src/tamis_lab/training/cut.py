"""Articles cut to their first paragraphs, while all that is round them stays."""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bools
from tamis.document import parse
from tamis.document.table import Document
from tamis.document.words import tokenize
from tamis_lab.training.edit import Draft, words_inside

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
    count = int(random.integers(1, (_FEW if random.random() < _SHORT else _MOST) + 1))
    nodes_of = parse.elements(draft.tree)
    core = nodes_of.index(draft.core) if draft.core is not None else -1
    cut = _paragraph(document, content, count)
    # Where the core is behind the cut, what would stay is a stray line.
    if cut is None or (row := int(leaves.opened[cut - 1]) + 1) <= core:
        return
    # Behind the cut, elements that hold nothing but content go, and texts of content. Inside the core others without
    # links go, too: they belong to what was cut.
    good, held, spare = (words_inside(document, among) for among in (content, None, leaves.in_link | roles))
    while row < len(elements):
        inside = core >= 0 and core < row < elements.end[core]
        if (good[row] and good[row] == held[row]) or (inside and 10 * spare[row] < held[row]):
            nodes_of[row].extract()
            row = int(elements.end[row])
        else:
            row += 1
    for leaf, node in zip(np.flatnonzero(~leaves.is_media).tolist(), nodes, strict=True):
        if leaf >= cut and content[leaf] and node.parent is not None:
            node.extract()


def _paragraph(document: Document, content: Bools, number: int) -> int | None:
    """The first leaf of a paragraph of the content, counted from 0; None if there are fewer."""
    leaves = document.leaves
    of_content = np.flatnonzero(content)
    tokens = tokenize([leaves.text[leaf] for leaf in of_content.tolist()])
    words = np.bincount(leaves.block[of_content], tokens.sum_per_text(tokens.weight))
    blocks, first = np.unique(leaves.block[of_content], return_index=True)
    starts = np.sort(of_content[first[words[blocks] >= _PARAGRAPH_WORDS]])
    return int(starts[number]) if len(starts) > number else None
