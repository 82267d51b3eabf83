"""Which leaves of a corpus page are content: the labels for training and for leaf scores."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document
from tamis_lab.align import Alignment, align
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.metrics import tokens


@dataclass(frozen=True, eq=False)
class LeafGold:
    """The labels of the leaves of a page."""

    content: Bools  # (leaves,)
    known: Bools  # (leaves,) visible texts, except those of which the annotators were not sure
    is_bad: bool  # too much of the gold text was not found on the page
    unfolded: LeafGold | None = None  # the same for the unfolded page, where something is folded away


def leaf_gold(page: CorpusPage, document: Document) -> LeafGold:
    """Label leaves by the marks of annotators where the corpus has them, else by aligning its gold text."""
    aligned = None if page.leaf_labels is not None else align(document, page.gold_text or "")
    gold = _leaf_gold(page, document, aligned)
    folded = document.leaves.folded.any()
    return replace(gold, unfolded=_leaf_gold(page, document.unfolded, aligned)) if folded else gold


def _leaf_gold(page: CorpusPage, document: Document, aligned: Alignment | None) -> LeafGold:
    leaves = document.leaves
    readable = leaves.visible & ~leaves.is_media
    if aligned is not None:
        content = with_wordless(document, aligned.content & readable)
        return LeafGold(content, readable, aligned.is_bad)
    labels = page.leaf_labels or ()
    content = np.array([label in page.content_labels for label in labels], dtype=np.bool_)
    unclear = np.array([label in page.unclear_labels for label in labels], dtype=np.bool_)
    return LeafGold(content & readable, readable & ~unclear, is_bad=False)


def with_wordless(document: Document, content: Bools) -> Bools:
    """Add bullets, bars and dashes to the content where the words on both sides of them are content.

    Gold text is compared by words, so it tells nothing about texts without any.
    """
    texts = document.leaves.visible_text
    worded = np.fromiter((bool(tokens(document.leaves.text[leaf])) for leaf in texts.tolist()), np.bool_, len(texts))
    around = np.concatenate([[False], content[texts[worded]], [False]])
    wordless = np.flatnonzero(~worded)
    after = np.cumsum(worded)[wordless]  # how many texts with words stand before each
    whole = content.copy()
    whole[texts[wordless]] = around[after] & around[after + 1]
    return whole
