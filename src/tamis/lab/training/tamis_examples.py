"""Pages as the default extractor's network learns from them: rows, and the truth about each."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from tamis.arrays import Bools, Bytes, Floats
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.extractor.declared import Declared
from tamis.extractor.runs import PageRuns
from tamis.extractor.scaling import Singles
from tamis.lab.training.augment import augmented
from tamis.lab.training.pages import LabelledPage
from tamis.lab.training.roles import RoleTruth, role_truth
from tamis.page_type import PageType

TYPES = list(PageType)
NO_TYPE = -100  # what cross entropy leaves out


@dataclass(frozen=True, eq=False)
class Example:
    """A page as the network sees it; one row a run of text."""

    values: Singles  # (rows, COLUMNS)
    tags: Bytes  # (rows, 1 + LEVELS)
    words: Singles
    content: Singles  # the share of its words that is content
    known: Singles  # the share of its words of which that is known
    comment: Singles  # the share of its words that is a comment, as far as names of elements say
    related: Singles  # the share that is about something else
    page_type: int

    def __len__(self) -> int:
        return len(self.words)

    def part(self, here: slice) -> Example:
        """Some of the rows."""
        columns = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(self, **{name: column[here] for name, column in columns.items() if name != "page_type"})


def prepare(page: LabelledPage) -> Example:
    """The rows of a page and the truth about them, with what is folded away."""
    document, gold = page.document().unfolded, page.gold.unfolded or page.gold
    return _example(page, document, gold.content, gold.known)


def prepare_variant(page: LabelledPage, other: LabelledPage, random: np.random.Generator) -> Example:
    """The same of a page that is made of two."""
    # Its content is the first one's, and so is what it says of itself, whosever frame it stands in.
    return _example(page, *augmented(page, other, random), Declared.of(page.document()))


def _example(
    page: LabelledPage, document: Document, content: Bools, known: Bools, declared: Declared | None = None
) -> Example:
    rows = PageRuns(document, declared)
    kind = TYPES.index(PageType(page.page_type)) if page.page_type else NO_TYPE
    if not len(rows):
        none = np.zeros(0, dtype=np.float32)
        return Example(rows.values, rows.tags, none, none, none, none, none, kind)
    tokens = tokenize([document.leaves.text[leaf] for leaf in rows.texts.tolist()])
    words = tokens.sum_per_text(tokens.weight)
    # A row without words has the label of its texts, too.
    shares = _Shares(rows, words + 1e-6)
    roles: RoleTruth = role_truth(page, document, content)
    return Example(
        rows.values,
        rows.tags,
        np.add.reduceat(words, rows.first).astype(np.float32),
        _copied(rows, shares.of(content & known, among=known)),
        shares.of(known),
        shares.of(roles.comment),
        shares.of(roles.related),
        kind,
    )


def _copied(rows: PageRuns, content: Singles) -> Singles:
    """Gold has a text once. Where a page has it twice, nobody knows which of the two was meant: both are content."""
    most = np.zeros_like(content)
    np.maximum.at(most, rows.copies, content)
    return most.take(rows.copies)


class _Shares:
    """Shares of the words of rows."""

    def __init__(self, rows: PageRuns, weight: Floats) -> None:
        self._rows, self._weight = rows, weight

    def of(self, leaves: Bools, among: Bools | None = None) -> Singles:
        """How much of each row, or of those of its words that stand in `among`, is in these leaves."""
        part = self._sums(leaves)
        whole = self._sums(np.ones_like(leaves) if among is None else among)
        found: Any = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
        return found.astype(np.float32)  # type: ignore[no-any-return]

    def _sums(self, leaves: Bools) -> Floats:
        sums: Floats = np.add.reduceat(self._weight * leaves[self._rows.texts], self._rows.first)
        return sums
