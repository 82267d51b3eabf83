"""Facts: the golden pages of pages/facts, where each fact comes from, and pages that want to cost time."""

from __future__ import annotations

from time import process_time

import pytest

import tamis
from tamis.document import Document
from tamis.metadata.structured import structured_data
from tamis.metadata.view import View
from tamis.records.facts import Facts, facts
from tests.golden import PAGES, GoldenPage

KINDS = ("recipe", "product", "event", "questions", "how_to", "video", "job", "paper")
GOLDEN = [GoldenPage.read(file) for file in sorted((PAGES / "facts").glob("*.html"))]


def facts_of(html: str, url: str | None = None) -> Facts:
    page = tamis.extract(html, url=url)
    return facts(page.original, page.own_labels, page.structured_data)


@pytest.mark.parametrize("page", GOLDEN, ids=lambda page: page.name)
def test_golden_page(page: GoldenPage) -> None:
    found = facts_of(page.html, page.url)
    expected = page.head.get("facts", {})
    for kind in KINDS:
        fact = getattr(found, kind)
        if isinstance(fact, tuple):
            assert [each.values() for each in fact] == expected.get(kind, [])
        else:
            assert (fact.values() if fact else None) == expected.get(kind)
            given = page.head.get("sources", {}).get(kind, {})
            assert given.items() <= (fact.sources if fact else {}).items()


def test_each_field_has_a_source_and_a_confidence() -> None:
    for page in GOLDEN:
        found = facts_of(page.html, page.url)
        for fact in filter(None, (*(getattr(found, kind) for kind in KINDS if kind != "questions"), *found.questions)):
            assert fact.sources.keys() == fact.confidences.keys() == fact.values().keys()
            assert all(0 < confidence < 1 for confidence in fact.confidences.values())


def test_a_page_without_anything_has_no_facts() -> None:
    assert facts_of("") == facts_of("<p>Nothing to buy, nothing to cook.") == Facts()


def test_labels_are_not_needed() -> None:
    document = Document.from_html(
        "<h1>Tea</h1><h2>Ingredients</h2><ul><li>1 tsp tea<li>1 l water</ul><h2>Method</h2>"
        "<ol><li>Boil the water in a clean kettle.<li>Pour it over the tea and wait.</ol>"
    )
    recipe = facts(document, None, structured_data(View(document, None))).recipe
    assert recipe is not None
    assert recipe.ingredients == ("1 tsp tea", "1 l water")


def test_comments_are_no_steps() -> None:
    comments = "".join(f"<div class=comment><p>Reader {n} says that this cake fell apart.</p></div>" for n in range(20))
    html = (
        "<article><h1>Cake</h1><p>A cake for a long afternoon in the garden, with nuts from the tree behind it.</p>"
        "<h2>Ingredients</h2><ul><li>1 cup nuts<li>2 eggs</ul><h2>Method</h2><ol><li>Grind the nuts as fine as you can."
        f"<li>Beat the eggs and bake both for an hour.</ol></article><section id=comments>{comments}</section>"
    )
    recipe = facts_of(html).recipe
    assert recipe is not None
    assert len(recipe.steps) == 2


@pytest.mark.parametrize(
    "piece",
    [
        "<h2>Ingredients</h2>",
        "<h2>Ingredients</h2><li>1 cup of flour",
        "<div class=ingredients><p>1 cup",
        "<li class=ingredient>1 cup of flour",
        "<span class=price>$1</span>",
        "<div itemscope itemtype=https://schema.org/Product><b itemprop=sku>1</b></div>",
        '<script type="application/ld+json">{"@type":"Recipe","name":"x","recipeInstructions":["a","b"]}</script>',
        "<meta name=citation_title content=a><h2>Abstract</h2>",
    ],
)
def test_time_is_linear(piece: str) -> None:
    head = "<meta property=og:type content=product><h1>x</h1><h2>Ingredients</h2>"

    def seconds(count: int) -> float:
        document = Document.from_html(head + piece * count)
        declared = structured_data(View(document, None))
        start = process_time()
        facts(document, None, declared)
        return process_time() - start

    assert seconds(8_000) < max(12 * seconds(2_000), 0.5)
