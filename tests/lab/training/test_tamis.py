"""How the default extractor's network learns: teachers, then the network that they teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from tamis.api import PRECISION_THRESHOLD
from tamis.arrays import Floats
from tamis.extractor.network import OUTPUTS
from tamis.extractor.runs import COLUMNS, LEVELS, VERSION
from tamis.extractor.tamis import MODEL, Tamis, load
from tamis.lab.training.pages import LabelledPage, fold_of
from tamis.weights import write_config
from tests.lab.training.test_tamis_examples import EMPTY, marked, page

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis.lab.training import models, tamis
from tamis.lab.training.loop import Epoch, Schedule, seed_everything
from tamis.lab.training.tamis import (
    FOLDS,
    RECIPE,
    STUDENT_SHARE,
    TAUGHT,
    Piece,
    TamisRecipe,
    TamisTask,
    calibration,
    page_f1,
    pieces_of,
)
from tamis.lab.training.tamis_examples import NO_TYPE, Example, prepare

SCHEDULE = Schedule(epochs=6, batch_pages=4, learning_rate=5e-3, patience=6, averaging=0.5)
NO_ROLES = tamis._ROLE_SHARE * 2 * np.log(2)  # what not knowing roles costs


def example(words: list[float], content: list[float], known: list[float] | None = None) -> Example:
    count = len(words)
    nothing = np.zeros(count, np.float32)
    return Example(
        np.zeros((count, len(COLUMNS)), np.float32),
        np.zeros((count, 1 + LEVELS), np.uint8),
        np.array(words, np.float32),
        np.array(content, np.float32),
        np.array(known or [1.0] * count, np.float32),
        nothing,
        nothing,
        NO_TYPE,
    )


def pieces(*pages: LabelledPage) -> list[Piece]:
    """Pages as they were written."""
    return [Piece(prepare(one), fold_of(one.site, FOLDS)) for one in pages]


def task(*pages: LabelledPage, teachers: int = 0, seed: int = 1) -> TamisTask:
    seed_everything(seed)
    return TamisTask(pieces(*(pages or [page(0), page(1)])), [prepare(page(2))], teachers=teachers)


def loss(made: TamisTask, *numbers: int) -> float:
    """Of the network that is shipped, on some of the pieces."""
    made.module.eval()
    with torch.no_grad():
        return float(made.loss(made.module, [made.pieces[number].example for number in numbers]))


def saying(*logits: Sequence[float]) -> Any:
    """A network that says these logits of content, and nothing of roles and types."""
    content = torch.tensor(logits, dtype=torch.float32)
    return lambda *given: (
        torch.stack([content, *[torch.zeros_like(content)] * 2], dim=-1),
        torch.zeros(len(logits), 7),
    )


def logits_of(made: TamisTask, one: Example) -> Floats:
    """What the network of training says of the rows of a page, before it is calibrated."""
    made.module.eval()
    scaled = (one.values - made.scaling.mean) / made.scaling.deviation
    values = torch.from_numpy(scaled.astype(np.float32))[None]
    tags = torch.from_numpy(one.tags.astype(np.int64))[None]
    with torch.no_grad():
        logits, _ = made.module(values, tags, torch.ones(1, len(one), 1))
    found: Floats = logits[0, :, 0].double().numpy()
    return found


@pytest.fixture(scope="module")
def trained() -> tuple[TamisTask, list[Epoch]]:
    """A dozen pages, and two that are not among them; one teacher a fold."""
    seed_everything(1)
    pages = [page(number, paragraphs=number % 4 + 1) for number in range(12)]
    made = TamisTask(pieces(*pages), [prepare(page(13)), prepare(page(14))], teachers=1)
    return made, models.fit_stages(made, SCHEDULE)


class TestScaling:
    def test_it_is_fitted_on_pages_as_they_were_written(self) -> None:
        written = pieces(page(0), EMPTY, page(1))
        variant = Piece(prepare(page(5, paragraphs=40)), 0, is_variant=True)
        made = TamisTask([*written, variant], [prepare(page(2, paragraphs=40))], teachers=0)
        rows = np.concatenate([prepare(page(number)).values for number in (0, 1)])
        assert np.allclose(made.scaling.mean, rows.mean(axis=0), atol=1e-6)
        assert len(made.pieces) == 3

    def test_columns_that_hardly_change_are_not_blown_up(self) -> None:
        made = task()
        assert made.scaling.deviation.min() >= 0.1
        assert np.abs(made.pieces[0].example.values).max() < 100

    def test_nothing_is_cut_off(self) -> None:
        far = prepare(page(2))
        far = replace(far, values=far.values + np.float32(50))
        made = TamisTask(pieces(page(0)), [far], teachers=0)
        (scaled,) = made._validation
        assert np.allclose(scaled.values, (far.values - made.scaling.mean) / made.scaling.deviation, rtol=1e-5)
        assert scaled.values.max() > 100


class TestPieces:
    def test_long_pages_are_learned_from_in_pieces(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tamis, "_LONGEST", 4)
        made = task(page(0), EMPTY, page(2, paragraphs=6))
        assert [len(piece.example) for piece in made.pieces] == [4, 1, 4, 4, 3]
        whole = prepare(page(2, paragraphs=6))
        parts = [piece.example for piece in made.pieces[2:]]
        for name in ("words", "content", "tags", "known"):
            assert np.array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name)), name
        scaled = (whole.values - made.scaling.mean) / made.scaling.deviation
        assert np.allclose(np.concatenate([part.values for part in parts]), scaled, atol=1e-5)
        assert {part.page_type for part in parts} == {whole.page_type}
        assert len({piece.fold for piece in made.pieces[2:]}) == 1

    def test_a_page_of_ordinary_length_is_one_piece(self) -> None:
        made = task(page(0), page(1, paragraphs=40), EMPTY)
        assert [len(piece.example) for piece in made.pieces] == [5, 44]

    def test_validation_pages_are_judged_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = task().validate(task().module)
        monkeypatch.setattr(tamis, "_LONGEST", 2)
        assert [len(one) for one in task()._validation] == [7]
        assert 0 <= whole <= 1

    def test_each_page_is_there_as_it_was_written_and_once_more(self) -> None:
        pages = [page(number) for number in range(4)]
        found = pieces_of(pages, np.random.default_rng(0))
        assert [piece.is_variant for piece in found] == [False, True] * 4
        for number, one in enumerate(pages):
            written, variant = found[2 * number : 2 * number + 2]
            assert np.array_equal(written.example.values, prepare(one).values)
            assert written.fold == variant.fold == fold_of(one.site, FOLDS)

    def test_made_up_pages_come_from_the_seed(self) -> None:
        pages = [page(number) for number in range(6)]
        one, other, third = (pieces_of(pages, np.random.default_rng(seed)) for seed in (3, 3, 4))

        def words(found: list[Piece]) -> list[list[float]]:
            return [piece.example.words.tolist() for piece in found]

        assert words(one) == words(other)
        assert words(one) != words(third)


class TestTeachers:
    PAGES = tuple(page(number) for number in range(10))

    def made(self, teachers: int = 2) -> TamisTask:
        seed_everything(1)
        found = pieces_of(self.PAGES, np.random.default_rng(0))
        return TamisTask(found, [prepare(page(12))], teachers=teachers)

    def test_so_many_for_each_fold_and_then_the_network_itself(self) -> None:
        made = self.made()
        *teachers, student = made.stages
        assert [teacher.fold for teacher in made.teachers] == [*range(FOLDS)] * 2
        assert [teacher.network for teacher in made.teachers] == [stage.module for stage in teachers]
        assert student.module is made.module
        assert len({id(stage.module) for stage in made.stages}) == 2 * FOLDS + 1

    def test_they_never_see_the_fold_that_they_judge(self) -> None:
        made = self.made()
        fold_of_example = {id(piece.example): piece.fold for piece in made.pieces}
        assert len(set(fold_of_example.values())) > 2, "else this would prove little"
        for teacher in made.teachers:
            seen = {fold_of_example[id(one)] for one in teacher.examples}
            assert seen == set(fold_of_example.values()) - {teacher.fold}

    def test_they_learn_from_pages_as_they_were_written(self) -> None:
        made = self.made()
        made_up = {id(piece.example) for piece in made.pieces if piece.is_variant}
        for teacher, stage in zip(made.teachers, made.stages, strict=False):
            assert not made_up & {id(one) for one in teacher.examples}
            assert stage.sizes == [len(one) for one in teacher.examples]

    def test_each_page_is_judged_by_those_of_its_fold_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = self.made()
        said: dict[int, float] = {}  # each teacher says a number of its own
        for number, teacher in enumerate(made.teachers):
            said[id(teacher.network)] = teacher.fold / 2 + (0.1 if number < FOLDS else -0.3)

        def answers(network: Any, examples: Sequence[Example]) -> list[tuple[Floats, Example]]:
            return [(np.full(len(one), said[id(network)]), one) for one in examples]

        monkeypatch.setattr(made, "_answers", answers)
        taught = made.taught
        assert taught is not None
        for piece, likely in zip(made.pieces, taught, strict=True):
            logit = piece.fold / 2 - 0.1  # the mean of both
            assert likely.tolist() == pytest.approx([1 / (1 + np.exp(-logit))] * len(piece.example), abs=1e-6)

    def test_the_network_learns_from_gold_and_teachers_in_equal_parts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = self.made()
        monkeypatch.setattr(
            made, "_answers", lambda network, examples: [(np.full(len(one), 1.0), one) for one in examples]
        )
        likely = 1 / (1 + np.exp(-1.0))
        assert len(made.mixed) == len(made.pieces), "made-up pages too"
        for one, piece in zip(made.mixed, made.pieces, strict=True):
            mixed = (1 - TAUGHT) * piece.example.content + TAUGHT * likely
            assert np.allclose(one.content, mixed, atol=1e-6)
            assert np.array_equal(one.known, piece.example.known)
            assert np.array_equal(one.comment, piece.example.comment)
        assert 0 < TAUGHT < 1

    def test_without_teachers_it_learns_from_gold(self) -> None:
        made = self.made(teachers=0)
        assert made.taught is None
        assert len(made.stages) == 1
        assert made.mixed == [piece.example for piece in made.pieces]

    def test_a_fold_without_pages_hurts_nobody(self) -> None:
        made = task(page(0), page(0), teachers=1)  # one site: four folds have no page, one teacher nothing to learn
        history = models.fit_stages(made, replace(SCHEDULE, epochs=1))
        assert np.isfinite(history[-1].loss)

    def test_the_recipe_has_teachers(self) -> None:
        made = RECIPE.task([page(0), page(1)], [page(2)], "cpu")
        folds = {piece.fold for piece in made.pieces}
        assert len(made.stages) == tamis.TEACHERS * len(folds) + 1
        assert [piece.is_variant for piece in made.pieces] == [False, True, False, True]
        assert all(stage.pace == 1 for stage in made.stages)
        assert {stage.share for stage in made.stages[:-1]} == {1}
        assert 0 < made.stages[-1].share <= 1
        assert isinstance(models.recipe("tamis"), TamisRecipe)
        assert RECIPE.schedule.decay


class TestF1:
    def test_by_hand(self) -> None:
        one = example([10, 20, 5], [1, 0, 1])
        assert page_f1(np.array([True, False, True]), one) == 1
        assert page_f1(np.array([False, True, False]), one) == 0
        # Kept are 30 words, 10 of them content, of which there are 15.
        assert page_f1(np.array([True, True, False]), one) == pytest.approx(2 * 10 / (30 + 15))

    def test_a_row_may_be_content_in_part(self) -> None:
        assert page_f1(np.array([True]), example([10], [0.5])) == pytest.approx(2 * 5 / (10 + 5))

    def test_what_is_not_known_does_not_count(self) -> None:
        one = example([10, 100], [1, 1], [1, 0])
        assert page_f1(np.array([True, False]), one) == page_f1(np.array([True, True]), one) == 1

    def test_pages_without_content(self) -> None:
        nothing = example([3, 4], [0, 0])
        assert page_f1(np.array([False, False]), nothing) == 1
        assert page_f1(np.array([True, False]), nothing) == 0
        assert page_f1(np.array([False]), example([7], [1])) == 0

    def test_pages_count_alike_whatever_their_length(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pages = [example([1_000], [1]), example([1, 1, 1], [1, 0, 0])]
        made = TamisTask(pieces(page(0)), pages, teachers=0)
        answers = [(np.array([0.0]), pages[0]), (np.array([2.0, -0.1, 1.0]), pages[1])]
        monkeypatch.setattr(made, "_answers", lambda network, examples: answers)
        assert made.validate(made.module) == pytest.approx((1 + 2 / 3) / 2)


class TestLoss:
    def test_by_hand(self) -> None:
        """Rows by the root of their words and a bit, and half of what is missing to an F1 of 1."""
        made = task(marked("<p>one two three four</p><p>five</p><p>six</p>", [1, 0, 0], [1, 1, 0]))
        likely = np.array([0.8, 0.4, 0.9])
        found = made.loss(saying(np.log(likely / (1 - likely)).tolist()), [made.pieces[0].example])
        rows = -(2.3 * np.log(0.8) + 1.3 * np.log(1 - 0.4)) / (2.3 + 1.3)
        f1 = 2 * 4 * 0.8 / (4 * 0.8 + 1 * 0.4 + 4)
        assert float(found) == pytest.approx(rows + 0.5 * (1 - f1) + NO_ROLES, abs=1e-3)

    def test_what_the_gold_does_not_say_is_not_learned(self) -> None:
        one = prepare(page(0))
        known = np.array([1, 0, 1, 1, 0], np.float32)
        others = np.array([0, 1, 1, 1, 1], np.float32)
        found = []
        for first in (
            replace(one, known=known),
            replace(one, known=known, content=others),
            replace(one, content=others),
        ):
            seed_everything(1)
            found.append(loss(TamisTask([Piece(first, 0)], [one], teachers=0), 0))
        assert found[0] == found[1] != found[2]

    def test_a_page_of_which_nothing_is_known_teaches_only_roles(self) -> None:
        made = task(marked("<p>one</p><p>two</p>", [0, 0], [0, 0]))
        one = made.pieces[0].example
        assert float(made.loss(saying([5, -5]), [one])) == pytest.approx(NO_ROLES, abs=1e-5)

    @pytest.mark.parametrize("role", ["comment", "related"])
    def test_roles_are_learned_wherever_names_tell_them(self, role: str) -> None:
        told: dict[str, Any] = {role: np.array([0, 1], np.float32)}
        one = replace(example([4, 4], [1, 0], [1, 0]), **told)
        made = task()
        place = OUTPUTS.index(role)

        def saying_role(second: float) -> Any:
            logits = torch.zeros(1, 2, len(OUTPUTS))
            logits[0, :, place] = torch.tensor([-30.0, second])
            return lambda *given: (logits, torch.zeros(1, 7))

        right, wrong = (float(made.loss(saying_role(logit), [one])) for logit in (30.0, -30.0))
        # Half of the weight of the page is on that row.
        assert wrong - right == pytest.approx(tamis._ROLE_SHARE * 30 / 2, rel=1e-3)

    def test_the_page_type_is_learned_where_it_is_known(self) -> None:
        typed, untyped = task(page(0)), task(page(0, page_type=None))
        assert loss(typed, 0) > loss(untyped, 0)
        kinds = tamis._TYPE_SHARE * np.log(7)  # about what guessing costs
        assert loss(typed, 0) - loss(untyped, 0) == pytest.approx(kinds, rel=0.5)

    def test_some_pages_are_learned_from_without_names(self) -> None:
        """Or pages that have none would be lost."""
        named = page(0, extra="<div class=comments role=main itemprop=text><p>Some words</p><p>and more</p></div>")
        made = task(named, page(1))
        seen: list[Any] = []

        def network(values: Any, *others: Any) -> Any:
            seen.append(values[0] * torch.from_numpy(made.scaling.deviation) + torch.from_numpy(made.scaling.mean))
            return saying([0.0] * len(made.pieces[0].example))(values, *others)

        for _ in range(60):
            made.loss(cast("Any", network), [made.pieces[0].example])
        names = [COLUMNS.index(name) for name in ("named comments", "role main", "property text")]
        with_names = [float(values[:, names].sum()) for values in seen]
        assert 5 < sum(total < 0.01 for total in with_names) < 35
        assert {round(total) for total in with_names} == {0, 6}
        places = [COLUMNS.index(name) for name in ("words", "in footer", "place", "og article")]
        assert all(torch.allclose(values[:, places], seen[0][:, places], atol=1e-4) for values in seen)

    def test_pages_of_a_batch_do_not_see_each_other(self) -> None:
        made = task(page(0, page_type=None), page(1, paragraphs=9, page_type=None))
        assert loss(made, 0, 1) == pytest.approx((loss(made, 0) + loss(made, 1)) / 2, abs=1e-5)

    def test_perfect_answers_cost_next_to_nothing(self) -> None:
        made = task(page(0, page_type=None))
        one, sure = made.pieces[0].example, [-30.0, -30.0, 30.0, 30.0, -30.0]
        assert float(made.loss(saying(sure), [one])) == pytest.approx(NO_ROLES, abs=1e-4)
        assert float(made.loss(saying([-logit for logit in sure]), [one])) > 10


class TestTraining:
    def test_the_loss_falls_and_new_pages_are_told_right(self, trained: tuple[TamisTask, list[Epoch]]) -> None:
        made, history = trained
        assert len(history) == round(SCHEDULE.epochs * STUDENT_SHARE)
        assert history[-1].loss < history[0].loss
        assert made.validate(made.module) > 0.95

    def test_teachers_tell_pages_right_that_they_have_not_seen(self, trained: tuple[TamisTask, list[Epoch]]) -> None:
        made, _ = trained
        assert made.taught is not None
        for piece, likely in zip(made.pieces, made.taught, strict=True):
            is_content = piece.example.content > 0
            assert likely[is_content].min() > likely[~is_content].max()

    def test_the_same_seed_learns_the_same(self) -> None:
        found = []
        for _ in range(2):
            made = task(page(0), page(1), page(3), teachers=1)
            models.fit_stages(made, replace(SCHEDULE, epochs=2))
            found.append(logits_of(made, prepare(page(2))))
        assert np.array_equal(found[0], found[1])

    def test_validation_asks_the_network_without_dropout(self, trained: tuple[TamisTask, list[Epoch]]) -> None:
        made, _ = trained
        made.module.train()
        assert made.validate(made.module) == made.validate(made.module)
        for (found, _), one in zip(made._answers(made.module, made._validation), (page(13), page(14)), strict=True):
            assert np.abs(found - logits_of(made, prepare(one))).max() < 1e-4

    def test_answers_come_in_the_order_of_the_pages(self, trained: tuple[TamisTask, list[Epoch]]) -> None:
        """They are computed by length."""
        made, _ = trained
        examples = [made._scaled(prepare(page(20, paragraphs=count))) for count in (9, 1, 5, 2, 7)]
        for (found, given), one in zip(made._answers(made.module, examples), examples, strict=True):
            assert given is one
            assert len(found) == len(one)

    def test_pages_without_text_are_passed_over(self) -> None:
        seed_everything(1)
        made = TamisTask(pieces(EMPTY, page(0)), [prepare(EMPTY), prepare(page(2))], teachers=0)
        assert [len(piece.example) for piece in made.pieces] == [5]
        assert 0 <= made.validate(made.module) <= 1


class TestCalibration:
    """Logits become probabilities by a straight line."""

    @pytest.mark.parametrize(("slope", "offset"), [(1, 0), (0.6, -0.5), (1.8, -0.7), (0.3, 0.8), (2.5, 0.5)])
    def test_what_is_true_by_a_line_is_found_again(self, slope: float, offset: float) -> None:
        random = np.random.default_rng(0)
        answers = []
        for count in (500, 800):
            logits = 2 * random.normal(size=count)
            likely = 1 / (1 + np.exp(-(slope * logits + offset)))
            answers.append((logits, example([1.0] * count, likely.tolist())))
        assert calibration(answers * 50).tolist() == pytest.approx([slope, offset], rel=0.05, abs=0.02)

    def test_what_it_calls_seventy_percent_is_content_seventy_times_in_a_hundred(self) -> None:
        random = np.random.default_rng(1)
        logits = 3 * random.normal(size=20_000)
        truth = random.random(len(logits)) < 1 / (1 + np.exp(-(0.5 * logits - 0.3)))
        slope, offset = calibration([(logits, example([1.0] * len(logits), truth.astype(float).tolist()))] * 10)
        likely = 1 / (1 + np.exp(-(slope * logits + offset)))
        for low in np.arange(0.1, 0.9, 0.1):
            some = (likely >= low) & (likely < low + 0.1)
            assert truth[some].mean() == pytest.approx(likely[some].mean(), abs=0.03)

    def test_rows_that_nobody_knows_say_nothing(self) -> None:
        random = np.random.default_rng(2)
        logits = random.normal(size=400)
        likely = 1 / (1 + np.exp(-(2 * logits + 0.5)))
        known = np.arange(400) % 2
        content = np.where(known, likely, 1 - likely)  # the other half would say the contrary
        found = calibration([(logits, example([1.0] * 400, content.tolist(), known.astype(float).tolist()))] * 50)
        assert found.tolist() == pytest.approx([2, 0.5], rel=0.03)

    def test_pages_count_alike_whatever_their_length(self) -> None:
        random = np.random.default_rng(3)

        def answer(count: int, offset: float) -> tuple[Floats, Example]:
            logits = np.tile(random.normal(size=50), count)
            likely = 1 / (1 + np.exp(-(logits + offset)))
            return logits, example([1.0] * len(logits), likely.tolist())

        short, long = calibration([answer(1, 1), answer(1, -1)]), calibration([answer(1, 1), answer(20, -1)])
        assert long[1] == pytest.approx(short[1], abs=0.2), "and not close to -1"

    @pytest.mark.parametrize(("slope", "spread"), [(0.1, 2.0), (0.1, 20.0), (0.02, 40.0)])
    def test_logits_that_are_far_too_sure_are_found_again(self, slope: float, spread: float) -> None:
        logits = spread * np.random.default_rng(0).normal(size=2_000)
        likely = 1 / (1 + np.exp(-slope * logits))
        found = calibration([(logits, example([1.0] * len(logits), likely.tolist()))] * 50)
        assert found.tolist() == pytest.approx([slope, 0], abs=0.01)

    @pytest.mark.parametrize(
        ("logits", "content"),
        [
            (10 * np.linspace(-1, 1, 50), [0.0] * 30 + [1.0] * 20),  # no mistake
            (10 * np.linspace(-1, 1, 50), [0.0] * 50),  # no content
            (np.full(20, 5.0), [0.0, 1.0] * 10),  # the same of every row
        ],
        ids=["no mistake", "no content", "one answer"],
    )
    def test_a_few_pages_leave_a_line_that_can_be_used(self, logits: Floats, content: list[float]) -> None:
        """It rises, and the score that the network cuts at is neither next to nothing nor above that of precision."""
        slope, offset = calibration([(logits, example([1.0] * len(content), content))]).tolist()
        assert 0 < slope < 100
        assert 0.3 < 1 / (1 + np.exp(-offset)) < PRECISION_THRESHOLD

    @pytest.mark.parametrize("answers", [[], [(np.array([3.0]), example([5], [1], [0.0]))]])
    def test_where_nothing_is_known_logits_stay_as_they_are(self, answers: list[tuple[Floats, Example]]) -> None:
        assert calibration(answers).tolist() == [1, 0]


class TestSaving:
    def test_what_is_loaded_says_what_was_trained(self, trained: tuple[TamisTask, list[Epoch]], tmp_path: Path) -> None:
        made, _ = trained
        file, config = RECIPE.save(made, tmp_path)
        assert file == MODEL
        assert config == {"input": VERSION, "width": tamis.WIDTH, "layers": tamis.LAYERS}
        write_config(tmp_path, config, file)
        network = load(tmp_path)
        slope, offset = made.calibration
        assert slope > 0
        assert network.threshold == pytest.approx(float(offset))
        for one in (page(13), page(14), page(0, paragraphs=30), marked("<p>one", [1], [1])):
            given = prepare(one)
            logits, kinds = network.run(given.values, given.tags)
            expected = slope * logits_of(made, given) + offset
            assert np.allclose(logits[:, 0], expected, atol=1e-3 * max(1, abs(slope)))
            assert kinds.shape == (7,)

    def test_the_extractor_keeps_what_was_learned(self, trained: tuple[TamisTask, list[Epoch]], tmp_path: Path) -> None:
        file, config = RECIPE.save(trained[0], tmp_path)
        write_config(tmp_path, config, file)
        unseen = page(13, paragraphs=3)
        labels = Tamis(tmp_path).label(unseen.document())
        assert np.array_equal(labels.keep, unseen.gold.content)
