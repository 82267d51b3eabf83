"""JSON-LD as it comes out of the scripts of a page."""

from __future__ import annotations

import json
import math
import time

import pytest

from tamis import Document
from tamis.document.linked_data import LinkedData, mended, type_names


def script(text: str, kind: str = "application/ld+json") -> str:
    return f'<script type="{kind}">{text}</script>'


def read(html: str) -> list[object]:
    return Document.from_html(html).linked_data.values


def data(value: object) -> LinkedData:
    return Document.from_html(script(json.dumps(value))).linked_data


def test_in_the_order_of_the_page() -> None:
    assert read(f"{script('[1]')}<p>x</p>{script('{}')}<div>{script('2')}</div>") == [[1], {}, 2]


@pytest.mark.parametrize("kind", ["application/ld+json", "Application/LD+JSON", "application/ld+json; charset=utf-8"])
def test_types_that_are_json_ld(kind: str) -> None:
    assert read(script("[1]", kind)) == [[1]]


@pytest.mark.parametrize("kind", ["application/json", "text/javascript", "module", "", "importmap"])
def test_other_scripts_are_not_read(kind: str) -> None:
    assert read(script("[1]", kind)) == []
    assert read("<script>[1]</script>") == []


@pytest.mark.parametrize(
    "text", ["", " ", "{", "{'a': 1}", "[,1]", "[1,,2]", "[1,,]", "undefined", "\x00", '"', "<!--", "/* x */ [3]", ";"]
)
def test_broken_ones_are_left_out_and_the_others_stay(text: str) -> None:
    assert read(script("[1]") + script(text) + script("[2]")) == [[1], [2]]


def test_what_json_forbids_is_forgiven() -> None:
    (found,) = read(script(' {"a": "x\ny\tz", "b": NaN, "c": -Infinity};\n'))
    assert isinstance(found, dict)
    assert (found["a"], found["c"]) == ("x\ny\tz", -math.inf)
    assert math.isnan(found["b"])


@pytest.mark.parametrize(
    "text",
    [
        "<![CDATA[{}]]>",
        "//<![CDATA[\n{}\n//]]>",
        "// <![CDATA[ {} // ]]>",
        "/* <![CDATA[ */ {} /* ]]> */",
        "/*<![CDATA[*/{}/*]]>*/",
        "<!-- {} -->",
        "<!--\n{}\n//-->",
        "<!--//--><![CDATA[//><!--\n{}\n//--><!]]>",
        "\ufeff{}",
        "{};",
        "{} ;;\n",
        ", {},",
    ],
)
def test_marks_around_the_data_are_forgiven(text: str) -> None:
    kept = {"a": "<!-- x --> // y ]]> ,}"}
    assert read(script(text.replace("{}", json.dumps(kept)))) == [kept]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1,]", [1]),
        ("[1 ,\n\t]", [1]),
        ('{"a": [1, {"b": 2,},],}', {"a": [1, {"b": 2}]}),
        ('{"a": ",]", "b": "\\",}",}', {"a": ",]", "b": '",}'}),
        ("[,]", []),
    ],
)
def test_a_comma_too_many_is_forgiven(text: str, value: object) -> None:
    assert read(script(text)) == [value]


def test_several_values_in_one_script() -> None:
    for between in ("", " ", "\n", ",", ";\n", "]]>\n<![CDATA["):
        assert read(script(between.join(['{"a": 1}', "[2]", '{"b": "}{"}']))) == [{"a": 1}, [2], {"b": "}{"}]


def test_values_before_a_broken_one_are_kept() -> None:
    assert read(script('{"a": 1} {"b": 2,} {"c" 3} {"d": 4}')) == [{"a": 1}, {"b": 2}]
    assert read(script(f"[1] {'[' * 300}{']' * 300} [2]")) == [[1]]


def test_comments_to_the_end_of_a_line_are_forgiven() -> None:
    text = '// All about it\n{"a": "https://x.example", // the address\n "b": [1, // one\n], // two: "c"\n} // end'
    assert read(script(text)) == [{"a": "https://x.example", "b": [1]}]


@pytest.mark.nightly
@pytest.mark.parametrize(
    "part", ['"', '\\"', '"\\', *",|, |,]|{},|//|// |/*|<!--|<![CDATA[|]]>|{|{}| ".split("|"), '{"', "\n"]
)
def test_broken_data_takes_linear_time(part: str) -> None:
    started = time.process_time()
    for before in ("", '{"a": "', "[1, x"):
        page = Document.from_html(script(before + part * (500_000 // len(part)))).linked_data
        assert page.values is not None
        assert page.mended is not None
    assert time.process_time() - started < 30


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article" "headline": "Bread"}',
        '{"@type": "Article"\n"headline": "Bread"}',
        '[{"@type": "Article", "headline": "Bread"} {"a": 1}]',
        "{&quot;@type&quot;: &quot;Article&quot;, &quot;headline&quot;: &quot;Bread&quot;}",
        "{\u201c@type\u201d: \u201cArticle\u201d, \u201cheadline\u201d: \u201cBread\u201d}",
        '{"@type": "Article", "headline": "Bread", "text": "<a href="/rye">Rye</a> "and" salt", "a": 1}',
        '{"@type": "Article", "headline": "Bread", "author": , "a": undefined}',
        '{"@type": "Article",, "headline": "Bread"}',
        '{"@type": "Article", "headline": "Bread", "text": "C:\\Rye"}',
        '{"@type": "Article", "headline": "Bread"',
        '{"@type": "Article", "headline": "Bread", "author": {"name": "Ann',
        '{"@type": "Article", "headline": "Bread"]}',
        '//<![CDATA[\n{"@type": "Article" "headline": "Bread"} //]]>',
    ],
)
def test_broken_objects_are_mended_apart_from_the_others(text: str) -> None:
    page = Document.from_html(script("[1]") + script(text)).linked_data
    assert page.values == [[1]]
    assert page.things == []
    (thing,) = [thing for thing in page.mended if thing.types]
    assert (thing.types, thing.fields["headline"]) == (["Article"], "Bread")


def test_only_what_is_broken_is_mended() -> None:
    page = Document.from_html(script('{"a": 1} {"b": 2 "c": 3} {"d": 4}')).linked_data
    assert page.values == [{"a": 1}]
    assert [dict(thing.fields) for thing in page.mended] == [{"b": 2, "c": 3}, {"d": 4}]


@pytest.mark.parametrize("text", ["", "{", '{"a": "b"}', "undefined", "<p>Bread</p>", "var a = 1;", "{'a': 'b'}", "]"])
def test_nothing_comes_of_nothing(text: str) -> None:
    assert [thing for thing in Document.from_html(script(text)).linked_data.mended if thing.fields] == []


@pytest.mark.parametrize("value", [{"a": [1, -2.5e3, True, None, 'x\\"y\n']}, [], [[{}]], "x", {"": {"b": []}}])
def test_valid_data_keeps_its_meaning(value: object) -> None:
    assert json.loads(mended(json.dumps(value))) == value
    assert json.loads(mended(json.dumps(value, indent=2))) == value


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("depth", [201, 1_000, 10_000, 100_000])
def test_very_deep_ones_are_left_out(opening: str, closing: str, depth: int) -> None:
    assert read(script(opening * depth + "[]" + closing * depth) + script("[1]")) == [[1]]


def test_real_depth_is_kept() -> None:
    assert len(read(script("[" * 150 + "]" * 150))) == 1
    many = ",".join(['{"a": [{"b": []}]}'] * 1_000)  # many brackets, and not deep
    assert len(read(script(f"[{many}]"))) == 1


def test_of_more_than_can_be_the_rest_is_left_out() -> None:
    """Scripts up to the one that is too much are there."""
    assert read(script("[1]") + script(f'["{"x" * 5_000_000}"]') + script("[2]")) == [[1]]


def test_things_and_texts_in_document_order() -> None:
    found = data(
        {
            "@graph": [
                {"@type": "WebPage", "mainEntity": {"@type": ["Thing", "http://schema.org/Recipe/"], "name": "Bread"}},
                {"author": [{"name": "Ann"}], "name": "Page", "tags": ["x"]},
            ]
        }
    )
    assert [(thing.types, thing.keys, thing.level) for thing in found.things] == [
        ([], (), 0),
        (["WebPage"], ("@graph",), 2),
        (["Thing", "Recipe"], ("@graph", "mainEntity"), 3),
        ([], ("@graph",), 2),
        ([], ("@graph", "author"), 4),
    ]
    assert [thing.is_about_page for thing in found.things] == [True, True, True, True, False]
    texts = [(thing.level, key, text) for thing, key, text in found.texts]
    assert texts == [(2, "@type", "WebPage"), (3, "name", "Bread"), (4, "name", "Ann"), (2, "name", "Page")]


@pytest.mark.parametrize(
    ("given", "types"),
    [
        ("Recipe", ["Recipe"]),
        (" https://schema.org/Recipe ", ["Recipe"]),
        (["http://schema.org/Recipe/", "Thing", 3, None, ["Product"]], ["Recipe", "Thing"]),
        (None, []),
        (7, []),
        ({}, []),
    ],
)
def test_types(given: object, types: list[str]) -> None:
    assert type_names({"@type": given}) == types


def test_the_walk_is_bounded() -> None:
    deep: object = {"name": "x"}
    for _ in range(15):
        deep = {"a": deep}
    assert [len(data(deep).things), len(data(deep).texts)] == [13, 0]
    assert len(data([{"name": "x"}] * 30_000).things) == 19_999
