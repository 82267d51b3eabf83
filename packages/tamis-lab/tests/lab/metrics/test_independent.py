"""Our figure for a peer is the one that anybody computes in a few lines."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import trafilatura

from tamis_lab.metrics import token_bag
from tests.golden import GoldenPage, golden_pages

# There our tokens are single characters or keep their vowel marks, which a few lines do not do.
OTHERWISE = ("arabic-rtl", "chinese", "japanese", "thai")


def independent_f1(found: str, gold: str) -> float:
    left, right = (Counter(re.findall(r"\w+", text.lower())) for text in (found, gold))
    shared = sum(min(count, right[word]) for word, count in left.items())
    if not left or not right:
        return float(not left and not right)
    precision, recall = shared / sum(left.values()), shared / sum(right.values())
    return 2 * precision * recall / (precision + recall) if shared else 0.0


PAGES = [page for page in golden_pages() if page.name not in OTHERWISE]


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_a_peer_scores_the_same(page: GoldenPage) -> None:
    found = trafilatura.extract(page.document().html) or ""
    assert token_bag(found, page.text).f1 == pytest.approx(independent_f1(found, page.text), abs=1e-9)
