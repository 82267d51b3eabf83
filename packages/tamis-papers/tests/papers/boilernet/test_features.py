from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.document import Document
from tamis_papers.boilernet import features as boilernet
from tamis_papers.boilernet.features import LeafCounts, Vocabulary, counts, tokens
from tests.golden import golden_pages
from tests.hostile import HOSTILE

VECTORS_FILE = Path(__file__).with_name("vectors.json")
VECTORS = json.loads(VECTORS_FILE.read_text())
VOCABULARY = Vocabulary.from_json(VECTORS["vocabulary"])


def rows(document: Document, found: LeafCounts) -> list[dict[str, Any]]:
    """As the vectors write them."""
    return [
        {
            "text": document.leaves.text[leaf],
            "columns": found.columns[first:last].tolist(),
            "counts": found.counts[first:last].tolist(),
        }
        for leaf, first, last in zip(found.leaves.tolist(), found.bounds[:-1], found.bounds[1:], strict=True)
    ]


def slow_rows(document: Document, vocabulary: Vocabulary) -> list[dict[str, Any]]:
    """The definition, leaf by leaf."""
    found = []
    for leaf in document.leaves.visible_text.tolist():
        columns: Counter[int] = Counter()
        for tag in document.tag_path(int(document.leaves.element[leaf])):
            columns[vocabulary.tags.index(tag) if tag in vocabulary.tags else len(vocabulary.tags)] += 1
        for token in tokens(document.leaves.text[leaf]):
            known = token in vocabulary.words
            place = vocabulary.words.index(token) if known else len(vocabulary.words)
            columns[len(vocabulary.tags) + 1 + place] += 1
        text = document.leaves.text[leaf]
        found.append({"text": text, "columns": sorted(columns), "counts": [columns[c] for c in sorted(columns)]})
    return found


@pytest.mark.parametrize("vector", VECTORS["tokens"], ids=lambda vector: vector["name"])
def test_tokens_of_the_shared_vectors(vector: dict[str, Any]) -> None:
    assert tokens(vector["text"]) == vector["tokens"]


@pytest.mark.parametrize("vector", VECTORS["pages"], ids=lambda vector: vector["name"])
def test_counts_of_the_shared_vectors(vector: dict[str, Any]) -> None:
    document = Document.from_html(vector["html"])
    assert rows(document, counts(document, VOCABULARY)) == vector["leaves"]


def test_every_code_point_is_in_one_class() -> None:
    seen = Counter(
        point
        for ranges in (boilernet.DROPPED, boilernet.SPACE, boilernet.ALONE)
        for first, last in ranges
        for point in range(first, last + 1)
    )
    assert max(seen.values()) == 1
    capitals = {point for first, last, _ in boilernet.CAPITALS for point in range(first, last + 1)}
    small = {point + step for first, last, step in boilernet.CAPITALS for point in range(first, last + 1)}
    assert not seen.keys() & (capitals | small)
    assert all(chr(point).lower() == chr(point + 32 + 48 * (0x400 <= point < 0x410)) for point in capitals)


@given(st.lists(st.text(alphabet="aB .\u00ad\u00e9\u732b\0\U0001f600", max_size=30), max_size=6), st.integers(1, 9))
def test_a_huge_page_is_read_piece_by_piece(texts: list[str], chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        whole = [column.tolist() for column in boilernet._words(texts, VOCABULARY)]
        patch.setattr(boilernet, "_CHUNK", chunk)
        assert [column.tolist() for column in boilernet._words(texts, VOCABULARY)] == whole
    assert whole[0] == [len({VOCABULARY.word_columns.get(token, -1) for token in tokens(text)}) for text in texts]


@pytest.mark.parametrize("holders", [1, 3, 50_000])
def test_counts_are_what_a_walk_over_the_ancestors_finds(monkeypatch: pytest.MonkeyPatch, holders: int) -> None:
    monkeypatch.setattr(boilernet, "_HOLDERS", holders)
    pages = [page.document() for page in golden_pages()]
    pages += [Document.from_html(html(300)) for html in HOSTILE.values()]
    vocabulary = Vocabulary.build(pages[:10], tags=12, words=80)
    for document in pages:
        assert rows(document, counts(document, vocabulary)) == slow_rows(document, vocabulary)


def test_dense_rows() -> None:
    document = Document.from_html("<p>the the <b>a</b> end</p>")
    found = counts(document, VOCABULARY)
    whole = found.dense()
    assert whole.shape == (3, VOCABULARY.dims)
    assert whole.dtype == np.float32
    assert whole[0, VOCABULARY.word_columns["the"]] == 2
    assert whole[2, VOCABULARY.unknown_word] == 1
    assert whole.sum() == found.counts.sum()
    assert np.array_equal(found.part(1, 3).dense(), whole[1:3])
    assert found.part(1, 1).dense().shape == (0, VOCABULARY.dims)


def test_the_most_common_names_come_first_and_ties_go_by_name() -> None:
    pages = [
        Document.from_html(html) for html in ("<div><p>b a c</p></div>", "<p>c <i>x</i></p><br><script>z</script>")
    ]
    vocabulary = Vocabulary.build(pages, tags=4, words=3)
    assert vocabulary.tags == ("body", "html", "p", "div")
    assert vocabulary.words == ("c", "a", "b")
    assert Vocabulary.build(reversed(pages), tags=4, words=3) == vocabulary
    everything = Vocabulary.build(pages, tags=99, words=99)
    assert everything.tags == ("body", "html", "p", "div", "i")
    assert everything.words == ("c", "a", "b", "x")


@pytest.mark.parametrize(
    "value",
    [None, [], {"tags": []}, {"tags": "p", "words": []}, {"tags": [1], "words": []}, {"tags": ["p", "p"], "words": []}],
)
def test_what_is_no_vocabulary_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="vocabulary"):
        Vocabulary.from_json(value)
