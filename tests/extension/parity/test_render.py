"""Text, Markdown and HTML as Python writes them, letter by letter, in Node; test_parity.py asks a browser, too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from random import Random

import numpy as np
import pytest

import tamis
from tamis import Document, Labels, Page
from tests.extension.parity.pages import DISCUSSED, FOLDED, TRICKY
from tests.extension.parity.rendering import FORMATS, written
from tests.golden import golden_pages
from tests.hostile import HOSTILE
from tests.render.test_markdown_rendered import TAGS, TEXTS
from tests.structure_pages import structure_pages

URL = "https://site.example/d/page?q=1"
GROUPS = sorted({page.group for page in structure_pages()})
# Shares of the leaves that are kept at random: what is around them counts for how they are written.
SHARES = (0.3, 0.6, 0.9)


def everything(html: str | bytes) -> Page:
    return tamis.extract(html, extractor="keep-all", url=URL)


def at_random(document: Document, share: float) -> Page:
    keep = np.random.default_rng(len(document.leaves)).random(len(document.leaves)) < share
    return Page(document, Labels(keep.astype(np.float64), keep), "at random", document)


def assert_same(pages: Mapping[str, Page]) -> None:
    """Write each page in both languages."""
    for (name, page), answer in zip(pages.items(), written(pages.values()), strict=True):
        for form in FORMATS:
            assert answer.get(form, answer) == getattr(page, form), (name, form)


def test_golden_pages() -> None:
    pages = golden_pages()
    assert_same({page.name: page.perfect() for page in pages})
    assert_same({page.name: everything(page.source) for page in pages})


@pytest.mark.parametrize("group", GROUPS)
def test_structure_pages(group: str) -> None:
    pages = [page for page in structure_pages() if page.group == group]
    assert_same({page.name: page.extracted() for page in pages})
    documents = {page.name: Document.from_html(page.html, url=URL) for page in pages}
    for share in SHARES:
        assert_same({name: at_random(document, share) for name, document in documents.items()})


def test_tricky_pages() -> None:
    documents = {name: Document.from_html(html, url=URL) for name, html in TRICKY.items()}
    assert_same({name: everything(html) for name, html in TRICKY.items()})
    assert_same({"folded": everything(FOLDED), "discussed": everything(DISCUSSED)})
    for share in SHARES:
        assert_same({name: at_random(document, share) for name, document in documents.items()})


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
    soups = [soup(Random(seed), pages) for seed in range(800)]
    assert_same({html: everything(html) for html in soups[::2]})
    assert_same({html: at_random(Document.from_html(html, url=URL), 0.8) for html in soups[1::2]})


def test_hostile_pages() -> None:
    assert_same({name: everything(page(300)) for name, page in HOSTILE.items()})
