from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tamis.arrays import Bools
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.pages import LabelledPage, label
from tamis_papers.web2text.extractor import feature_names
from tamis_papers.web2text.network import viterbi

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.papers.web2text import training as web2text
from tamis_lab.papers.web2text.training import RECIPE, Web2TextExample, Web2TextTask, prepare
from tamis_lab.training.loop import Schedule, fit, seed_everything

WORDS = "The content of this page is a text of some length, and it goes on and on. It ends here. "


def page(number: int, *, paragraphs: int = 2) -> LabelledPage:
    """A menu, some paragraphs, a footer."""
    menu = "".join(f"<li><a href=x>Item {item}</a></li>" for item in range(number % 3 + 2))
    text = "".join(f"<p>{part}: {WORDS * (number % 2 + 1)}</p>" for part in range(paragraphs))
    html = f"<ul>{menu}</ul><div>{text}</div><footer>Imprint - Contact</footer>"
    gold = " ".join(f"{part}: {WORDS * (number % 2 + 1)}" for part in range(paragraphs))
    return label(CorpusPage("c", str(number), html.encode(), "all", gold_text=gold))


EMPTY = label(CorpusPage("c", "empty", b"<p hidden>Words</p><img src=x>", "all", gold_text="Words"))


def task(*pages: LabelledPage, seed: int = 1) -> Web2TextTask:
    seed_everything(seed)
    return RECIPE.task(pages or [page(0), page(1)], [page(2)], "cpu")


def losses(made: Web2TextTask, *pages: int) -> list[float]:
    """Those of blocks and of steps."""
    made.module.eval()
    with torch.no_grad():
        return [float(stage.loss(pages)) for stage in made.stages]


def state(module: Any) -> dict[str, Any]:
    return copy.deepcopy(dict(module.state_dict()))


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(value, other[name]) for name, value in one.items())


class TestExamples:
    def test_features_and_labels_have_one_row_a_visible_text(self) -> None:
        example = prepare(page(0))
        assert example.name == "c/0"
        assert example.columns.values.shape == (5, len(feature_names()))
        assert example.content.tolist() == [False, False, True, True, False]
        assert example.known.all()


class TestNetwork:
    def test_the_sizes_are_those_of_the_paper(self) -> None:
        """§3.4: seven layers, width 3, 50 filters and 10 in the last; 2 and 4 classes."""
        shapes = {name: tuple(value.shape) for name, value in task().module.state_dict().items()}
        for network, classes in (("unary", 2), ("pairwise", 4)):
            filters = [shapes[f"{network}.convolutions.{layer}.weight"] for layer in range(7)]
            assert filters == [(50, 149, 3)] + [(50, 50, 3)] * 5 + [(10, 50, 3)]
            assert shapes[f"{network}.top.weight"] == (classes, 10)
        assert len(shapes) == 2 * (7 + 1) * 2
        assert web2text.DROPOUT == 0.2

    @pytest.mark.parametrize("lengths", [[0, 3, 2], [3, 0, 2], [3, 2, 0], [0, 0, 3, 2, 0, 0]])
    def test_a_page_without_rows_changes_nothing(self, lengths: list[int]) -> None:
        for with_it, without in zip(
            web2text._neighbours(lengths, "cpu"), web2text._neighbours([3, 2], "cpu"), strict=True
        ):
            assert torch.equal(with_it, without)


class TestLoss:
    def test_they_are_the_cross_entropies_of_blocks_and_of_steps(self) -> None:
        made = task()
        example = prepare(page(0))
        blocks, steps = made.potentials(example)
        labels = example.content.astype(int)
        unary = -np.mean([blocks[place, label] for place, label in enumerate(labels)])
        walked = 2 * labels[:-1] + labels[1:]
        pairwise = -np.mean([steps[place, step] for place, step in enumerate(walked)])
        assert losses(made, 0) == pytest.approx([float(unary), float(pairwise)], abs=1e-5)

    def test_the_last_text_of_a_page_and_the_first_of_the_next_are_no_step(self) -> None:
        made = task(page(0), page(0))
        assert losses(made, 0, 1) == pytest.approx(losses(made, 0), abs=1e-6)

    def test_what_the_gold_does_not_say_is_not_learned(self) -> None:
        example = prepare(page(0))
        unknown = replace(example, known=np.array([True, False, True, True, False]))
        other = replace(unknown, content=np.array([False, True, True, True, True]))
        found = []
        for first in (unknown, other, replace(example, content=other.content)):
            seed_everything(1)
            found.append(losses(Web2TextTask([first], [example]), 0))
        assert found[0] == found[1]
        assert all(one != other for one, other in zip(found[0], found[2], strict=True))

    def test_a_step_counts_where_both_of_its_texts_are_known(self) -> None:
        example = prepare(page(0))
        known = np.array([True, False, True, True, False])
        made = Web2TextTask([replace(example, known=known)], [example])
        blocks, steps = made.potentials(example)
        assert losses(made, 0) == pytest.approx(
            [-float(blocks[0, 0] + blocks[2, 1] + blocks[3, 1]) / 3, -float(steps[2, 3])], abs=1e-5
        )

    @pytest.mark.parametrize("batch", [(0, 2), (2, 0), (2,), (0, 2, 1)])
    def test_a_page_without_text_does_no_harm(self, batch: tuple[int, ...]) -> None:
        made = task(page(0), page(1), EMPTY)
        filled = tuple(number for number in batch if number != 2)
        assert losses(made, *batch) == pytest.approx(losses(made, *filled) if filled else [0, 0], abs=1e-6)


class TestStages:
    SCHEDULE = replace(RECIPE.schedule, epochs=3, batch_pages=2)

    @pytest.mark.parametrize(("stage", "trained", "left"), [(0, "unary", "pairwise"), (1, "pairwise", "unary")])
    def test_each_trains_its_own_network_alone(self, stage: int, trained: str, left: str) -> None:
        made = task()
        before = {name: state(getattr(made.module, name)) for name in (trained, left)}
        fit(made.stages[stage], self.SCHEDULE)
        assert same(state(getattr(made.module, left)), before[left])
        after = state(getattr(made.module, trained))
        assert not any(torch.equal(value, after[name]) for name, value in before[trained].items())


class TestTraining:
    # With so few steps, the average must forget faster than it does by default.
    SCHEDULE = Schedule(epochs=40, batch_pages=2, learning_rate=3e-3, patience=40, averaging=0.8)

    def test_it_learns_a_simple_layout(self) -> None:
        made = task(*(page(number) for number in (0, 1, 3, 4)), EMPTY)
        before = [made.validate(unary_only=unary_only) for unary_only in (True, False)]
        assert max(before) < 0.9
        histories = [fit(stage, self.SCHEDULE) for stage in made.stages]
        assert all(history[-1].loss < history[0].loss / 2 for history in histories)
        assert histories[0][-1].best == made.validate(unary_only=True) == 1.0
        assert histories[1][-1].best == made.validate(unary_only=False) == 1.0
        for unary_only in (False, True):
            assert made.predict(prepare(page(5)), unary_only=unary_only).tolist() == prepare(page(5)).content.tolist()

    def test_predictions_are_decoded_by_viterbi_or_block_by_block(self) -> None:
        made, example = task(), prepare(page(1))
        blocks, steps = made.potentials(example)
        assert blocks.shape == (len(example.content), 2)
        assert steps.shape == (len(example.content) - 1, 4)
        assert np.allclose(np.exp(blocks).sum(axis=1), 1, atol=1e-5)
        assert np.allclose(np.exp(steps).sum(axis=1), 1, atol=1e-5)
        assert np.array_equal(made.predict(example), viterbi(blocks, steps).labels)
        assert np.array_equal(made.predict(example, unary_only=True), blocks[:, 1] > blocks[:, 0])

    @pytest.mark.parametrize("unary_only", [False, True])
    def test_only_known_leaves_are_scored(self, unary_only: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        example = prepare(page(0))
        half = replace(example, known=np.array([True, True, True, False, False]))
        wrong_where_unknown = np.array([False, False, True, False, True])

        def predict(self: Web2TextTask, one: Web2TextExample, *, unary_only: bool) -> Bools:
            return wrong_where_unknown

        monkeypatch.setattr(Web2TextTask, "predict", predict)
        assert Web2TextTask([example], [half]).validate(unary_only=unary_only) == 1.0
        assert Web2TextTask([example], [example]).validate(unary_only=unary_only) == pytest.approx(0.5)
