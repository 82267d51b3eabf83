"""Gold text on the leaves of a page, and how much of it a corpus has there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis import Document
from tamis.cli.main import main
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import AlignmentReport, LeafGold, Placing, align, alignment_report, leaf_gold, match
from tests.lab.corpora.samples import PAGE, write_folder, write_zip

ALIGNED = """<ul><li>Home</li><li>The news</li></ul><h1>A title of it</h1>
<p>The first paragraph has some words of its own.</p><p>Share this</p>
<p>The second paragraph has <b>other words</b> than the first one.</p><p>Home</p>"""
GOLD = "A title of it. The first paragraph has some words of its own. "
GOLD += "The second paragraph has other words than the first one."


def texts(page: str, gold: str) -> list[str]:
    document = tamis.Document.from_html(page)
    found = align(document, gold)
    return [text.strip() for text, content in zip(document.leaves.text, found.content, strict=True) if content]


def test_the_leaves_that_the_gold_is_made_of() -> None:
    assert texts(ALIGNED, GOLD) == [
        "A title of it",
        "The first paragraph has some words of its own.",
        "The second paragraph has",
        "other words",
        "than the first one.",
    ]


def test_a_repeated_teaser_does_not_steal_the_words_of_the_article() -> None:
    article = " ".join(f"word{number}" for number in range(60))
    page = f"<p>{article[:40]}</p><p>menu</p><p>{article}</p>"
    assert texts(page, article) == [article]


@given(st.lists(st.sampled_from("abcdefg"), max_size=60), st.lists(st.sampled_from("abcdefg"), max_size=60))
def test_pairs_are_equal_words_in_order(page: list[str], gold: list[str]) -> None:
    pairs = match(page, gold)
    assert all(page[left] == gold[right] for left, right in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


@given(st.lists(st.integers(0, 400), max_size=300), st.data())
def test_a_part_of_the_page_is_placed_whole(words: list[int], data: st.DataObject) -> None:
    page = [f"w{word}" for word in words]
    low = data.draw(st.integers(0, len(page)))
    high = data.draw(st.integers(low, len(page)))
    assert len(match(page, page[low:high])) == high - low


HTML = """<title>Site</title><nav>Menu</nav><p>Words of the <b>content</b>.</p>
<p>|</p><p class=tab hidden>Words nobody sees</p><img src=x><p>More of it</p>"""
# Leaves: Site (hidden), Menu, Words of the, content, a full stop, a bar, Words nobody sees, the image, More of it.


def gold(text: str | None, html: str = HTML) -> LeafGold:
    page = CorpusPage("wcxb", "1", html.encode(), "dev", gold_text=text)
    return leaf_gold(page, Document.from_html(page.html))


def marked(*labels: str, html: str) -> LeafGold:
    page = CorpusPage(
        "canola",
        "1",
        html.encode(),
        "all",
        gold_text="whatever",
        leaf_labels=labels,
        content_labels=frozenset({"good", "title"}),
        unclear_labels=frozenset({"unsure"}),
    )
    return leaf_gold(page, Document.from_html(page.html))


def test_gold_text_is_placed_on_the_leaves() -> None:
    found = gold("Words of the content. More of it")
    assert found.content.tolist() == [False, False, True, True, True, True, False, False, True]
    assert not found.is_bad


def test_all_visible_texts_are_known_and_nothing_else() -> None:
    for text in ("Words of the content.", "Menu", None):
        assert gold(text).known.tolist() == [False, True, True, True, True, True, False, False, True]


# A page as one word or mark a paragraph; words in capitals are the gold. What stays is given by its place.
@pytest.mark.parametrize(
    ("page", "content"),
    [
        ("ONE | TWO", [0, 1, 2]),
        ("ONE | menu", [0]),
        ("menu | TWO", [2]),
        ("menu | home", []),
        ("| ONE", [1]),
        ("ONE |", [0]),
        ("- ONE * TWO -", [1, 2, 3]),
        ("ONE * - • TWO", [0, 1, 2, 3, 4]),
        ("ONE * - • menu * TWO", [0, 6]),
        ("ONE | TWO | menu | THREE * FOUR", [0, 1, 2, 6, 7, 8]),
        ("ONE | 日 | TWO", [0, 4]),
        ("ONE | 7 | TWO", [0, 4]),
        ("| - *", []),
        ("ONE", [0]),
    ],
)
def test_texts_without_words_follow_the_words_on_both_sides(page: str, content: list[int]) -> None:
    marks = page.split()
    words = " ".join(mark for mark in marks if mark.isupper())
    found = gold(words, "".join(f"<p>{mark}</p>" for mark in marks))
    assert np.flatnonzero(found.content).tolist() == content
    assert found.known.all()


def test_what_nobody_sees_does_not_stand_between() -> None:
    html = "<p>ONE</p><p hidden>gone</p><p>|</p><img src=x><p hidden>*</p><p>TWO</p>"
    found = gold("ONE TWO", html)
    assert found.content.tolist() == [True, False, True, False, False, True]
    assert found.known.tolist() == [True, False, True, False, False, True]


@pytest.mark.parametrize(("words", "is_bad"), [("Words of the content. More of it", False), ("a b c d e f g h", True)])
def test_gold_that_is_not_on_the_page_is_bad(words: str, is_bad: bool) -> None:
    assert gold(words).is_bad is is_bad


def test_the_marks_of_annotators_go_before_the_text() -> None:
    html = "<h1>Head</h1><p>Text</p><p>Other</p><p>Unclear</p><p>-</p><p hidden>Gone</p>"
    found = marked("title", "good", "", "unsure", "good", "good", html=html)
    assert found.content.tolist() == [True, True, False, False, True, False]
    assert found.known.tolist() == [True, True, True, False, True, False]
    assert not found.is_bad


class TestUnfolded:
    """The truth about a page when what it folds away is in sight."""

    HTML = (
        "<title>Site</title><p>Menu</p><p>Shown part</p><div class=tab hidden><p>Folded part</p><p>Other tab</p></div>"
    )

    def test_folded_content_is_content_there_and_only_there(self) -> None:
        found = gold("Shown part. Folded part.", self.HTML)
        assert found.content.tolist() == [False, False, True, False, False]
        assert found.known.tolist() == [False, True, True, False, False]
        assert found.unfolded is not None
        assert found.unfolded.content.tolist() == [False, False, True, True, False]
        assert found.unfolded.known.tolist() == [False, True, True, True, True]
        assert not found.is_bad
        assert not found.unfolded.is_bad

    def test_a_page_that_folds_nothing_away_has_one_truth(self) -> None:
        assert gold("Shown", "<title>t</title><p>Shown</p><template>no</template>").unfolded is None

    def test_the_marks_of_annotators_count_there_too(self) -> None:
        found = marked("", "", "good", "title", "unsure", html=self.HTML)
        assert found.content.tolist() == [False, False, True, False, False]
        assert found.unfolded is not None
        assert found.unfolded.content.tolist() == [False, False, True, True, False]
        assert found.unfolded.known.tolist() == [False, True, True, True, False]

    def test_wordless_texts_follow_the_words_that_stand_around_them_when_unfolded(self) -> None:
        found = gold("ONE TWO", "<p>ONE</p><p class=tab hidden>gone</p><p>|</p><p>TWO</p>")
        assert found.content.tolist() == [True, False, True, True]
        assert found.unfolded is not None
        assert found.unfolded.content.tolist() == [True, False, False, True]


def page(number: int, gold: str | None) -> CorpusPage:
    return CorpusPage(corpus="made", id=str(number), html=PAGE, split="all", gold_text=gold)


def test_words_are_counted_over_pages_with_gold() -> None:
    # The page says: Title, Words of the content, Menu.
    pages = [page(1, "Title. Words of the content."), page(2, "Words that nobody wrote"), page(3, None), page(4, "")]
    found = alignment_report("made", pages)
    assert found == AlignmentReport("made", [Placing(5, 5, "1"), Placing(4, 1, "2"), Placing(0, 0, "4")])
    assert found.gold_words == 9
    assert found.share == pytest.approx(6 / 9)
    assert [placing.share for placing in found.pages] == [1.0, 0.25, 1.0]
    assert [placing.id for placing in found.bad] == ["2"]


def test_the_worst_pages_come_first_and_equal_ones_by_id() -> None:
    found = AlignmentReport("made", [Placing(10, 9, "c"), Placing(10, 5, "b"), Placing(10, 9, "a"), Placing(0, 0, "d")])
    assert [placing.id for placing in found.worst(3)] == ["b", "a", "c"]
    assert found.worst(0) == []
    assert [placing.id for placing in found.bad] == ["b"]  # nine of ten is not yet bad


def test_the_verb_reports_every_split_that_is_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_zip(tmp_path, "wcxb")
    write_folder(tmp_path, "cleaneval")
    write_folder(tmp_path, "trafilatura")
    assert main(["corpora", "--alignment", "--worst", "1", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr()
    rows = [line.split() for line in said.out.splitlines()]
    assert ["wcxb:dev", "1", "4", "100.00", "%", "0"] in rows
    assert ["cleaneval:dev", "1", "4", "50.00", "%", "1"] in rows
    assert ["cleaneval:test", "1", "2", "0.00", "%", "1"] in rows
    assert "  1: 2 of 4 words, 50.0 %" in said.out.splitlines()
    assert "trafilatura:all: no page of it has a gold text" in said.out
    assert said.err == ""


def test_the_verb_reports_one_split(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_zip(tmp_path, "cleaneval")
    assert main(["corpora", "--alignment", "--corpus", "cleaneval:test", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "cleaneval:test" in said
    assert "cleaneval:dev" not in said
    assert main(["corpora", "--alignment", "--corpus", "cleaneval:train", "--data", str(tmp_path)]) == 2
    assert "it has: dev, test" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--corpus", "wcxb"], "go with --alignment"),
        (["--worst", "3"], "go with --alignment"),
        (["--alignment"], "no corpus is in"),
    ],
)
def test_wrong_use_of_the_verb(
    arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpora", *arguments, "--data", str(tmp_path)]) == 2
    assert complaint in capsys.readouterr().err
