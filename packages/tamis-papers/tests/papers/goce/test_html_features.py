from __future__ import annotations

from math import isfinite, log, log1p

import pytest

from tamis import Document
from tamis_papers.goce.features import names, numbers
from tests.golden import GoldenPage, golden_pages

WORDS = "one two three four five six seven eight nine ten"
LONG = f"<p>{WORDS} {WORDS}</p>"  # a paragraph of 20 words
EMPTY = numbers(Document.from_html(""))

FORUM = """<html class="no-js"><head><title>Help with bread</title>
<meta name="Generator" content="BreadBoard 3.6"><meta property="og:type" content="Article"><meta charset=utf-8>
<link rel="Canonical" href="/a"><script type="application/ld+json">
{"@context": "https://schema.org", "@type": ["DiscussionForumPosting", "Thing"], "author": {"@type": "Person"},
 "comment": [{"@type": "Comment"}]}</script>
<script type="application/ld+json">{"@graph": [{"@type": "BreadcrumbList"}]}</script></head>
<body class="viewTopic page_42" id="phpbb-main"><div class="postBody card-title" id=sideBar>Words</div>
<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Oven</b></div></body></html>"""


def found(html: str | bytes) -> dict[str, float]:
    """The numbers of a page, which are checked on the way."""
    values = numbers(Document.from_html(html))
    assert values.keys() == EMPTY.keys(), "each page has the same numbers in the same order"
    assert list(values) == list(EMPTY)
    assert all(isinstance(value, float) and isfinite(value) for value in values.values())
    return values


def words(html: str, where: str = "") -> set[str]:
    """The names of a page, all or those that begin so."""
    every = names(Document.from_html(html))
    return {name.removeprefix(where) for name in every if name.startswith(where)}


class TestNumbers:
    def test_size(self) -> None:
        values = found("<title>Two words</title><p>one two three</p><p><a href=x>four</a></p>")
        assert values["words"] == pytest.approx(log1p(4))
        assert values["texts"] == pytest.approx(log1p(2))
        assert values["elements"] == pytest.approx(log1p(7))
        assert values["title_words"] == pytest.approx(log1p(2))
        assert values["linked"] == pytest.approx(1 / 4)
        assert values["texts_linked"] == pytest.approx(1 / 2)

    def test_what_is_hidden_does_not_count(self) -> None:
        shown, hidden = (
            found("<p>one two</p>"),
            found("<p>one two</p><p hidden>one two three. $5</p><script>a b</script>"),
        )
        for name in ("words", "texts", "blocks", "periods", "prices", "digits"):
            assert shown[name] == hidden[name], name

    def test_blocks(self) -> None:
        values = found(f"<p>one</p>{LONG}<p><a href=x>{WORDS} {WORDS}</a></p>")
        assert values["blocks"] == pytest.approx(log1p(3))
        assert values["long_blocks"] == pytest.approx(log(2)), "that of links is none"
        assert values["in_long_blocks"] == pytest.approx(20 / 41)
        assert values["in_very_long_blocks"] == 0
        assert values["short_blocks"] == pytest.approx(1 / 3)
        assert values["longest_block"] == values["block_words_50"] == pytest.approx(log1p(20))
        assert values["block_words"] == pytest.approx(log1p(41 / 3))
        assert values["text_begins"] == values["text_centre"] == pytest.approx(1 / 3)
        assert values["text_spread"] == pytest.approx(0)

    def test_a_list_of_links_ends_a_stretch_of_text(self) -> None:
        links = "<p><a href=x>one two</a></p>"
        assert found(LONG + links + LONG + LONG)["longest_stretch"] == pytest.approx(42 / 62)

    def test_tags_and_what_is_in_them(self) -> None:
        values = found("<article><p>one two</p><p>three</p></article><nav>four</nav><img src=a><img src=b>")
        assert values["count_p"] == values["count_img"] == pytest.approx(log1p(2))
        assert values["count_table"] == values["in_table"] == 0
        assert (values["in_article"], values["in_p"], values["in_nav"]) == (0.75, 0.75, 0.25)

    def test_marks_prices_and_dates(self) -> None:
        values = found("<p>Costs $5 or 7 EUR, or £3.50! Since 2020-01-31 and 1/2/21. Why? How?</p>")
        count = values["questions"] / 2  # one a word
        assert values["commas"] == values["exclamations"] == pytest.approx(count)
        assert values["periods"] == pytest.approx(2 * count)
        assert values["all_questions"] == pytest.approx(log(3))
        assert values["prices"] == pytest.approx(log(4))
        assert values["prices_a_word"] == pytest.approx(3 * count)
        assert values["dates"] == pytest.approx(log(3))
        assert values["semicolons"] == values["pipes"] == values["ats"] == 0

    def test_elements_alike_are_a_group(self) -> None:
        card = f"<div class=card>{WORDS} {WORDS}</div>"
        values = found(card * 4 + "<p>one two three four</p>" * 5)
        assert values["groups_10"] == pytest.approx(log(2))
        assert values["groups_30"] == values["group_30_share"] == 0
        assert values["group_10_share"] == pytest.approx(80 / 100)
        assert values["group_10_size"] == pytest.approx(log(5))
        assert values["group_10_words"] == pytest.approx(log(21))
        assert values["group_10_variation"] == pytest.approx(0, abs=1e-6)
        assert values["group_10_linked"] == 0
        assert values["groups"] == pytest.approx(log(3))
        assert values["largest_group"] == pytest.approx(log(6))

    def test_the_body_is_the_smallest_element_with_half_of_the_words(self) -> None:
        values = found(f"<div>one</div><main>{LONG}{LONG}<ul><li><a href=x>{WORDS}</a></ul></main>")
        assert values["body_depth"] == 2
        assert values["body_share"] == pytest.approx(50 / 51)
        assert values["body_linked"] == pytest.approx(10 / 50)
        assert values["body_children"] == pytest.approx(log(4))
        assert values["body_largest"] == pytest.approx(20 / 50)
        assert values["body_paragraphs"] == pytest.approx(2 / 3)


class TestAnyPage:
    @pytest.mark.parametrize("html", ["", b"", " ", "text", "<img src=x>", "<p hidden>no</p>", "<title>t</title>", "—"])
    def test_next_to_nothing(self, html: str | bytes) -> None:
        assert found(html)["words"] <= log(2)

    @pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
    def test_golden_pages(self, page: GoldenPage) -> None:
        values = found(page.source)
        assert all(0 <= value <= 1 + 1e-9 for name, value in values.items() if name.startswith("in_"))
        document = page.document()
        assert numbers(document) == numbers(document) == numbers(page.document())
        assert names(document) == names(page.document())


class TestNames:
    def test_classes_and_ids_fall_apart_into_words(self) -> None:
        assert words(FORUM, "class:") == {
            *("no", "js", "view", "topic", "page", "phpbb", "main"),
            *("post", "body", "card", "title", "side", "bar"),
        }

    def test_those_of_html_and_body_are_told_apart(self) -> None:
        assert words(FORUM, "body:") == {"no", "js", "view", "topic", "page", "phpbb", "main"}

    def test_meta_generator_and_links(self) -> None:
        assert {"generator", "og:type"} <= words(FORUM, "meta:")
        assert words(FORUM, "generator:") == {"bread", "board"}
        assert words(FORUM, "rel:") == {"canonical"}
        assert words(FORUM, "og:") == {"article"}

    def test_json_ld_by_depth(self) -> None:
        assert words(FORUM, "json:") == {"discussionforumposting", "thing", "breadcrumblist"}
        assert words(FORUM, "inner:") == {"person", "comment"}

    def test_microdata(self) -> None:
        assert words(FORUM, "item:") == {"product"}

    @pytest.mark.parametrize(
        "data",
        [
            "{", "[]", "5", "null", '{"@type": 5}', '{"@type": [1, null, {"@type": []}]}', '{"@graph": null}',
            "[" * 5_000 + "]" * 5_000, '{"a":' * 5_000 + "1" + "}" * 5_000,
        ],
    )  # fmt: skip
    def test_odd_json_ld_has_no_types(self, data: str) -> None:
        html = f"<script type='application/ld+json'>{data}</script>"
        assert words(html, "json:") == words(html, "inner:") == set()

    def test_endless_json_ld_is_cut(self) -> None:
        things = ",".join(f'{{"@type": "T{number}"}}' for number in range(5_000))
        assert 0 < len(words(f"<script type='application/ld+json'>[{things}]</script>", "json:")) <= 200
