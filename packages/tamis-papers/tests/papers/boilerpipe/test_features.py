from __future__ import annotations

import pytest

from tamis import Document
from tamis_papers.boilerpipe.features import ShallowText, atomic_text_blocks, local_features, with_context

LOCAL = (
    "num_words text_density link_density avg_word_length avg_sentence_length position relative_position"
    " num_capitalized capitalized_ratio num_upper upper_ratio full_stop_ratio num_dates num_bars"
    " in_h1 in_h2 in_h3 in_h4 in_h5 in_h6 in_p in_div in_a"
).split()

PAGE = """
<h1>The NASA report</h1>
<div><a href=x>Home</a> | <a href=y>World news</a> | Sport</div>
<p>It rained. It POURED! Did it stop; or not? The end.</p>
<div><p><a href=z>Read more</a></p></div>
"""


def shallow(html: str) -> ShallowText:
    return ShallowText(atomic_text_blocks(Document.from_html(html)))


def values(name: str, html: str = PAGE) -> list[float]:
    return [float(value) for value in local_features(shallow(html))[name]]


def density(text: str) -> float:
    return float(shallow(f"<p>{text}</p>").text_density[0])


def test_words_are_tokens_with_a_letter_or_digit() -> None:
    text = shallow(PAGE)
    assert text.num_words.tolist() == [3, 4, 11, 2]
    assert text.num_tokens.tolist() == [3, 6, 11, 2]


def test_link_density_counts_tokens_inside_links() -> None:
    assert values("link_density") == [0, 3 / 6, 0, 1]


def test_a_line_holds_eighty_characters() -> None:
    # 26 words of two letters with a space behind each are 78 characters.
    assert density("ab " * 26 + "ab") == 27
    assert density("ab " * 26 + "ab c") == 27
    assert density("ab " * 26 + "abc") == 26


def test_density_is_the_mean_of_the_full_lines() -> None:
    line_of_four = "x" * 20 + " " + "x" * 19 + " " + "x" * 19 + " " + "x" * 19
    line_of_two = "y" * 40 + " " + "y" * 39
    assert density(f"{line_of_four} {line_of_two} end") == 3


def test_a_token_longer_than_a_line_has_a_line_of_its_own() -> None:
    assert density("x" * 200) == 1
    assert density("a b " + "x" * 200 + " c d") == 1.5  # "a b", the long one, "c d"


def test_average_word_length_leaves_out_what_is_no_word() -> None:
    assert values("avg_word_length", "<p>ab - abcd --- abcdef") == [4]


def test_sentences_end_at_full_stop_question_mark_exclamation_mark_and_semicolon() -> None:
    assert values("avg_sentence_length")[2] == 11 / 5
    assert values(
        "avg_sentence_length", "<p>no mark at all<p>(one two.) three “four five.”<p>日本語の。 日本語の。"
    ) == [4, 2.5, 2]


def test_sentences_of_unspaced_scripts_stand_in_one_token() -> None:
    assert values("avg_sentence_length", "<p>日本語の。日本語の。<p>日本語の？日本語の！日本語の。") == [2, 2]


def test_positions_go_from_the_first_to_the_last_block() -> None:
    assert values("position") == [0, 1, 2, 3]
    assert values("relative_position") == [0, 1 / 3, 2 / 3, 1]
    assert values("relative_position", "<p>alone") == [0]


def test_capitals() -> None:
    assert values("num_capitalized") == [2, 3, 5, 1]
    assert values("capitalized_ratio") == [2 / 3, 3 / 4, 5 / 11, 1 / 2]
    assert values("num_upper") == [1, 0, 1, 0]
    assert values("upper_ratio") == [1 / 3, 0, 1 / 11, 0]


@pytest.mark.parametrize(
    "token",
    (
        "2008 12:30 12:30:15 9:45am 10pm 2008-05-01 1/5/2008 23.04.2010 1st 22nd May Sept. June, JULY"
        " Monday tue Thu Thurs. Sat. (GMT) UTC p.m."
    ).split(),
)
def test_dates_and_times(token: str) -> None:
    assert values("num_dates", f"<p>{token}") == [1]


@pytest.mark.parametrize("token", "42 mayor monitor sunny marched 1850 3000 estimate".split())
def test_what_is_no_date(token: str) -> None:
    assert values("num_dates", f"<p>{token}") == [0]


def test_enclosing_tags_are_seen_at_any_height() -> None:
    html = "<h1><span>a</span></h1><div><h2>b</h2><p><a href=x>c</a></p></div><h6>d</h6>"
    assert values("in_h1", html) == [1, 0, 0, 0]
    assert values("in_h2", html) == [0, 1, 0, 0]
    assert values("in_h6", html) == [0, 0, 0, 1]
    assert values("in_div", html) == [0, 1, 1, 0]
    assert values("in_p", html) == [0, 0, 1, 0]
    assert values("in_a", html) == [0, 0, 1, 0]


def test_there_are_23_local_features() -> None:
    columns = local_features(shallow(PAGE))
    assert columns.names == tuple(LOCAL)
    assert columns.values.shape == (4, 23)


def test_there_are_67_features_with_context() -> None:
    columns = with_context(shallow(PAGE))
    assert columns.values.shape == (4, 67)
    assert len(set(columns.names)) == 67


def test_quotients_relate_a_block_to_the_one_before() -> None:
    columns = with_context(shallow(PAGE))
    assert columns["num_words_quotient"].tolist() == [0, 4 / 3, 11 / 4, 2 / 11]
    assert columns["text_density_quotient"].tolist() == [0, 6 / 3, 11 / 6, 2 / 11]


def test_a_block_without_words_is_no_neighbour() -> None:
    assert with_context(shallow("<p>one<p>|<p>two words"))["num_words_quotient"].tolist() == [0, 2]


def test_scripts_without_spaces_have_words() -> None:
    text = shallow("<p>中文网页的正文<a href=x>链接</a><p>สวัสดีชาวโลก")
    assert text.num_words.tolist() == [4.5, 3]
    assert text.link_density.tolist() == [1 / 4.5, 0]
    assert text.avg_word_length.tolist() == [2, 4]
