"""What is content: the threshold of a page, copies, tables, and pages without content.

Each step takes logits and returns new ones.
"""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bools, places
from tamis.document import tags
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.scaling import Singles
from tamis.page_type import PageType

# Around the text of an article or a thread there is seldom more content. On other pages there is more, so their
# threshold is lower. The difference was chosen out of fold: any logit from 0.3 to 0.6 is as good. A soft threshold,
# weighted by the probability of each type, was no better.
HIGH_THRESHOLD_TYPES = (PageType.ARTICLE, PageType.FORUM)
LOWER_BY = 0.4

# The logit of what is no content whatever the network says: a text that is kept elsewhere, a comment.
DROPPED = -30.0

# Larger tables (in words) can be whole pages and are left alone. Smaller ones are completed if this share is kept.
_SMALL_TABLE, _KEPT_SHARE_OF_TABLE = 300, 0.1

# A page of fewer words is a menu, a form or a shell, and has no content, if only links, form fields, folded texts and
# noscript notes would be kept.
_SMALL_PAGE = 150

_LINKED, _IN_TABLE = COLUMNS.index("linked"), COLUMNS.index("in table")
_NO_PROSE = [COLUMNS.index(name) for name in ("in nav", "in form", "in button", "in textarea select", "folded")]
_IS_NOSCRIPT, _IS_TABLE, _IS_HEADER_CELL = tags.lookup("noscript"), tags.lookup("table"), tags.lookup("th")


def threshold(trained: float, page_type: PageType) -> float:
    """The logit from which a run is content, given the one that training chose."""
    return trained if page_type in HIGH_THRESHOLD_TYPES else float(np.float32(trained - LOWER_BY))


def content_logits(runs: PageRuns, logits: Singles, page_type: PageType, threshold: float) -> Singles:
    """The network's logits of content, with copies dropped and tables completed."""
    if page_type != PageType.DOCUMENTATION:  # it repeats sentences on purpose
        logits = without_copies(runs, logits)
    return with_whole_tables(runs, logits, threshold)


def without_copies(runs: PageRuns, logits: Singles) -> Singles:
    """Of runs with the same text only the likeliest keeps its logit.

    Pages repeat tables and teasers for narrow screens, and answers quote what they answer.
    """
    copies = runs.copies
    best: dict[int, int] = {}  # from the first of equal runs to the likeliest
    losers: list[int] = []
    for run in places(copies != np.arange(len(runs))).tolist():
        first = int(copies[run])
        likeliest = best.get(first, first)
        loser, best[first] = (likeliest, run) if logits[run] > logits[likeliest] else (run, likeliest)
        losers.append(loser)
    changed = logits.copy()
    changed[losers] = DROPPED
    return changed


def with_whole_tables(runs: PageRuns, logits: Singles, threshold: float) -> Singles:
    """A small table with header cells, a part of which is kept, is kept whole."""
    kept = logits >= threshold
    in_table = runs.values[:, _IN_TABLE] > 0
    if not (kept & in_table).any():
        return logits
    elements = runs.document.elements
    tables, table_of = np.unique(
        elements.nearest(_IS_TABLE.take(elements.code), runs.element[in_table]), return_inverse=True
    )
    cells, kept, words = logits[in_table], kept[in_table], runs.words[in_table]
    all_words = np.bincount(table_of, words)
    kept_words = np.bincount(table_of, words * kept)
    has_header = elements.sums(_IS_HEADER_CELL.take(elements.code)).take(tables) > 0
    enough = (kept_words >= _KEPT_SHARE_OF_TABLE * all_words) & (kept_words > 0)
    whole = has_header & (all_words <= _SMALL_TABLE) & enough
    lowest = np.full(len(tables), np.inf, dtype=np.float32)
    np.minimum.at(lowest, table_of[kept], cells[kept])
    more = whole.take(table_of) & ~kept & (cells > DROPPED)
    completed = logits.copy()
    completed[places(in_table)[more]] = lowest.take(table_of[more])
    return completed


def has_content(runs: PageRuns, keep: Bools) -> bool:
    """Is the page large, or is anything kept that is no link, form field or note? Also true if nothing is kept."""
    if runs.words.sum() >= _SMALL_PAGE or not keep.any():
        return True
    elements, leaves = runs.document.elements, runs.document.leaves
    values, first = runs.values[keep], runs.texts[runs.first[keep]]
    is_note = elements.inside(_IS_NOSCRIPT[elements.code])[leaves.element[first]]
    return bool(((values[:, _LINKED] < 0.5) & ~values[:, _NO_PROSE].any(axis=1) & ~is_note).any())
