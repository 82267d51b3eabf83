from __future__ import annotations

import pytest

from tamis.document import words
from tamis.document.words import tokenize


def count(text: str) -> float:
    """How many words a text counts for."""
    return float(tokenize([text]).weight.sum())


def test_tokens_stand_between_white_space() -> None:
    tokens = tokenize(["one, two\n\tthree\u00a0four"])
    assert tokens.strings == ["one,", "two", "three", "four"]
    assert tokens.length.tolist() == [4, 3, 5, 4]
    assert [tokens.joined[start : start + 3] for start in tokens.start.tolist()] == ["one", "two", "thr", "fou"]


def test_tokens_know_their_text() -> None:
    tokens = tokenize(["a b", "", " ", "c"])
    assert tokens.bounds.tolist() == [0, 2, 2, 2, 3]
    assert tokens.sum_per_text(tokens.weight).tolist() == [2, 0, 0, 1]


@pytest.mark.parametrize("texts", [[], [""], [" \n"], ["", ""]])
def test_there_may_be_no_tokens(texts: list[str]) -> None:
    tokens = tokenize(texts)
    assert tokens.strings == []
    assert tokens.bounds.tolist() == [0] * (len(texts) + 1)
    assert tokens.sum_per_text(tokens.weight).tolist() == [0.0] * len(texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("word", 1),
        ("4", 1),
        ("Ü", 1),
        ("(a)", 1),
        ("Привет", 1),
        ("한국어", 1),
        ("don't", 1),
        ("-", 0),
        ("|", 0),
        ("_", 0),
        ("😀", 0),
    ],
)
def test_a_word_has_a_letter_or_digit(text: str, expected: int) -> None:
    assert count(text) == expected
    assert tokenize([text]).is_word.tolist() == [bool(expected)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("中文网页正文", 3),  # two characters a word
        ("日本語のページ", 3.5),
        ("𠀀𠀁𠀂𠀃", 2),  # rare characters beyond the first plane
        ("中文，正文。", 2),  # punctuation is no part of a word
        ("中", 1),  # a token is at least one word
        ("สวัสดีชาวโลก", 3),  # four characters a word
        ("ພາສາລາວ", 1.75),
        ("。", 0),
        ("中文网页 is Chinese", 4),
    ],
)
def test_scripts_without_spaces_count_by_their_characters(text: str, expected: float) -> None:
    assert count(text) == expected


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 20])
def test_long_pages_are_cut_between_tokens(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["one two  three", "", "中文网页 , four", "fiveandmore\nsix  ", "  𠀀𠀁 -", "end"]
    whole = tokenize(texts)
    monkeypatch.setattr(words, "_CHUNK", chunk)
    cut = tokenize(texts)
    assert len(words._chunks(cut.joined)) > 1
    assert cut.strings == whole.strings
    for name in ("start", "length", "is_word", "weight", "bounds"):
        assert getattr(cut, name).tolist() == getattr(whole, name).tolist()


def test_a_page_without_a_space_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_CHUNK", 2)
    assert tokenize(["abcdefgh", "ij"]).length.tolist() == [8, 2]
