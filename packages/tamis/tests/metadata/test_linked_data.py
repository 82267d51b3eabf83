"""The candidates in JSON-LD."""

from __future__ import annotations

import time

import pytest

from tamis.metadata.schema import linked_data_source
from tests.metadata.sources import found, script, view


def read(data: object, field: str, before: str = "") -> list[tuple[object, str]]:
    return found(linked_data_source, before + script(data), field)


def article(**fields: object) -> dict[str, object]:
    return {"@context": "https://schema.org", "@type": "NewsArticle", "headline": "Bread at dawn", **fields}


PAGE = [
    {"@type": "WebSite", "@id": "#site", "name": "The Oven"},
    {"@type": "WebPage", "name": "Bread at dawn - The Oven", "isPartOf": {"@id": "#site"}, "inLanguage": "en-GB"},
    article(
        author={"@type": "Person", "name": "Ann Lee"},
        datePublished="2024-03-05T08:00:00+01:00",
        dateModified="2024-03-06",
        publisher={"@type": "Organization", "name": "Oven Media"},
        description="How bakers work.",
        articleSection="Food",
        keywords="bread, rye",
        license="https://creativecommons.org/licenses/by/4.0/",
        url="/news/bread.html",
        image={"@type": "ImageObject", "url": "loaf.jpg"},
        isAccessibleForFree=False,
    ),
]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("title", [("Bread at dawn", "Article.headline"), ("Bread at dawn - The Oven", "Page.name")]),
        ("authors", [(("Ann Lee",), "Article.author.person")]),
        ("date", [("2024-03-05", "Article.datePublished")]),
        ("date_modified", [("2024-03-06", "Article.dateModified")]),
        ("site_name", [("Oven Media", "Article.publisher"), ("The Oven", "Page.isPartOf"), ("The Oven", "Site.name")]),
        ("description", [("How bakers work.", "Article.description")]),
        ("language", [("en-GB", "Page.inLanguage")]),
        ("section", [("Food", "Article.articleSection")]),
        ("categories", [(("Food",), "Article.articleSection")]),
        ("tags", [(("bread", "rye"), "Article.keywords")]),
        ("license", [("https://creativecommons.org/licenses/by/4.0/", "Article.license")]),
        ("canonical_url", [("https://oven.example/news/bread.html", "Article.url")]),
        ("image", [("https://oven.example/news/loaf.jpg", "Article.image")]),
        ("is_paywalled", [(True, "Article.isAccessibleForFree")]),
        ("weather", []),
    ],
)
def test_each_field_has_its_places(field: str, expected: list[object]) -> None:
    assert read(PAGE, field) == expected
    assert read({"@graph": PAGE}, field) == expected
    assert read([[{"@graph": [PAGE]}]], field) == expected


@pytest.mark.parametrize("field", ["title", "authors", "date", "categories", "image"])
def test_a_page_without_data_has_no_candidates(field: str) -> None:
    assert found(linked_data_source, "<p>Bread</p>", field) == []
    assert read({"@type": "Person", "name": "Ann Lee", "image": "/ann.jpg"}, field) == []


@pytest.mark.parametrize(
    ("group", "kinds"),
    [
        ("Article", ["article", "https://www.schema.org/Article/", "schema:Article", "AnalysisNewsArticle"]),
        ("Article", [["Thing", "NewsArticle"]]),
        ("Forum", ["DiscussionForumPosting", "Question"]),
        ("Review", ["CriticReview"]),
        ("Event", ["MusicEvent"]),
        ("Other", ["Movie"]),
        ("Page", ["AboutPage"]),
    ],
)
def test_places_tell_the_kind_of_thing(group: str, kinds: list[object]) -> None:
    for kind in kinds:
        assert read({"@type": kind, "name": "Bread"}, "title") == [("Bread", f"{group}.name")]
    assert read({"@type": "schema:Article", "schema:headline": "Bread"}, "title") == [("Bread", "Article.headline")]


def test_a_thing_without_a_type_that_has_a_headline_tells_something() -> None:
    assert read({"headline": "Bread", "name": "B"}, "title") == [("Bread", "Other.headline"), ("B", "Other.name")]
    assert read({"name": "Bread"}, "title") == []


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("Ann Lee", [(("Ann Lee",), "Article.author")]),
        ("Ann Lee, Bob Ray and Eve Day", [(("Ann Lee", "Bob Ray", "Eve Day"), "Article.author")]),
        (["Ann Lee", "Bob Ray", "Ann Lee"], [(("Ann Lee", "Bob Ray"), "Article.author")]),
        ({"@type": "Person", "name": {"@value": "Ann Lee"}}, [(("Ann Lee",), "Article.author.person")]),
        ({"@type": ["Person", "Organization"], "name": "Ann Lee"}, [(("Ann Lee",), "Article.author.person")]),
        ({"@type": "Person", "givenName": "Ann", "familyName": "Lee"}, [(("Ann Lee",), "Article.author.person")]),
        ({"@list": [{"@type": "Person", "name": "Ann Lee"}]}, [(("Ann Lee",), "Article.author.person")]),
        ({"@type": "NewsMediaOrganization", "name": "The Oven"}, [(("The Oven",), "Article.author.organization")]),
        (
            [{"@type": "Organization", "name": "The Oven"}, {"@type": "Person", "name": "Ann Lee"}, "Bob Ray"],
            [(("The Oven",), "Article.author.organization"), (("Ann Lee", "Bob Ray"), "Article.author.person")],
        ),
        ({"@type": "Person", "name": "Zo&amp;#235; O&#039;Neil"}, [(("Zoë O'Neil",), "Article.author.person")]),
        ({"@id": "#ann"}, [(("Ann Lee",), "Article.author.person")]),
        ([{"@id": "#ann"}, {"@id": "#nobody"}], [(("Ann Lee",), "Article.author.person")]),
        ({"@id": "#ann", "name": "A. Lee"}, [(("A. Lee",), "Article.author.person")]),
        ("https://oven.example/ann", []),
        ({"@type": "Person", "url": "https://oven.example/ann"}, []),
        (3, []),
    ],
)
def test_authors(author: object, expected: list[object]) -> None:
    ann = {"@type": "Person", "@id": "#ann", "name": "Ann Lee"}
    assert read([ann, article(author=author)], "authors") == expected


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ("bread, rye", ("bread", "rye")),
        ("bread;rye, wheat", ("bread", "rye, wheat")),
        (["bread,rye,wheat"], ("bread", "rye", "wheat")),
        (["Paris, France", "rye"], ("Paris, France", "rye")),
        ([{"@type": "DefinedTerm", "name": "bread"}, {"@type": "DefinedTerm", "name": "rye"}], ("bread", "rye")),
        (["#bread", "bread", "", "_noindex", "https://schema.org/Bread", "salt &amp; rye"], ("bread", "salt & rye")),
    ],
)
def test_tags(keywords: object, expected: tuple[str, ...]) -> None:
    assert read(article(keywords=keywords), "tags") == [(expected, "Article.keywords")]


def test_what_an_article_is_about_comes_after_its_keywords() -> None:
    page = article(keywords=["rye"], about=[{"@type": "Thing", "name": "Bread"}], mentions={"name": "Oslo"})
    assert read(page, "tags") == [
        (("rye",), "Article.keywords"), (("Bread",), "Article.about"), (("Oslo",), "Article.mentions"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"articleSection": ["Food", "Bread"]}, [(("Food", "Bread"), "Article.articleSection")]),
        ({"articleSection": "Food > Bread"}, [(("Food", "Bread"), "Article.articleSection")]),
        ({"articleSection": ["Uncategorized", "Food"]}, [(("Food",), "Article.articleSection")]),
        ({"articleSection": "A sentence that somebody wrote here. " * 4}, []),
        ({"@type": "Product", "category": "Home / Bread bins"}, [(("Home", "Bread bins"), "Product.category")]),
        ({"@type": "Recipe", "recipeCategory": ["Bread"]}, [(("Bread",), "Recipe.recipeCategory")]),
    ],
)
def test_categories(given: dict[str, object], expected: list[object]) -> None:
    assert read(article(**given), "categories") == expected


def step(position: object, name: str, address: str | None) -> dict[str, object]:
    item = {"@id": address, "name": name} if address else None
    return {"@type": "ListItem", "position": position, "name": name} | ({"item": item} if item else {})


@pytest.mark.parametrize(
    "steps",
    [
        [step(1, "Home", "https://oven.example/"), step(2, "Food", "/food"), step(3, "Bread", "/news/bread.html")],
        [step(3, "Bread at dawn", "/x"), step(2, "Food", "/food"), step(1, "The Oven", "https://oven.example")],
        [step("2", "Food", "/food"), step("1", "Startseite", "/de/"), step("3", "Bread", None)],
        [step(10**400, "Página inicial", "/pt/x"), step(1, "Food", "/food"), step(2, "Bread", None)],
        [step(1, "Food", "https://oven.example/food")],
        [{"@type": "ListItem", "position": 1, "name": "Food", "item": "https://oven.example/food"}, step(2, "B", None)],
    ],
)
def test_breadcrumbs_give_categories(steps: list[object]) -> None:
    trail = {"@type": "BreadcrumbList", "itemListElement": steps}
    assert read(trail, "categories", "<title>Bread at dawn | The Oven</title>") == [(("Food",), "Breadcrumb")]
    assert read(trail, "title") == []


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("/a.jpg", "https://oven.example/a.jpg"),
        ({"url": ["/a.jpg", "/b.jpg"]}, "https://oven.example/a.jpg"),
        ([{"url": "/s.jpg", "width": 100}, {"url": "/l.jpg", "width": "1200px"}], "https://oven.example/l.jpg"),
        ({"@id": "#image"}, "https://oven.example/i.jpg"),
        ("/a.jpg?x=1&amp;y=2", "https://oven.example/a.jpg?x=1&y=2"),
        (["javascript:go()", "/b.jpg"], "https://oven.example/b.jpg"),
    ],
)
def test_images(image: object, expected: str) -> None:
    things = [{"@type": "ImageObject", "@id": "#image", "url": "/i.jpg"}, article(image=image)]
    assert read(things, "image") == [(expected, "Article.image")]


@pytest.mark.parametrize("image", ["", "data:image/png;base64,AA", "https://oven.example/", {}, None, 3])
def test_unusable_images(image: object) -> None:
    assert read(article(image=image), "image") == []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"isAccessibleForFree": "False"}, [(True, "Article.isAccessibleForFree")]),
        ({"isAccessibleForFree": "http://schema.org/False"}, [(True, "Article.isAccessibleForFree")]),
        ({"isAccessibleForFree": True}, [(False, "Article.isAccessibleForFree")]),
        ({"isAccessibleForFree": "perhaps"}, []),
        ({"hasPart": {"@type": "WebPageElement", "isAccessibleForFree": "false"}}, [(True, "Article.hasPart")]),
        ({"hasPart": [{"isAccessibleForFree": True}, {"isAccessibleForFree": False}]}, [(True, "Article.hasPart")]),
        ({"hasPart": {"isAccessibleForFree": True}}, []),
    ],
)
def test_paywalls(fields: dict[str, object], expected: list[object]) -> None:
    assert read(article(**fields), "is_paywalled") == expected


def test_titles_are_clean() -> None:
    for written in ("Rye &amp;amp; wheat", " Rye\n&amp; wheat ", "<b>Rye</b> & wheat", "Rye<br>& wheat"):
        assert read(article(headline=written), "title") == [("Rye & wheat", "Article.headline")]
    for written in ("https://oven.example/", " ", "x" * 600):
        assert read(article(headline=written), "title") == []
    assert read(article(headline=[3, "Bread", "Butter"]), "title") == [("Bread", "Article.headline")]
    assert read(r'{"@type": "Article", "headline": "A \ud800"}', "title") == [("A \ufffd", "Article.headline")]


# Several things of a kind

OTHER = article(headline="Ovens compared", author="Bob Ray", datePublished="2020-01-01")
OWN = article(headline="Bread at dawn", author="Ann Lee", datePublished="2024-03-05")


@pytest.mark.parametrize(
    "identity",
    [
        {"headline": "At dawn", "url": "https://www.oven.example/news/bread.html#top"},
        {"headline": "At dawn", "@id": "https://oven.example/news/bread.html#article"},
        {"headline": "At dawn", "mainEntityOfPage": {"@type": "WebPage", "@id": "http://oven.example/news/bread.html"}},
        {"headline": "Bread at dawn"},
    ],
)
def test_of_several_articles_that_of_the_page_comes_first(identity: dict[str, object]) -> None:
    first, *others = read([OTHER, OTHER, OWN | identity], "authors", "<title>Bread at dawn - The Oven</title>")
    assert first == (("Ann Lee",), "Article.author")
    assert {place for _, place in others} == {"Listed.author"}


def test_teasers_are_listed() -> None:
    teasers = [article(headline=f"Loaf {number}", author=f"Ann Lee{number * 'e'}") for number in range(9)]
    for page in (
        teasers,
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": each} for each in teasers]},
        {"@type": "CollectionPage", "hasPart": teasers},
    ):
        places = {place for field in ("title", "authors") for _, place in read(page, field)}
        assert places == {"Listed.headline", "Listed.author"}
        assert len(read(page, "authors")) == 3
        assert read(page, "image") == []


def test_one_article_that_is_declared_twice_is_not_a_list() -> None:
    twice = [OWN, OWN | {"datePublished": "2024-03-06"}]
    place = "Article.datePublished"
    assert read(twice, "date") == [("2024-03-05", place), ("2024-03-06", place)]


def test_a_single_post_of_a_blog_is_the_page() -> None:
    titles = read({"@type": "Blog", "name": "The Oven", "blogPost": OWN}, "title")
    assert titles == [("Bread at dawn", "Article.headline"), ("The Oven", "Page.name")]


def test_things_inside_others_are_not_the_page() -> None:
    inner = {"@type": "Article", "name": "Inner", "author": "Bob"}
    for key in ("video", "comment", "isPartOf", "citation", "mentions"):
        assert read(article(**{key: inner}), "title") == [("Bread at dawn", "Article.headline")]


@pytest.mark.parametrize("kind", ["VideoObject", "Product", "Event", "Question"])
def test_other_things_next_to_an_article_are_listed(kind: str) -> None:
    beside = {"@type": kind, "name": "Kneading", "author": "Bob Ray", "uploadDate": "2014-02-03"}
    assert read([beside, OWN], "date")[0] == ("2024-03-05", "Article.datePublished")
    assert {place for _, place in read([beside, OWN], "authors")} == {"Article.author", "Listed.author"}


def test_a_review_of_a_product_is_the_page_if_its_headline_is() -> None:
    review = {"@type": "Review", "headline": "Bread bins tested", "author": {"@type": "Person", "name": "Ann Lee"}}
    product = {"@type": "Product", "name": "Bread bin", "review": review}
    assert read(product, "authors", "<title>Bread bins tested</title>") == [(("Ann Lee",), "Review.author.person")]
    assert read(product, "authors", "<title>Bread bin</title>") == []


# Hostile data


def test_references_may_form_cycles() -> None:
    things = [{"@type": "Article", "@id": "#a", "headline": "Bread", "author": {"@id": "#a"}, "image": {"@id": "#a"}}]
    assert read(things, "authors") == []
    assert read(things, "title") == [("Bread", "Article.headline")]


@pytest.mark.nightly
@pytest.mark.parametrize(
    "data",
    [
        [article(headline=f"Loaf {number}", keywords=["a"] * 50) for number in range(300)],
        article(author=[{"@type": "Person", "name": "Ann Lee"}] * 15_000),
        article(keywords=", ".join(map(str, range(100_000))), articleSection=["x"] * 15_000),
        article(image=[{"url": f"/{number}.jpg"} for number in range(9_000)]),
        {"@type": "BreadcrumbList", "itemListElement": [step(n, str(n), f"/{n}") for n in range(5_000)]},
        [{"@id": "#a", "@type": "Article", "author": [{"@id": "#a"}] * 9_000}],
    ],
    ids=["articles", "authors", "tags", "images", "steps", "references"],
)
def test_large_data_is_read_soon(data: object) -> None:
    page = view(script(data))
    assert page.document.linked_data.things
    started = time.process_time()
    source = linked_data_source(page)
    for field in ("title", "authors", "date", "tags", "categories", "section", "image"):
        assert len(source.candidates(field)) <= 12
    assert time.process_time() - started < 2
