from __future__ import annotations

import pytest

from tamis import Document, extract
from tamis_papers.boilerpipe.extractors import MinWords

HEADLINE = "Storm closes the northern harbour"
NEWS = ("The storm came in the night and closed the harbour for two days. " * 4).strip()  # 52 words
MENU = f"<ul>{'<li><a href=x>Other news of today</a>' * 10}</ul>"  # 40 words in links

Size = tuple[int, int]  # words, and how many of them stand in a link


def words(number: int, links: int = 0) -> str:
    """A paragraph of words of two letters, 27 to a line, the first `links` of them in a link."""
    return f"<p><a href=x>{'ab ' * links}</a>{'ab ' * (number - links)}</p>"


def verdicts(extractor: str, *paragraphs: str) -> list[bool]:
    """For each paragraph: is it kept?"""
    page = extract("".join(paragraphs), extractor=extractor)
    document = page.document
    return [
        bool(page.labels.keep[document.inside(f"p:nth-of-type({number})")].all())
        for number in range(1, len(paragraphs) + 1)
    ]


def kept(extractor: str, html: str, *, precision: bool = False, recall: bool = False) -> list[str]:
    """The texts that are kept."""
    page = extract(html, extractor=extractor, favor_precision=precision, favor_recall=recall)
    leaves = page.document.leaves
    return [text for text, stays in zip(leaves.text, page.labels.keep, strict=True) if stays and text]


class TestAlgorithm1:
    @pytest.mark.parametrize(
        ("before", "current", "after", "content"),
        [
            ((4, 0), (9, 0), (10, 0), False),  # sparse, among sparse blocks
            ((5, 0), (9, 0), (10, 0), True),  # ... but the one before is not that sparse
            ((4, 0), (9, 0), (11, 0), True),  # ... but a dense one follows
            ((4, 0), (10, 0), (1, 0), True),  # dense
            ((10, 6), (10, 0), (11, 0), False),  # after links: more than 0.555556
            ((10, 6), (10, 0), (12, 0), True),  # after links, before dense text
            ((9, 5), (10, 0), (11, 0), True),  # 5 of 9 are not more than 0.555556
            ((20, 0), (13, 4), (20, 0), True),  # 4 of 13 are not more than 0.333333
            ((20, 0), (12, 4), (20, 0), True),  # nor is exactly a third
            ((20, 0), (14, 5), (20, 0), False),  # linked itself
        ],
    )
    def test_each_leaf(self, before: Size, current: Size, after: Size, content: bool) -> None:
        assert verdicts("boilerpipe-density", words(*before), words(*current), words(*after))[1] is content

    def test_a_dense_block_at_the_end_is_boilerplate(self) -> None:
        assert verdicts("boilerpipe-density", words(20), words(20)) == [True, False]

    def test_before_the_first_and_after_the_last_block_nothing_counts(self) -> None:
        assert verdicts("boilerpipe-density", words(9)) == [False]
        assert verdicts("boilerpipe-density", words(27)) == [False]


class TestAlgorithm2:
    @pytest.mark.parametrize(
        ("before", "current", "after", "content"),
        [
            ((4, 0), (16, 0), (15, 0), False),  # short, among short blocks
            ((5, 0), (16, 0), (15, 0), True),  # ... but the one before is not that short
            ((4, 0), (16, 0), (16, 0), True),  # ... but a long one follows
            ((4, 0), (17, 0), (1, 0), True),  # long
            ((10, 6), (40, 0), (17, 0), False),  # after links: more than 0.555556
            ((10, 6), (40, 0), (18, 0), True),  # after links, before long text
            ((10, 6), (41, 0), (1, 0), True),  # after links, but very long
            ((9, 5), (40, 0), (17, 0), True),  # 5 of 9 are not more than 0.555556
            ((50, 0), (13, 4), (50, 0), True),  # 4 of 13 are not more than 0.333333
            ((50, 0), (12, 4), (50, 0), True),  # nor is exactly a third
            ((50, 0), (50, 17), (50, 0), False),  # linked itself
        ],
    )
    def test_each_leaf(self, before: Size, current: Size, after: Size, content: bool) -> None:
        assert verdicts("boilerpipe-words", words(*before), words(*current), words(*after))[1] is content

    def test_a_long_block_alone_is_content(self) -> None:
        assert verdicts("boilerpipe-words", words(17)) == [True]
        assert verdicts("boilerpipe-words", words(16)) == [False]


@pytest.mark.parametrize(
    ("size", "content"),
    [
        ((6, 0), False),
        ((7, 0), True),
        ((60, 0), True),
        ((20, 7), True),  # a link density of 0.35
        ((20, 8), False),
    ],
)
def test_the_cleaneval_rule_looks_at_the_block_alone(size: Size, content: bool) -> None:
    assert verdicts("boilerpipe-cleaneval", words(*size)) == [content]


class TestLargest:
    def test_the_run_with_the_most_words_stays(self) -> None:
        page = f"<p>{NEWS} One.</p>{MENU}<p>{NEWS} Two.</p><p>{NEWS} Three.</p>{MENU}<p>{NEWS} Four.</p>"
        assert [text.split()[-1] for text in kept("boilerpipe-largest", page)] == ["Two.", "Three."]

    def test_a_few_links_do_not_end_a_run(self) -> None:
        page = f"<p>{NEWS} One.</p><p><a href=x>Advertisement</a></p><p><a href=x>Shop</a></p><p>{NEWS} Two.</p>"
        assert [text.split()[-1] for text in kept("boilerpipe-largest", page)] == ["One.", "Two."]

    def test_short_text_does_not_end_a_run(self) -> None:
        page = f"<p>{NEWS} One.</p>{'<p>Photo</p>' * 5}<p>{NEWS} Two.</p>"
        assert {"One.", "Two."} <= {text.split()[-1] for text in kept("boilerpipe-largest", page)}


class TestArticle:
    def test_nothing_above_the_title_stays(self) -> None:
        page = f"<title>{HEADLINE}</title><p>{NEWS} Teaser.</p><h1>{HEADLINE}</h1><p>{NEWS}</p>"
        assert kept("boilerpipe-words", page) == [f"{NEWS} Teaser.", HEADLINE, NEWS]
        assert kept("boilerpipe-article", page) == [HEADLINE, NEWS]

    @pytest.mark.parametrize(
        "title",
        [
            f"{HEADLINE} - The Daily News",
            f"The Daily | {HEADLINE}",
            f"{HEADLINE} | Weather | The Daily News",
            f"Weather: {HEADLINE}",
            f"{HEADLINE.upper()}!",
        ],
    )
    def test_the_title_may_carry_the_name_of_the_site(self, title: str) -> None:
        page = f"<title>{title}</title><p>{NEWS} Teaser.</p><h1>{HEADLINE}</h1><p>{NEWS}</p>"
        assert kept("boilerpipe-article", page) == [HEADLINE, NEWS]

    def test_a_short_part_of_the_title_is_not_taken_for_the_headline(self) -> None:
        page = f"<title>{HEADLINE} - Daily News</title><p>{NEWS}</p><p>Daily News</p><p>{NEWS}</p>"
        assert kept("boilerpipe-article", page)[0] == NEWS

    def test_a_headline_is_kept_where_the_tree_drops_it(self) -> None:
        page = f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1><p>3 May</p><p>{NEWS}</p>"
        assert HEADLINE not in kept("boilerpipe-largest", page)
        assert kept("boilerpipe-article", page)[0] == HEADLINE

    @pytest.mark.parametrize(
        "heading",
        [
            "User comments:",
            "Comments",
            "COMMENTS (12)",
            "12 comments",
            "Leave a comment",
            "Have your say",
            "Readers' comments",
        ],
    )
    def test_nothing_below_a_comments_heading_stays(self, heading: str) -> None:
        page = f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1><p>{NEWS}</p><h2>{heading}</h2><p>{NEWS} I agree.</p>"
        assert kept("boilerpipe-article", page) == [HEADLINE, NEWS]

    def test_a_sentence_about_comments_is_no_heading(self) -> None:
        page = f"<h1>{HEADLINE}</h1><p>{NEWS}</p><p>Comments came from everywhere</p><p>{NEWS} End.</p>"
        assert kept("boilerpipe-article", page)[-1] == f"{NEWS} End."

    def test_a_link_to_the_comments_is_no_heading(self) -> None:
        page = f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1><p><a href=x>12 comments</a></p><p>{NEWS}</p>"
        assert kept("boilerpipe-article", page) == [HEADLINE, NEWS]

    def test_a_link_with_the_title_is_no_headline(self) -> None:
        above = f"<p><a href=x>{HEADLINE}</a></p><p>{NEWS} Teaser.</p>"
        page = f"<title>{HEADLINE}</title>{above}<h1>{HEADLINE}</h1><p>{NEWS}</p>"
        assert kept("boilerpipe-article", page) == [HEADLINE, NEWS]

    @pytest.mark.parametrize("above", ["", f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1>"])
    def test_a_comments_heading_above_all_content_does_not_empty_the_page(self, above: str) -> None:
        assert NEWS in kept("boilerpipe-article", f"{above}<h2>Comments</h2><p>{NEWS}</p>")


class TestBaselines:
    def test_min_words_keeps_ten_words_and_more(self) -> None:
        assert verdicts("min-words", words(9), words(10), words(11, links=11)) == [False, True, True]

    def test_the_number_of_words_can_be_chosen(self) -> None:
        labels = MinWords(3).label(Document.from_html(words(2) + words(3)))
        assert labels.keep.tolist() == [False, True]

    def test_scores_grow_with_the_words(self) -> None:
        labels = MinWords(10).label(Document.from_html(words(5) + words(10) + words(20) + words(40)))
        assert labels.scores.tolist() == [0.25, 0.5, 1, 1]


def test_recall_brings_back_what_a_filter_took_but_no_links() -> None:
    page = f"<p>{NEWS} One.</p>{MENU}<p>{NEWS} Two more.</p>"
    assert kept("boilerpipe-largest", page) == [f"{NEWS} Two more."]
    assert kept("boilerpipe-largest", page, recall=True) == [f"{NEWS} One.", f"{NEWS} Two more."]


@pytest.mark.parametrize("extractor", ["boilerpipe-largest", "boilerpipe-article"])
def test_content_that_a_filter_took_comes_back_before_boilerplate(extractor: str) -> None:
    page = extract(
        f"<p>{NEWS} One.</p>{MENU}<p>Photo</p><p>3 May</p>{MENU}<p>{NEWS} Two more.</p>", extractor=extractor
    )
    kept_block, taken, *boilerplate = sorted(page.blocks, key=lambda block: -block.score)
    assert (kept_block.text.split()[-1], taken.text.split()[-1]) == ("more.", "One.")
    assert not taken.keep
    assert all(block.score < taken.score for block in boilerplate)
