"""Data tables beside kept text stay whole; menus, calendars and layout do not."""

from __future__ import annotations

import time

import pytest

import tamis
from tamis import Document
from tamis.labels import Role
from tests.extractor.pages import DROPPED, MORE, PROSE, decide
from tests.extractor.test_structures import article

TOWNS = "Aston Barlow Corby Denby Elmley Fenton Garston Hanley Ilford Jarrow Kelso Ludlow Malton Norley Oldham".split()
RANKING = "".join(f"<tr><td>{place}<td>{town}<td>{90 - 3 * place}<td>{7 * place} m" for place, town in enumerate(TOWNS))
CALENDAR = "<tr><th>M<th>T<th>W<th>T<th>F<th>S<th>S" + "<tr><td>1<td>2<td>3<td>4<td>5<td>6<td>7" * 4


@pytest.mark.parametrize("wrap", ["{}", "<div class=table-wrapper><div>{}</div></div>", "<figure>{}</figure>"])
def test_a_long_table_in_an_article_stays_whole(wrap: str) -> None:
    table = f"<table><tr><th>Rank<th>Town<th>Points<th>Depth{RANKING * 3}</table>"
    text = tamis.extract(article(f"{wrap.format(table)}<h2>Afterwards</h2><p>{MORE} It held.</p>")).text
    assert PROSE in text
    assert text.count("Oldham\t48\t98 m") == 3
    assert text.index("Rank\tTown") < text.index("After that")


@pytest.mark.parametrize(
    "after",
    [
        "<table>" + "<tr><td><a href=a>Ten pumps to see</a><td><a href=b>The valves of Venice</a>" * 4 + "</table>",
        f"<aside><table><caption>May</caption>{CALENDAR}</table></aside>",
        f"<div class=sidebar><div class=widget><div><table><caption>May</caption>{CALENDAR}</table></div></div></div>",
    ],
)
def test_what_follows_an_article_goes(after: str) -> None:
    assert tamis.extract(article("") + after).text == tamis.extract(article("")).text


def kept(html: str) -> str:
    """The first words of what is kept if the network keeps runs that begin with "yes".

    It takes "comment" for a comment, and "copy" may not come back.
    """
    found = decide(
        html,
        lambda text: {"yes": 1, "copy": DROPPED}.get(text.split()[0], -1),
        comment=lambda text: 9 if text.startswith("comment") else -9,
    )
    return " ".join(text.split()[0] for text in found.kept)


ROWS = "<tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td>f"
HEADED = "<tr><th>a<th>b<tr><td>c<td>d<tr><td>e<td>f"
WHOLE = "a b c d e f"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<p>yes<table>{ROWS}</table>", f"yes {WHOLE}"),
        (f"<p>yes</p><div><div><table>{ROWS}</table></div></div>", f"yes {WHOLE}"),
        (f"<table>{HEADED}</table><p>yes", f"{WHOLE} yes"),
        (f"<div><p>yes</p></div><div><div><div><table>{ROWS}</table></div></div></div><p>yes", f"yes {WHOLE} yes"),
        # Half of a large table; a small one stays or goes as any structure does.
        (f"<table><tr><td>yes<td>yes<tr><td>yes<td>{'b ' * 501}<tr><td>c<td>d</table>", "yes yes yes b c d"),
        ("<p>yes<table><tr><th>a<th>b<tr><td>c<td>comment<tr><td>comment<td>f</table>", "yes a b c comment comment f"),
        ("<p>yes<table><tr><td>a<td>copy<tr><td>c<td>d<tr><td>e<td>f</table>", "yes a c d e f"),
        (
            "<p>yes<table><tr><th>a<th>b" + "<tr><td><a href=x>c</a><td><a href=x>d</a>" * 2 + "</table>",
            "yes a b c d c d",
        ),
    ],
)
def test_data_beside_kept_text_stays(html: str, expected: str) -> None:
    assert kept(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        f"<p>yes<p>no<table>{HEADED}</table><p>no",
        f"<table>{ROWS}</table><p>yes",  # without a header, the text after it is not enough
        f"<div><p>yes</p></div><div><div><div><table>{HEADED}</table></div></div></div>",  # too far
        f"<p>yes<aside><table>{HEADED}</table></aside><p>yes",
        f"<p>yes<nav><table>{HEADED}</table></nav><p>yes",
        "<p>yes<div><table><tr><td>a<td>b<tr><td>c<td>d</table></div><p>yes",  # two rows
        "<p>yes<table><tr><td>a<tr><td>b<tr><td>c<tr><td>d</table>",  # a list
        f"<table><tr><td>yes<td>yes<tr><td>a<td>{'b ' * 501}<tr><td>c<td>d</table>",  # less than half
        f"<p>yes<table>{ROWS}<tr><td><form><input></form><td>g</table>",
        f"<p>yes<table>{ROWS}<tr><td><button>buy</button><td>g</table>",
        f"<p>yes<table>{ROWS}<tr><td><h1>g</h1><td>h</table>",
        "<p>yes<table>" + "<tr><td><a href=x>a</a><td><a href=y>b</a>" * 3 + "</table><p>yes",
        "<p>yes<table><tr><th>comment<td>comment<tr><td>comment<td>comment<tr><td>comment<td>comment</table>",
    ],
)
def test_other_tables_are_left_to_the_network(html: str) -> None:
    assert set(kept(html).split()) == {"yes"}


def test_a_table_is_as_sure_as_the_surer_text_beside_it() -> None:
    wrapped = f"<p>x<div><table>{ROWS}</table></div><p>y"
    assert decide(wrapped, [2, *[-1] * 6, 3]).logits == [2, *[3] * 6, 3]
    assert decide(wrapped, [2, *[-1] * 6, -1]).logits == [2, *[2] * 6, -1]


def test_a_table_of_which_half_is_kept_is_as_sure_as_that() -> None:
    large = f"<p>x<table><tr><td>a<td>b<tr><td>c<td>{'d ' * 501}<tr><td>e<td>f</table><p>y"
    assert decide(large, [2, 5, 4, 3, *[-1] * 3, 3]).logits == [2, *[4] * 6, 3]


def test_kept_cells_are_no_comments() -> None:
    page = tamis.extract(article(f"<table><tr><th>Rank<th>Town<th>Points<th>Depth{RANKING * 3}</table>"))
    assert page.comments == ()
    found = decide(f"<p>x<table>{HEADED}</table><p>y", [1, *[-1] * 6, -1], comment=[*[-9] * 5, 9, 9, 9])
    assert found.of_role(Role.TEXT) == ["x", *WHOLE.split()]
    assert found.of_role(Role.COMMENT) == ["y"]


@pytest.mark.nightly
def test_many_of_them_are_soon_done() -> None:
    document = Document.from_html(f"<p>yes<table>{HEADED}</table>" * 10_000 + "<table><tr><td>x" * 10_000)
    started = time.process_time()
    decide(document, lambda text: 1 if text == "yes" else -1)
    assert time.process_time() - started < 5
