"""Pages through the library that is loaded: under `make sanitized`, a bad access on any of them ends the tests."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis import Document, Labels
from tests.fuzz.pages import page as generated
from tests.golden import GoldenPage, golden_pages
from tests.hostile.pages import HOSTILE

CHARACTERS = 1_000  # of a hostile page
GENERATED = 150


def checked(page: str | bytes) -> Labels | None:
    """What the default extractor says of a page, if that can be; None for a page that it refuses."""
    try:
        document = tamis.extract(page).document
    except tamis.TamisError:
        return None
    labels = tamis.extract(document).labels
    leaves = document.leaves
    assert ((labels.scores >= 0) & (labels.scores <= 1)).all()
    assert not (labels.keep & ~leaves.visible & ~leaves.folded).any()
    return labels


@pytest.mark.parametrize("golden", golden_pages(), ids=lambda golden: golden.name)
def test_a_golden_page_keeps_text(golden: GoldenPage) -> None:
    document = golden.document()
    labels = checked(golden.source)
    assert labels is not None
    assert (labels.keep & document.leaves.is_visible_text).any()


def test_hostile_pages() -> None:
    for make in HOSTILE.values():
        checked(make(CHARACTERS))


def test_generated_pages() -> None:
    for seed in range(GENERATED):
        checked(generated(seed))


def test_the_same_page_has_the_same_labels() -> None:
    """Also with another seed of the hashes, which is new in each process, and in memory that was used before."""
    document = Document.from_html(golden_pages()[0].source)
    first, second = tamis.extract(document).labels, tamis.extract(document).labels
    assert np.array_equal(first.scores, second.scores)
