"""Facts and verdicts in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from tamis.document import Document
from tamis.explain import ExplainedBlock, Group, Reason, explain
from tamis.explain.facts import Facts
from tamis.explain.words import short_reasons, turning_sentence
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.labels import Labels, Role
from tests.explain.pages import PAGE, PROSE


def runs_of(html: str) -> PageRuns:
    return PageRuns(Document.from_html(html))


def words_about(html: str, text: str, group: Group) -> str:
    """What a group shows about the run with this text."""
    runs = runs_of(html)
    leaves = runs.document.leaves.text
    starts = runs.first.tolist()
    for run, (start, end) in enumerate(zip(starts, [*starts[1:], len(runs.texts)], strict=True)):
        if any(text in leaves[leaf] for leaf in runs.texts[start:end].tolist()):
            return Facts(runs).words(group, run)
    raise AssertionError(f"no run has {text!r}")


@pytest.mark.parametrize(
    ("text", "group", "words"),
    [
        ("Shop", Group.LINKS, "all of its words are links"),
        ("Later", Group.LINKS, "none of its words is a link"),
        ("Shop", Group.TAGS, "<li> in <ul>, <nav>"),
        ("All rights", Group.TAGS, "<footer> in plain elements only"),
        ("Shop", Group.LENGTH, "only 1 word"),
        ("The baker", Group.LENGTH, "long prose: 66 words, between blocks of 10 on average"),
        ("Later", Group.MARKS, "does not end like a sentence"),
        ("The baker", Group.MARKS, "ends like a sentence, 3 commas"),
        ("Home", Group.PLACE, "block 1 of 9, after none of the page's words, 4 levels deep"),
        ("Home", Group.HEADINGS, "3 blocks before the first <h1>, no heading above it"),
        ("Shop", Group.ALIKE, "2 other blocks like it (<li> at its depth), all of their words are links"),
        ("Shop", Group.SECTION, "the <body> has all of the page's words"),
        (
            "Later",
            Group.SECTION,
            "the <article> has 5 blocks and 136 words, none of them links; 96 % of the page's words",
        ),
        ("Later", Group.AROUND, "nothing between its section and the page"),
    ],
)
def test_facts_in_words(text: str, group: Group, words: str) -> None:
    assert words in words_about(PAGE, text, group)


def test_a_heading_knows_that_it_is_one() -> None:
    assert "the first <h1>" in words_about(PAGE, "Bread at dawn", Group.HEADINGS)
    assert "below a heading" not in words_about(PAGE, "Bread at dawn", Group.HEADINGS)
    assert "no <h1> on the page" in words_about(f"<p>{PROSE}</p><p>more</p>", "more", Group.HEADINGS)
    assert "1 block below a heading" in words_about(PAGE, "The baker", Group.HEADINGS)


def test_links_around_a_block_are_named_where_it_has_none() -> None:
    links = "".join(f"<li><a href=/{number}>a link to {number}</a></li>" for number in range(8))
    page = f"<ul>{links}</ul><p>no link here</p><ul>{links}</ul>"
    assert words_about(page, "no link", Group.LINKS) == "none of its words is a link, but all of those around it"


def test_a_block_deep_inside_names_what_it_stands_in() -> None:
    item = "<li><div><h3>Name</h3><p>Words of it</p></div><p>Price</p></li>"
    page = f"<main><section><p>{PROSE}</p><ul>{item * 5}</ul></section><p>{PROSE}</p></main><footer>End here</footer>"
    assert "the <li> has 3 blocks" in words_about(page, "Words", Group.SECTION)
    around = words_about(page, "Words", Group.AROUND)
    assert "the <section> has 16 blocks" in around, "the <main> is nearly all of the page"


NAMED = f"""<main class="content layout"><div class="sidebar">
<ul id=mainMenu role=Navigation><li>Home</li><li>News</li></ul></div>
<p itemprop="description">{PROSE}</p><p>Plain</p></main><p>Outside</p>"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Home", "named “side”, “menu”, “main”, “content”; role “navigation”"),
        ("The baker", "named “content”; property “description”"),
        ("Plain", "named “content”"),
        ("Outside", "no class name or role that describes it"),
    ],
)
def test_names_in_words(text: str, words: str) -> None:
    assert words_about(NAMED, text, Group.NAMES) == words


def test_of_many_names_the_rarest_are_shown() -> None:
    inner = "<div class='menu price'><p>Two</p><p>Four</p></div>"
    outer = "<div class=footer><p>Three</p><p>Five</p></div>"
    page = f"<div class='content article main footer'><p>One</p>{inner}</div>{outer}"
    assert words_about(page, "Two", Group.NAMES) == "named “menu”, “price”, “content”, “article”"


def test_names_are_those_of_our_list() -> None:
    """So no markup of the page gets into an explanation."""
    assert (
        words_about("<div class='nav&lt;script&gt; “x”'><p>One</p><p>Two</p></div><p>Three", "One", Group.NAMES)
        == "named “menu”"
    )


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (f'<meta name=description content="{PROSE}">',
         "the page declares it as its description for search engines; the page's description begins here"),
        (f'<script type="application/ld+json">{{"articleBody": "{PROSE}"}}</script>',
         "the page declares it as its text"),
        (f'<script type="application/ld+json">{{"text": "{PROSE}", "reviewBody": "{PROSE}"}}</script>',
         "the page declares it as its text, a review"),
        (f'<meta name=description content="{PROSE[10:80]}">', "the page's description begins here"),
        ("", "the page declares nothing about it"),
    ],
)  # fmt: skip
def test_declarations_in_words(head: str, words: str) -> None:
    assert words_about(f"{head}<p>Other</p><p>{PROSE}</p>", "The baker", Group.DECLARED) == words


def test_a_declared_name() -> None:
    page = '<script type="application/ld+json">{"headline": "Bread"}</script><h1>Bread</h1><p>Other</p>'
    assert words_about(page, "Bread", Group.DECLARED) == "the page declares it as its name or headline"
    assert words_about(page, "Other", Group.DECLARED) == "the page declares nothing about it"


def test_names_and_declarations_are_reasons() -> None:
    page = f"""<meta name=description content="{PROSE}"><div class=comments><p>Nice bread</p><p>I want some</p></div>
    <article class=post><p>{PROSE * 2}</p><p>And more of it.</p></article>"""
    found = explain(page, extractor="tamis")
    (comment,) = found.find("nice bread")
    reasons = {reason.group: reason.words for reason in comment.reasons}
    assert reasons[Group.NAMES] == "named “comments”"
    assert reasons[Group.DECLARED] == "the page declares nothing about it"
    assert "its class names and roles" in found.html


@pytest.mark.parametrize(
    ("column", "value", "group", "words"),
    [
        ("in title", 1.0, Group.HEADINGS, "its text is in the page's title"),
        ("repeated", np.log1p(2), Group.ALIKE, "2 other blocks with the same first text"),
        ("digits", 0.25, Group.MARKS, "25 % digits"),
        ("folded", 1.0, Group.TAGS, "<li> in <ul>, <nav>, folded: hidden until a reader opens it"),
        ("words before", 0.004, Group.PLACE, "block 2 of 9, after under 1 % of the page's words"),
    ],
)
def test_a_column_in_words(column: str, value: float, group: Group, words: str) -> None:
    real = runs_of(PAGE)
    runs = SimpleNamespace(
        document=real.document,
        element=real.element,
        words=real.words,
        tags=real.tags,
        values=real.values.copy(),
    )
    runs.values[:, COLUMNS.index(column)] = value
    assert words in Facts(cast("PageRuns", runs)).words(group, 1)


def _block(**changes: object) -> ExplainedBlock:
    given: dict[str, object] = {"text": "T", "score": 0.4, "kept": False, "role": Role.TEXT, "xpath": "/p"}
    return ExplainedBlock(**{**given, **changes})  # type: ignore[arg-type]


_FOR = Reason(Group.TAGS, 1.0, 0.2, "<p> in <main>, <body>")
_AGAINST = Reason(Group.LENGTH, -1.4, 0.73, "only 2 words")


def test_a_close_call_names_what_would_change_it() -> None:
    block = _block(reasons=(_AGAINST, _FOR))
    assert block.close
    assert turning_sentence(block) == "It would be kept if one of these were average for this page: its length (0.73)."
    assert short_reasons(block) == "only 2 words (−1.4)"


def test_a_close_call_that_no_group_changes() -> None:
    assert turning_sentence(_block(reasons=(_FOR,))) == "A close call, but no group alone would change the verdict."
    assert turning_sentence(_block(reasons=(_FOR,), score=0.01)) == ""
    assert short_reasons(_block(reasons=(_FOR,))) == "<p> in <main> (+1.0)"


def test_where_a_rule_decided_no_group_changes_the_verdict() -> None:
    block = _block(reasons=(_AGAINST,), note="a rule after the network dropped it regardless of its score")
    assert (block.turning, turning_sentence(block)) == ((), "")


def test_labels_that_are_not_the_networks_get_a_note() -> None:
    from tamis.extractor.tamis import Tamis

    class Stubborn(Tamis):
        def label(self, document: Document) -> Labels:
            labels = super().label(document)
            scores = labels.scores.copy()
            scores[document.leaves.visible_text[0]] = 0.9
            return Labels(scores, np.zeros(len(scores), dtype=np.bool_))

    found = explain(PAGE, extractor=Stubborn())
    assert "a later rule changed it" in found.blocks[0].note
    assert any("a rule after the network dropped it" in block.note for block in found.blocks[1:])
    assert "A later rule" not in found.html
    assert "The network's score is" in found.html
