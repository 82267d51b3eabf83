"""What every extractor answers: which leaves stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tamis.document import Document

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# A leaf stays when its score reaches this.
THRESHOLD = 0.5


class Role(StrEnum):
    """What a leaf is on its page."""

    TITLE = "title"
    TEXT = "text"
    CAPTION = "caption"
    COMMENT = "comment"
    RELATED = "related"
    BOILERPLATE = "boilerplate"


@dataclass(frozen=True)
class Labels:
    """One row a leaf of the document: a score from 0 to 1, and whether the leaf stays."""

    scores: Floats
    keep: Bools
    roles: tuple[Role, ...] | None = None  # where the extractor knows them

    def role(self, leaf: int) -> Role:
        """The role of a leaf; an extractor without roles tells text from boilerplate."""
        if self.roles is not None:
            return self.roles[leaf]
        return Role.TEXT if self.keep[leaf] else Role.BOILERPLATE

    def at(self, threshold: float, document: Document) -> Labels:
        """The same scores cut at another threshold."""
        kept = (self.scores >= threshold) & ~document.leaves.is_media
        return replace(self, keep=kept | surrounded_media(document, kept))


def from_text_scores(
    document: Document, scores: Floats, *, keep: Bools | None = None, roles: Sequence[Role] | None = None
) -> Labels:
    """Labels from one score a leaf, of which only those of visible texts count.

    `keep` says which texts stay where that is not the plain cut at THRESHOLD.
    Media follow what surrounds them.
    """
    leaves = document.leaves
    readable = leaves.visible & ~leaves.is_media
    scores = np.where(readable, scores, 0.0)
    kept = readable & (scores >= THRESHOLD if keep is None else keep)
    media = surrounded_media(document, kept)
    scores = np.where(leaves.is_media, media.astype(np.float64), scores)
    return Labels(scores, kept | media, None if roles is None else tuple(roles))


def surrounded_media(document: Document, kept: Bools) -> Bools:
    """The visible media that stay because what surrounds them stays.

    That is: the nearest texts before and after are both kept, or the medium's own block
    (a paragraph, a figure) holds a text that is kept.
    """
    leaves = document.leaves
    stays = np.zeros(len(leaves), dtype=np.bool_)
    media = np.flatnonzero(leaves.is_media & leaves.visible)
    texts = leaves.visible_text
    if not media.size or not texts.size:
        return stays
    after = np.searchsorted(texts, media)
    enclosed = (after > 0) & (after < len(texts))
    before_kept = kept[texts[np.maximum(after - 1, 0)]]
    after_kept = kept[texts[np.minimum(after, len(texts) - 1)]]
    in_kept_block = np.isin(leaves.block[media], leaves.block[kept])
    stays[media] = (enclosed & before_kept & after_kept) | in_kept_block
    return stays
