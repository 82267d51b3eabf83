from __future__ import annotations

import numpy as np
import pytest

from tamis import Document, Labels, Role
from tamis.labels import from_text_scores


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

    @pytest.mark.parametrize(("keep", "stays"), [("c", True), ("ac", True), ("ab", False), ("b", False)])
    def test_a_medium_follows_its_caption(self, keep: str, stays: bool) -> None:
        html = "<p>a</p><figure><div><img></div><figcaption>c</figcaption></figure><p>b</p>"
        assert image_stays(html, keep) is stays

    def test_a_caption_may_stand_above(self) -> None:
        assert image_stays("<p>a</p><figure><figcaption>c</figcaption><img></figure><p>b</p>", "c")

    @pytest.mark.parametrize(("keep", "stays"), [("a", True), ("b", False)])
    def test_a_medium_follows_its_paragraph(self, keep: str, stays: bool) -> None:
        assert image_stays("<p>a<img></p><p>b</p>", keep) is stays

    @pytest.mark.parametrize("html", ["<img><p>a</p>", "<p>a</p><img>"])
    def test_a_medium_at_the_edge_follows_its_only_neighbour(self, html: str) -> None:
        assert image_stays(html, "a")
        assert not image_stays(html, "")

    def test_hidden_text_is_no_neighbour(self) -> None:
        assert image_stays("<p>a</p><p hidden>h</p><div><img></div><p hidden>i</p><p>b</p>", "ab")

    def test_hidden_media_never_stay(self) -> None:
        assert not image_stays("<p>a<img hidden>b</p>", "ab")

    def test_a_page_of_media_alone_keeps_none(self) -> None:
        assert not image_stays("<img>", "")

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

    def test_scores_and_the_labels_asked_stay_as_they_are(self) -> None:
        document, labels = label(self.PAGE, a=0.9, b=0.4)
        cut = labels.at(0.95, document)
        assert cut.scores.tolist() == labels.scores.tolist()
        assert labels.keep.tolist() == [True, True, False, False, False]

    def test_roles_go_with_the_labels(self) -> None:
        document = Document.from_html("<h1>a</h1><p>b</p>")
        labels = from_text_scores(document, np.array([1.0, 0.6]), roles=[Role.TITLE, Role.TEXT])
        assert labels.at(0.8, document).roles == (Role.TITLE, Role.TEXT)


def test_an_extractor_without_roles_tells_text_from_boilerplate() -> None:
    _, labels = label("<p>a</p><p>b</p>", a=1)
    assert [labels.role(0), labels.role(1)] == [Role.TEXT, Role.BOILERPLATE]


def test_roles_are_told_where_they_are_known() -> None:
    document = Document.from_html("<h1>a</h1><p>b</p>")
    labels = from_text_scores(document, np.ones(2), roles=[Role.TITLE, Role.COMMENT])
    assert [labels.role(0), labels.role(1)] == [Role.TITLE, Role.COMMENT]
