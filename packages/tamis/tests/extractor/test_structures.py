"""Structures stay or go whole, and stay in the flow of kept text."""

from __future__ import annotations

import time

import pytest

import tamis
from tamis import Document
from tamis.page_type import PageType
from tests.extractor.pages import DROPPED, MORE, PROSE, decide

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


def kept(html: str) -> list[str]:
    """What is kept if the network keeps the runs that begin with "yes", and "dropped" ones may not come back."""
    return decide(html, lambda text: {"yes": 1, "dropped": DROPPED}.get(text.split()[0], -1)).kept


class TestWhole:
    def test_the_mean_by_words_decides(self) -> None:
        assert kept("<ul><li>yes yes<li>no</ul>") == ["yes yes", "no"]
        assert kept("<p>yes yes<ul><li>yes<li>no no</ul>") == ["yes yes"]

    def test_they_are_as_sure_as_their_mean(self) -> None:
        assert decide("<ul><li>a a a<li>b</ul>", [4, -2]).logits == [2.5, 2.5]
        assert decide("<p>a a<ul><li>a<li>b b b</ul>", [9, 2, -4]).logits == [9, -2.5, -2.5]

    def test_one_with_most_of_the_text_does_not_go(self) -> None:
        html = "<p>yes<ol><li>yes yes<li>no no no no</ol>"
        assert kept(html) == ["yes", "yes yes"]
        listing = decide(html, lambda text: 1 if text.startswith("yes") else -1, page_type=PageType.LISTING)
        assert listing.kept == ["yes"], "on a listing it may be a menu"

    @pytest.mark.parametrize("html", ["<dl><dt>no<dd>yes it is</dl>", "<blockquote><p>yes it is<p>no</blockquote>",
                                      "<figure><p>yes it is</p><figcaption>no</figcaption></figure>",
                                      "<table><tr><td>yes it is<tr><td>no</table>"])  # fmt: skip
    def test_all_kinds_stay_whole(self, html: str) -> None:
        assert sorted(kept(html)) == ["no", "yes it is"]

    @pytest.mark.parametrize("tag", ["pre", "listing", "ul", "ol", "dl", "blockquote", "figure"])
    def test_so_do_blocks_in_them(self, tag: str) -> None:
        assert kept(f"<{tag}><div>yes it is</div><div>no</div></{tag}>") == ["yes it is", "no"]
        assert kept("<div><div>yes it is</div><div>no</div></div>") == ["yes it is"]

    def test_the_outermost_decides(self) -> None:
        assert kept("<ul><li>yes yes yes<ul><li>no<li>yes</ul></ul>") == ["yes yes yes", "no", "yes"]

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
        assert {text.split()[0] for text in kept(html)} == {"yes"}

    def test_what_was_dropped_never_comes_back(self) -> None:
        assert kept("<ul><li>yes yes yes<li>no<li>dropped</ul>") == ["yes yes yes", "no"]
        assert kept("<ul><li>yes<li>dropped dropped</ul>") == ["yes"]

    def test_without_kept_text_nothing_changes(self) -> None:
        assert decide("<p>a<ul><li>b</ul>", [-1, -2]).logits == [-1, -2]


class TestFlow:
    @pytest.mark.parametrize(
        "html",
        [
            "<p>yes<ul><li>no<li>no</ul><p>yes",
            "<p>yes<h2>no</h2><p>yes",
            "<div><p>yes</div><ul><li>no<li>no</ul><p>yes",
            "<p>yes<figure><img src=x><figcaption>no</figcaption></figure><p>yes",
            "<p>yes<p>no = 2<p>yes",
            r"<p>yes<p>no \alpha<p>yes",
        ],
    )
    def test_between_kept_texts_they_stay(self, html: str) -> None:
        assert any(text.startswith("no") for text in kept(html))

    @pytest.mark.parametrize(
        "html",
        [
            "<p>yes<p>no<p>yes",  # a paragraph is left to the network
            "<p>yes<ul><li>no</ul>",
            "<ul><li>no</ul><p>yes",
            "<p>yes<div><ul><li>no</ul></div><p>yes",  # in another container
            "<p>yes<ul><li><a href=x>no</a></ul><p>yes",
            "<p>yes<h2><a href=x>no</a></h2><p>yes",
            "<p>yes<h1>no</h1><p>yes",
            f"<p>yes<h2>{'no ' * 31}</h2><p>yes",
            f"<p>yes<ul><li>{'no ' * 101}</ul><p>yes",
        ],
    )
    def test_elsewhere_they_do_not(self, html: str) -> None:
        assert set(kept(html)) == {"yes"}

    @pytest.mark.parametrize("inside", ["<li>dropped", "<li>no<li>dropped", "<li>dropped<li>no"])
    def test_what_was_dropped_never_comes_back(self, inside: str) -> None:
        assert kept(f"<p>yes<ul>{inside}</ul><p>yes") == ["yes", "yes"]

    def test_they_are_as_sure_as_the_less_sure_of_their_neighbours(self) -> None:
        assert decide("<p>a<ul><li>b</ul><p>c", [3, -1, 2]).logits == [3, 2, 2]
        assert decide("<p>a<h2>b</h2><p>c", [2, -1, 3]).logits == [2, 2, 3]


@pytest.mark.nightly
def test_many_of_them_are_soon_done() -> None:
    html = "<table><tr><th>a<th>b<tr><td>x</table>" * 20_000 + "<p>x<ul><li>y</ul>" * 10_000
    document = Document.from_html(html)
    started = time.process_time()
    decide(document, [1 if run % 3 == 0 else -1 for run in range(80_000)])
    assert time.process_time() - started < 5
