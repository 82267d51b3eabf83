"""The baseline that every method has to beat: all text that a reader sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.document import Document
from tamis.labels import Labels, from_text_scores


@dataclass(frozen=True)
class KeepAll:
    """Keeps every visible text ("Keep all text" in boilerpipe's Figure 2)."""

    def label(self, document: Document) -> Labels:
        """Keep every visible text."""
        return from_text_scores(document, np.ones(len(document.leaves)))


keep_all = KeepAll()
