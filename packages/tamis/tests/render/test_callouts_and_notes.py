"""Callouts and footnotes. `tests/structures` has the forms of the systems."""

from __future__ import annotations

import pytest

import tamis


def markdown(html: str) -> str:
    return tamis.extract(html, extractor="keep-all", url="https://site.example/a").markdown


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("hint", "TIP"),
        ("attention", "WARNING"),
        ("danger", "CAUTION"),
        ("anything", "NOTE"),
    ],
)
def test_kinds(word: str, kind: str) -> None:
    assert markdown(f"<div class='admonition {word}'><p>Text.</p></div>") == f"> [!{kind}]\n> Text."


@pytest.mark.parametrize("title", ["Note", "NOTE:", "note", "Note!", "📝 Note"])
def test_a_title_that_repeats_the_kind_goes(title: str) -> None:
    html = f"<div class='admonition note'><p class=admonition-title>{title}</p><p>Text.</p></div>"
    assert markdown(html) == "> [!NOTE]\n> Text."


@pytest.mark.parametrize(
    "html",
    [
        "<div class=alert><p>Text.</p></div>",
        "<div class='panel faq'><p>Text.</p></div>",
        "<p class=note>Text.</p>",
        "<span class='admonition note'>Text.</span>",
        f"<div class='alert alert-info'>{'<p>Text.</p>' * 300}</div>",
    ],
)
def test_other_boxes_are_none(html: str) -> None:
    assert "[!" not in markdown(html)


@pytest.mark.parametrize(
    "box",
    [
        "<div class=admonition><p class=admonition-title>Warning</p><p>Text.</p></div>",
        "<div class='docs-alert docs-alert-warning'><p>Text.</p></div>",
        "<div class='awsdocs-note awsdocs-warning'><p>Text.</p></div>",
    ],
)
def test_a_warning_is_no_note(box: str) -> None:
    assert markdown(box) == "> [!WARNING]\n> Text."


NOTE = "<p id=n1><a href=#r1>^</a> A note.</p>"


@pytest.mark.parametrize(
    "reference",
    [
        "[<a id=r1 href='#n1'>1</a>]",
        "<a id=r1 href='#n1'>¹</a>",
        "<sup id=r1>[<a href='#n1'>1</a>]</sup>",
        "<sup id=r1><a href='https://site.example/a#n1'>1</a></sup>",
    ],
)
def test_a_mark_becomes_a_reference(reference: str) -> None:
    assert markdown(f"<p>Text{reference}.</p>{NOTE}") == "Text[^1].\n\n[^1]: A note."


@pytest.mark.parametrize(
    "note",
    [
        "<p id=n1>1. A note.</p>",
        "<p id=n1><sup>1</sup> A note.</p>",
        "<p><a name=n1>1</a>: A note.</p>",
        "<ol><li><p><a id=n1></a>A note. [<a href=#r1>back</a>]</p></li></ol>",
    ],
)
def test_a_note_loses_its_mark_and_its_link_back(note: str) -> None:
    assert markdown(f"<p>Text<sup id=r1><a href='#n1'>1</a></sup>.</p>{note}") == "Text[^1].\n\n[^1]: A note."


@pytest.mark.parametrize(
    "html",
    [
        "<p>See <a href='#n1'>1</a>.</p><h2 id=n1>One</h2><p>Text.</p>",
        "<p>See <a href='#n1'>chapter one of this long book</a>.</p><p id=n1>1. Text.</p>",
        "<p>See <a href='#n1'>1</a>.</p><p>Text <span id=n1>in the middle</span>.</p>",
        "<p>See <a class='reference internal' href='#n1'>f()</a>.</p><dl><dt id=n1>f()</dt><dd>Counts.</dd></dl>",
        "<p>See <a href='#nowhere'>1</a>.</p><p>Text.</p>",
        "<p id=n1>Text.</p><p>Back to <sup><a href='#n1'>1</a></sup></p>",
    ],
)
def test_other_links_stay_links(html: str) -> None:
    assert "[^" not in markdown(html)
    assert "](https://site.example/a#" in markdown(html)


def test_marks_of_several_articles_on_one_page_stay_apart() -> None:
    one = "<article><p>{}<sup><a href='#fn1'>1</a></sup></p><ol class=footnotes><li id=fn1>Note {}.</li></ol></article>"
    assert (
        markdown(one.format("A", "a") + one.format("B", "b")) == "A[^1]\n\nB[^1-2]\n\n[^1]: Note a.\n\n[^1-2]: Note b."
    )


def test_a_code_block_at_the_begin_of_a_note_keeps_its_indent() -> None:
    note = "<ol class=footnotes><li id=n1><pre>  a\n    b</pre></li></ol>"
    assert "  a\n" in tamis.extract(f"<p>T<sup><a href='#n1'>1</a></sup></p>{note}", extractor="keep-all").html


@pytest.mark.nightly
def test_many_notes_with_the_same_mark_take_linear_time() -> None:
    one = "<p>T<sup><a href='#n{0}'>*</a></sup></p><p id=n{0}>* Note.</p>"
    found = markdown("".join(one.format(number) for number in range(3_000)))
    assert found.count("\n[^") == 3_000
