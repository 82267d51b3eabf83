from __future__ import annotations

import random
import zlib
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.batch import duplicates
from tamis.batch.duplicates import PERMUTATIONS, SHINGLE, content_hash, groups, minhash, resemblance
from tamis.errors import OptionError


def signature(text: str) -> list[int]:
    found = minhash(text)
    assert found is not None
    return found


def words(count: int, seed: int) -> list[str]:
    return [f"word{number}" for number in random.Random(seed).choices(range(10_000), k=count)]


def shingles(text: list[str]) -> set[tuple[str, ...]]:
    return {tuple(text[start : start + SHINGLE]) for start in range(len(text) - SHINGLE + 1)}


def test_the_hash_is_what_everybody_can_compute() -> None:
    assert content_hash(" One\n\n two\u00a0three ") == sha256(b"One two three").hexdigest()
    assert content_hash("e\u0301") == content_hash("\u00e9") == sha256("é".encode()).hexdigest()
    assert content_hash("One two") != content_hash("one two")
    assert content_hash(" \n") is content_hash("") is None


def test_the_signature_is_what_everybody_can_compute() -> None:
    text = "The harbour, of the old town: Größe!"
    plain = "the harbour of the old town größe".split()
    hashes = [zlib.crc32(" ".join(plain[start : start + 5]).encode()) for start in range(3)]
    expected = []
    for number in range(128):
        digest = sha256(f"tamis minhash {number}".encode()).digest()
        a, b = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")
        expected.append(min(((a * x + b) % 2**64) >> 32 for x in hashes))
    assert signature(text) == expected
    assert all(0 <= each < 2**32 for each in expected)


def test_short_texts_and_scripts_without_spaces_have_words() -> None:
    assert signature("One two") == signature("one, TWO.")
    assert signature("One two") != signature("One")
    assert minhash("… — !") is minhash("") is None
    long = "旧市街の港は昨冬の嵐の後に再建されました。"
    assert resemblance(signature(long * 2), signature(long * 3)) == 1
    assert 0.3 < resemblance(signature(long), signature(long.replace("昨冬", "一昨年"))) < 0.9
    assert signature("The 港") == signature("the港")


@pytest.mark.parametrize("changed", [0, 20, 100, 400, 1_000])
def test_the_estimate_is_close_to_the_resemblance(changed: int) -> None:
    errors = []
    for seed in range(20):
        one = words(1_000, seed)
        other = one[: 1_000 - changed] + words(changed, seed + 1_000)
        a, b = shingles(one), shingles(other)
        exact = len(a & b) / len(a | b)
        errors.append(resemblance(signature(" ".join(one)), signature(" ".join(other))) - exact)
    # Four standard errors of one estimate, sqrt(s (1 - s) / 128) <= 0.044, and of the mean of 20.
    assert max(map(abs, errors)) < 0.18
    assert abs(sum(errors) / len(errors)) < 0.04


@given(st.text(), st.randoms())
def test_equal_words_have_equal_signatures(text: str, chance: random.Random) -> None:
    spaced = "".join(chance.choice([" ", "\n\n", "\t "]) if letter == " " else letter for letter in text)
    assert minhash(spaced) == minhash(text)
    assert content_hash(spaced) == content_hash(text)
    found = minhash(text)
    assert found is None or len(found) == PERMUTATIONS


def test_a_long_text_is_done_in_parts() -> None:
    text = words(3_000, 1)
    parts = [signature(" ".join(text[start : start + 500 + SHINGLE - 1])) for start in range(0, 3_000, 500)]
    assert signature(" ".join(text)) == [min(column) for column in zip(*parts, strict=True)]


@pytest.fixture(scope="module")
def crawl() -> list[list[int] | None]:
    """Pages 0 to 39; 40 to 44 are copies of the first ones, 45 to 49 similar to the next, 50 and 51 have no text."""
    texts = [words(300, seed) for seed in range(40)]
    texts += texts[:5] + [[*text[:10], "changed", *text[11:]] for text in texts[5:10]]
    return [minhash(" ".join(text)) for text in [*texts, [], []]]


def test_copies_and_similar_texts_are_groups(crawl: list[list[int] | None]) -> None:
    assert groups(crawl) == [[number, number + 40] for number in range(10)]
    assert groups(crawl, threshold=1.0) == [[number, number + 40] for number in range(5)]
    assert groups([]) == groups([None]) == groups(crawl[:40]) == []


def test_the_order_of_pages_changes_no_group(crawl: list[list[int] | None]) -> None:
    # A chain: each resembles the next, and the first hardly the last.
    text = words(1_000, 99)
    chain = [text[start : start + 300] for start in range(0, 200, 20)]
    signatures = [*crawl, *(minhash(" ".join(each)) for each in chain)]
    before = {frozenset(group) for group in groups(signatures)}
    assert frozenset(range(52, 62)) in before
    for seed in range(3):
        order = random.Random(seed).sample(range(len(signatures)), len(signatures))
        found = groups([signatures[place] for place in order])
        assert {frozenset(order[place] for place in group) for group in found} == before


def test_not_all_pairs_of_a_large_group_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    leader = duplicates._group_leader

    def counted(leaders: list[int], member: int) -> int:
        nonlocal calls
        calls += 1
        return leader(leaders, member)

    monkeypatch.setattr(duplicates, "_group_leader", counted)
    text = signature(" ".join(words(300, 1)))
    copies = [[*text[: number % 128], number, *text[number % 128 + 1 :]] for number in range(200)]
    assert groups(copies) == [list(range(200))]
    assert calls < 2 * 32 * 200, "in each band there are 20,000 pairs"


@pytest.mark.parametrize("wrong", [{"threshold": 0}, {"threshold": 1.1}, {"bands": 0}, {"bands": 3}])
def test_wrong_options_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        groups([], **wrong)
    with pytest.raises(OptionError, match="128 numbers"):
        groups([[1, 2]])
