"""Two extractors with plain rules, for tests that must not change when the default extractor does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pytest

from tamis import registry
from tamis.document import Document
from tamis.labels import Labels, from_text_scores


@dataclass(frozen=True)
class Unlinked:
    """Keeps all text that is no link."""

    def label(self, document: Document) -> Labels:
        return from_text_scores(document, (~document.leaves.in_link).astype(np.float64))


@dataclass(frozen=True)
class WordCount:
    """Scores a text by its words: 0.5 for ten of them, 1 for twenty."""

    def label(self, document: Document) -> Labels:
        words = np.array([len(text.split()) for text in document.leaves.text], dtype=np.float64)
        return from_text_scores(document, np.minimum(1.0, words / 20))


unlinked = Unlinked()
word_count = WordCount()


@contextmanager
def registered() -> Iterator[None]:
    """Meanwhile both are known by name, as `unlinked` and `word-count`."""
    more = (
        registry.Entry("unlinked", f"{__name__}:unlinked", "text that is no link", "tests"),
        registry.Entry("word-count", f"{__name__}:word_count", "long texts", "tests"),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "PRODUCT", (*registry.PRODUCT, *more))
        registry._entries.cache_clear()
        yield
    registry._entries.cache_clear()
    registry._shipped.cache_clear()
