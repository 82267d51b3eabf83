"""Data tables beside kept text stay whole; menus, calendars and layout do not."""

from __future__ import annotations

import time

import numpy as np
import pytest

import tamis
from tamis import Document
from tamis.arrays import places
from tamis.extractor.data_tables import with_data_tables
from tamis.extractor.policy import DROPPED
from tamis.extractor.runs import PageRuns
from tests.extractor.pages import texts
from tests.extractor.test_structures import PROSE, article

TOWNS = "Aston Barlow Corby Denby Elmley Fenton Garston Hanley Ilford Jarrow Kelso Ludlow Malton Norley Oldham".split()
RANKING = "".join(f"<tr><td>{place}<td>{town}<td>{90 - 3 * place}<td>{7 * place} m" for place, town in enumerate(TOWNS))
CALENDAR = "<tr><th>M<th>T<th>W<th>T<th>F<th>S<th>S" + "<tr><td>1<td>2<td>3<td>4<td>5<td>6<td>7" * 4


@pytest.mark.parametrize("wrap", ["{}", "<div class=table-wrapper><div>{}</div></div>", "<figure>{}</figure>"])
def test_a_long_table_in_an_article_stays_whole(wrap: str) -> None:
    table = f"<table><tr><th>Rank<th>Town<th>Points<th>Depth{RANKING * 3}</table>"
    text = tamis.extract(article(wrap.format(table))).text
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
    """What is kept if the network keeps runs that begin with "yes", and takes "comment" for a comment.

    "copy" was dropped before.
    """
    runs = PageRuns(Document.from_html(html))
    found = [text.strip() for text in texts(runs)]
    comments, copies = (np.array([text.startswith(word) for text in found]) for word in ("comment", "copy"))
    logits = np.array([1 if text.startswith("yes") else -1 for text in found], np.float32)
    logits[comments | copies] = DROPPED
    changed = with_data_tables(runs, logits, comments | copies, comments, 0.0)
    return " ".join(found[run] for run in places(changed >= 0))


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
        ("<table><tr><td>yes<td>yes<tr><td>yes<td>b<tr><td>c<td>d</table>", "yes yes yes b c d"),
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
        "<p>yes<table><tr><td>a<td>b<tr><td>c<td>d</table><p>yes",  # two rows
        "<p>yes<table><tr><td>a<tr><td>b<tr><td>c<tr><td>d</table>",  # a list
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
    runs = PageRuns(Document.from_html(f"<p>x<table>{ROWS}</table><p>y"))
    nothing = np.zeros(len(runs), np.bool_)
    logits = np.array([2, *[-1] * 6, 3], np.float32)
    assert with_data_tables(runs, logits, nothing, nothing, 0.0).tolist() == [2, *[3] * 6, 3]
    logits = np.array([2, 5, 4, 3, *[-1] * 3, 3], np.float32)
    assert with_data_tables(runs, logits, nothing, nothing, 0.0).tolist() == [2, *[4] * 6, 3]


def test_kept_cells_are_no_comments() -> None:
    page = tamis.extract(article(f"<table><tr><th>Rank<th>Town<th>Points<th>Depth{RANKING * 3}</table>"))
    assert page.comments == ()


def test_many_of_them_are_soon_done() -> None:
    runs = PageRuns(Document.from_html(f"<p>yes<table>{HEADED}</table>" * 10_000 + "<table><tr><td>x" * 10_000))
    logits = np.where(np.arange(len(runs)) % 7 == 0, 1.0, -1.0).astype(np.float32)
    nothing = np.zeros(len(runs), np.bool_)
    runs.values  # noqa: B018 -- made before
    started = time.process_time()
    with_data_tables(runs, logits, nothing, nothing, 0.0)
    assert time.process_time() - started < 5
