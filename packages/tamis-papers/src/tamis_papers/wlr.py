"""Words/leafs ratio (Insa, Silva, Tamarit: Using the Words/Leafs Ratio in the DOM Tree, JLAP 82(8), 2013).

Three steps: each element gets its ratio of words to leaves; from those with a high ratio the tree is climbed to the
elements that contain them; the one with the most such text is the content. The method chooses a node, so media stay
with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.document import Document, tags
from tamis.document.words import tokenize
from tamis.labels import Labels

_IS_BODY = tags.lookup("body")


@dataclass(frozen=True)
class WordsLeafs:
    """Keeps all that is visible in one element."""

    def label(self, document: Document) -> Labels:
        """Leaves inside the chosen element score 1, others 0; the labels carry that element."""
        elements, leaves = document.elements, document.leaves
        words = _words(document)
        inside = _inside_body(document)
        ratio = words_leafs_ratio(document, words)
        rows = np.flatnonzero(relevant(document, words, ratio, inside))
        nodes = rows[:0]
        if rows.size:
            nodes = np.array([container(document, rows, elements.sums(words), inside)])
        chosen = np.zeros(len(elements), dtype=np.bool_)
        chosen[nodes] = True
        scores = np.where(elements.inside(chosen)[leaves.element] & leaves.visible, 1.0, 0.0)
        return Labels(scores, scores == 1.0, nodes=nodes)


def _words(document: Document) -> Ints:
    """The words directly in each element."""
    leaves, texts = document.leaves, document.leaves.visible_text
    tokens = tokenize([leaves.text[leaf] for leaf in texts.tolist()])
    # Every token counts; in a script without spaces a token counts as several words.
    counts = np.rint(tokens.sum_per_text(np.maximum(1.0, tokens.weight)))
    words = np.bincount(leaves.element[texts], counts, minlength=len(document.elements))
    return words.astype(np.int64)


def _inside_body(document: Document) -> Bools:
    """For each element: is it BODY, or below it?"""
    is_body = np.zeros(len(document.elements), dtype=np.bool_)
    is_body[np.flatnonzero(_IS_BODY[document.elements.code])[:1]] = True
    return document.elements.inside(is_body)


def words_leafs_ratio(document: Document, words: Ints) -> Floats:
    """Step 1, for each element: the words of its subtree divided by the leaves of its subtree.

    Leaves are visible texts, and elements with neither a child nor a text.
    """
    elements, leaves, size = document.elements, document.leaves, len(document.elements)
    texts = np.bincount(leaves.element[leaves.visible_text], minlength=size)
    children = np.bincount(elements.parent[elements.parent >= 0], minlength=size)
    leafs = elements.sums(texts + (texts + children == 0))
    ratio: Floats = np.round(elements.sums(words) / np.maximum(leafs, 1), 9)  # the same on every processor
    return ratio


def relevant(document: Document, words: Ints, ratio: Floats, inside: Bools) -> Bools:
    """Which elements have text of their own and a ratio of at least the mean of all elements with text?"""
    counted = inside & (document.elements.sums(words) > 0)
    if not counted.any():
        return counted
    mean = round(float(ratio[counted].mean()), 9)
    return inside & (words > 0) & (ratio >= mean)


def container(document: Document, rows: Ints, words: Ints, inside: Bools) -> int:
    """Steps 2 and 3: the parent of the relevant elements with the most words; of equal ones the first on the page.

    BODY contains itself.
    """
    parent = document.elements.parent[rows]
    above = np.where(inside[parent], parent, rows)
    return int(np.argmax(np.bincount(above, words[rows], minlength=len(document.elements))))


words_leafs = WordsLeafs()
