"""How the default extractor's network learns: teachers, then the network that they teach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from tamis.arrays import Floats
from tamis.extractor.network import EXPERTS, GATE, OUTPUTS, RunNetwork
from tamis.extractor.runs import COLUMNS, LEVELS
from tamis.extractor.tamis import Tensors, load
from tamis.kernel import library
from tamis.weights import write_config
from tamis_lab.training.pages import LabelledPage, fold_of
from tests.lab.training.test_tamis_examples import EMPTY, marked, page

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.training import models, tamis, tamis_examples
from tamis_lab.training.loop import Epoch, Schedule, fit, seed_everything
from tamis_lab.training.tamis import (
    MODERN_EXPERT,
    RECIPE,
    TAUGHT,
    Expert,
    ExpertTask,
    TamisTask,
    learned_gate,
)
from tamis_lab.training.tamis_examples import (
    ANY_AGE,
    CORPORA,
    FOLDS,
    MODERN,
    NO_TYPE,
    OLD,
    UNKNOWN,
    Piece,
    TamisExample,
    pieces_of,
    prepare,
    prepare_all,
)
from tamis_lab.training.tamis_module import RunNets

Trained = tuple[ExpertTask, list[Epoch]]
SCHEDULE = Schedule(epochs=6, batch_pages=4, learning_rate=5e-3, patience=6, averaging=0.5)
GUIDELINE = MODERN_EXPERT.guideline


def example(words: list[float], content: list[float], known: list[float] | None = None) -> TamisExample:
    count = len(words)
    nothing = np.zeros(count, np.float32)
    return TamisExample(
        np.zeros((count, len(COLUMNS)), np.float16),
        np.zeros((count, 1 + LEVELS), np.uint8),
        np.array(words, np.float32),
        np.array(content, np.float32),
        np.array(known or [1.0] * count, np.float32),
        nothing,
        nothing,
        NO_TYPE,
        ANY_AGE,
        np.zeros(library().tamis_gate_size() - 1, np.float32),
    )


def pieces(*pages: LabelledPage) -> list[Piece]:
    """Pages as published."""
    return [Piece(prepare(one), fold_of(one.site, FOLDS)) for one in pages]


def expert(teachers: int = 0) -> Expert:
    """One that learns from variants, too."""
    return Expert("modern", variants=True, guideline=GUIDELINE, teachers=teachers)


def task(*pages: LabelledPage, teachers: int = 0, folds: bool = False, seed: int = 1) -> ExpertTask:
    seed_everything(seed)
    return ExpertTask(expert(teachers), pieces(*(pages or [page(0), page(1)])), pieces(page(2)), folds=folds)


def loss_of(made: ExpertTask, networks: Any, *given: Piece) -> float:
    """Of a network on these pieces, by their gold."""
    targets = [piece.example.content[:, np.newaxis] for piece in given]
    with torch.no_grad():
        return float(made.loss(networks, given, targets, torch.ones(1, len(given))))


def loss(made: ExpertTask, *numbers: int) -> float:
    """Of the network that is shipped, on some of the pieces."""
    made.module.eval()
    return loss_of(made, made.module, *(made.pieces[number] for number in numbers))


def saying(*logits: Sequence[float]) -> Any:
    """A network that says these logits of content, and nothing of roles and types."""
    content = torch.tensor(logits, dtype=torch.float32)[None]
    return lambda *given: (
        torch.stack([content, *[torch.zeros_like(content)] * 2], dim=-1),
        torch.zeros(1, len(logits), 7),
    )


def logits_of(
    made: ExpertTask, one: TamisExample, *, student: int = 0, guideline: Sequence[float] = GUIDELINE
) -> Floats:
    """What a network of training says of the runs of a page, before it is calibrated."""
    made.module.eval()
    scaled = (one.values - made.scaling.mean) / made.scaling.deviation
    values = torch.from_numpy(scaled.astype(np.float32))[None]
    tags = torch.from_numpy(one.tags.astype(np.int64))[None]
    with torch.no_grad():
        logits, _ = made.module(values, tags, torch.ones(1, len(one), 1), torch.tensor([guideline]))
    found: Floats = logits[student, 0, :, 0].double().numpy()
    return found


def both(student: Tensors) -> Tensors:
    """A network in the place of both experts."""
    networks = {f"{name}.{key}": tensor for name in EXPERTS for key, tensor in student.items()}
    return {GATE: np.zeros(library().tamis_gate_size(), np.float32)} | networks


def stored(student: Tensors, folder: Path) -> Path:
    """The folder, with the network in it."""
    file, config = RECIPE.save(both(student), folder)
    write_config(folder, config, file)
    return folder


@pytest.fixture
def _nothing_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tamis, "_NAMELESS", 0.0)
    monkeypatch.setattr(tamis, "_HIDDEN", 0.0)


@pytest.fixture(scope="module")
def trained() -> Trained:
    """A dozen pages, and two that are not among them; one teacher for each set of folds."""
    seed_everything(1)
    pages = [page(number, paragraphs=number % 4 + 1) for number in range(12)]
    made = ExpertTask(expert(teachers=1), pieces(*pages), pieces(page(13), page(14)), folds=True)
    return made, models.fit_stages(made, SCHEDULE)


class TestScaling:
    def test_it_is_fitted_on_pages_as_published(self) -> None:
        published = pieces(page(0), EMPTY, page(1))
        variant = Piece(prepare(page(5, paragraphs=40)), 0, is_variant=True)
        made = ExpertTask(expert(), [*published, variant], pieces(page(2, paragraphs=40)))
        runs = np.concatenate([prepare(page(number)).values.astype(np.float64) for number in (0, 1)])
        assert np.allclose(made.scaling.mean, runs.mean(axis=0), atol=1e-6)
        assert len(made.pieces) == 3


class TestPieces:
    def test_long_pages_are_learned_from_in_pieces(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tamis, "_LONGEST", 4)
        made = task(page(0), EMPTY, page(2, paragraphs=6))
        assert [len(piece.example) for piece in made.pieces] == [4, 1, 4, 4, 3]
        whole = prepare(page(2, paragraphs=6))
        parts = [piece.example for piece in made.pieces[2:]]
        for name in ("values", "words", "content", "tags", "known"):
            assert np.array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name)), name
        assert {part.page_type for part in parts} == {whole.page_type}
        assert len({piece.fold for piece in made.pieces[2:]}) == 1

    def test_each_page_is_there_as_published_and_with_its_variants(self) -> None:
        pages = [page(number) for number in range(4)]
        found = [piece for piece in pieces_of(prepare_all(pages, seed=0, variants=2)) if not piece.is_rewritten]
        assert [piece.is_variant for piece in found] == [False, True, True] * 4
        for number, one in enumerate(pages):
            published, *variants = found[3 * number : 3 * number + 3]
            assert np.array_equal(published.example.values, prepare(one).values)
            assert {piece.fold for piece in (published, *variants)} == {fold_of(one.site, FOLDS)}

    def test_some_are_there_in_another_script_too(self) -> None:
        pages = [page(number) for number in range(30)]
        found = pieces_of(prepare_all(pages, seed=0, variants=1))
        of_fold = {fold_of(one.site, FOLDS) for one in pages}
        rewritten = [piece for piece in found if piece.is_rewritten]
        assert 5 < len(rewritten) < 25
        for piece in rewritten:
            assert piece.is_variant
            assert piece.fold in of_fold
            assert piece.example.content.sum() == 2
        assert not any(piece.is_rewritten for piece in pieces_of(prepare_all(pages, seed=0, variants=0)))

    def test_modern_pages_are_rewritten_and_old_ones_varied(self) -> None:
        found = pieces_of(prepare_all([page(number) for number in range(9)], seed=0, variants=1))
        for variants in (False, True):
            made = ExpertTask(replace(expert(), variants=variants), found, pieces(page(2)))
            assert {piece.is_rewritten for piece in made.pieces if piece.is_variant} == {not variants}

    def test_they_know_their_corpus(self) -> None:
        pages = [replace(page(number), name=f"{name}/1") for number, name in enumerate(("canola", "mine", "wcxb"))]
        found = pieces_of(prepare_all(pages, seed=0, variants=0))
        assert [CORPORA[piece.corpus] for piece in found] == ["canola", "", "wcxb"]
        assert CORPORA[UNKNOWN] == ""

    def test_a_variant_has_nothing_of_pages_of_other_folds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[set[int]] = []

        def variant(
            one: LabelledPage, others: Sequence[LabelledPage], random: np.random.Generator, kinds: Collection[str]
        ) -> TamisExample:
            asked.append({fold_of(other.site, FOLDS) for other in (one, *others)})
            return prepare(one)

        monkeypatch.setattr(tamis_examples, "prepare_variant", variant)
        prepare_all([page(number) for number in range(20)], seed=1, variants=1)
        assert len(asked) > 20, "some are rewritten, too"
        assert all(len(folds) == 1 for folds in asked)
        assert set.union(*asked) == set(range(FOLDS))


class TestTeachers:
    PAGES = tuple(page(number) for number in range(10))

    def made(self, teachers: int = 2, *, folds: bool = False) -> ExpertTask:
        seed_everything(1)
        found = pieces_of(prepare_all(self.PAGES, seed=0, variants=1))
        return ExpertTask(expert(teachers), found, pieces(page(12)), folds=folds)

    def test_a_student_of_a_fold_has_teachers_that_have_not_seen_it_either(self) -> None:
        made = self.made(folds=True)
        assert made.students == [frozenset(), *(frozenset({fold}) for fold in range(FOLDS))]
        there = {piece.fold for piece in made.pieces}
        expected = {student | {fold} for student in made.students for fold in there}
        assert Counter(made.teachers) == dict.fromkeys(expected, 2)
        assert [stage.networks for stage in made.stages] == [len(made.teachers), 1 + FOLDS]

    @pytest.mark.parametrize("stage", [0, 1])
    def test_networks_learn_nothing_from_the_folds_that_they_must_not_see(self, stage: int) -> None:
        made = self.made(folds=True)
        networks = (made.teachers, made.students)[stage]
        for number in range(0, len(made.pieces), 3):
            learning = made.stages[stage]
            learning.module.zero_grad()
            learning.loss([number]).backward()  # type: ignore[no-untyped-call]
            gradient: Any = cast("RunNets", learning.module).first.weight.grad
            moved = gradient.abs().sum(dim=(1, 2)) > 0
            assert moved.tolist() == [made.pieces[number].fold not in unseen for unseen in networks]

    def test_each_page_is_judged_by_teachers_that_saw_neither_its_fold_nor_the_students(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = self.made(folds=True)
        half = len(made.teachers) // 2
        # Each teacher says a number of its own.
        said = np.array([sum(2.0**-fold for fold in unseen) for unseen in made.teachers])
        said += np.where(np.arange(len(said)) < half, 0.1, -0.3)

        def answers(networks: Any, given: Sequence[Piece], **how: bool) -> list[Floats]:
            return [np.repeat(said[:, np.newaxis], len(piece.example), axis=1) for piece in given]

        monkeypatch.setattr(made, "_answers", answers)
        for piece, likely in zip(made.pieces, made.taught, strict=True):
            assert likely.shape == (len(made.students), len(piece.example))
            for unseen, found in zip(made.students, likely, strict=True):
                logit = sum(2.0**-fold for fold in unseen | {piece.fold}) - 0.1  # the mean of both
                assert found.tolist() == pytest.approx([1 / (1 + np.exp(-logit))] * len(piece.example), abs=1e-6)

    def test_students_learn_from_gold_and_teachers_in_equal_parts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = self.made()
        one = made.pieces[0].example
        commented = replace(one, comment=np.ones_like(one.comment), content=np.zeros_like(one.content))
        made.pieces[0] = made.pieces[0]._replace(example=commented)
        count = len(made.teachers)
        monkeypatch.setattr(
            made, "_answers", lambda networks, given, **how: [np.ones((count, len(each.example))) for each in given]
        )
        likely = 1 / (1 + np.exp(-1.0))
        assert len(made.targets) == len(made.pieces), "variants, too"
        assert not made.targets[0].any(), "comments are none, whatever teachers say"
        for target, piece in zip(made.targets[1:], made.pieces[1:], strict=True):
            shared = (1 - TAUGHT) * piece.example.content + TAUGHT * likely
            expected = np.where(piece.example.comment > 0.5, 0, shared)
            assert np.allclose(target[:, 0], expected, atol=1e-6)
        assert 0 < TAUGHT < 1

    def test_a_fold_without_pages_hurts_nobody(self) -> None:
        made = task(page(0), page(0), teachers=1, folds=True)  # one site: four folds have no page
        (fold,) = {piece.fold for piece in made.pieces}
        assert all(fold in unseen for unseen in made.teachers)
        history = models.fit_stages(made, replace(SCHEDULE, epochs=1))
        assert np.isfinite(history[-1].loss)


def small(networks: int, *, dropout: float = 0.0) -> RunNets:
    sizes = (len(COLUMNS), 1 + LEVELS, len(OUTPUTS), 7, len(CORPORA))
    return RunNets(networks, *sizes, width=4, layers=2, dropout=dropout)


@pytest.mark.usefixtures("_nothing_hidden")
class TestSideBySide:
    """Networks of one stack have nothing to do with each other."""

    def test_each_learns_as_if_it_were_alone(self) -> None:
        """But for the limit of the gradient, which is that of all together."""
        made = task(*(page(number) for number in range(8)), folds=True)
        unseen = [frozenset({made.pieces[0].fold}), frozenset({made.pieces[1].fold})]
        assert unseen[0] != unseen[1], "else this would prove little"
        # The weights of the best epoch are kept, and which one that is is decided for the whole stack: so one epoch.
        schedule = replace(SCHEDULE, epochs=1, batch_pages=2, gradient_limit=1e9)
        stack, alone = small(2), [small(1), small(1)]
        for number, network in enumerate(alone):
            network.load_state_dict({name: value[number : number + 1] for name, value in stack.state_dict().items()})
        targets = [piece.example.content[:, np.newaxis] for piece in made.pieces]
        before = stack.first.weight.clone()
        fit(made._stage(stack, unseen, targets.__getitem__), schedule)
        assert not torch.allclose(before, stack.first.weight)
        for number, network in enumerate(alone):
            fit(made._stage(network, unseen[number : number + 1], targets.__getitem__), schedule)
            for name, value in network.state_dict().items():
                assert torch.allclose(value[0], stack.state_dict()[name][number], atol=1e-5), name


class TestGuidelines:
    """The network is told the corpus of a page, and what is shipped follows a mixture."""

    @pytest.fixture
    def made(self) -> ExpertTask:
        made = task(folds=True)
        with torch.no_grad():
            made.module.corpora.normal_()
        return made

    @pytest.mark.parametrize("corpus", range(len(CORPORA)))
    def test_a_single_one(self, corpus: int, made: ExpertTask) -> None:
        given = prepare(page(3))
        for student in (0, 2):
            weights = made.module.tensors(student, guideline := np.eye(len(CORPORA))[corpus].tolist())
            plain = {"calibration": np.array([1, 0], np.float32)}
            network = RunNetwork.from_tensors(made.student(student) | weights | plain)
            logits, _ = network.run(given.values.astype(np.float32), given.tags)
            assert np.allclose(logits[:, 0], logits_of(made, given, student=student, guideline=guideline), atol=1e-3)

    def test_half_of_the_pages_do_not_tell(self, made: ExpertTask) -> None:
        told: list[int] = []

        def network(values: Any, tags: Any, there: Any, corpora: Any) -> Any:
            told.extend(corpora.argmax(dim=1).tolist())
            return saying([0.0] * len(made.pieces[0].example))()

        for _ in range(100):
            loss_of(made, network, made.pieces[0]._replace(corpus=3))
        assert set(told) == {UNKNOWN, 3}
        assert 30 < told.count(UNKNOWN) < 70


class TestTraining:
    def test_the_loss_falls_and_new_pages_are_told_right(self, trained: Trained) -> None:
        made, history = trained
        assert len(history) == SCHEDULE.epochs
        assert history[-1].loss < history[0].loss
        assert made.validate(made.module) > 0.95

    def test_teachers_tell_pages_right_that_they_have_not_seen(self, trained: Trained) -> None:
        made, _ = trained
        for piece, likely in zip(made.pieces, made.taught, strict=True):
            is_content = piece.example.content > 0
            assert likely[:, is_content].min() > likely[:, ~is_content].max()

    def test_answers_come_in_the_order_of_the_pages(self, trained: Trained) -> None:
        """They are computed by length."""
        made, _ = trained
        given = pieces(*(page(20, paragraphs=count) for count in (9, 1, 5, 2, 7)))
        for found, one in zip(made._answers(made.module, given), given, strict=True):
            assert found.shape == (len(made.students), len(one.example))


class TestGate:
    """Which of the two networks a page is for."""

    @staticmethod
    def piece(age: int, tag: int) -> Piece:
        one = replace(example([1], [1]), age=age)
        one.gate[tag] = 1
        return Piece(one, 0)

    def test_it_learns_what_tells_old_pages(self) -> None:
        modern, old = self.piece(MODERN, 3), self.piece(OLD, 7)
        gate = learned_gate([modern, old] * 1_000)
        assert modern.example.gate @ gate[:-1] + gate[-1] > 0 > old.example.gate @ gate[:-1] + gate[-1]
        unsure = np.zeros_like(modern.example.gate)
        assert unsure @ gate[:-1] + gate[-1] < 0, "in doubt a page is an old one"

    def test_pages_of_one_age_tell_nothing(self) -> None:
        assert not learned_gate([self.piece(MODERN, 3), self.piece(ANY_AGE, 7)]).any()


class TestSaving:
    def test_what_is_loaded_says_what_was_trained(self, trained: Trained, tmp_path: Path) -> None:
        made, _ = trained
        for number in (0, 3):
            network = load(stored(made.student(number), tmp_path)).modern
            slope, offset = made.calibration(number).tolist()
            assert slope > 0
            assert network.threshold == pytest.approx(offset)
            for one in (page(13), page(14), page(0, paragraphs=30), marked("<p>one", [1], [1])):
                given = prepare(one)
                logits, kinds = network.run(given.values.astype(np.float32), given.tags)
                expected = slope * logits_of(made, given, student=number) + offset
                assert np.allclose(logits[:, 0], expected, atol=1e-3 * max(1, abs(slope)))
                assert kinds.shape == (7,)

    def test_there_is_a_folder_for_the_shipped_one_and_each_fold(self, trained: Trained) -> None:
        made = TamisTask(pieces(page(0)), pieces(page(1)))
        made.experts = [trained[0]]
        assert [*made.parts] == ["", *(f"fold-{number}" for number in range(FOLDS))]
        weights = [part["modern.first.weight"].tobytes() for part in made.parts.values()]
        assert len(set(weights)) == 1 + FOLDS

    def test_a_fold_is_calibrated_on_pages_of_other_folds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = task(folds=True)
        made._validation = [Piece(prepare(page(number)), number) for number in range(FOLDS)]
        asked: list[list[int]] = []

        def answers(networks: Any, given: Sequence[Piece], **how: bool) -> list[Floats]:
            asked.append([piece.fold for piece in given])
            return [np.zeros((1 + FOLDS, len(piece.example))) for piece in given]

        monkeypatch.setattr(made, "_answers", answers)
        for number in (0, 1, 4):
            made.calibration(number)
        assert asked == [[0, 1, 2, 3, 4], [1, 2, 3, 4], [0, 1, 2, 4]]

    def test_a_task_can_start_from_it(self, trained: Trained) -> None:
        made, _ = trained
        start = made.student(0)
        tuned = ExpertTask(expert(), pieces(page(20)), pieces(page(21)), start=start)
        assert np.allclose(logits_of(tuned, prepare(page(2))), logits_of(made, prepare(page(2))), atol=1e-5)
        assert np.array_equal(tuned.scaling.mean, made.scaling.mean)
        assert np.array_equal(tuned.calibration(0), start["calibration"]), "one page is too few for another"
