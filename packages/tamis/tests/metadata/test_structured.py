"""All that a page declares, in one form."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tamis.metadata.structured import structured_data
from tests.metadata.sources import script, view


def read(html: str) -> list[dict[str, Any]]:
    items = structured_data(view(html))
    assert json.loads(json.dumps(items, allow_nan=False)) == items
    assert json.dumps(items, ensure_ascii=False).encode()
    return items


def one(data: object) -> dict[str, Any]:
    (item,) = read(script(data))
    return item


MICRODATA = """<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Bread bin</h1>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">1.299,00 €</b>
<meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="http://schema.org/InStock">
</div></div>"""
RDFA = (
    '<div vocab="https://schema.org/" typeof="Product"><b property="name">Bread bin</b><i property="sku">B7</i></div>'
)


def test_a_page_without_data() -> None:
    assert read("<p>Bread</p>") == []
    assert read(script({"@context": "https://schema.org", "@graph": []}) + script("[1, null, {}]") + script("{")) == []


def test_all_notations_have_one_form() -> None:
    offer = {"@type": "Offer", "price": 1299, "priceCurrency": "EUR"}
    data = {"@type": "Product", "name": "Bread bin", "offers": offer}
    for page, written, source in (
        (script(data), {"price": "1299", "priceCurrency": "EUR"}, "json-ld"),
        (MICRODATA, {"price": "1299.00", "priceCurrency": "EUR", "availability": "InStock"}, "microdata"),
    ):
        offers = [{"@type": ["Offer"]} | written]
        assert read(page) == [{"@type": ["Product"], "@source": [source], "name": "Bread bin", "offers": offers}]
    assert read(RDFA) == [{"@type": ["Product"], "@source": ["rdfa"], "name": "Bread bin", "sku": "B7"}]


def test_what_is_declared_several_times_is_there_once() -> None:
    data = script({"@type": "Product", "name": "Bread Bin", "brand": "Oven"})
    (item,) = read(data + data + MICRODATA + RDFA)
    assert item["@source"] == ["json-ld", "microdata", "rdfa"]
    assert (item["name"], item["brand"], item["sku"]) == ("Bread Bin", {"name": "Oven"}, "B7")
    assert item["offers"][0]["price"] == "1299.00"
    other = script({"@type": "Product", "name": "Bread bin", "sku": "B8"})
    assert [each.get("sku") for each in read(data + other)] == [None, "B8"]  # variants


def test_things_of_a_graph() -> None:
    things = [
        {"@type": "Person", "@id": "#ann", "name": "Ann Lee", "worksFor": {"@id": "#oven"}},
        {"@type": "Organization", "@id": "#oven", "name": "The Oven", "founder": {"@id": "#ann"}},
        {"@type": ["NewsArticle", "Article"], "headline": "Bread", "author": {"@id": "#ann"}},
    ]
    items = read(script({"@context": "https://schema.org", "@graph": things}))
    assert [each["@type"] for each in items] == [["Person"], ["Organization"], ["NewsArticle", "Article"]]
    (author,) = items[2]["author"]
    assert (author["name"], author["worksFor"]["name"]) == ("Ann Lee", "The Oven")
    assert author["worksFor"]["founder"] == {"@id": "https://oven.example/news/bread.html#ann"}


def test_a_recipe() -> None:
    item = one(
        {
            "@type": "Recipe",
            "name": "Rye bread",
            "recipeIngredient": "rye\nwater<br>salt",
            "recipeInstructions": [
                {"@type": "HowToSection", "name": "Dough", "itemListElement": [{"@type": "HowToStep", "text": "Mix."}]},
                {"@type": "HowToStep", "name": "Wait", "text": "Wait <b>an hour</b>."},
                "Bake.",
                {"@type": "HowToStep", "name": "Eat."},
            ],
            "prepTime": "PT1H30M",
            "recipeYield": ["2", "2 loaves"],
            "image": [{"@type": "ImageObject", "url": "/a.jpg"}, "/b.jpg", "javascript:go()"],
            "author": "Ann Lee and Bob Ray",
            "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4,5", "reviewCount": "12"},
        }
    )
    assert item["recipeIngredient"] == ["rye", "water", "salt"]
    assert item["recipeInstructions"] == ["Mix.", "Wait an hour.", "Bake.", "Eat."]
    assert (item["prepTime"], item["recipeYield"]) == ("PT1H30M", "2 loaves")
    assert item["image"] == ["https://oven.example/a.jpg", "https://oven.example/b.jpg"]
    assert item["author"] == [{"name": "Ann Lee"}, {"name": "Bob Ray"}]
    assert item["aggregateRating"] == {"@type": ["AggregateRating"], "ratingValue": 4.5, "reviewCount": 12}
    old = {"ingredients": ["rye"], "recipeInstructions": "<ol><li>Mix.</li><li>Bake.</li></ol>"}
    item = one({"@type": "Recipe", "name": "Rye bread", **old})
    assert (item["recipeIngredient"], item["recipeInstructions"]) == (["rye"], ["Mix.", "Bake."])


@pytest.mark.parametrize(
    ("written", "price"),
    [
        (19.9, "19.9"),
        ("$1,299.00", "1299.00"),
        ("1.299,00 €", "1299.00"),
        ("1 299,50", "1299.50"),
        ("12,5", "12.5"),
        ("1.299.000", "1299000"),
        ("CHF 1'299.-", "1299"),
        ("free", None),
    ],
)
def test_prices(written: object, price: str | None) -> None:
    item = one({"@type": "Product", "name": "Bread bin", "offers": [{"@type": "Offer", "price": written, "sku": "B"}]})
    assert item["offers"][0].get("price") == price


def test_the_price_of_an_offer_may_stand_deeper() -> None:
    offer = {"@type": "Offer", "priceSpecification": {"price": "5.00", "priceCurrency": "USD"}}
    assert one({"@type": "Product", "name": "x", "offers": offer})["offers"][0]["price"] == "5.00"


@pytest.mark.parametrize(
    ("key", "written", "expected"),
    [
        ("datePublished", "2024-03-05T10:00:00Z", "2024-03-05T10:00:00+00:00"),
        ("priceValidUntil", "2024-03-05", "2024-03-05"),
        ("datePublished", "soon", "soon"),
        ("url", "bread.html?a=1&amp;b=2", "https://oven.example/news/bread.html?a=1&b=2"),
        ("description", " <p>Rye &amp;amp; \n wheat</p>", "Rye & wheat"),
        ("description", {"@value": "Rye", "@language": "en"}, "Rye"),
        ("publisher", "The Oven", {"name": "The Oven"}),
        ("itemCondition", "https://schema.org/NewCondition", "NewCondition"),
        ("isAccessibleForFree", True, True),
        ("isAccessibleForFree", "http://schema.org/False", False),
        ("author", [["Ann Lee"], {"name": "Bob Ray"}], [{"name": "Ann Lee"}, {"name": "Bob Ray"}]),
        ("numberOfPages", 10**400, 10**400),  # more than a float can be
        ("http://schema.org/genre", "Food", "Food"),
    ],
)
def test_values(key: str, written: object, expected: object) -> None:
    item = one({"@type": "CreativeWork", "name": "Bread", key: written})
    assert item[key.rpartition("/")[2]] == expected


@pytest.mark.parametrize("written", ["", " ", None, [], {}, {"@type": "Thing"}, "javascript:go()", float("nan")])
def test_values_that_say_nothing_are_left_out(written: object) -> None:
    item = one({"@type": "CreativeWork", "name": "Bread", "url": written, "about": written})
    assert item.keys() == {"@type", "@source", "name"}


def test_lone_surrogates_can_be_written() -> None:
    read(script(r'{"@type": "\ud800", "\udfff": "\ud800", "name": ["\udc00"], "author": "Ann \ud800"}'))


def nested(depth: int) -> object:
    thing: dict[str, object] = {"@type": "Thing", "name": "x"}
    for _ in range(depth):
        thing = {"@type": "Thing", "name": "x", "about": [[thing]]}
    return thing


@pytest.mark.nightly
@pytest.mark.parametrize(
    "page",
    [
        script([{"@id": f"#{n}", "name": f"{n}", "knows": [{"@id": f"#{m}"} for m in range(100)]} for n in range(100)]),
        script([{"@type": "Product", "name": f"Loaf {n}", "offers": {"price": n}} for n in range(4_000)]),
        script({"name": "x", **{f"k{n}": "v" * 100 for n in range(20_000)}}),
        script(nested(60)),
        script({"@type": "Recipe", "name": "x", "recipeInstructions": "a\n" * 300_000}),
        "<b id=a>" + "<p itemscope itemtype=Thing itemprop=about itemref=a><i itemprop=name>x</i></p>" * 300 + "</b>"
        "<p itemscope itemtype=Thing itemref=a>",
        "<div itemscope itemtype=Thing itemprop=about>" * 400 + "<b itemprop=name>x",
        "<div itemscope itemtype=Thing><b itemprop=name>x</b></div>" * 20_000,
    ],
    ids=range(8),
)
def test_hostile_data_is_read_soon_and_stays_small(page: str) -> None:
    seen = view(page)
    started = time.process_time()
    items = structured_data(seen)
    assert time.process_time() - started < 5
    assert len(json.dumps(items)) < 5_000_000
