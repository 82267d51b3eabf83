"""The measure of recipes, on the small sample of the corpus."""

from __future__ import annotations

from pathlib import Path

from tamis_lab.bench.recipes import Found, line_words, measured, table
from tests.lab.corpora.samples import SAMPLES, write_folder


def test_both_lists_of_each_page_are_measured(tmp_path: Path) -> None:
    write_folder(tmp_path, "recipes")
    found = measured("tamis", tmp_path, 1)
    pages = sum(name.endswith(".testhtml") for name in SAMPLES["recipes"])
    assert len(found) == 4 * pages
    assert [each.name for each in found[:4]] == ["ingredients", "steps"] * 2
    assert [each.has_json_ld for each in found[:4]] == [True, True, False, False]


def test_punctuation_and_case_do_not_count() -> None:
    gold, words = line_words(["2 Leeks, sliced", "..."]), line_words(["2 leeks (sliced)"])
    found = Found("page", "ingredients", True, "json-ld", gold, words)
    assert found.is_right
    assert any("1.000  json-ld 1 of 1" in line for line in table([found]))
    assert not found._replace(words=line_words(["2 leeks", "sliced"])).is_right
