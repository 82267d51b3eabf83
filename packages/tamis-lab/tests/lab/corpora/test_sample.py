"""Some pages of a corpus stand for all of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tamis_lab.corpora.catalogue import open_corpus, sample
from tamis_lab.corpora.reader import Entry
from tests.lab.corpora.samples import write_zip

# As in WCXB dev, the first pages are articles.
KINDS = ["article"] * 60 + ["forum"] * 30 + ["product"] * 10
ENTRIES = [Entry(f"{number:04}", "dev") for number in range(len(KINDS))]


def kind(entry: Entry) -> str:
    return KINDS[int(entry.id)]


@pytest.mark.parametrize("count", [10, 20, 50])
def test_each_page_type_has_its_share(count: int) -> None:
    found = Counter(map(kind, sample(ENTRIES, kind, count)))
    assert found == {"article": 0.6 * count, "forum": 0.3 * count, "product": 0.1 * count}


def test_the_same_seed_gives_the_same_pages_and_more_of_them() -> None:
    few, many = sample(ENTRIES, kind, 13), sample(ENTRIES, kind, 40)
    assert few == sample(list(reversed(ENTRIES)), kind, 13)[::-1]
    assert set(few) < set(many), "a run can be extended"
    assert few == sorted(few)
    assert set(few) != set(sample(ENTRIES, kind, 13, seed=2))


def test_without_page_types_they_are_chosen_at_random() -> None:
    found = sample(ENTRIES, lambda entry: None, 20)
    assert len(found) == 20
    assert found != ENTRIES[:20]


def test_all_pages_if_there_are_no_more() -> None:
    assert sample(ENTRIES, kind, 100) == sample(ENTRIES, kind, 1_000) == ENTRIES


def test_the_type_of_a_page_is_the_one_that_it_is_read_with(tmp_path: Path) -> None:
    write_zip(tmp_path, "wcxb")
    with open_corpus("wcxb", tmp_path) as corpus:
        entries = corpus.entries()
        read = [corpus.read(entry).page_type for entry in entries]
        assert [corpus._reader.page_type(entry) for entry in entries] == read
        assert any(read)
        assert [page.id for page in corpus.sample(None, len(entries))] == [entry.id for entry in entries]
