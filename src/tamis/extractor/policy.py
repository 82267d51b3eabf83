"""What is content: the threshold of a page, comments, copies, structures, tables, noise, and pages without content.

A step finds what goes, or returns new logits.
"""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bools
from tamis.document import tags
from tamis.extractor.copies import copies_elsewhere
from tamis.extractor.data_tables import with_data_tables
from tamis.extractor.noise import noise_of
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.scaling import Singles
from tamis.extractor.structures import with_whole_structures
from tamis.page_type import PageType

# What is added to the threshold that training chose. Around the text of an article there is seldom more content, and
# around that of a product much that looks like it. On most other pages more is content. Chosen out of fold and on
# validation sets; a soft threshold, weighted by the probability of each type, was no better.
ADDED = {PageType.ARTICLE: 0.35, PageType.PRODUCT: 0.35, PageType.FORUM: 0.0}
ADDED_ELSE = -0.65

# The logit of what is no content whatever the network says: a comment, a text that is kept elsewhere, noise.
DROPPED = np.float32(-30)

# A page of fewer words is a menu, a form or a shell, and has no content, if only links, form fields, footers, folded
# texts and noscript notes would be kept.
_SMALL_PAGE = 150

_LINKED = COLUMNS.index("linked")
_NO_PROSE = [
    COLUMNS.index(name) for name in ("in nav", "in footer", "in form", "in button", "in textarea select", "folded")
]
_IS_NOSCRIPT = tags.lookup("noscript")


def threshold(trained: float, page_type: PageType) -> float:
    """The logit from which a run is content, given the one that training chose."""
    return float(np.float32(trained + ADDED.get(page_type, ADDED_ELSE)))


def content_logits(runs: PageRuns, logits: Singles, comments: Bools, page_type: PageType, threshold: float) -> Singles:
    """The network's logits of content: DROPPED for comments, copies and noise, and one for each structure.

    Only cells of data tables among kept text, which the network takes for comments, come back.
    """
    content = logits.copy()
    content[comments] = DROPPED
    if page_type != PageType.DOCUMENTATION:  # it repeats sentences on purpose
        content[copies_elsewhere(runs, content)] = DROPPED
    dropped = content <= DROPPED
    content = with_whole_structures(runs, content, dropped, threshold)
    content = with_data_tables(runs, content, dropped, comments, threshold)
    content[noise_of(runs, content >= threshold, page_type)] = DROPPED
    return content


def has_content(runs: PageRuns, keep: Bools) -> bool:
    """Is the page large, or is any text kept that is no link, field, footer or note? Also true if nothing is kept."""
    if runs.words.sum() >= _SMALL_PAGE or not keep.any():
        return True
    elements, leaves = runs.document.elements, runs.document.leaves
    values, first = runs.values[keep], runs.texts[runs.first[keep]]
    is_note = elements.inside(_IS_NOSCRIPT[elements.code])[leaves.element[first]]
    return bool(((values[:, _LINKED] < 0.5) & ~values[:, _NO_PROSE].any(axis=1) & ~is_note).any())
