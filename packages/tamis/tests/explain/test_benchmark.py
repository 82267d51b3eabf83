"""What the benchmark counts."""

from __future__ import annotations

from benchmarks.explain import Share, measure
from tamis.explain import Explanation


def test_small_pages_are_counted_by_themselves(harbour: Explanation) -> None:
    decided = [block for block in harbour.blocks if not block.note]
    same = [block for block in decided if block.usual is not None and (block.usual >= block.threshold) == block.kept]
    large = decided * 10
    found = measure([decided, large])
    assert found["typical block gets the same verdict"] == Share(11 * len(same), 11 * len(decided))
    assert found["on small pages: typical block gets the same verdict"] == Share(len(same), len(decided))
    other = sum(not block.as_usual for block in decided)
    assert found["on small pages: position in the first two reasons"].all == other
