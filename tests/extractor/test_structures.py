"""Structures stay or go whole, and stay in the flow of kept text."""

from __future__ import annotations

import time

import numpy as np
import pytest

import tamis
from tamis import Document
from tamis.arrays import places
from tamis.extractor.policy import DROPPED
from tamis.extractor.runs import PageRuns
from tamis.extractor.structures import with_whole_structures
from tests.extractor.pages import texts

PROSE = (
    "The old pump house stands at the end of the lane, and every spring the water board sends somebody to look after "
    "its valves. This year the task fell to a retired engineer who had built it."
)
MORE = (
    "Nobody remembers when the first pipe was laid, but the records of the parish speak of water in the square long "
    "before the railway came to the valley, and of a wheel that turned day and night."
)
TABLE = "<table><tr><th>Year<th>Flow<tr><td>1990<td>12<tr><td>2000<td>14</table>"


def article(inside: str) -> str:
    return f"""<title>The pump house</title><nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav>
    <article><h1>The pump house</h1><p>{PROSE}</p><p>{MORE}</p>{inside}<p>After that, {MORE}</p></article>
    <footer>Imprint</footer>"""


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<ol><li>Open the valve.<li>Wait.<li>Close it again.</ol>", ["Open the valve.", "Wait.", "Close it again."]),
        ("<ul><li>a wheel<li>a pipe</ul>", ["a wheel", "a pipe"]),
        (TABLE, ["Year", "1990", "14"]),
        ("<blockquote><p>Water finds its way.</p></blockquote>", ["Water finds its way."]),
        ("<pre><code>pump --on</code></pre>", ["pump --on"]),
        ("<div class=equation>E = mc²</div>", ["E = mc²"]),
        (r"<p>\[ \frac{a}{b} \]</p>", [r"\frac{a}{b}"]),
        ("<h3>Pipes</h3>", ["Pipes"]),
        (
            '<blockquote class="twitter-tweet"><p>The pumps are running again! <a href=x>pic.twitter.com/x</a></p>'
            "— Water Board (@water) <a href=y>May 4, 2024</a></blockquote>",
            ["The pumps are running again!", "Water Board", "May 4, 2024"],
        ),
    ],
)
def test_small_structures_in_an_article_stay(inside: str, expected: list[str]) -> None:
    text = tamis.extract(article(inside)).text
    assert PROSE in text
    assert [each for each in expected if each not in text] == []


@pytest.mark.parametrize(
    "inside",
    [
        "<ul><li><a href=a>Ten pumps to see before you die</a><li><a href=b>The valves of Venice</a></ul>",
        "<ul class=tags><li><a href=a>pumps</a><li><a href=b>water</a></ul>",
        '<blockquote class="wp-embedded-content"><a href=a>The valves of Venice</a></blockquote>',
    ],
)
def test_links_in_an_article_go_where_the_network_drops_them(inside: str) -> None:
    assert tamis.extract(article(inside)).text == tamis.extract(article("")).text


def kept(html: str, *, yes: str, dropped: str = "dropped") -> list[str]:
    """The runs that are kept if those that begin with `yes` would be alone, and those with `dropped` were dropped."""
    runs = PageRuns(Document.from_html(html))
    found = texts(runs)
    is_dropped = np.array([text.startswith(dropped) for text in found])
    logits = np.array([1.0 if text.startswith(yes) else -1.0 for text in found], np.float32)
    logits[is_dropped] = DROPPED
    return [found[run].strip() for run in places(with_whole_structures(runs, logits, is_dropped, 0.0) >= 0)]


class TestWhole:
    def test_the_mean_by_words_decides(self) -> None:
        assert kept("<ul><li>yes yes<li>no</ul>", yes="yes") == ["yes yes", "no"]
        assert kept("<ul><li>yes<li>no no</ul>", yes="yes") == []

    @pytest.mark.parametrize("html", ["<dl><dt>no<dd>yes it is</dl>", "<blockquote><p>yes it is<p>no</blockquote>",
                                      "<figure><p>yes it is</p><figcaption>no</figcaption></figure>",
                                      "<table><tr><td>yes it is<tr><td>no</table>"])  # fmt: skip
    def test_all_kinds_stay_whole(self, html: str) -> None:
        assert sorted(kept(html, yes="yes")) == ["no", "yes it is"]

    def test_the_outermost_decides(self) -> None:
        html = "<ul><li>yes yes yes<ul><li>no<li>yes</ul></ul>"
        assert kept(html, yes="yes") == ["yes yes yes", "no", "yes"]

    @pytest.mark.parametrize(
        "html",
        [
            "<table><tr><td>yes yes<td>no</table>",  # a single row arranges a page
            "<table><tr><td>yes yes<tr><td><table><tr><td>no</table></table>",
            "<ul><li>yes yes<li>no<li><button>buy</button></ul>",
            f"<ul><li>{'yes ' * 500}<li>no</ul>",
        ],
    )
    def test_others_fall_apart(self, html: str) -> None:
        assert {text.split()[0] for text in kept(html, yes="yes")} == {"yes"}

    def test_what_was_dropped_never_comes_back(self) -> None:
        assert kept("<ul><li>yes yes yes<li>no<li>dropped</ul>", yes="yes") == ["yes yes yes", "no"]
        assert kept("<ul><li>yes<li>dropped dropped</ul>", yes="yes") == ["yes"]

    def test_without_kept_text_nothing_changes(self) -> None:
        assert kept("<p>a<ul><li>b</ul>", yes="none") == []


class TestFlow:
    @pytest.mark.parametrize(
        "html",
        [
            "<p>yes<ul><li>no<li>no</ul><p>yes",
            "<p>yes<h2>no</h2><p>yes",
            "<div><p>yes</div><ul><li>no<li>no</ul><p>yes",
            "<p>yes<figure><img src=x><figcaption>no</figcaption></figure><p>yes",
        ],
    )
    def test_between_kept_texts_they_stay(self, html: str) -> None:
        assert "no" in kept(html, yes="yes")

    @pytest.mark.parametrize(
        "html",
        [
            "<p>yes<p>no<p>yes",  # a paragraph is left to the network
            "<p>yes<ul><li>no</ul>",
            "<ul><li>no</ul><p>yes",
            "<p>yes<div><ul><li>no</ul></div><p>yes",  # in another container
            "<p>yes<ul><li><a href=x>no</a></ul><p>yes",
            f"<p>yes<ul><li>{'no ' * 101}</ul><p>yes",
        ],
    )
    def test_elsewhere_they_do_not(self, html: str) -> None:
        assert set(kept(html, yes="yes")) == {"yes"}

    @pytest.mark.parametrize("inside", ["<li>dropped", "<li>no<li>dropped", "<li>dropped<li>no"])
    def test_what_was_dropped_never_comes_back(self, inside: str) -> None:
        assert kept(f"<p>yes<ul>{inside}</ul><p>yes", yes="yes") == ["yes", "yes"]

    def test_they_are_as_sure_as_their_neighbours(self) -> None:
        runs = PageRuns(Document.from_html("<p>a<ul><li>b</ul><p>c"))
        nothing = np.zeros(3, np.bool_)
        assert with_whole_structures(runs, np.array([3, -1, 2], np.float32), nothing, 0.0).tolist() == [3, 2, 2]


def test_many_of_them_are_soon_done() -> None:
    html = "<table><tr><th>a<th>b<tr><td>x</table>" * 20_000 + "<p>x<ul><li>y</ul>" * 10_000
    runs = PageRuns(Document.from_html(html))
    logits = np.where(np.arange(len(runs)) % 3 == 0, 1.0, -1.0).astype(np.float32)
    runs.values, runs.tags  # noqa: B018 -- made before
    started = time.process_time()
    with_whole_structures(runs, logits, np.zeros(len(runs), np.bool_), 0.0)
    assert time.process_time() - started < 5
