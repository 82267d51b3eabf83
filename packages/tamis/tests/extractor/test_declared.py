"""What a page declares about itself for machines, and which of its runs that is about."""

from __future__ import annotations

import json
import time

import pytest

from tamis import Document
from tamis.extractor.declared import Declared, plain
from tamis.extractor.runs import COLUMNS, PageRuns
from tests.extractor.pages import active_columns, check, column, near, runs_of, short

RAIN = "It rained and rained, and the river rose; nobody had seen it like that in many years."
BREAD = "The baker rises long before the town does, and the ovens are hot by four in the morning."
ROWS = f"<h1>The Report</h1><p>{RAIN}</p><p>{BREAD}</p><p>Short</p>"


def with_data(*data: object, rest: str = ROWS) -> str:
    """A page with JSON-LD: strings are put in as they are."""
    scripts = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in data]
    return "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts) + rest


def with_meta(name: str, content: str, rest: str = ROWS) -> str:
    return f'<meta name="{name}" content="{content}">{rest}'


def declared_as(html: str) -> dict[str, list[float]]:
    """The "declared as" columns that are not all 0, each as a list with one value for each run."""
    values = runs_of(html).values
    kinds = {name: column for column, name in enumerate(COLUMNS) if name.startswith("declared as ")}
    return {
        name.removeprefix("declared as "): values[:, column].tolist()
        for name, column in kinds.items()
        if values[:, column].any()
    }


class TestParts:
    """Lines that a page declares as parts of its content."""

    @pytest.mark.parametrize("key", ["recipeIngredient", "ingredients", "recipeInstructions"])
    @pytest.mark.parametrize("value", ["1 cup of flour\nSalt", ["1 cup  of flour", "Salt"]])
    def test_lines_of_a_recipe(self, key: str, value: object) -> None:
        rows = "<h1>Bread</h1><ul><li><b>1</b> cup of flour<li>Salt<li>Salt and pepper</ul>"
        assert declared_as(with_data({"@type": "Recipe", key: value}, rest=rows)) == {"part": [0, 1, 1, 0]}

    @pytest.mark.parametrize("kind", ["HowToStep", "HowToTip", "Question", "Answer", "DiscussionForumPosting"])
    def test_texts_of_steps_answers_and_posts(self, kind: str) -> None:
        data = {"@graph": [{"@type": kind, "text": f"<p>{BREAD}</p> And so on."}]}
        assert declared_as(with_data(data)) == {"body": [0, 0, 1, 0], "part": [0, 0, 1, 0]}

    def test_comments_are_parts_of_a_thread_alone(self) -> None:
        comment = {"@type": "Comment", "text": BREAD}
        assert "part" not in declared_as(with_data({"@type": "NewsArticle", "comment": [comment]}))
        assert declared_as(with_data({"@type": "QAPage", "comment": [comment]}))["part"] == [0, 0, 1, 0]

    def test_a_short_line_is_compared_as_a_whole(self) -> None:
        data = {"@type": "Recipe", "recipeIngredient": ["Short crust", "So"]}
        assert declared_as(with_data(data, rest=f"{ROWS}<p>So</p>")) == {}


class TestRows:
    @pytest.mark.parametrize(
        ("key", "kind"),
        [("articleBody", "body"), ("text", "body"), ("ARTICLEBODY", "body"), ("reviewBody", "review")],
    )
    def test_what_the_data_holds(self, key: str, kind: str) -> None:
        assert declared_as(with_data({"@type": "Thing", key: f"{BREAD} And so on."})) == {kind: [0, 0, 1, 0]}

    @pytest.mark.parametrize("key", ["description", "abstract"])
    def test_a_description_in_the_data_begins_somewhere(self, key: str) -> None:
        assert declared_as(with_data({key: BREAD})) == {"description": [0, 0, 1, 0], "opening": [0, 0, 1, 0]}

    @pytest.mark.parametrize("name", ["description", "og:description", "twitter:description", "Description"])
    def test_a_description_for_search_engines(self, name: str) -> None:
        expected = {"meta": [0, 1, 0, 0], "opening": [0, 1, 0, 0]}
        assert declared_as(with_meta(name, RAIN)) == expected
        assert declared_as(f'<meta property="{name}" content="{RAIN}">{ROWS}') == expected

    def test_names_are_compared_as_a_whole(self) -> None:
        assert declared_as(with_data({"headline": "The Report"}, {"name": ["no"]}, {"name": "Short"})) == {
            "name": [1, 0, 0, 1]
        }
        assert declared_as(with_data({"name": "The Report: 2008"}, {"headline": "The"})) == {}

    @pytest.mark.parametrize("kind", ["Review", "Comment", "UserReview", "review", ["Thing", "Comment"]])
    def test_what_readers_said_is_no_text_of_the_page(self, kind: object) -> None:
        assert declared_as(with_data({"@type": kind, "text": RAIN, "name": "Short"})) == {
            "review": [0, 1, 0, 0],
            "name": [0, 0, 0, 1],
        }
        assert set(declared_as(with_data({"@type": kind, "description": RAIN}))) == {"review"}

    def test_a_row_may_stand_in_the_middle_of_a_text(self) -> None:
        assert declared_as(with_data({"articleBody": f"Before it. {RAIN} {BREAD}"})) == {"body": [0, 1, 1, 0]}

    def test_rows_are_known_by_how_they_begin(self) -> None:
        """Data is often cut, and rarely agrees to the last letter."""
        assert declared_as(with_data({"articleBody": BREAD[:40]})) == {"body": [0, 0, 1, 0]}
        assert declared_as(with_data({"articleBody": BREAD[:39]})) == {}
        assert declared_as(with_data({"articleBody": f"{BREAD[:40]} and another end"})) == {"body": [0, 0, 1, 0]}

    @pytest.mark.parametrize(("length", "found"), [(24, False), (25, True)])
    def test_short_rows_are_found_by_chance(self, length: int, found: bool) -> None:
        row = RAIN[:length].replace(" ", "_")
        assert bool(declared_as(with_data({"articleBody": f"{row} {BREAD}"}, rest=f"<p>{row}</p>"))) == found

    @pytest.mark.parametrize(("length", "found"), [(24, False), (25, True)])
    def test_a_short_description_begins_nowhere(self, length: int, found: bool) -> None:
        html = with_meta("description", BREAD[:length].replace(" ", "_"), f"<p>So: {BREAD.replace(' ', '_')}</p>")
        assert declared_as(html) == ({"opening": [1]} if found else {})

    def test_markup_and_entities_in_the_data(self) -> None:
        body = "<p>It&nbsp;&quot;rained&quot;\n and   <b>rained</b> &amp; it&#8217;s on and on"
        html = with_data({"articleBody": body}, rest='<p>It "rained" and rained &amp; it’s on and on</p>')
        assert plain(body) == 'It "rained" and rained & it’s on and on'
        assert declared_as(html) == {"body": [1]}

    def test_it_can_be_given(self) -> None:
        """A page whose scripts were taken out still says what it said."""
        given = Declared.of(Document.from_html(with_data({"@type": "Recipe", "text": RAIN})))
        found = PageRuns(Document.from_html(ROWS), given).values
        assert found[:, COLUMNS.index("declared as body")].tolist() == [0, 1, 0, 0]
        assert found[:, COLUMNS.index("data instruction")].tolist() == [1] * 4

    def test_nothing_is_said_of_a_page_that_says_nothing(self) -> None:
        assert declared_as(ROWS) == {}
        assert active_columns(ROWS, "og", "data", "marked", "described", "address") == set()


class TestLinkedData:
    @pytest.mark.parametrize(
        ("data", "groups"),
        [
            ({"@type": "NewsArticle"}, {"article"}),
            ({"@type": ["Recipe", "HowTo", "FAQPage"]}, {"instruction", "questions"}),
            ({"@type": "https://schema.org/Product"}, {"product"}),
            ({"@graph": [{"@type": "Organization"}, {"@type": "WebPage", "mainEntity": {"@type": "QAPage"}}]},
             {"organization", "discussion"}),
            ([{"@type": "TechArticle"}, [{"@type": "ItemList"}]], {"technical", "list"}),
            ({"@type": None}, set()),
            ({"@type": [1, None, {"@type": "Recipe"}]}, {"instruction"}),
            ({"@type": "Nonsense", "type": "Recipe"}, set()),
            ({"@type": ""}, set()),
        ],
    )  # fmt: skip
    def test_types_count_for_the_page(self, data: object, groups: set[str]) -> None:
        assert active_columns(with_data(data), "data") == {f"data {group}" for group in groups}

    def test_several_scripts_add_up(self) -> None:
        html = with_data({"@type": "Recipe"}, "{broken", {"@type": "Product", "description": BREAD})
        assert active_columns(html, "data") == {"data instruction", "data product"}
        assert set(declared_as(html)) == {"description", "opening"}

    def test_megabytes_of_tags(self) -> None:
        started = time.process_time()
        for text in ("<" * 400_000, "<a" * 400_000, "&" * 1_000_000, "&amp;" * 200_000, " " * 1_000_000):
            check(runs_of(with_data({"articleBody": text, "name": text})))
        assert time.process_time() - started < 30


class TestPage:
    @pytest.mark.parametrize(
        ("kind", "column_name"),
        [
            ("article", "og article"),
            (" Article ", "og article"),
            ("newsarticle", "og article"),
            ("product", "og product"),
            ("og:product", "og product"),
            ("product.item", "og product"),
            ("website", "og website"),
            ("profile", "og profile"),
            ("video.movie", "og other"),
            ("x" * 1_000_000, "og other"),
            ("", None),
            (" ", None),
        ],
        ids=short,
    )
    def test_the_type_for_social_networks(self, kind: str, column_name: str | None) -> None:
        html = f'<meta property="og:type" content="{kind}">{ROWS}'
        assert active_columns(html, "og") == ({column_name} if column_name else set())
        assert active_columns(f'<meta property="og:type">{ROWS}', "og") == set()

    @pytest.mark.parametrize(("content", "expected"), [(RAIN, 1), ("x", 1), ("", 0), ("  ", 0)])
    def test_described(self, content: str, expected: float) -> None:
        assert column("described", with_meta("description", content)) == [expected] * 4


def address(written: str) -> dict[str, float]:
    values = runs_of(f'<link rel="canonical" href="{written}">{ROWS}').values[0]
    return {
        name: float(value)
        for name, value in zip(COLUMNS, values, strict=True)
        if name.split()[0] == "address" and name != "address"
    } | {"": float(values[COLUMNS.index("address")])}


class TestAddress:
    @pytest.mark.parametrize(
        ("written", "expected"),
        [
            ("https://a.example", {"root": 1}),
            ("https://a.example/", {"root": 1}),
            ("https://a.example/#top", {"root": 1}),
            ("/", {"root": 1}),
            ("https://a.example/?p=7", {"root": 1, "query": 1}),
            ("https://a.example/news", {"depth": 1, "words": 1}),
            ("/news", {"depth": 1, "words": 1}),
            ("news/rain", {"depth": 2, "words": 1}),
            ("HTTPS://A.EXAMPLE/News/", {"depth": 1, "words": 1}),
            ("https://a.example//news///rain-and_storm", {"depth": 2, "words": 3, "hyphens": 2}),
            ("https://a.example/2008/rain.html", {"depth": 2, "words": 2, "suffix": 1}),
            ("https://a.example/rain.HTML?x=1#y", {"depth": 1, "words": 2, "suffix": 1, "query": 1}),
            ("https://a.example/p/12345678", {"depth": 2, "digits": 1}),
            ("https://a.example/天气-预报", {"depth": 1, "words": 2, "hyphens": 1}),
            ("https://a.example/a.b", {"depth": 1, "words": 2}),
        ],
    )
    def test_the_shape_of_a_path(self, written: str, expected: dict[str, float]) -> None:
        found = {name.removeprefix("address "): value for name, value in address(written).items() if value}
        assert found == {"": 1} | expected

    @pytest.mark.parametrize("written", ["", " ", "\n"])
    def test_none(self, written: str) -> None:
        assert not any(address(written).values())

    @pytest.mark.parametrize(
        "written",
        ["a" * 1_000_000, "/a" * 500_000, "/" + "-" * 1_000_000, "/" + "1" * 1_000_000, "/" + "a-" * 500_000,
         "?" * 1_000_000, "://", "a:" * 500_000, "/.a" * 300_000, "." * 1_000_000, "javascript:alert(1)", "\ud800", "http://[::1"],
        ids=short,
    )  # fmt: skip
    def test_odd_ones_are_bounded_and_soon_done(self, written: str) -> None:
        started = time.process_time()
        check(runs_of(f'<link rel="canonical" href="{written}">{ROWS}'))
        assert time.process_time() - started < 20

    def test_the_canonical_one_comes_before_the_one_for_social_networks(self) -> None:
        for_networks = '<meta property="og:url" content="https://a.example/one/two/three">'
        assert column("address depth", for_networks + ROWS) == near([3] * 4)
        both = f'{for_networks}<link rel="Canonical" href="/one">'
        assert column("address depth", both + ROWS) == near([1] * 4)
        assert column("address depth", f"{for_networks}<link rel=canonical>{ROWS}") == near([3] * 4)

    def test_other_links_are_none(self) -> None:
        assert active_columns('<link rel=stylesheet href="/a/b.css"><link href="/c">' + ROWS, "address") == set()
