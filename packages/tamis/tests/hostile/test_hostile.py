"""Hostile pages end in a result or in an error of ours, in time and in memory that grow with the page."""

from __future__ import annotations

import json
import threading
import time

import pytest

import tamis
from tamis.document import table
from tests.hostile.pages import HOSTILE, SHAPES
from tests.hostile.run import OUTPUTS, attempt, watched

SECONDS, MEGABYTES = 5.0, 1_000
SMALL, GROWTH = 8_000, 8  # from the small page to the large one


@pytest.mark.parametrize("size", [500, pytest.param(5_000, marks=pytest.mark.nightly)])
def test_every_output_of_every_page_ends_in_time(size: int) -> None:
    ended = []
    for told in watched(size):
        assert "lost" not in told, told
        assert max(told["seconds"].values()) < SECONDS, told
        assert told["megabytes"] < MEGABYTES, told
        ended.append(told["page"])
    assert ended == list(HOSTILE)


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(SHAPES))
def test_time_is_linear(name: str) -> None:
    small = attempt(name, SMALL)["seconds"]
    for _ in range(3):  # the machine may be busy
        large = attempt(name, GROWTH * SMALL)["seconds"]
        # Eight times the page may take eight times as long; a quadratic output takes 64 times.
        slow = {stage: taken for stage, taken in large.items() if taken > max(1.5, 3 * GROWTH * small[stage])}
        if not slow:
            return
    raise AssertionError(f"{slow} for {GROWTH} times the page that takes {small}")


def test_a_page_of_very_many_elements_is_refused() -> None:
    for unit in ("<p>w", "w<!---->"):
        with pytest.raises(tamis.PageTooLarge, match="the limit is 300,000"):
            tamis.extract(unit * (table.MAX_ELEMENTS + 1))


def test_an_output_that_would_be_very_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.render.safe._AT_LEAST", 1_000)
    page = tamis.extract("<div>" * 150 + "<p>word" * 300, extractor="keep-all")
    assert page.text
    with pytest.raises(tamis.PageTooLarge, match="the output has more than"):
        _ = page.blocks
    with pytest.raises(tamis.PageTooLarge, match="the output has more than"):
        page.as_dict(blocks=True)
    monkeypatch.setattr("tamis.render.safe._TIMES", 0)
    with pytest.raises(tamis.PageTooLarge, match="the output has more than"):
        _ = page.json


def test_a_table_with_spans_stays_a_grid() -> None:
    rows = "<tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d" * 300
    markdown = tamis.extract(f"<table><tr><th>1<th>2<th>3{rows}</table>", extractor="keep-all").markdown
    assert markdown.splitlines()[2:4] == ["| a | b | b |", "| a | c | d |"]
    assert len(markdown.splitlines()) == 602


@pytest.mark.parametrize("script", ["", "<script>x</script>"])
@pytest.mark.parametrize("tail", ["", "tail", "<p>tail", "tail<script></script>tail"])
def test_text_that_the_parser_puts_beside_the_root_is_text(script: str, tail: str) -> None:
    html = f"{script}<p>{'<math><mi>' * 253}<table><td></tr>x</button>y</blockquote><i>{'words ' * 30}{tail}"
    for extractor in ("tamis", "keep-all"):
        page = tamis.extract(html, extractor=extractor)
        assert "words words" in page.text
        assert extractor == "tamis" or page.text.endswith(tail[-4:])
        for output in OUTPUTS:
            getattr(page, output)


def test_json_is_what_as_dict_says() -> None:
    for html in ("", '<p>a \u2028 \x7f "b" \\ </p><p>\U0001f600\t<b>x</b>', HOSTILE["rows of two cells"](500)):
        page = tamis.extract(html, extractor="keep-all", url="https://example.org/")
        assert page.json == json.dumps(page.as_dict(), ensure_ascii=False, indent=2)


class _Slow:
    """An extractor that takes a while, and then keeps all."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def label(self, document: tamis.Document) -> tamis.Labels:
        time.sleep(self.seconds)
        return tamis.extract(document, extractor="keep-all").labels


def test_a_timeout_ends_an_extraction_in_any_thread() -> None:
    raised: list[str] = []

    def run() -> None:
        try:
            tamis.extract("<p>words", extractor=_Slow(0.2), timeout=0.1)
        except tamis.PageTooSlow as error:
            raised.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == ["the page takes longer than 0.1 s"] * 4
    assert tamis.extract("<p>words", extractor=_Slow(0.2)).text == "words"


@pytest.mark.parametrize("output", ["text", "html", "markdown", "json", "metadata"])
def test_each_output_has_the_time_of_the_page(output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tamis.extract("<p>some words" * 2_000, extractor="keep-all", timeout=60)
    assert getattr(page, output)
    late = tamis.extract("<p>some words" * 2_000, extractor="keep-all", timeout=60)
    clock = iter([0.0, *[61.0] * 10_000])
    monkeypatch.setattr("tamis.deadline.monotonic", lambda: next(clock))
    with pytest.raises(tamis.PageTooSlow, match="longer than 60 s"):
        getattr(late, output)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_a_timeout_is_a_number_of_seconds(timeout: float) -> None:
    with pytest.raises(tamis.OptionError, match="timeout"):
        tamis.extract("<p>words", timeout=timeout)


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_overflows_are_errors_of_ours(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    class Overflows:
        def label(self, document: tamis.Document) -> tamis.Labels:
            raise error

    with pytest.raises(tamis.PageTooLarge):
        tamis.extract("<p>words", extractor=Overflows())
    page = tamis.extract("<p>words", extractor="keep-all")

    def overflow(*_: object) -> str:
        raise error

    monkeypatch.setattr("tamis.render.html.to_html", overflow)
    with pytest.raises(tamis.PageTooLarge):
        _ = page.html
