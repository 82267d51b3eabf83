from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tamis import Document
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import LeafGold, leaf_gold, with_wordless
from tests.lab.corpora.samples import write_folder

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


def test_hidden_content_does_not_count_as_a_side() -> None:
    found = gold("ONE TWO", "<p>ONE</p><p>|</p><p hidden>TWO</p><p>menu</p>")
    assert found.content.tolist() == [True, False, False, False]


def test_the_array_that_was_given_is_not_changed() -> None:
    document = Document.from_html("<p>one</p><p>|</p><p>two</p><p>*</p>")
    content = np.array([True, False, True, True])
    assert with_wordless(document, content).tolist() == [True, True, True, False]
    assert content.tolist() == [True, False, True, True]


def test_hidden_text_is_never_content() -> None:
    found = gold("Words nobody sees")
    assert not found.content.any()
    assert not found.is_bad, "all of the gold was found on the page"


@pytest.mark.parametrize(("words", "is_bad"), [("Words of the content. More of it", False), ("a b c d e f g h", True)])
def test_gold_that_is_not_on_the_page_is_bad(words: str, is_bad: bool) -> None:
    assert gold(words).is_bad is is_bad


@pytest.mark.parametrize("text", [None, ""])
def test_without_gold_nothing_is_content(text: str | None) -> None:
    found = gold(text)
    assert not found.content.any()
    assert found.known.any()


def test_the_marks_of_annotators_go_before_the_text() -> None:
    html = "<h1>Head</h1><p>Text</p><p>Other</p><p>Unclear</p><p>-</p><p hidden>Gone</p>"
    found = marked("title", "good", "", "unsure", "good", "good", html=html)
    assert found.content.tolist() == [True, True, False, False, True, False]
    assert found.known.tolist() == [True, True, True, False, True, False]
    assert not found.is_bad


def test_marks_are_not_carried_over_to_texts_without_words() -> None:
    """Annotators saw those, too."""
    html = "<p>One</p><p>|</p><p>Two</p><p>*</p><p>Three</p>"
    found = marked("good", "", "good", "unsure", "good", html=html)
    assert found.content.tolist() == [True, False, True, False, True]
    assert found.known.tolist() == [True, True, True, False, True]


def test_an_unclear_mark_is_neither_content_nor_known_even_where_content_is_all_around() -> None:
    found = marked("good", "unsure", "good", html="<p>One</p><p>Two</p><p>Three</p>")
    assert found.content.tolist() == [True, False, True]
    assert found.known.tolist() == [True, False, True]


def test_canola_is_sure_of_good_and_bad_alone(tmp_path: Path) -> None:
    """Its sample has a text with each vote, and one that was not judged."""
    write_folder(tmp_path, "canola")
    with open_corpus("canola", tmp_path) as corpus:
        (page,) = corpus.pages()
    document = Document.from_html(page.html)
    found = leaf_gold(page, document)
    said = {
        text: (bool(content), bool(known))
        for text, content, known in zip(document.leaves.text, found.content, found.known, strict=True)
    }
    assert said == {
        "T": (False, False),  # the title is not visible
        "Good text": (True, True),
        "Bad": (False, True),
        "Unsure": (False, False),
        "Tie": (False, False),
        "Unjudged": (False, False),
    }
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

    def test_the_unfolded_truth_has_no_other_below_it(self) -> None:
        found = gold("Shown part", self.HTML).unfolded
        assert found is not None
        assert found.unfolded is None

    def test_gold_that_is_not_on_the_page_is_bad_either_way(self) -> None:
        found = gold("quite other words that are nowhere on it", self.HTML)
        assert found.is_bad
        assert found.unfolded is not None
        assert found.unfolded.is_bad

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

    def test_media_are_never_told_of(self) -> None:
        found = gold("Words", "<p>Words</p><div class=tab hidden><img src=x></div>")
        assert found.unfolded is not None
        assert found.unfolded.content.tolist() == found.unfolded.known.tolist() == [True, False]


def test_a_page_without_leaves() -> None:
    for found in (gold("Words", ""), marked(html="")):
        assert (len(found.content), len(found.known)) == (0, 0)
