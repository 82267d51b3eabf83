"""The extractor of this project: a network over the rows of a page, steered by what kind of page it is.

Rows and their columns are in `features.tamis`, the network is in `networks.rows`, how it learned in
`training.tamis`. It takes the best of the five papers: shallow text features (boilerpipe), features of the
nodes above a text (Web2Text), the sequence of texts (BoilerNet), where in the tree a page parts (R4), and the
kind of page (GOCE), which the network guesses by itself.

What a page folds away (closed tabs, collapsed sections) is read like the rest. What a page carries only as data,
for a program that would show it, is read where the page itself shows next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import weights
from tamis.arrays import Bools, Bytes, Floats, places
from tamis.document import Document, tags
from tamis.document.shells import embedded
from tamis.document.table import PAGE
from tamis.extractor.network import RowNetwork
from tamis.extractor.runs import COLUMNS, LEVELS, VERSION, PageRows
from tamis.extractor.scaling import Singles
from tamis.labels import Labels, Role, from_text_scores
from tamis.page_type import PageType, PageTypes
from tamis.weights import WeightsError, loaded

MODEL = "model.safetensors"
Tensors = dict[str, NDArray[Any]]

# What the network says of each row, in this order.
OUTPUTS = ("content", "comment", "related")

_PAGE_TYPES = tuple(PageType)
_ROLES = np.array(list(Role), dtype=object)
_TITLE, _TEXT, _CAPTION, _COMMENT, _RELATED, _BOILERPLATE = range(len(_ROLES))
_IN_CAPTION, _IN_TITLE = COLUMNS.index("in figcaption caption"), COLUMNS.index("in title")
_LINKED, _IN_TABLE = COLUMNS.index("linked"), COLUMNS.index("in table")
_NOT_SAID = [COLUMNS.index(name) for name in ("in nav", "in form", "in button", "in textarea select", "folded")]
_IS_NOSCRIPT, _IS_TABLE, _IS_HEADER_CELL = tags.lookup("noscript"), tags.lookup("table"), tags.lookup("th")
_IS_HEADING, _IS_H1 = tags.lookup(*tags.HEADINGS), tags.lookup("h1")

# The logits from which on a row counts as a comment or a teaser. On pages of other sites than it learned from, six in
# ten words of what elements call comments are found so, and nearly half of teasers; more than eight and seven in ten of
# those found are some.
_COMMENT_FROM, _RELATED_FROM = -0.25, -0.25

# Of an article and of a thread, what surrounds the text is seldom content; of all other pages more is, and by how much
# lower their cut lies was chosen out of fold: any logit from 0.3 to 0.6 is as good. A soft cut, by how likely a page is
# of each type, is no better.
_CUT_HIGH, _LOWER = (PageType.ARTICLE, PageType.FORUM), 0.4

# The logit of a text that stays elsewhere on the page.
_SURELY_NOT = -30.0

# Tables of more words are pages; of smaller ones a tenth has to stay before the rest does.
_SMALL_TABLE, _PART_OF_TABLE = 300, 0.1

# A page of fewer words than this, of which only links, fields, hidden notes and notes to browsers without scripts would
# stay, is a menu, a form or a shell, and has no content.
_SMALL_PAGE = 150


@dataclass(frozen=True)
class Tamis:
    """The extractor over one folder of weights."""

    weights: Path = Path(__file__).parent / "weights"

    def read(self, document: Document) -> Document:
        """The page with what it folds away, or the content that is in its data alone."""
        unfolded = document.unfolded
        if (found := embedded(unfolded)) is None:
            return unfolded
        return Document.from_html(found.html, url=document.url, source=found.source)

    def label(self, document: Document) -> Labels:
        """Rows, network, probabilities, roles. What was found in a page's data is content as it is."""
        if document.source != PAGE:
            return from_text_scores(document, np.ones(len(document.leaves)))
        rows = PageRows(document)
        if not len(rows):
            return from_text_scores(document, np.zeros(len(document.leaves)))
        network = self.network
        logits, kinds = network.run(rows.values, rows.tags)
        page_types = _page_types(kinds)
        kind = page_types.best
        if kind != PageType.DOCUMENTATION:  # which says the same of many things, and means it
            _drop_copies(rows, logits[:, 0])
        threshold = network.threshold if kind in _CUT_HIGH else float(np.float32(network.threshold - _LOWER))
        _complete_tables(rows, logits[:, 0], threshold)
        keep = logits[:, 0] >= threshold
        if not _says_something(rows, keep):
            nothing = np.zeros(len(document.leaves))
            return from_text_scores(document, nothing, threshold=_likely(threshold), page_types=page_types)
        roles = rows.to_leaves(_roles(rows, keep, logits), _BOILERPLATE)
        return from_text_scores(
            document,
            rows.to_leaves(probability(logits[:, 0].astype(np.float64)), 0.0),
            keep=rows.to_leaves(keep, False),
            roles=tuple(_ROLES.take(roles).tolist()),
            threshold=_likely(threshold),
            page_types=page_types,
        )

    @loaded
    def network(self) -> RowNetwork:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def probability(logits: Floats) -> Floats:
    """What logits say; beyond 30 they are as good as sure."""
    likely: Floats = 1 / (1 + np.exp(np.minimum(np.maximum(-logits, -30), 30)))
    return likely


@cache
def _likely(logit: float) -> float:
    """The same of a single one that is asked for on every page."""
    return float(probability(np.array(logit)))


def _page_types(kinds: Singles) -> PageTypes:
    """What the network takes the page for. It is right on 82 % of WCXB dev, out of fold; so is Page.page_types."""
    likely = np.exp(kinds - kinds.max())
    return PageTypes(dict(zip(_PAGE_TYPES, (likely / likely.sum()).tolist(), strict=True)))


def _drop_copies(rows: PageRows, logits: Singles) -> None:
    """Of rows with the same text only the likeliest may stay.

    Pages hold tables and teasers a second time for narrow screens, and answers quote what they answer.
    """
    copies = rows.copies
    best: dict[int, int] = {}  # from the first of equal rows to the likeliest
    for row in places(copies != np.arange(len(rows))).tolist():
        first = int(copies[row])
        likeliest = best.get(first, first)
        loser, best[first] = (likeliest, row) if logits[row] > logits[likeliest] else (row, likeliest)
        logits[loser] = _SURELY_NOT


def _complete_tables(rows: PageRows, logits: Singles, threshold: float) -> None:
    """Half a table says nothing: a small one with header cells, a part of which stays, stays whole."""
    kept = logits >= threshold
    in_table = rows.values[:, _IN_TABLE] > 0
    if not (kept & in_table).any():
        return
    elements = rows.document.elements
    tables, table_of = np.unique(
        elements.nearest(_IS_TABLE.take(elements.code), rows.element[in_table]), return_inverse=True
    )
    cells, kept, words = logits[in_table], kept[in_table], rows.words[in_table]
    all_words = np.bincount(table_of, words)
    kept_words = np.bincount(table_of, words * kept)
    has_header = elements.sums(_IS_HEADER_CELL.take(elements.code)).take(tables) > 0
    whole = has_header & (all_words <= _SMALL_TABLE) & (kept_words >= _PART_OF_TABLE * all_words) & (kept_words > 0)
    lowest = np.full(len(tables), np.inf, dtype=np.float32)
    np.minimum.at(lowest, table_of[kept], cells[kept])
    more = whole.take(table_of) & ~kept & (cells > _SURELY_NOT)
    logits[places(in_table)[more]] = lowest.take(table_of[more])


def _says_something(rows: PageRows, keep: Bools) -> bool:
    """Is a page large, or does anything stay that is no link, no field and no note?"""
    if rows.words.sum() >= _SMALL_PAGE or not keep.any():
        return True
    elements, leaves = rows.document.elements, rows.document.leaves
    values, first = rows.values[keep], rows.texts[rows.first[keep]]
    is_note = elements.inside(_IS_NOSCRIPT[elements.code])[leaves.element[first]]
    return bool(((values[:, _LINKED] < 0.5) & ~values[:, _NOT_SAID].any(axis=1) & ~is_note).any())


def _roles(rows: PageRows, keep: Bools, logits: Singles) -> Bytes:
    """For each row the number of its role.

    The network knows comments and teasers; a caption stands in a FIGCAPTION; the title is the first heading that
    is in the page's TITLE, or else the first H1 that stays.
    """
    values, code = rows.values, rows.tags[:, 0]
    roles = np.where(keep, np.uint8(_TEXT), np.uint8(_BOILERPLATE))
    roles[~keep & (logits[:, 2] >= _RELATED_FROM)] = _RELATED
    roles[keep & (values[:, _IN_CAPTION] > 0)] = _CAPTION
    roles[logits[:, 1] >= _COMMENT_FROM] = _COMMENT
    for titles in (_IS_HEADING[code] & (values[:, _IN_TITLE] > 0), keep & _IS_H1[code]):
        if titles.any():
            roles[np.argmax(titles)] = _TITLE
            break
    return roles


def load(where: Path) -> RowNetwork:
    """The network in a folder. Raises WeightsError."""
    try:
        network = RowNetwork.from_tensors(read_tensors(where))
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise WeightsError(f"the network of {where} cannot be loaded: {error}") from error
    shape = (network.columns, network.tag_columns, network.outputs, network.page_types)
    if shape != (len(COLUMNS), 1 + LEVELS, len(OUTPUTS), len(PageType)):
        raise WeightsError(f"the network of {where} takes or gives other columns than this tamis knows")
    return network


def read_tensors(where: Path) -> Tensors:
    """The weights in a folder as they were trained. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as tensors_in

    if weights.read_config(where).get("input") != VERSION:
        raise WeightsError(f"the weights of {where} were trained on other features than this tamis makes")
    try:
        return tensors_in(weights.read_weights(where, MODEL))
    except SafetensorError as error:
        raise WeightsError(f"the network of {where} cannot be loaded: {error}") from error


tamis = Tamis()
