"""`Labels`, the result of every extractor: which leaves are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.document import Document
from tamis.errors import OptionError
from tamis.kernel import address, byref, library
from tamis.page_type import GenreGuess, PageTypes
from tamis.page_type import Role as Role

# The score from which a leaf is kept, unless the extractor has its own threshold.
THRESHOLD = 0.5


@dataclass(frozen=True, eq=False)
class Labels:
    """A score from 0 to 1 and a keep flag for each leaf of a document."""

    scores: Floats
    keep: Bools
    roles: tuple[Role, ...] | None = None  # of each leaf, if the extractor knows roles
    nodes: Ints | None = None  # rows of the chosen elements, if the extractor chooses elements
    genre: GenreGuess | None = None  # of the page, if the extractor predicts it
    page_types: PageTypes | None = None  # of the page, if the extractor predicts them
    threshold: float = THRESHOLD  # the score from which a text is kept

    def role(self, leaf: int) -> Role:
        """The role of a leaf; without roles, kept leaves are text and all others boilerplate."""
        if self.roles is not None:
            return self.roles[leaf]
        return Role.TEXT if self.keep[leaf] else Role.BOILERPLATE

    def at(self, threshold: float, document: Document) -> Labels:
        """The same scores with another threshold."""
        keep = (self.scores >= threshold) & document.leaves.visible
        if self.nodes is None:  # otherwise media have their own scores, from the elements that contain them
            texts = keep & ~document.leaves.is_media
            keep = texts | surrounded_media(document, texts)
        return replace(self, keep=keep, threshold=threshold)

    def with_comments(self, document: Document) -> Labels:
        """The same with readers' comments kept; unchanged if the extractor knows no roles."""
        if self.roles is None:
            return self
        comments = np.fromiter((role is Role.COMMENT for role in self.roles), np.bool_, len(self.roles))
        texts = (self.keep | comments) & document.leaves.is_visible_text
        return replace(self, keep=self.keep | texts | surrounded_media(document, texts))

    def with_elements(self, document: Document, *, pruned: Bools, kept: Bools) -> Labels:
        """The same, but what is in pruned elements is dropped, and what is visible in kept elements is kept.

        Both have a flag for each element; of nested ones the innermost decides, and `pruned` where both are set.
        """
        leaves, chosen = document.leaves, pruned | kept
        if not chosen.any():
            return self
        nearest = document.elements.nearest(chosen, leaves.element)
        is_pruned = (nearest >= 0) & pruned.take(nearest)
        is_kept = (nearest >= 0) & ~is_pruned & leaves.visible
        roles = list(self.roles or ())
        for leaf in np.flatnonzero(is_pruned | is_kept).tolist() if roles else ():
            if is_kept[leaf] and roles[leaf] is Role.BOILERPLATE:
                roles[leaf] = Role.TEXT
            elif is_pruned[leaf] and roles[leaf] is not Role.TITLE:  # which the metadata still need
                roles[leaf] = Role.BOILERPLATE
        return replace(self, keep=(self.keep & ~is_pruned) | is_kept, roles=tuple(roles) or self.roles)


def from_text_scores(
    document: Document,
    scores: Floats,
    *,
    keep: Bools | None = None,
    roles: Sequence[Role] | None = None,
    threshold: float = THRESHOLD,
    page_types: PageTypes | None = None,
) -> Labels:
    """Labels from a score for each leaf. Only scores of visible texts count; media follow the texts around them.

    `keep` flags the texts to keep, by default those with a score of at least `threshold`. Raises OptionError unless
    `scores`, `keep` and `roles` have one item for each leaf.
    """
    leaves = document.leaves
    for name, given in (("scores", scores), ("keep flags", keep), ("roles", roles)):
        if given is not None and len(given) != len(leaves):
            raise OptionError(f"{len(given)} {name} for a page of {len(leaves)} leaves; each leaf has one")
    scores = np.where(leaves.is_visible_text, scores, 0.0)
    kept = leaves.is_visible_text & (scores >= threshold if keep is None else keep)
    media = surrounded_media(document, kept)
    scores[media] = 1.0
    roles = None if roles is None else tuple(roles)
    return Labels(scores, kept | media, roles, threshold=threshold, page_types=page_types)


def surrounded_media(document: Document, kept: Bools) -> Bools:
    """For each leaf: is it a visible medium that is kept because of the texts around it?

    It is if the texts on both sides are kept. If only one is kept, that text must be inside the smallest element around
    the medium that contains any text (its figure, card or paragraph).
    """
    media = np.empty(len(kept), dtype=np.bool_)
    kept = np.ascontiguousarray(kept)
    library().tamis_surrounded_media(byref(document.kernel_page), address(kept), address(media))
    return media
