from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tamis.page_type import PageType
from tamis.weights import write_config
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.pages import LabelledPage, label
from tamis_papers.goce.classifiers import HTML_MODEL, HtmlClassifier
from tamis_papers.goce.features import VERSION
from tests.environment import one_thread

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.papers.goce.html_training import RECIPE, HtmlTask, examples
from tamis_lab.training.loop import Schedule, fit, seed_everything

TEXT = "The storm came in the night and closed the harbour for two days, and nobody knew when it would go."
SCHEDULE = Schedule(epochs=25, batch_pages=4, learning_rate=0.01, patience=25, averaging=0.5)


def html(kind: str, number: int) -> str:
    """An article has paragraphs, a forum posts; each page has a class that no other has."""
    if kind == "article":
        body = f"<article class=story>{f'<p>{TEXT}</p>' * (number % 3 + 3)}</article>"
    else:
        body = f"<div class=post><b>Ann</b> Why did the bread not rise in {number} hours?</div>" * (number % 3 + 8)
    return f"<title>Page {number}</title><body class='{kind} only{'x' * number}'>{body}</body>"


def page(kind: str | None, number: int) -> LabelledPage:
    source = html(kind or "article", number).encode()
    url = f"https://site{number}.example/"
    return label(CorpusPage("c", f"{kind}{number}", source, "all", gold_text="x", url=url, page_type=kind))


TRAINING = [page(kind, number) for number in range(7) for kind in ("article", "forum")]
VALIDATION = [page("article", 20), page("forum", 21)]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


def made() -> HtmlTask:
    """With the same first weights each time."""
    seed_everything(1)
    return RECIPE.task(TRAINING, VALIDATION, "cpu")


@pytest.fixture(scope="module")
def task() -> Iterator[HtmlTask]:
    """One that has learned."""
    with one_thread():
        task = made()
        for stage in task.stages:
            fit(stage, SCHEDULE)
        yield task


class TestPages:
    def test_pages_without_a_type_are_left_out(self) -> None:
        found = examples([page("forum", 1), page(None, 2), page("article", 3)])
        assert [(example.name, example.page_type) for example in found] == [
            ("c/forum1", PageType.FORUM),
            ("c/article3", PageType.ARTICLE),
        ]

    def test_a_name_has_to_be_on_several_sites(self) -> None:
        names = made().vocabulary.names
        assert {"class:story", "class:post", "body:article", "body:forum"} <= set(names)
        assert not any("only" in name for name in names)
        assert list(names) == sorted(names)


class TestLearning:
    def test_it_learns(self, task: HtmlTask) -> None:
        assert task.validate() > 0.8
        assert made().validate() < 0.3

    def test_the_score_is_the_geometric_mean_of_the_true_types(self) -> None:
        task = made()
        likely = task.probabilities(examples(VALIDATION)).astype(np.float64)
        kinds = list(PageType)
        truth = [likely[0, kinds.index(PageType.ARTICLE)], likely[1, kinds.index(PageType.FORUM)]]
        assert task.validate() == pytest.approx(np.sqrt(truth[0] * truth[1]), abs=1e-6)

    def test_what_is_saved_says_the_same_without_torch(self, task: HtmlTask, tmp_path: Path) -> None:
        file, config = RECIPE.save(task, tmp_path)
        assert (file, config["input"]) == (HTML_MODEL, VERSION)
        write_config(tmp_path, config, file)
        classifier = HtmlClassifier(tmp_path)
        for one in [*VALIDATION, page("forum", 40)]:
            expected = task.probabilities(examples([one]))[0]
            found = classifier.page_types(one.document()).probabilities
            assert np.allclose([found[kind] for kind in PageType], expected, atol=1e-5)
