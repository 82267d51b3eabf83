"""Facts and verdicts in words."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from tamis.document import Document
from tamis.explain import ExplainedBlock, Group, Reason, explain
from tamis.explain.effects import RunRows, typical_page
from tamis.explain.facts import Facts
from tamis.explain.words import notable_reasons, short_reasons, to_lines, turning_sentence
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.labels import Labels, Role
from tests.explain.pages import PAGE, PROSE


def runs_of(html: str) -> PageRuns:
    return PageRuns(Document.from_html(html))


def typical_of(runs: PageRuns) -> RunRows:
    return typical_page(RunRows(runs.values, runs.tags))[1]


def words_about(html: str, text: str, group: Group) -> str:
    """What a group shows about the run with this text."""
    runs = runs_of(html)
    leaves = runs.document.leaves.text
    starts = runs.first.tolist()
    for run, (start, end) in enumerate(zip(starts, [*starts[1:], len(runs.texts)], strict=True)):
        if any(text in leaves[leaf] for leaf in runs.texts[start:end].tolist()):
            return Facts(runs, typical_of(runs)).words(group, run)
    raise AssertionError(f"no run has {text!r}")


@pytest.mark.parametrize(
    ("text", "group", "words"),
    [
        ("Shop", Group.LINKS, "all of its words are links"),
        ("Later", Group.LINKS, "none of its words is a link"),
        ("Shop", Group.TAGS, "<li> in <ul>, <nav>"),
        ("All rights", Group.TAGS, "<footer> in plain elements only"),
        ("Shop", Group.LENGTH, "only 1 word"),
        ("The baker", Group.LENGTH, "long prose: 66 words (usual: 28)"),
        ("Later", Group.MARKS, "does not end like a sentence"),
        ("The baker", Group.MARKS, "ends like a sentence, 3 commas (usual: 1)"),
        ("Home", Group.PLACE, "the first of 9 blocks, after none of the page's words"),
        ("All rights", Group.PLACE, "the last of 9 blocks, after 98 % of the page's words"),
        ("Later", Group.PLACE, "block 7 of 9, after 82 % of the page's words (usual: 51 %)"),
        ("Home", Group.HEADINGS, "3 blocks before the first <h1> (usual: 8), no heading above it"),
        ("Shop", Group.ALIKE, "2 other <li> at its depth (usual: 17), all of their words are links"),
        ("Shop", Group.SECTION, "the <body> has all of the page's words"),
        (
            "Later",
            Group.SECTION,
            "the <article> has 5 blocks (usual: 14) and 136 words (usual: 272), none of them links",
        ),
        ("Later", Group.NEIGHBOURS, "the nearest blocks have 23 words on average"),
        ("Later", Group.AROUND, "nothing between its section and the page"),
        ("Later", Group.RECORDS, "the page has no records"),
        ("Bread at dawn", Group.HEADINGS, "the first <h1>"),
        ("The baker", Group.HEADINGS, "1 block below a heading"),
        ("The baker", Group.TAGS, "<p> in <article>"),
    ],
)
def test_facts_in_words(text: str, group: Group, words: str) -> None:
    assert words in words_about(PAGE, text, group)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Pumps", "before the first of 3 records, which have 99 % of the page's words"),
        ("ann 1", "in record 2 of 3 (usual: in none), with 33 % of their words"),
        ("Imprint", "after the first of 3 records, which have 99 % of the page's words"),
    ],
)
def test_a_block_knows_its_record(text: str, words: str) -> None:
    posts = "".join(f"<div class=post><p>ann {number}</p><p>{PROSE * 3}</p></div>" for number in range(3))
    assert words_about(f"<h1>Pumps</h1>{posts}<p>Imprint</p>", text, Group.RECORDS) == words


@pytest.mark.parametrize(
    ("text", "group", "words"),
    [
        ("go on", Group.LENGTH, "only 2 words (usual: 28)"),
        ("go on", Group.LINKS, "all of its words are links (usual: none)"),
        ("go on", Group.MARKS, "does not end like a sentence (usual: it does)"),
        ("go on", Group.HEADINGS, "no <h1> on the page, no heading above it"),
        ("The baker", Group.LINKS, "none of its words is a link"),
        ("The baker", Group.MARKS, "ends like a sentence, 1 comma"),
    ],
)
def test_the_usual_value_is_named_where_it_differs(text: str, group: Group, words: str) -> None:
    page = f"<article><p>{PROSE}</p><p><a href=/>go on</a></p><blockquote><p>{PROSE}</p></blockquote></article>"
    assert words_about(page, text, group) == words


def test_a_record_is_not_a_tag() -> None:
    runs = runs_of(PAGE)
    typical = typical_of(runs)
    typical.values[:, COLUMNS.index("in record")] = 1
    assert "record" not in Facts(runs, typical).words(Group.TAGS, 1)
    assert Facts(runs, typical).words(Group.RECORDS, 1) == "the page has no records (usual: in one)"


def test_links_around_a_block_are_named_where_it_has_none() -> None:
    links = "".join(f"<li><a href=/{number}>a link to {number}</a></li>" for number in range(8))
    page = f"<main><ul>{links}</ul><p>no link here</p><ul>{links}</ul></main>"
    assert words_about(page, "no link", Group.LINKS) == "none of its words is a link"
    around = (
        "the nearest blocks have 4 words on average, all of them links (usual: none); none of them end like a sentence"
    )
    assert words_about(page, "no link", Group.NEIGHBOURS) == around


@pytest.mark.parametrize(
    ("around", "words"),
    [
        ("12 34", "; the nearest blocks have 80 % digits (usual: none)"),
        ("One | two | three | four | five", "; the nearest blocks have 13 % marks such as | and › (usual: none)"),
    ],
)
def test_marks_of_the_blocks_around_are_named_where_they_differ(around: str, words: str) -> None:
    page = f"<article>{f'<p>{around}</p>' * 4}<p>In the middle</p>{f'<p>{around}</p>' * 4}</article>"
    assert words_about(page, "In the middle", Group.NEIGHBOURS).endswith(words)


def test_where_the_blocks_around_are_as_usual_on_average_one_that_is_not_is_named() -> None:
    prose = f"<p>{PROSE}</p>" * 5
    end = "; the nearest blocks have 22 words on average, none of them links; all of them end like a sentence"
    page = f"<article>{prose}<p>In the middle</p>{prose}</article>"
    assert words_about(page, "In the middle", Group.NEIGHBOURS) == f"blocks further away differ from the usual{end}"
    longer = page.replace("<p>In the", f"<p>{PROSE * 3}</p><p>In the")
    one = "one of the nearest blocks has 66 words (usual: 28); the nearest blocks have 28 words on average"
    assert words_about(longer, "In the middle", Group.NEIGHBOURS).startswith(one)


def test_parts_of_the_page_that_only_blocks_around_have_are_mentioned() -> None:
    item = "<li><p>One</p><p>Two</p></li>"
    page = f"<main><h1>Top</h1><section><p>Text</p><ul>{item * 2}</ul></section></main>"
    assert words_about(page, "Top", Group.AROUND) == "nothing between its section and the page, unlike blocks around it"
    alone = f"<main><h1>Top</h1><p>{PROSE}</p></main>"
    assert words_about(alone, "Top", Group.AROUND) == "nothing between its section and the page"


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
        ("Outside", "no known class name or role around it"),
    ],
)
def test_names_in_words(text: str, words: str) -> None:
    assert words_about(NAMED, text, Group.NAMES).partition(" (usual: ")[0] == words


def test_of_many_names_those_that_are_not_usual_and_the_rarest_are_shown() -> None:
    inner = "<div class='menu price'><p>Two</p><p>Four</p></div>"
    outer = "<div class=footer><p>Three</p><p>Five</p></div>"
    page = f"<div class='content article main footer'><p>One</p>{inner}</div>{outer}"
    assert words_about(page, "Two", Group.NAMES).startswith("named “menu”, “price”, “article”, “main”")


def test_a_usual_name_that_is_missing_is_named() -> None:
    plain = f"<article><p>{PROSE}</p><p>{PROSE}</p></article>"
    words = "no known class name or role around it (usual: “content”, “article”)"
    assert words_about(plain, "The baker", Group.NAMES) == words


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
        (f'<script type="application/ld+json">{{"name": "{PROSE.strip()}"}}</script>',
         "the page declares it as its name or headline"),
        ('<script type="application/ld+json">{"headline": "Other"}</script>',
         "the page declares nothing about it, but something about blocks around it"),
        ("", "the page declares nothing about it"),
    ],
)  # fmt: skip
def test_declarations_in_words(head: str, words: str) -> None:
    assert words_about(f"{head}<p>Other</p><p>{PROSE}</p>", "The baker", Group.DECLARED) == words


@pytest.mark.parametrize(
    ("column", "value", "group", "words"),
    [
        ("in title", 1.0, Group.HEADINGS, "its text is in the page's title"),
        ("repeated", np.log1p(2), Group.ALIKE, "2 other blocks with the same first text"),
        ("digits", 0.25, Group.MARKS, "25 % digits"),
        ("folded", 1.0, Group.TAGS, ", folded: hidden until a reader opens it"),
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
    assert words in Facts(cast("PageRuns", runs), typical_of(real)).words(group, 1)


def _block(**changes: object) -> ExplainedBlock:
    given: dict[str, object] = {"text": "T", "score": 0.4, "kept": False, "role": Role.TEXT, "xpath": "/p"}
    return ExplainedBlock(**{**given, **changes})  # type: ignore[arg-type]


_FOR = Reason(Group.TAGS, 1.0, 0.2, "<p> in <blockquote>, <main>")
_AGAINST = Reason(Group.LENGTH, -1.4, 0.73, "only 2 words (usual: 28), and more")
_KIND = {"kind": "paragraph in <main>", "start": 0.0}  # a typical one gets 0.5


def test_a_close_call_names_what_would_change_it() -> None:
    block = _block(reasons=(_AGAINST, _FOR), **_KIND)
    assert (block.close, block.usual, block.as_usual) == (True, 0.5, False)
    assert block.network == pytest.approx(0.4, abs=0.01)
    assert turning_sentence(block) == "It would be kept if one of these were typical: its length (0.73)."
    assert short_reasons(block) == "only 2 words (−1.4)"
    assert to_lines(block)[1:] == [
        "  /p",
        "  A typical paragraph in <main> would get 0.50 here. What tipped it:",
        "  −1.4  its length: only 2 words (usual: 28), and more",
        "  +1.0  the tags around it: <p> in <blockquote>, <main>",
        "  It would be kept if one of these were typical: its length (0.73).",
    ]


def test_a_close_call_that_no_group_changes() -> None:
    assert turning_sentence(_block(reasons=(_FOR,))) == "A close call, but nothing alone would change the verdict."
    assert turning_sentence(_block(reasons=(_FOR,), score=0.01)) == ""


def test_a_block_that_a_strong_reason_alone_decides_on_is_not_as_usual() -> None:
    strong = Reason(Group.NAMES, -1.8, 0.7, "named “newsletter”")
    other = Reason(Group.LENGTH, 1.6, 0.08, "long prose: 80 words")
    block = _block(reasons=(strong, other), score=0.27, kind="plain block", start=-0.8)
    assert block.usual == pytest.approx(0.31, abs=0.01)
    assert to_lines(block)[2:] == [
        "  A typical plain block would get 0.31 here. What makes the difference:",
        "  −1.8  its class names and roles: named “newsletter”",
        "  +1.6  its length: long prose: 80 words",
        "  It would be kept if one of these were typical: its class names and roles (0.70).",
    ]


def test_what_is_not_shown_is_added_up() -> None:
    small = [Reason(group, 0.2, 0.6, "") for group in (Group.LINKS, Group.MARKS, Group.PLACE)]
    block = _block(reasons=(Reason(Group.LENGTH, 1.5, 0.5, "long prose"), *small), score=0.89, kept=True, **_KIND)
    assert "  +0.6  everything else" in to_lines(block)


def test_more_reasons_are_named_where_the_rest_outweighs_one() -> None:
    strong, weak = Reason(Group.LENGTH, 1.5, 0.5, "long prose"), Reason(Group.TAGS, -0.35, 0.9, "<p> in <form>")
    against = Reason(Group.SECTION, -0.25, 0.95, "")
    small = [Reason(group, 0.2, 0.6, "") for group in (Group.LINKS, Group.MARKS, Group.PLACE, Group.NAMES)]
    block = _block(reasons=(strong, weak, against, *small), score=0.86, kept=True, **_KIND)
    assert notable_reasons(block) == [strong, weak, *small[:2]], "the one against would make the rest larger"
    many = [Reason(group, 0.5 - place / 100, 0.6, "") for place, group in enumerate(list(Group)[1:11])]
    block = _block(reasons=(strong, *many), score=0.99, kept=True, **_KIND)
    assert notable_reasons(block) == [strong, *many[:7]]


def test_a_reason_that_a_change_does_not_confirm_is_not_shown() -> None:
    """Without the group alone the score would be lower still, so nobody would believe that it speaks against."""
    doubtful = Reason(Group.SECTION, -1.0, 0.05, "the <div> has 3 blocks")
    block = _block(reasons=(_AGAINST, doubtful), score=0.08, **_KIND)
    assert notable_reasons(block) == [_AGAINST]


def test_a_note_that_settles_the_matter_stands_alone() -> None:
    block = _block(reasons=(_AGAINST,), note="the headline is no content", settled=True, **_KIND)
    assert to_lines(block)[1:] == ["  /p", "  The headline is no content."]
    assert short_reasons(block) == "the headline is no content"


def test_a_long_part_is_cut_and_control_characters_are_replaced() -> None:
    block = _block(reasons=(_AGAINST,), parts=3, part=f"\x1b{'word ' * 20}", **_KIND)
    part = f"“\ufffd{('word ' * 20)[:59]} …”, which the network gives 0.20"
    assert to_lines(block)[2] == f"  Its 3 parts are scored apart; this is about {part}."
    assert "parts" not in "".join(to_lines(replace(block, settled=True)))


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
