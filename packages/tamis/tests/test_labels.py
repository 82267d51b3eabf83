from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tamis import Document, Labels, OptionError, Role
from tamis.labels import THRESHOLD, from_text_scores


def label(html: str, **scores: float) -> tuple[Document, Labels]:
    """Labels of a page whose texts are single letters, each with its score."""
    document = Document.from_html(html)
    return document, from_text_scores(document, np.array([scores.get(text, 0.0) for text in document.leaves.text]))


def image_stays(html: str, keep: str) -> bool:
    """Does the one medium of the page stay when the texts in `keep` do?"""
    document, labels = label(html, **dict.fromkeys(keep, 1.0))
    (stays,) = labels.keep[document.leaves.is_media]
    return bool(stays)


def test_a_text_stays_from_one_half_on() -> None:
    _, labels = label("<p>a</p><p>b</p><p>c</p>", a=0.49, b=0.5, c=1)
    assert labels.keep.tolist() == [False, True, True]
    assert labels.scores.tolist() == [0.49, 0.5, 1]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"scores": np.zeros(3)}, "3 scores for a page of 2 leaves"),
        ({"scores": np.zeros(1)}, "1 scores for a page of 2 leaves"),
        ({"keep": np.zeros(1, np.bool_)}, "1 keep flags for a page of 2 leaves"),
        ({"roles": [Role.TEXT] * 3}, "3 roles for a page of 2 leaves"),
    ],
)
def test_each_leaf_has_one_score(wrong: dict[str, Any], words: str) -> None:
    document = Document.from_html("<p>a</p><p>b</p>")
    with pytest.raises(OptionError, match=words):
        from_text_scores(document, **({"scores": np.zeros(2)} | wrong))


def test_hidden_text_never_stays() -> None:
    _, labels = label("<p>a</p><p hidden>h</p>", a=1, h=1)
    assert labels.keep.tolist() == [True, False]
    assert labels.scores.tolist() == [1, 0]


def test_an_extractor_may_decide_by_itself() -> None:
    document = Document.from_html("<p>a</p><p>b</p><p hidden>h</p>")
    labels = from_text_scores(document, np.array([0.9, 0.1, 0.9]), keep=np.array([False, True, True]))
    assert labels.keep.tolist() == [False, True, False]
    assert labels.scores.tolist() == [0.9, 0.1, 0]


def test_the_scores_that_came_in_are_not_changed() -> None:
    scores = np.ones(2)
    from_text_scores(Document.from_html("<p>a</p><p hidden>h</p>"), scores)
    assert scores.tolist() == [1, 1]


class TestMedia:
    def test_a_medium_between_kept_texts_stays(self) -> None:
        assert image_stays("<p>a</p><div><img></div><p>b</p>", "ab")
        assert not image_stays("<p>a</p><div><img></div><p>b</p>", "")

    @pytest.mark.parametrize(("keep", "stays"), [("a", True), ("ab", True), ("b", False)])
    def test_a_medium_follows_the_text_of_its_section(self, keep: str, stays: bool) -> None:
        assert image_stays("<section><p>a</p><div><img></div></section><section><p>b</p></section>", keep) is stays

    @pytest.mark.parametrize(("keep", "stays"), [("c", True), ("ac", True), ("ab", True), ("", False)])
    def test_a_medium_follows_its_caption_or_the_texts_around_its_figure(self, keep: str, stays: bool) -> None:
        html = "<p>a</p><figure><div><img></div><figcaption>c</figcaption></figure><p>b</p>"
        assert image_stays(html, keep) is stays

    @pytest.mark.parametrize(("keep", "stays"), [("a", True), ("b", False)])
    def test_a_medium_follows_its_paragraph(self, keep: str, stays: bool) -> None:
        assert image_stays("<p>a<img></p><p>b</p>", keep) is stays

    @pytest.mark.parametrize("html", ["<img><p>a</p>", "<p>a</p><img>"])
    def test_a_medium_at_the_edge_follows_its_only_neighbour(self, html: str) -> None:
        assert image_stays(html, "a")
        assert not image_stays(html, "")

    def test_hidden_text_is_no_neighbour(self) -> None:
        assert image_stays("<p>a</p><p hidden>h</p><div><img></div><p hidden>i</p><p>b</p>", "ab")

    def test_the_score_of_a_medium_says_whether_it_stays(self) -> None:
        document, labels = label("<p>a<img></p><p>b</p><div><img></div><p>c</p>", a=0.6, b=0.2)
        assert labels.scores[document.leaves.is_media].tolist() == [1, 0]


class TestThreshold:
    PAGE = "<p>a<img></p><p>b</p><p>c</p><p hidden>h</p>"

    @pytest.mark.parametrize(("threshold", "texts"), [(0.1, "abc"), (0.4, "ab"), (0.8, "a"), (0.9, "a"), (0.95, "")])
    def test_texts_stay_from_the_threshold_on(self, threshold: float, texts: str) -> None:
        document, labels = label(self.PAGE, a=0.9, b=0.4, c=0.1, h=1)
        cut = labels.at(threshold, document)
        assert "".join(text for text, stays in zip(document.leaves.text, cut.keep, strict=True) if stays) == texts

    def test_nothing_hidden_stays_at_zero(self) -> None:
        document, labels = label("<p>a<img></p><p hidden>h<img></p><img hidden><template>t</template><p>b</p>")
        assert labels.at(0.0, document).keep.tolist() == document.leaves.visible.tolist()

    def test_media_follow(self) -> None:
        document, labels = label(self.PAGE, a=0.9, b=0.4)
        (image,) = np.flatnonzero(document.leaves.is_media)
        assert labels.at(0.8, document).keep[image]
        assert not labels.at(0.95, document).keep[image]

    def test_an_extractor_may_have_a_threshold_of_its_own(self) -> None:
        document = Document.from_html("<p>a</p><p>b</p><p>c</p>")
        labels = from_text_scores(document, np.array([0.41, 0.4, 0.39]), threshold=0.4)
        assert labels.keep.tolist() == [True, True, False]
        assert np.array_equal(labels.at(labels.threshold, document).keep, labels.keep)

    def test_media_of_an_extractor_that_chooses_elements_go_by_their_own_score(self) -> None:
        document = Document.from_html("<p>a<img></p><p>b</p><p hidden>c</p>")
        scores = np.array([0.9, 0.2, 0.9, 0.9])
        labels = Labels(scores, scores >= THRESHOLD, nodes=np.array([3], np.int32))
        assert labels.at(0.5, document).keep.tolist() == [True, False, True, False]


class TestComments:
    PAGE = "<p>a</p><ul><li>b<img></li><li>c</li></ul><p hidden>d</p><p>e</p>"
    ROLES = (Role.TEXT, Role.COMMENT, Role.COMMENT, Role.COMMENT, Role.COMMENT, Role.BOILERPLATE)

    def labelled(self, *, roles: bool = True) -> tuple[Document, Labels]:
        document = Document.from_html(self.PAGE)
        scores = np.array([0.9, 0.3, 0.0, 0.3, 0.3, 0.1])
        return document, from_text_scores(document, scores, roles=self.ROLES if roles else None)

    def test_with_them_all_visible_ones_are_in_and_their_media_follow(self) -> None:
        document, labels = self.labelled()
        assert labels.with_comments(document).keep.tolist() == [True, True, True, True, False, False]

    def test_an_extractor_that_knows_no_roles_has_none(self) -> None:
        document, labels = self.labelled(roles=False)
        assert labels.with_comments(document) is labels

    def test_what_was_kept_stays(self) -> None:
        """A picture that an extractor keeps by itself is not dropped because comments come in."""
        document = Document.from_html("<p>a</p><p>b</p><img>")
        labels = Labels(np.array([0.9, 0.1, 0.9]), np.array([True, False, True]), roles=(Role.TEXT,) * 3)
        assert labels.with_comments(document).keep.tolist() == [True, False, True]

    def test_they_come_on_top_of_any_threshold(self) -> None:
        document, labels = self.labelled()
        assert labels.at(0.95, document).with_comments(document).keep.tolist() == [
            False,
            True,
            True,
            True,
            False,
            False,
        ]


def test_roles_are_told_where_they_are_known() -> None:
    document = Document.from_html("<h1>a</h1><p>b</p>")
    labels = from_text_scores(document, np.ones(2), roles=[Role.TITLE, Role.COMMENT])
    assert [labels.role(0), labels.role(1)] == [Role.TITLE, Role.COMMENT]
