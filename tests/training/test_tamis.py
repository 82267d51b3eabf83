from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.arrays import Floats
from tamis.corpora import CorpusPage
from tamis.features.tamis import COLUMNS, LEVELS, VERSION, PageRows
from tamis.gold import LeafGold
from tamis.systems.tamis import MODEL, Tamis, load
from tamis.training.pages import LabelledPage, label
from tamis.weights import write_config

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis.training import models, tamis  # noqa: E402
from tamis.training.loop import Schedule, fit, seed_everything  # noqa: E402
from tamis.training.tamis import RECIPE, Example, TamisRecipe, TamisTask, page_f1, prepare  # noqa: E402

SCHEDULE = Schedule(epochs=6, batch_pages=4, learning_rate=5e-3, patience=6, averaging=0.5)
WORDS = "The content of this page is a text of some length, and it goes on and on. It ends here."


def page(number: int, *, paragraphs: int = 2, page_type: str | None = "article") -> LabelledPage:
    """A menu, some paragraphs, a footer."""
    menu = "".join(f"<li><a href=x>Item {item}</a></li>" for item in range(number % 3 + 2))
    text = "".join(f"<p>{part}: {WORDS}</p>" for part in range(paragraphs))
    html = f"<ul>{menu}</ul><div>{text}</div><footer>Imprint - Contact</footer>"
    gold = " ".join(f"{part}: {WORDS}" for part in range(paragraphs))
    return label(CorpusPage("c", str(number), html.encode(), "all", gold_text=gold, page_type=page_type))


def marked(html: str, content: list[int], known: list[int], page_type: str | None = None) -> LabelledPage:
    """A page whose leaves are labelled by hand."""
    gold = LeafGold(np.array(content, np.bool_), np.array(known, np.bool_), is_bad=False)
    return LabelledPage("c/marked", "c", html.encode(), None, gold, page_type)


EMPTY = label(CorpusPage("c", "empty", b"<p hidden>Words</p><img src=x>", "all", gold_text="Words"))


def example(words: list[float], content: list[float], known: list[float] | None = None) -> Example:
    count = len(words)
    return Example(
        np.zeros((count, len(COLUMNS)), np.float32),
        np.zeros((count, 1 + LEVELS), np.uint8),
        np.array(words, np.float32),
        np.array(content, np.float32),
        np.array(known or [1.0] * count, np.float32),
        0,
    )


def task(*pages: LabelledPage, seed: int = 1) -> TamisTask:
    seed_everything(seed)
    return RECIPE.task(pages or [page(0), page(1)], [page(2)], "cpu")


def loss(made: TamisTask, *pages: int) -> float:
    made.module.eval()
    with torch.no_grad():
        return float(made.loss(pages))


def probabilities(made: TamisTask, one: Example) -> Floats:
    """What the network of training says of the rows of a page."""
    made.module.eval()
    values = torch.from_numpy(made.scaling.apply(one.values))[None]
    tags = torch.from_numpy(one.tags.astype(np.int64))[None]
    with torch.no_grad():
        logits, _ = made.module(values, tags, torch.ones(1, len(one), 1))
    found: Floats = torch.sigmoid(logits[0, :, 0].double()).numpy()
    return found


@pytest.fixture(scope="module")
def trained() -> tuple[TamisTask, list[Any]]:
    """A dozen pages, and two that are not among them."""
    seed_everything(1)
    made = RECIPE.task([page(number, paragraphs=number % 4 + 1) for number in range(12)], [page(13), page(14)], "cpu")
    return made, fit(made, SCHEDULE)


class TestExamples:
    def test_there_is_one_row_a_run_of_text(self) -> None:
        made = prepare(page(0))
        rows = PageRows(page(0).document())
        assert len(made) == len(rows) == 5
        assert np.array_equal(made.values, rows.values)
        assert np.array_equal(made.tags, rows.tags)
        assert made.words.tolist() == [2, 2, 21, 21, 2]
        assert made.content.tolist() == [0, 0, 1, 1, 0]
        assert made.known.tolist() == [1] * 5

    def test_a_row_is_content_by_the_share_of_its_words(self) -> None:
        html = "<p>one <b>two three four</b></p><p>five <img src=x> <i>six</i></p><p>seven</p>"
        made = prepare(marked(html, [0, 1, 1, 1, 1, 0], [1, 1, 1, 0, 0, 0]))
        assert made.words.tolist() == [4, 2, 1]
        assert made.content.tolist() == pytest.approx([3 / 4, 1, 0], abs=1e-5)
        assert made.known.tolist() == pytest.approx([1, 1 / 2, 0], abs=1e-5)

    def test_a_row_without_words_has_the_label_of_its_texts(self) -> None:
        made = prepare(marked("<p>|</p><p>-</p><p>word</p>", [1, 0, 1], [1, 1, 1]))
        assert made.words.tolist() == [0, 0, 1]
        assert made.content.tolist() == [1, 0, 1]

    def test_wordless_texts_count_next_to_nothing_beside_words(self) -> None:
        made = prepare(marked("<p>word <b>|</b></p>", [1, 0], [1, 1]))
        assert made.content.tolist() == pytest.approx([1], abs=1e-5)

    def test_hidden_texts_have_no_row(self) -> None:
        made = prepare(EMPTY)
        assert len(made) == 0
        assert made.values.shape == (0, len(COLUMNS))
        assert made.tags.shape == (0, 1 + LEVELS)

    def test_page_types_are_numbered(self) -> None:
        kinds = [prepare(page(0, page_type=kind)).page_type for kind in ("article", "forum", "collection")]
        assert len(set(kinds)) == 3
        assert min(kinds) >= 0
        assert prepare(page(0, page_type=None)).page_type < 0

    def test_the_scaling_is_fitted_on_training_pages_alone(self) -> None:
        made = RECIPE.task([page(0), EMPTY, page(1)], [page(2, paragraphs=40)], "cpu")
        rows = np.concatenate([prepare(page(number)).values for number in (0, 1)])
        assert np.allclose(made.scaling.mean, rows.mean(axis=0), atol=1e-6)


class TestPieces:
    def test_long_pages_are_learned_from_in_pieces(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tamis, "_LONGEST", 4)
        made = task(page(0), EMPTY, page(2, paragraphs=6))
        assert made.sizes == [4, 1, 4, 4, 3]
        whole = prepare(page(2, paragraphs=6))
        pieces = made._training[2:]
        assert np.array_equal(np.concatenate([piece.words for piece in pieces]), whole.words)
        assert np.array_equal(np.concatenate([piece.content for piece in pieces]), whole.content)
        assert np.array_equal(np.concatenate([piece.tags for piece in pieces]), whole.tags)
        assert np.array_equal(np.concatenate([piece.values for piece in pieces]), made.scaling.apply(whole.values))
        assert {piece.page_type for piece in pieces} == {whole.page_type}

    def test_a_page_of_ordinary_length_is_one_piece(self) -> None:
        assert task(page(0), page(1, paragraphs=40), EMPTY).sizes == [5, 44]

    def test_validation_pages_are_judged_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = task().validate()
        monkeypatch.setattr(tamis, "_LONGEST", 2)
        assert [len(one) for one in task()._validation] == [7]
        assert 0 <= whole <= 1


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
        made = TamisTask([prepare(page(0))], pages)
        answers = [(np.array([0.5]), pages[0]), (np.array([0.9, 0.49, 0.8]), pages[1])]
        monkeypatch.setattr(made, "_answers", lambda: answers)
        assert made.validate() == pytest.approx((1 + 2 / 3) / 2)


class TestLoss:
    def test_by_hand(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Rows by the root of their words and a bit, and half of what is missing to an F1 of 1."""
        made = task(marked("<p>one two three four</p><p>five</p><p>six</p>", [1, 0, 0], [1, 1, 0]))
        likely = np.array([0.8, 0.4, 0.9])
        logits = torch.tensor(np.log(likely / (1 - likely)), dtype=torch.float32)[None]
        monkeypatch.setattr(made, "_run", lambda batch: (logits, torch.zeros(1, 7)))
        rows = -(2.3 * np.log(0.8) + 1.3 * np.log(1 - 0.4)) / (2.3 + 1.3)
        f1 = 2 * 4 * 0.8 / (4 * 0.8 + 1 * 0.4 + 4)
        assert loss(made, 0) == pytest.approx(rows + 0.5 * (1 - f1), abs=1e-3)

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
            found.append(loss(TamisTask([first], [one]), 0))
        assert found[0] == found[1] != found[2]

    def test_a_page_of_which_nothing_is_known_costs_nothing(self) -> None:
        nothing = replace(prepare(page(0, page_type=None)), known=np.zeros(5, np.float32))
        assert loss(TamisTask([nothing], [nothing]), 0) == 0

    def test_the_page_type_is_learned_where_it_is_known(self) -> None:
        typed, untyped = task(page(0)), task(page(0, page_type=None))
        assert loss(typed, 0) > loss(untyped, 0)
        kinds = tamis._TYPE_SHARE * np.log(7)  # about what guessing costs
        assert loss(typed, 0) - loss(untyped, 0) == pytest.approx(kinds, rel=0.5)

    def test_pages_of_a_batch_do_not_see_each_other(self) -> None:
        made = task(page(0, page_type=None), page(1, paragraphs=9, page_type=None))
        assert loss(made, 0, 1) == pytest.approx((loss(made, 0) + loss(made, 1)) / 2, abs=1e-5)

    def test_perfect_answers_cost_next_to_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = task(page(0, page_type=None))
        sure = torch.tensor([[-30.0, -30.0, 30.0, 30.0, -30.0]])
        monkeypatch.setattr(made, "_run", lambda batch: (sure, torch.zeros(1, 7)))
        assert loss(made, 0) == pytest.approx(0, abs=1e-4)
        monkeypatch.setattr(made, "_run", lambda batch: (-sure, torch.zeros(1, 7)))
        assert loss(made, 0) > 10


class TestTraining:
    def test_the_loss_falls_and_new_pages_are_told_right(self, trained: tuple[TamisTask, list[Any]]) -> None:
        made, history = trained
        assert len(history) == SCHEDULE.epochs
        assert history[-1].loss < history[0].loss / 2
        assert made.validate() > 0.95

    def test_the_same_seed_learns_the_same(self) -> None:
        found = []
        for _ in range(2):
            made = task(page(0), page(1))
            fit(made, replace(SCHEDULE, epochs=2))
            found.append(probabilities(made, prepare(page(2))))
        assert np.array_equal(found[0], found[1])

    def test_validation_asks_the_network_without_dropout(self, trained: tuple[TamisTask, list[Any]]) -> None:
        made, _ = trained
        made.module.train()
        assert made.validate() == made.validate()
        for found, one in made._answers():
            unscaled = (one.values * made.scaling.deviation + made.scaling.mean).astype(np.float32)
            assert np.abs(found - probabilities(made, replace(one, values=unscaled))).max() < 1e-4

    def test_pages_without_text_are_passed_over(self) -> None:
        made = RECIPE.task([EMPTY, page(0)], [EMPTY, page(2)], "cpu")
        assert made.sizes == [5]
        assert 0 <= made.validate() <= 1

    def test_there_is_one_stage(self) -> None:
        made = task()
        assert made.stages == (made,)
        assert (made.pace, made.share) == (1, 1)
        assert isinstance(models.recipe("tamis"), TamisRecipe)


class TestSaving:
    def test_what_is_loaded_says_what_was_trained(self, trained: tuple[TamisTask, list[Any]], tmp_path: Path) -> None:
        made, _ = trained
        file, config = RECIPE.save(made, tmp_path)
        assert file == MODEL
        assert config == {"input": VERSION, "width": tamis.WIDTH, "layers": tamis.LAYERS}
        write_config(tmp_path, config, file)
        network = load(tmp_path)
        for one in (page(13), page(14), page(0, paragraphs=30), marked("<p>one", [1], [1])):
            given = prepare(one)
            logits, kinds = network.run(given.values, given.tags)
            expected = probabilities(made, given)
            assert np.abs(1 / (1 + np.exp(-logits[:, 0].astype(np.float64))) - expected).max() < 1e-5
            assert kinds.shape == (7,)

    def test_the_extractor_keeps_what_was_learned(self, trained: tuple[TamisTask, list[Any]], tmp_path: Path) -> None:
        file, config = RECIPE.save(trained[0], tmp_path)
        write_config(tmp_path, config, file)
        unseen = page(13, paragraphs=3)
        labels = Tamis(tmp_path).label(unseen.document())
        assert np.array_equal(labels.keep, unseen.gold.content)
