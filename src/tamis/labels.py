"""What every extractor answers: which leaves stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from tamis.arrays import Bools, Floats, Ints, places
from tamis.document import Document
from tamis.page_type import GenreGuess, PageTypes

# A leaf stays when its score reaches this, where the extractor names no other score.
THRESHOLD = 0.5


class Role(StrEnum):
    """What a leaf is on its page."""

    TITLE = "title"
    TEXT = "text"
    CAPTION = "caption"
    COMMENT = "comment"
    RELATED = "related"
    BOILERPLATE = "boilerplate"


@dataclass(frozen=True, eq=False)
class Labels:
    """One row a leaf of the document: a score from 0 to 1, and whether the leaf stays."""

    scores: Floats
    keep: Bools
    roles: tuple[Role, ...] | None = None  # where the extractor knows them
    nodes: Ints | None = None  # rows of the elements that it chose, where it chooses elements
    genre: GenreGuess | None = None  # what it took the page for, where it asks
    page_types: PageTypes | None = None  # how likely the page is of each type, where the extractor guesses it
    threshold: float = THRESHOLD  # the score from which on a text stays, where scores decide

    def role(self, leaf: int) -> Role:
        """The role of a leaf; an extractor without roles tells text from boilerplate."""
        if self.roles is not None:
            return self.roles[leaf]
        return Role.TEXT if self.keep[leaf] else Role.BOILERPLATE

    def at(self, threshold: float, document: Document) -> Labels:
        """The same scores cut at another threshold."""
        if self.nodes is not None:  # media are inside the chosen elements or not, whatever surrounds them
            return replace(self, keep=(self.scores >= threshold) & document.leaves.visible, threshold=threshold)
        kept = (self.scores >= threshold) & document.leaves.visible & ~document.leaves.is_media
        return replace(self, keep=kept | surrounded_media(document, kept), threshold=threshold)

    def with_comments(self, document: Document) -> Labels:
        """The same with what readers said below the content; nothing more where the extractor knows no roles."""
        if self.roles is None:
            return self
        said = np.fromiter((role is Role.COMMENT for role in self.roles), np.bool_, len(self.roles))
        kept = (self.keep | said) & document.leaves.visible & ~document.leaves.is_media
        return replace(self, keep=self.keep | kept | surrounded_media(document, kept))


def from_text_scores(
    document: Document,
    scores: Floats,
    *,
    keep: Bools | None = None,
    roles: Sequence[Role] | None = None,
    threshold: float = THRESHOLD,
    page_types: PageTypes | None = None,
) -> Labels:
    """Labels from one score a leaf, of which only those of visible texts count.

    `keep` says which texts stay where that is not the plain cut at `threshold`; `page_types` is what the page was
    taken for.
    Media follow what surrounds them.
    """
    leaves = document.leaves
    readable = leaves.visible & ~leaves.is_media
    scores = np.where(readable, scores, 0.0)
    kept = readable & (scores >= threshold if keep is None else keep)
    media = surrounded_media(document, kept)
    scores = np.where(leaves.is_media, media.astype(np.float64), scores)
    said = None if roles is None else tuple(roles)
    return Labels(scores, kept | media, said, threshold=threshold, page_types=page_types)


def surrounded_media(document: Document, kept: Bools) -> Bools:
    """The visible media that stay because what surrounds them stays.

    That is: the texts next to the medium on both sides are kept, or one of them is and stands in
    the smallest element around the medium that holds any text (its figure, card or paragraph).
    """
    leaves, elements = document.leaves, document.elements
    stays = np.zeros(len(leaves), dtype=np.bool_)
    media = places(leaves.is_media & leaves.visible)
    texts = leaves.visible_text
    if not media.size or not kept.any():
        return stays
    after = texts.searchsorted(media)
    before = np.maximum(after - 1, 0)
    after = np.minimum(after, len(texts) - 1)
    kept_before = kept[texts[before]] & (texts[before] < media)
    kept_after = kept[texts[after]] & (texts[after] > media)
    stays[media[kept_before & kept_after]] = True
    unclear = places(kept_before != kept_after)
    holder = leaves.element[texts]
    wanted = holder[np.where(kept_before, before, after)[unclear]]  # the neighbour that is kept
    other = holder[np.where(kept_before, after, before)[unclear]]
    around = leaves.element[media[unclear]]
    # The smallest element around the medium that holds any text holds one of the two.
    while unclear.size:
        around = elements.parent[around]
        end = elements.end[around]
        holds_wanted = (around <= wanted) & (wanted < end)
        stays[media[unclear[holds_wanted]]] = True
        on = ~(holds_wanted | ((around <= other) & (other < end)))
        unclear, wanted, other, around = unclear[on], wanted[on], other[on], around[on]
    return stays
