"""Pages through the library that is loaded: under `make sanitized`, a bad access on any of them ends the tests."""

from __future__ import annotations

import pytest

import tamis
from tests.fuzz.pages import page as generated
from tests.golden import GoldenPage, golden_pages
from tests.hostile.pages import HOSTILE

CHARACTERS = 1_000  # of a hostile page
GENERATED = 150


def extracted(html: str | bytes) -> tamis.Page:
    """The page, with labels that can be."""
    page = tamis.extract(html)
    labels, leaves = page.labels, page.document.leaves
    assert ((labels.scores >= 0) & (labels.scores <= 1)).all()
    assert not (labels.keep & ~leaves.visible).any()
    assert isinstance(page.text, str)  # the kernel writes it, too
    return page


@pytest.mark.parametrize("golden", golden_pages(), ids=lambda golden: golden.name)
def test_a_golden_page(golden: GoldenPage) -> None:
    extracted(golden.source)


def test_hostile_pages() -> None:
    for make in HOSTILE.values():
        extracted(make(CHARACTERS))


def test_generated_pages() -> None:
    for seed in range(GENERATED):
        extracted(generated(seed))
