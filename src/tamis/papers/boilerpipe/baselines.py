"""The zero line of boilerpipe §4.3.2; "keep all text" is `tamis.extractor.keep_all`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.document import Document
from tamis.errors import OptionError
from tamis.labels import Labels, from_text_scores
from tamis.papers.boilerpipe.blocks import atomic_text_blocks
from tamis.papers.boilerpipe.features import ShallowText


@dataclass(frozen=True)
class MinWords:
    """Keeps the blocks with at least this many words (boilerpipe §4.3.2).

    The score is 0.5 at the limit and 1 at twice the limit.
    """

    min_words: int = 10

    def __post_init__(self) -> None:
        if self.min_words < 1:
            raise OptionError(f"min_words is at least 1, not {self.min_words}")

    def label(self, document: Document) -> Labels:
        """Long blocks stay, short ones go."""
        text = ShallowText(atomic_text_blocks(document))
        return from_text_scores(document, text.to_leaves(np.minimum(1.0, text.num_words / (2 * self.min_words))))


min_words = MinWords()
