from __future__ import annotations

from math import log, log1p

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis import Document
from tamis.document.words import STOPWORDS
from tamis_papers.columns import Columns
from tamis_papers.web2text.features import CollapsedTree, Web2TextFeatures

PAGE = """
<div id=nav><a href=x>Home - News</a> <a href=y>About us</a></div>
<div id=main><h1>The Report: 2008</h1>
<p>It rained, and it rained. Did it stop? No!</p>
<p>The end.</p></div>
"""
# The texts have 9, 7, 14, 34 and 7 characters that are not blank, and 2, 2, 3, 9 and 2 words.


def features(html: str | bytes) -> Web2TextFeatures:
    return Web2TextFeatures(CollapsedTree.of(Document.from_html(html)))


def values(name: str, html: str = PAGE) -> list[float]:
    return [float(value) for value in features(html).all[name]]


def check(columns: Columns, rows: int) -> None:
    assert columns.values.shape == (rows, len(columns.names))
    assert np.isfinite(columns.values).all()


class TestColumns:
    @pytest.mark.parametrize("html", [PAGE, "", "<p>alone</p>"])
    def test_there_are_124_block_and_25_edge_features(self, html: str) -> None:
        columns = features(html)
        assert len(columns.block.names) == 124
        assert len(columns.edge.names) == 25
        assert columns.all.names == columns.block.names + columns.edge.names
        assert len(set(columns.all.names)) == 149

    @pytest.mark.parametrize("html", ["", "<img src=x>", "<p hidden>no</p>", "<title>no</title>"])
    def test_a_page_without_text_has_no_rows(self, html: str) -> None:
        columns = features(html)
        assert len(columns) == 0
        check(columns.all, 0)


class TestTable1:
    """Each feature of the paper's table, worked out by hand for a leaf, its parent or its grandparent."""

    def test_characters(self) -> None:
        assert values("leaf_log_characters") == pytest.approx([log1p(count) for count in (9, 7, 14, 34, 7)])
        assert values("parent_log_characters") == pytest.approx([log1p(16)] * 2 + [log1p(55)] * 3)
        assert values("grandparent_log_characters") == pytest.approx([log1p(71)] * 5)

    def test_words(self) -> None:
        assert values("leaf_log_words") == pytest.approx([log1p(count) for count in (2, 2, 3, 9, 2)])
        assert values("leaf_share_of_words") == pytest.approx([2 / 18, 2 / 18, 3 / 18, 9 / 18, 2 / 18])
        assert values("parent_share_of_words") == pytest.approx([4 / 18] * 2 + [14 / 18] * 3)
        assert values("page_log_words") == pytest.approx([log1p(18)] * 5)

    def test_sentences(self) -> None:
        assert values("leaf_log_sentences") == pytest.approx([log1p(count) for count in (0, 0, 0, 3, 1)])
        assert values("parent_log_sentences") == pytest.approx([0, 0] + [log1p(4)] * 3)
        assert values("leaf_sentence_length") == pytest.approx([log1p(words) for words in (2, 2, 3, 9 / 3, 2)])

    def test_a_full_stop_within_a_word_ends_no_sentence(self) -> None:
        assert values("leaf_log_sentences", "<p>version 2.5 of example.org<p>a 3.7. b") == pytest.approx([0, log(2)])

    def test_punctuation_dashes_periods_and_digits(self) -> None:
        assert values("leaf_punctuation") == pytest.approx([0, 0, 1 / 14, 3 / 34, 0])
        assert values("leaf_dashes") == pytest.approx([1 / 9, 0, 0, 0, 0])
        assert values("leaf_periods") == pytest.approx([0, 0, 0, 1 / 34, 1 / 7])
        assert values("leaf_digits") == pytest.approx([0, 0, 4 / 14, 0, 0])
        assert values("parent_punctuation") == pytest.approx([0, 0] + [4 / 55] * 3)

    def test_characters_in_links(self) -> None:
        assert values("leaf_linked") == [1, 1, 0, 0, 0]
        assert values("parent_linked") == [1, 1, 0, 0, 0]
        assert values("grandparent_linked") == pytest.approx([16 / 71] * 5)
        assert values("page_linked") == pytest.approx([16 / 71] * 5)

    def test_how_a_node_ends(self) -> None:
        assert values("leaf_ends_with_punctuation") == [0, 0, 0, 1, 1]
        assert values("parent_ends_with_punctuation") == [0, 0, 1, 1, 1]
        html = "<div><p>a<p>Why? </div><div><p>Why?<p>Here</div>"
        assert values("leaf_ends_with_question_mark", html) == [0, 1, 1, 0]
        assert values("parent_ends_with_question_mark", html) == [1, 1, 0, 0]

    def test_capitals(self) -> None:
        assert values("leaf_capitals") == pytest.approx([1, 1 / 2, 2 / 3, 3 / 9, 1 / 2])
        assert values("parent_capitals") == pytest.approx([3 / 4] * 2 + [6 / 14] * 3)

    def test_stop_words(self) -> None:
        # "About" and "us"; "The"; "It", "and", "it", "Did", "it"; "The".
        assert values("leaf_stopwords") == pytest.approx([0, 1, 1 / 3, 5 / 9, 1 / 2])
        assert values("grandparent_stopwords") == pytest.approx([9 / 18] * 5)

    def test_word_length(self) -> None:
        assert values("leaf_word_length") == pytest.approx([8 / 2, 7 / 2, 14 / 3, 34 / 9, 7 / 2])
        assert values("leaf_word_length", f"<p>{'x' * 5_000}") == [50]

    def test_start_and_end(self) -> None:
        assert values("leaf_start") == pytest.approx([0, 1 / 5, 2 / 5, 3 / 5, 4 / 5])
        assert values("leaf_end") == pytest.approx([1 / 5, 2 / 5, 3 / 5, 4 / 5, 1])
        assert values("parent_start") == pytest.approx([0, 0] + [2 / 5] * 3)
        assert values("parent_end") == pytest.approx([2 / 5] * 2 + [1] * 3)


class TestBeyondTheTable:
    def test_the_size_of_inner_nodes(self) -> None:
        assert values("parent_log_leaves") == pytest.approx([log1p(2)] * 2 + [log1p(3)] * 3)
        assert values("parent_log_children") == pytest.approx([log1p(2)] * 2 + [log1p(3)] * 3)
        assert values("grandparent_log_leaves") == pytest.approx([log1p(5)] * 5)
        assert values("grandparent_log_children") == pytest.approx([log1p(2)] * 5)
        assert values("parent_depth") == [2] * 5
        assert values("grandparent_depth") == [1] * 5

    def test_characters_by_tag(self) -> None:
        # The first DIV is three tags with its two links, the second four.
        assert values("parent_log_characters_a_tag") == pytest.approx([log1p(16 / 3)] * 2 + [log1p(55 / 4)] * 3)

    @pytest.mark.parametrize(
        ("name", "yes", "no"),
        [
            ("copyright", "© Ann|2008©|(c) Ann|(C)|COPYRIGHT|rights reserved|ALL RIGHTS RESERVED.",
             "copy right|(d)|( c )|rights|reserved|All rights are reserved"),
            ("year", "in 1999.|2026|1900-1|x2000x|𝔘😀2008|1850, 1950|©2001",
             "1850|120261|3000|200|20 08|19|٢٠٠٨|19999|02008"),
            ("email", "ann@example.org|a@b|@@a|mail:😀@b", "a @ b|@|@ann@|ann@|a@ b|a @b"),
            ("url", "http://x|see HTTPS://x|www.example.org|Www.x|WWW.X|://", "http|w.w.w.|:/"),
        ],
    )  # fmt: skip
    def test_what_a_text_contains(self, name: str, yes: str, no: str) -> None:
        for texts, found in ((yes.split("|"), 1), (no.split("|"), 0)):
            html = "".join(f"<p>{text}</p>" for text in texts)
            assert values(f"leaf_contains_{name}", html) == [found] * len(texts)

    def test_what_is_found_lies_in_one_text(self) -> None:
        """Texts are searched as one string; nothing may reach from one into the next."""
        halves = [("All rights", "reserved"), ("19", "99"), ("ann@", "example.org"), ("www", ".org"), ("http:", "//x")]
        html = "".join(f"<b>{first}</b><i>{second}</i>" for first, second in halves)
        assert len(features(html)) == 10
        for name in ("copyright", "year", "email", "url"):
            assert not any(values(f"leaf_contains_{name}", html)), name

    def test_copies_of_a_text(self) -> None:
        assert values("leaf_copies", "<p>a<p>b<p> a <p>a") == pytest.approx([log(3), 0, log(3), log(3)])


class TestTags:
    HTML = """<main><section><ul>
    <li><b><a href=x>one</a></b></li><li>two</li><li><p>three</p><h2>four</h2></li>
    </ul></section></main>"""

    def test_the_tags_merged_into_a_leaf(self) -> None:
        assert values("leaf_tag_a", self.HTML) == [1, 0, 0, 0]
        assert values("leaf_tag_bold", self.HTML) == [1, 0, 0, 0]
        assert values("leaf_tag_li", self.HTML) == [1, 1, 0, 0]
        assert values("leaf_tag_p", self.HTML) == [0, 0, 1, 0]
        assert values("leaf_tag_h2", self.HTML) == [0, 0, 0, 1]

    def test_the_tags_merged_into_a_parent(self) -> None:
        assert values("parent_tag_li", self.HTML) == [0, 0, 1, 1]
        for name in ("list", "section", "article", "body"):
            assert values(f"parent_tag_{name}", self.HTML) == [1, 1, 0, 0], name
            assert values(f"grandparent_tag_{name}", self.HTML) == [0, 0, 1, 1], name
        assert not any(values("grandparent_tag_li", self.HTML))
        assert not any(values("parent_tag_td", self.HTML))

    def test_tags_of_one_meaning_share_a_column(self) -> None:
        assert values("leaf_tag_bold", "<b>a</b><strong>b</strong><em>c</em>") == [1, 1, 0]
        assert values("leaf_tag_h4", "<h3>a</h3><h4>b</h4><h6>c</h6>") == [0, 1, 1]


class TestEdges:
    def test_nothing_stands_before_the_first_text(self) -> None:
        for html in (PAGE, "<p>alone</p>"):
            assert not features(html).edge.values[0].any()

    def test_same_parent_and_so_on(self) -> None:
        assert values("same_parent") == [0, 1, 0, 1, 1]
        assert values("same_grandparent") == [0, 1, 1, 1, 1]
        html = "<div><div><p>a<p>b</div><p>c</div><div><p>d<p>e</div>"
        # Parents: div 2, div 2, div 1, div 3, div 3; above them div 1, div 1, body, body, body.
        assert values("same_parent", html) == [0, 1, 0, 0, 1]
        assert values("same_grandparent", html) == [0, 1, 0, 1, 1]
        assert values("same_great_grandparent", html) == [0, 1, 0, 1, 1]

    def test_same_tag_class_and_path(self) -> None:
        html = "<p class=x>a</p><p class=x>b</p><p class=y>c</p><div class=y>d</div><b><div class=y>e</div></b>"
        assert values("same_tag", html) == [0, 1, 1, 0, 1]
        assert values("same_class", html) == [0, 1, 0, 1, 1]
        assert values("same_path", html) == [0, 1, 0, 0, 0]

    def test_a_new_block_is_a_break(self) -> None:
        assert values("block_break", "<p>a<b>b</b>c<p>d") == [0, 0, 0, 1]

    def test_distances_to_the_node_that_holds_both(self) -> None:
        assert values("climbed") == [0, 1, 2, 1, 1]
        assert values("descended") == [0, 1, 2, 1, 1]
        assert values("siblings") == [0, 1, 0, 1, 1]
        html = "<p>a <b>b <i>c</i></b></p>"
        assert values("climbed", html) == [0, 1, 1]
        assert values("descended", html) == [0, 2, 1]
        assert values("near", html) == [0, 1, 0]

    def test_far_is_as_far_as_it_gets(self) -> None:
        deep = "<div>a" * 30 + "</div>" * 30
        html = f"{deep}<p>b</p>{deep}"
        climbed, far = values("climbed", html), values("far", html)
        assert climbed[30] == 10
        assert (far[29], far[30], far[31]) == (0, 1, 0)

    def test_the_node_that_holds_both(self) -> None:
        assert values("common_log_characters") == pytest.approx([0, log1p(16), log1p(71), log1p(55), log1p(55)])
        assert values("common_linked") == pytest.approx([0, 1, 16 / 71, 0, 0])
        assert values("common_start") == pytest.approx([0, 0, 0, 2 / 5, 2 / 5])
        assert values("common_end") == pytest.approx([0, 2 / 5, 1, 1, 1])


LETTERS = st.text(alphabet="aZthe 1-/_.?!,:;\n\u00a0é日。？𝔘😀İß", min_size=1, max_size=25).filter(
    lambda text: bool(text.strip())
)


@given(st.lists(LETTERS, min_size=1, max_size=6))
def test_counts_of_leaf_and_page_are_those_of_their_tokens(texts: list[str]) -> None:
    columns = features("".join(f"<p>{text}</p>" for text in texts)).all
    tokens = [text.split() for text in texts]
    for name, marks in (("punctuation", ",?;:!，？；：！、"), ("dashes", "-_/\\–—"), ("digits", "0123456789")):
        shares = [sum(text.count(mark) for mark in marks) / len("".join(text.split())) for text in texts]
        assert columns[f"leaf_{name}"].tolist() == pytest.approx(shares)
    characters = [sum(map(len, own)) for own in tokens]
    sentences = [sum(token[-1] in ".?!。？！" for token in own) for own in tokens]
    capitals = [sum(token[0].isupper() for token in own) for own in tokens]
    stop_words = [sum(token.lower() in STOPWORDS for token in own) for own in tokens]
    assert np.expm1(columns["leaf_log_characters"]).tolist() == pytest.approx(characters)
    assert np.expm1(columns["parent_log_characters"]).tolist() == pytest.approx([sum(characters)] * len(texts))
    assert np.expm1(columns["leaf_log_sentences"]).tolist() == pytest.approx(sentences)
    words = np.maximum(1, np.expm1(columns["leaf_log_words"]))
    assert (columns["leaf_capitals"] * words).tolist() == pytest.approx(capitals)
    assert (columns["leaf_stopwords"] * words).tolist() == pytest.approx(stop_words)
    assert columns["leaf_ends_with_question_mark"].tolist() == [text.rstrip()[-1] in "?？" for text in texts]
