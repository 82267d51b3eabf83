"""JSON-LD as it comes out of the scripts of a page."""

from __future__ import annotations

import math
import time

import pytest

from tamis import Document
from tamis.document import parse


def script(text: str, kind: str = "application/ld+json") -> str:
    return f'<script type="{kind}">{text}</script>'


def read(html: str) -> list[object]:
    return parse.json_ld(Document.from_html(html).tree)


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
    "text", ["", " ", "{", "{'a': 1}", "[1,]", "undefined", '{"a": 1} {"b": 2}', "\x00", '"', "<!--"]
)
def test_broken_ones_are_left_out_and_the_others_stay(text: str) -> None:
    assert read(script("[1]") + script(text) + script("[2]")) == [[1], [2]]


def test_what_json_forbids_is_forgiven() -> None:
    (found,) = read(script(' {"a": "x\ny\tz", "b": NaN, "c": -Infinity};\n'))
    assert isinstance(found, dict)
    assert (found["a"], found["c"]) == ("x\ny\tz", -math.inf)
    assert math.isnan(found["b"])


def test_unicode_comes_through() -> None:
    assert read(script(r'["\u5929 天", "\ud83d\ude00"]')) == [["天 天", "😀"]]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("depth", [201, 1_000, 10_000, 100_000])
def test_very_deep_ones_are_left_out(opening: str, closing: str, depth: int) -> None:
    assert read(script(opening * depth + "[]" + closing * depth) + script("[1]")) == [[1]]


def test_real_depth_is_kept() -> None:
    assert len(read(script("[" * 150 + "]" * 150))) == 1
    many = ",".join(['{"a": [{"b": []}]}'] * 1_000)  # many brackets, and not deep
    assert len(read(script(f"[{many}]"))) == 1


def test_a_million_values_are_read_soon() -> None:
    started = time.process_time()
    (found,) = read(script(f"[{'1,' * 999_999}1]"))
    assert isinstance(found, list)
    assert len(found) == 1_000_000
    assert time.process_time() - started < 30


def test_of_more_than_can_be_the_rest_is_left_out() -> None:
    """Scripts up to the one that is too much are there."""
    assert read(script("[1]") + script(f'["{"x" * 5_000_000}"]') + script("[2]")) == [[1]]


def test_many_scripts_are_read_together_up_to_a_limit() -> None:
    found = read(script(f'["{"x" * 1_500_000}"]') * 4)
    assert len(found) == 2
