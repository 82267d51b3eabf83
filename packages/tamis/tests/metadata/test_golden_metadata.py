"""Every golden metadata page tells what a careful reader would write down of it."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.metadata_pages import MetadataPage, metadata_pages

PAGES = {f"{page.family}/{page.name}": page for page in metadata_pages()}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_page(page: MetadataPage) -> None:
    extracted = page.extracted()
    found = extracted.metadata.as_dict()
    answers = {field: found[field] for field in page.expected if field != "structured"}
    wanted = {field: value for field, value in page.expected.items() if field != "structured"}
    assert {field: "" if value is None else value for field, value in answers.items()} == wanted, page.about


@pytest.mark.parametrize(
    "page", [page for page in PAGES.values() if "structured" in page.expected], ids=lambda p: p.name
)
def test_structured_data(page: MetadataPage) -> None:
    found = page.extracted().structured_data
    for thing in page.expected["structured"]:
        assert any(_holds(each, thing) for each in found), page.about


def test_there_are_enough_pages() -> None:
    assert len(PAGES) >= 90
    assert min(Counter(page.family for page in PAGES.values()).values()) >= 10


def _holds(found: object, wanted: object) -> bool:
    """Does `found` have all of `wanted`: of a dict each key, of a list each element in its place?"""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(key in found and _holds(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(_holds, found, wanted))
    return found == wanted
