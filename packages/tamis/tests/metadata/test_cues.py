"""Which of many texts hold one of some words."""

from __future__ import annotations

import pytest

from tamis.metadata.view import BORDER, holders


@pytest.mark.parametrize(
    ("texts", "cues", "found"),
    [
        ([], ["tag"], []),
        (["tags", "", "a tag, and a tag", "menu"], ["tag"], [0, 2]),
        (["", "menu", "tags"], ["tag", "men"], [1, 2]),
        (["ta", "gs"], ["tags"], []),
        (["menu"], [], []),
    ],
)
def test_texts_are_found_by_their_numbers(texts: list[str], cues: list[str], found: list[int]) -> None:
    assert holders(BORDER.join(texts), cues) == found


def test_no_more_than_the_most_are_found() -> None:
    assert holders(BORDER.join(["tag"] * 9), ["tag"], 3) == [0, 1, 2]
