"""What the names of elements say about comments and teasers."""

from __future__ import annotations

import numpy as np
import pytest

from tamis import Document
from tamis_lab.gold import LeafGold
from tamis_lab.training.pages import COMMENTS_ARE_CONTENT, LabelledPage, role_truth


def roles(
    html: str, *, content: str = "", page_type: str | None = "article", corpus: str = "c", marks: str = ""
) -> tuple[str, str]:
    """The texts, single letters all, that are comments, and those that are about something else."""
    document = Document.from_html(html)
    letters = document.leaves.text
    gold = np.array([letter in content if letter else False for letter in letters], np.bool_)
    of_annotators = tuple("comment" if letter in marks else "other" for letter in letters) if marks else None
    of_gold = LeafGold(gold, gold, is_bad=False)
    page = LabelledPage(f"{corpus}/1", "c", html.encode(), None, of_gold, page_type, of_annotators)
    found = role_truth(page, document, gold)

    def told(flags: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
        return "".join(letter for letter, flag in zip(letters, flags, strict=True) if flag)

    return told(found.comment), told(found.related)


@pytest.mark.parametrize(
    "name",
    ["comment", "comments", "comment-list", "user_Comments", "DISQUS_thread", "respond", "reply-list", "replies"],
)
@pytest.mark.parametrize("attribute", ["class", "id"])
def test_comments_by_class_or_id(attribute: str, name: str) -> None:
    assert roles(f"<p>a</p><div {attribute}='x {name}'><p>b</p><ul><li>c</ul></div><p>d</p>") == ("bc", "")


@pytest.mark.parametrize(
    "name",
    ["related", "RelatedPosts", "recommended", "teaser-box", "read-next", "more-from-us", "trending", "most-read"],
)
@pytest.mark.parametrize("attribute", ["class", "id"])
def test_teasers_by_class_or_id(attribute: str, name: str) -> None:
    assert roles(f"<p>a</p><div {attribute}='{name}'><p>b</p></div><p>c</p>") == ("", "b")


@pytest.mark.parametrize("tag", ["body", "article", "main"])
@pytest.mark.parametrize("name", ["comments-open", "has-related"])
def test_what_holds_the_whole_page_says_what_it_can_do(tag: str, name: str) -> None:
    assert roles(f"<{tag} class='{name}'><p>a</p></{tag}>") == ("", "")


def test_other_names_say_nothing() -> None:
    assert roles("<div class=content id=story title=comment data-comment=1><p>a</p></div>") == ("", "")


def test_what_the_gold_has_is_related_to_nothing() -> None:
    assert roles("<ul class=related><li>a</li><li>b</li></ul>", content="a") == ("", "b")


@pytest.mark.parametrize("corpus", COMMENTS_ARE_CONTENT)
def test_comments_are_comments_even_where_the_gold_counts_them(corpus: str) -> None:
    html = "<p>a</p><div class=comments><p>b</p></div>"
    assert roles(html, content="ab", corpus=corpus) == ("b", "")
    assert roles(html, content="ab", corpus="wcxb") == ("", ""), "there the gold has no comments, so the name is wrong"
    assert roles(html, content="a", corpus="wcxb") == ("b", "")


def test_a_name_around_nearly_all_of_the_content_is_about_the_page() -> None:
    html = "<p>a</p><div class=comments><p>b</p><p>c</p><p>d</p><p>e</p><p>f</p></div>"
    assert roles(html, content="abcdef", corpus="canola") == ("", "")
    assert roles(html, content="abcd", corpus="canola") == ("bcdef", "")


def test_commentary_is_a_kind_of_article() -> None:
    assert roles("<div class=commentary><p>a</p></div><div class=kommentare><p>b</p></div>") == ("b", "")


def test_what_annotators_marked_as_a_comment_is_one() -> None:
    html = "<p>a</p><div><p>b</p></div><div class=related>c</div>"
    assert roles(html, content="a", marks="bc") == ("bc", "")
    assert roles(html, content="a", marks="b", page_type="forum") == ("", "")


def test_a_teaser_among_comments_is_a_comment() -> None:
    html = "<div class=comments><div class=related>a</div></div><div class=related><p class=comment>b</p>c</div>"
    assert roles(html) == ("ab", "c")


@pytest.mark.parametrize(("page_type", "expected"), [("forum", ("", "")), ("product", ("a", "b")), (None, ("a", "b"))])
def test_what_is_said_on_a_forum_is_its_content(page_type: str | None, expected: tuple[str, str]) -> None:
    html = "<div class=replies>a</div><div class=related>b</div>"
    assert roles(html, page_type=page_type) == expected


def test_there_is_an_answer_for_every_leaf() -> None:
    html = "<title>t</title><div class=comment>a<img></div><p hidden class=comment>b</p>"
    document = Document.from_html(html)
    nothing = np.zeros(len(document.leaves), np.bool_)
    page = LabelledPage("c/1", "c", html.encode(), None, LeafGold(nothing, nothing, is_bad=False), "article")
    for found in (role_truth(page, document, nothing), role_truth(page, Document.from_html(""), nothing[:0])):
        assert found.comment.dtype == found.related.dtype == np.bool_
    assert role_truth(page, document, nothing).comment.tolist() == [False, True, True, True]
