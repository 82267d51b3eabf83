from __future__ import annotations

from collections.abc import Callable
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis import Document
from tamis.errors import WeightsError
from tamis.extractor.network import Scaling
from tamis.page_type import PageType
from tamis.weights import write_config
from tamis_papers.goce import features
from tamis_papers.goce.classifiers import HTML_CLASSIFIER, HTML_MODEL, Genre, HtmlClassifier, MarkupVocabulary, load
from tests.golden import golden_pages
from tests.papers.goce.tiny import NUMBERS, TYPES, html_config, html_tensors, write_html

PAGES = {page.name: page for page in golden_pages()}


def types(classifier: HtmlClassifier, html: str | bytes) -> dict[PageType, float]:
    return dict(classifier.page_types(Document.from_html(html)).probabilities)


class TestVocabulary:
    WORDS = MarkupVocabulary(["words", "links"], ["class:a", "class:b", "json:product", "og:video"])

    def test_a_name_that_the_page_has_is_more_than_0(self) -> None:
        assert self.WORDS.bag({"json:product"}).tolist() == [0, 0, 3, 0]

    def test_many_names_weigh_less_each(self) -> None:
        assert self.WORDS.bag(["class:a", "class:b", "json:product", "og:video"]).tolist() == [1.5] * 4

    def test_unknown_names_change_nothing(self) -> None:
        assert self.WORDS.bag({"class:z", "og:video", "a", ""}).tolist() == [0, 0, 0, 3]

    def test_numbers_are_taken_in_order_and_before_names(self) -> None:
        plain = Scaling(np.zeros(2), np.ones(2))
        found = self.WORDS.inputs({"links": 2.0, "other": 9.0, "words": 1.0}, {"class:b"}, plain)
        assert found.tolist() == [1, 2, 0, 3, 0, 0]


class TestProbabilities:
    def test_worked_out_by_hand(self, classifier: HtmlClassifier) -> None:
        likely = types(classifier, "<div class=card>words</div>")
        # The sign of a listing has the logit 2 * 3, all others 0.
        assert likely[PageType.LISTING] == pytest.approx(exp(6) / (exp(6) + 6))
        assert likely[PageType.ARTICLE] == pytest.approx(1 / (exp(6) + 6))

    def test_the_hidden_layer_counts(self, tmp_path: Path) -> None:
        tensors = html_tensors()
        tensors["hidden_bias"][:] = [2.0, -5.0]  # the second is below 0, and so is not there
        tensors["top"][:, TYPES.index(PageType.SERVICE)] = [1.5, 100.0]
        likely = types(HtmlClassifier(write_html(tmp_path, tensors)), "words")
        assert likely[PageType.SERVICE] == pytest.approx(exp(3) / (exp(3) + 6))


class TestGenre:
    def test_it_is_the_sum_over_the_types_of_a_genre(self, tmp_path: Path) -> None:
        share = {
            PageType.ARTICLE: 0.3, PageType.DOCUMENTATION: 0.15, PageType.FORUM: 0.2, PageType.LISTING: 0.05,
            PageType.COLLECTION: 0.05, PageType.PRODUCT: 0.2, PageType.SERVICE: 0.05,
        }  # fmt: skip
        tensors = html_tensors({kind: float(np.log(value)) for kind, value in share.items()})
        guess = HtmlClassifier(write_html(tmp_path, tensors)).genre(Document.from_html("words"))
        assert guess.genre is Genre.ARTICLE
        assert guess.confidence == pytest.approx(0.45 / 0.75)
        assert guess.source == "html"


class TestLoading:
    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"input": features.VERSION + 1}, "other features"),
            ({"input": None}, "other features"),
            ({"names": ["class:card"]}, "does not fit its config"),
            ({"numbers": NUMBERS[:-1]}, "does not fit its config"),
            ({"numbers": None}, "cannot be loaded"),
            ({"names": 5}, "cannot be loaded"),
        ],
    )
    def test_a_config_that_does_not_fit(self, changes: dict[str, Any], message: str, tmp_path: Path) -> None:
        with pytest.raises(WeightsError, match=message) as caught:
            load(write_html(tmp_path, **changes))
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("name", html_tensors())
    def test_a_tensor_of_another_shape(self, name: str, tmp_path: Path) -> None:
        tensors = html_tensors()
        tensors[name] = np.ascontiguousarray(tensors[name][:-1])
        with pytest.raises(WeightsError, match="does not fit its config"):
            load(write_html(tmp_path, tensors))

    @pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda _: b"", lambda _: b"\xff" * 99])
    def test_a_damaged_file(self, damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
        model = write_html(tmp_path) / HTML_MODEL
        model.write_bytes(damage(model.read_bytes()))
        with pytest.raises(WeightsError, match="digest"):
            load(tmp_path)
        write_config(tmp_path, html_config(), HTML_MODEL)  # the digest is right, and the file still is no network
        with pytest.raises(WeightsError, match="cannot be loaded") as caught:
            load(tmp_path)
        assert "\n" not in str(caught.value)


class TestShipped:
    """Pages that leave no doubt."""

    @pytest.mark.parametrize(
        ("name", "page_type"),
        [
            ("article-news", "article"),
            ("blog-with-comments", "article"),
            ("japanese", "article"),
            ("recipe", "article"),
            ("thai", "article"),
            ("api-reference", "documentation"),
            ("documentation-code", "documentation"),
            ("forum-thread", "forum"),
            ("product", "product"),
            ("category-grid", "collection"),
        ],
    )
    def test_types(self, name: str, page_type: str) -> None:
        types = HTML_CLASSIFIER.page_types(PAGES[name].document())
        assert types.best == page_type
        assert types.confidence > 0.5
