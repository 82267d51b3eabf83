"""How many words of readers' comments are in the text, where they do not belong, and in `page.comments`.

Comments are what the corpus marks as such. Where a corpus gives them as text, they are aligned with the leaves of the
page, so a word that both the content and the comments have counts where it is on the page. Names and dates in the gold
count as found in `page.comments` if an author or a date has them.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from tamis import Page
from tamis.arrays import Bools
from tamis.document import Document
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import align
from tamis_lab.metrics import tokens

_LABELS = frozenset({"comment", "comments"})


class Words(NamedTuple):
    """Words of comments of one page, or of several."""

    all: int
    in_text: int
    in_comments: int


def commented(page: CorpusPage, document: Document) -> Bools:
    """Which leaves are comments by the corpus, visible or not."""
    if page.leaf_labels is not None:
        return np.array([label in _LABELS for label in page.leaf_labels], dtype=np.bool_)
    return align(document, page.comments or "").content


def measured(is_comment: Bools, page: Page) -> Words | None:
    """The words of the comments of one page; None if the text was found in the page's data or there are no comments."""
    if len(page.document.leaves) != len(page.original.leaves):
        return None
    is_comment = is_comment & page.document.leaves.is_visible_text
    leaves = [tokens(text) for text in page.document.leaves.text]
    words = Counter(word for leaf in np.flatnonzero(is_comment).tolist() for word in leaves[leaf])
    in_text = sum(len(leaves[leaf]) for leaf in np.flatnonzero(is_comment & page.labels.keep).tolist())
    told = " ".join(f"{each.author or ''} {each.date or ''} {each.text}" for each in page.comments)
    return Words(words.total(), in_text, (Counter(tokens(told)) & words).total()) if words else None
