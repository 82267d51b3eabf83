"""The same labels from both builds of the kernel, bit by bit, in Node; test_parity.py asks a browser about others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from random import Random
from typing import Any

import pytest

from tamis import Document, Labels
from tamis.extractor.tamis import tamis
from tests.extension.parity.in_node import labelled
from tests.extractor.test_notes import NOTE_PAGES, OTHER_PAGES
from tests.golden import structure_pages
from tests.markdown_pages import TAGS, TEXTS

GROUPS = sorted({page.group for page in structure_pages()})


def plain(labels: Labels) -> dict[str, Any]:
    """Labels as label.mjs writes them."""
    return {
        "score": labels.scores.tolist(),
        "keep": labels.keep.astype(int).tolist(),
        "role": list(labels.roles or [None] * len(labels.keep)),
        "threshold": labels.threshold,
        "pageTypes": None if labels.page_types is None else dict(labels.page_types.probabilities),
    }


def assert_same(pages: Mapping[str, str | bytes]) -> None:
    documents = {name: Document.from_html(page).unfolded for name, page in pages.items()}
    for (name, document), found in zip(documents.items(), labelled(documents.values()), strict=True):
        assert found == plain(tamis.label(document)), name


@pytest.mark.parametrize("group", GROUPS)
def test_structure_pages(group: str) -> None:
    assert_same({page.name: page.html for page in structure_pages() if page.group == group})


def test_pages_with_notes() -> None:
    assert_same(NOTE_PAGES | OTHER_PAGES)


def soup(random: Random, pages: Sequence[Sequence[str]]) -> str:
    """Runs of tags and texts from any pages, one after the other."""
    parts: list[str] = []
    for _ in range(random.randrange(1, 12)):
        if random.random() < 0.7:
            tokens = random.choice(pages)
            start = random.randrange(len(tokens))
            parts += tokens[start : start + random.randrange(1, 25)]
        else:
            tag = random.choice(TAGS)
            parts.append(random.choice([escape(random.choice(TEXTS)), f"<{tag}>", f"</{tag}>"]))
    return "".join(parts)


def test_pieces_of_pages() -> None:
    pages = [re.findall("<[^>]*>|[^<]+", page.html) for page in structure_pages()]
    assert_same({html: html for html in (soup(Random(seed), pages) for seed in range(150))})
