from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.arrays import Floats
from tamis.weights import write_config
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.pages import LabelledPage, label
from tamis_papers.boilernet import extractor as system
from tamis_papers.boilernet.features import VERSION, Vocabulary, counts
from tests.golden import golden_pages

torch = pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("onnx", reason="the extra train is not installed")
pytest.importorskip("onnxruntime", reason="the extra neural is not installed")

from tamis_lab.papers.boilernet import training as boilernet
from tamis_lab.papers.boilernet.training import (
    BoilerNet,
    BoilerNetExample,
    BoilerNetRecipe,
    BoilerNetTask,
    NetworkSize,
    export,
    prepare,
)
from tamis_lab.training.loop import Schedule, fit, seed_everything

TINY = NetworkSize(projection=8, hidden=6, layers=2, dropout=0.2)
RECIPE = BoilerNetRecipe(TINY)
SCHEDULE = Schedule(epochs=20, batch_pages=2, learning_rate=0.02, patience=20, averaging=0.5)
WORDS = "The content of this page is a text of some length, and it goes on and on."


def page(number: int, *, paragraphs: int = 2) -> LabelledPage:
    """A menu, some paragraphs, a footer."""
    menu = "".join(f"<li><a href=x>Item {item}</a></li>" for item in range(number % 3 + 2))
    text = "".join(f"<p>{part}: {WORDS}</p>" for part in range(paragraphs))
    html = f"<ul>{menu}</ul><div>{text}</div><footer>Imprint and contact</footer>"
    gold = " ".join(f"{part}: {WORDS}" for part in range(paragraphs))
    return label(CorpusPage("c", str(number), html.encode(), "all", gold_text=gold))


EMPTY = label(CorpusPage("c", "empty", b"<p hidden>Words</p><img src=x>", "all", gold_text="Words"))
TRAINING = [page(number) for number in (0, 1, 3, 4)]


def vocabulary(*pages: LabelledPage) -> Vocabulary:
    return Vocabulary.build((one.document() for one in pages or TRAINING), tags=10, words=20)


def task(
    training: Sequence[BoilerNetExample] | None = None,
    validation: Sequence[BoilerNetExample] | None = None,
    size: NetworkSize = TINY,
) -> BoilerNetTask:
    """With the same first weights each time."""
    seed_everything(1)
    words = vocabulary()
    training = [prepare(one, words) for one in TRAINING] if training is None else training
    validation = [prepare(page(2), words)] if validation is None else validation
    return BoilerNetTask(words, training, validation, size=size)


def loss(made: BoilerNetTask, *pages: int) -> float:
    made.module.eval()
    with torch.no_grad():
        return float(made.loss(pages))


def sure_of(probability: float, folder: Path) -> system.Network:
    """A network of another vocabulary that says the same of every text."""
    folder.mkdir(exist_ok=True)
    words = Vocabulary(("p", "li"), ("the",))
    module = BoilerNet(words.dims, projection=2, hidden=2)
    for parameter in module.parameters():
        parameter.data.zero_()
    module.output.bias.data.fill_(math.log(probability / (1 - probability)))
    export(module, folder / system.MODEL)
    write_config(folder, {"vocabulary": words.to_json(), "threshold": 0.5, "input": VERSION}, system.MODEL)
    return system.load(folder)


class TestExamples:
    def test_rows_labels_and_targets_are_those_of_the_visible_texts(self) -> None:
        example = prepare(page(0), vocabulary())
        assert len(example.rows) == 5
        assert example.rows.dims == vocabulary().dims
        assert example.content.tolist() == [False, False, True, True, False]
        assert example.known.all()
        assert example.target.tolist() == [0, 0, 1, 1, 0]

    def test_a_teacher_moves_targets_halfway_to_its_answers(self, tmp_path: Path) -> None:
        example = prepare(page(0), vocabulary(), sure_of(0.8, tmp_path))
        assert example.target == pytest.approx([0.4, 0.4, 0.9, 0.9, 0.4], abs=1e-6)
        assert example.content.tolist() == [False, False, True, True, False]
        assert example.rows.dims == vocabulary().dims, "the teacher reads by its own vocabulary"


class TestLoss:
    def test_both_classes_weigh_the_same(self) -> None:
        """Two texts of content and three others; each class counts for half of the whole."""
        made = task([prepare(page(0), vocabulary())])
        found = made.probabilities(prepare(page(0), vocabulary()))
        content = -np.log(found[2:4]).mean()
        others = -np.log(1 - found[[0, 1, 4]]).mean()
        assert loss(made, 0) == pytest.approx(float(content + others) / 2, abs=1e-5)

    def test_what_the_gold_does_not_say_is_not_learned(self) -> None:
        example = prepare(page(0), vocabulary())
        known = np.array([True, False, True, True, False])
        turned = np.array([False, True, True, True, True])
        unknown = replace(example, known=known)
        other = replace(unknown, content=turned, target=turned.astype(np.float64))
        told = replace(other, known=example.known)
        first, same, different = (loss(task([one]), 0) for one in (unknown, other, told))
        assert first == same
        assert first != pytest.approx(different, abs=1e-4)

    def test_a_page_without_any_known_text_costs_nothing(self) -> None:
        example = prepare(page(0), vocabulary())
        made = task([replace(example, known=np.zeros(5, np.bool_)), example])
        assert loss(made, 0) == 0
        assert loss(made, 1) > 0

    def test_soft_targets_are_what_is_learned(self, tmp_path: Path) -> None:
        hard = prepare(page(0), vocabulary())
        made = task([prepare(page(0), vocabulary(), sure_of(0.8, tmp_path))])
        found = made.probabilities(hard)
        target = np.array([0.4, 0.4, 0.9, 0.9, 0.4])
        each = -(target * np.log(found) + (1 - target) * np.log(1 - found))
        assert loss(made, 0) == pytest.approx(float(each[2:4].mean() + each[[0, 1, 4]].mean()) / 2, abs=1e-5)
        assert loss(made, 0) != pytest.approx(loss(task([hard]), 0), abs=1e-3)


class TestPieces:
    @pytest.mark.parametrize(("longest", "sizes"), [(1, [1] * 11), (4, [4, 4, 3]), (10, [10, 1]), (11, [11])])
    def test_a_long_page_is_cut_without_losing_a_row(self, longest: int, sizes: list[int], tmp_path: Path) -> None:
        whole = prepare(page(0, paragraphs=8), vocabulary(), sure_of(0.8, tmp_path))
        whole = replace(whole, known=np.arange(11) % 3 > 0)
        made = task([whole], size=replace(TINY, longest=longest))
        pieces = made._training
        assert made.stages[0].sizes == [len(piece.rows) for piece in pieces] == sizes
        assert np.array_equal(np.concatenate([piece.rows.dense() for piece in pieces]), whole.rows.dense())
        assert np.array_equal(np.concatenate([piece.rows.leaves for piece in pieces]), whole.rows.leaves)
        for column in ("content", "known", "target"):
            parts = [getattr(piece, column) for piece in pieces]
            assert np.array_equal(np.concatenate(parts), getattr(whole, column)), column


class TestValidation:
    @staticmethod
    def answering(monkeypatch: pytest.MonkeyPatch, *answers: float) -> None:
        """Let the network say this of the texts of each page."""

        def run(self: BoilerNetTask, examples: Sequence[BoilerNetExample]) -> Floats:
            return np.concatenate([np.array(answers)[: len(example.rows)] for example in examples])

        monkeypatch.setattr(BoilerNetTask, "_run", run)

    def test_it_is_the_f1_of_known_texts_cut_in_the_middle(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answering(monkeypatch, 0.1, 0.2, 0.5, 0.3, 0.9)
        example = prepare(page(0), vocabulary())
        assert task(validation=[example]).validate() == pytest.approx(0.5)
        half = replace(example, known=np.array([True, True, True, False, False]))
        assert task(validation=[half]).validate() == 1.0

    @pytest.mark.parametrize(
        ("answers", "threshold"),
        [
            ([0.1, 0.35, 0.9, 0.37, 0.3], 0.36),  # nothing else parts them
            ([0.1, 0.63, 0.9, 0.65, 0.3], 0.64),
            ([0.1, 0.79, 0.99, 0.9, 0.3], 0.8),
        ],
    )
    def test_the_best_threshold_parts_content_from_the_rest(
        self, answers: list[float], threshold: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.answering(monkeypatch, *answers)
        assert task(validation=[prepare(page(0), vocabulary())]).best_threshold() == threshold

    def test_pages_without_text_do_no_harm(self) -> None:
        words = vocabulary()
        empty, example = prepare(EMPTY, words), prepare(page(0), words)
        assert task(validation=[empty, example]).validate() == task(validation=[example]).validate()
        assert task(validation=[empty]).validate() == 1.0
        assert 0 < task(validation=[empty]).best_threshold() < 1
        assert task().probabilities(empty).shape == (0,)


class TestRecipe:
    def test_the_vocabulary_comes_from_training_pages_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        other = label(CorpusPage("c", "x", b"<section><p>Unheard words</p></section>", "all", gold_text="words"))
        made = RECIPE.task([page(0), page(1)], [other], "cpu")
        assert "content" in made.vocabulary.words
        assert "unheard" not in made.vocabulary.words
        assert "section" not in made.vocabulary.tags
        monkeypatch.setattr(boilernet, "TAGS", 2)
        monkeypatch.setattr(boilernet, "WORDS", 3)
        small = RECIPE.task([page(0), page(1)], [other], "cpu").vocabulary
        assert (len(small.tags), len(small.words)) == (2, 3)

    def test_it_learns_a_simple_layout(self) -> None:
        seed_everything(1)
        made = RECIPE.task([*TRAINING, EMPTY], [page(2), EMPTY], "cpu")
        before = made.validate()
        history = fit(made.stages[0], SCHEDULE)
        assert history[-1].best == made.validate() == 1.0 > before
        example = prepare(page(5), made.vocabulary)
        assert np.array_equal(made.probabilities(example) >= 0.5, example.content)


@pytest.fixture(scope="module")
def trained() -> BoilerNetTask:
    """A network that has seen four little pages and knows the words of the golden ones."""
    seed_everything(1)
    words = Vocabulary.build((one.document() for one in golden_pages()), tags=20, words=50)
    made = BoilerNetTask(
        words, [prepare(one, words) for one in TRAINING], [prepare(page(2), words), prepare(EMPTY, words)], size=TINY
    )
    fit(made.stages[0], replace(SCHEDULE, epochs=6))
    return made


def saved(task: BoilerNetTask, folder: Path, recipe: BoilerNetRecipe = RECIPE) -> dict[str, Any]:
    file, config = recipe.save(task, folder)
    assert file == system.MODEL
    write_config(folder, config, file)
    return config


class TestSaving:
    def test_the_config_has_all_that_is_needed_to_run(self, trained: BoilerNetTask, tmp_path: Path) -> None:
        config = saved(trained, tmp_path)
        assert json.loads(json.dumps(config)) == config
        assert config["threshold"] == trained.best_threshold()
        assert config["input"] == VERSION
        assert NetworkSize(**config["size"]) == TINY
        network = system.load(tmp_path)
        assert network.vocabulary == trained.vocabulary
        assert network.threshold == config["threshold"]

    def test_onnx_says_what_torch_says_on_golden_pages(self, trained: BoilerNetTask, tmp_path: Path) -> None:
        saved(trained, tmp_path)
        network = system.load(tmp_path)
        spread = 0.0
        for golden in golden_pages():
            rows = counts(golden.document(), trained.vocabulary)
            nothing = np.zeros(len(rows), np.bool_)
            expected = trained.probabilities(BoilerNetExample(rows, nothing, nothing, nothing.astype(np.float64)))
            found = network.probabilities(rows)
            assert found.shape == expected.shape
            if len(rows):
                assert np.abs(found - expected).max() < 1e-4, golden.name
                spread = max(spread, float(np.ptp(found)))
        assert spread > 0.2, "it does not say the same of everything"
