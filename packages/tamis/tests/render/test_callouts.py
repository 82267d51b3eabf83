"""Callouts: kinds and titles. `tests/pages/structure/callouts` has the forms of the systems."""

from __future__ import annotations

import pytest

import tamis


def markdown(html: str) -> str:
    return tamis.extract(html, extractor="keep-all").markdown


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("note", "NOTE"),
        ("info", "NOTE"),
        ("seealso", "NOTE"),
        ("hint", "TIP"),
        ("success", "TIP"),
        ("important", "IMPORTANT"),
        ("attention", "WARNING"),
        ("danger", "CAUTION"),
        ("error", "CAUTION"),
        ("anything", "NOTE"),
    ],
)
def test_kinds(word: str, kind: str) -> None:
    assert markdown(f"<div class='admonition {word}'><p>Text.</p></div>") == f"> [!{kind}]\n> Text."


@pytest.mark.parametrize("title", ["Note", "NOTE:", "note", "Note!", "📝 Note"])
def test_a_title_that_repeats_the_kind_goes(title: str) -> None:
    html = f"<div class='admonition note'><p class=admonition-title>{title}</p><p>Text.</p></div>"
    assert markdown(html) == "> [!NOTE]\n> Text."


def test_other_titles_stay() -> None:
    html = "<div class='admonition example'><p class=admonition-title>Example</p><p>Text.</p></div>"
    assert markdown(html) == "> [!NOTE]\n> **Example**\n>\n> Text."


@pytest.mark.parametrize(
    "html",
    [
        "<div class=alert><p>Text.</p></div>",
        "<div class='notice'><p>Text.</p></div>",
        "<div class='panel panel-default'><p>Text.</p></div>",
        "<div class='panel faq'><p>Text.</p></div>",
        "<p class=note>Text.</p>",
        "<span class='admonition note'>Text.</span>",
        f"<div class='alert alert-info'>{'<p>Text.</p>' * 300}</div>",
    ],
)
def test_other_boxes_are_none(html: str) -> None:
    assert "[!" not in markdown(html)


def test_a_callout_in_a_callout() -> None:
    inner = "<div class='admonition tip'><p class=admonition-title>Tip</p><p>Inner.</p></div>"
    html = f"<div class='admonition note'><p class=admonition-title>Note</p><p>Outer.</p>{inner}</div>"
    assert markdown(html) == "> [!NOTE]\n> Outer.\n>\n> > [!TIP]\n> > Inner."


@pytest.mark.parametrize(
    "box",
    [
        "<div class='admonition admonish-warning'><div class=admonition-title><p>Warning</p></div><p>Text.</p></div>",
        "<div class=admonition><p class=admonition-title>Warning</p><p>Text.</p></div>",
        "<div class='bd-callout bd-callout-warning'><p>Text.</p></div>",
        "<div class='docs-alert docs-alert-warning'><p>Text.</p></div>",
        "<div class='pageinfo pageinfo-warning'><p>Text.</p></div>",
        "<div class='awsdocs-note awsdocs-warning'><p>Text.</p></div>",
    ],
)
def test_a_warning_is_no_note(box: str) -> None:
    assert markdown(box) == "> [!WARNING]\n> Text."
