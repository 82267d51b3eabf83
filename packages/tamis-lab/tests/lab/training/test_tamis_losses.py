"""What the networks of the default extractor are trained by: F1, losses, and the calibration of logits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tamis.api import PRECISION_THRESHOLD
from tamis.arrays import Floats
from tamis.extractor.network import OUTPUTS
from tamis.extractor.runs import COLUMNS
from tests.lab.training.test_tamis_examples import marked, page

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.training import tamis
from tamis_lab.training.loop import seed_everything
from tamis_lab.training.tamis import ExpertTask
from tamis_lab.training.tamis_examples import Piece, TamisExample, prepare
from tamis_lab.training.tamis_losses import calibration, page_f1
from tests.lab.training.test_tamis import _nothing_hidden, example, expert, loss, loss_of, saying, task

__all__ = ["_nothing_hidden"]  # a fixture

NO_ROLES = tamis._ROLE_SHARE * 2 * np.log(2)  # the loss of a network that knows nothing of roles


class TestF1:
    def test_by_hand(self) -> None:
        one = example([10, 20, 5], [1, 0, 1])
        assert page_f1(np.array([True, False, True]), one) == 1
        assert page_f1(np.array([False, True, False]), one) == 0
        # Kept are 30 words, 10 of them content, of which there are 15.
        assert page_f1(np.array([True, True, False]), one) == pytest.approx(2 * 10 / (30 + 15))

    def test_what_is_not_known_does_not_count(self) -> None:
        one = example([10, 100], [1, 1], [1, 0])
        assert page_f1(np.array([True, False]), one) == page_f1(np.array([True, True]), one) == 1

    def test_pages_without_content(self) -> None:
        nothing = example([3, 4], [0, 0])
        assert page_f1(np.array([False, False]), nothing) == 1
        assert page_f1(np.array([True, False]), nothing) == 0
        assert page_f1(np.array([False]), example([7], [1])) == 0


@pytest.mark.usefixtures("_nothing_hidden")
class TestLoss:
    def test_by_hand(self) -> None:
        """Rows by the root of their words and a bit, and half of what is missing to an F1 of 1."""
        made = task(marked("<p>one two three four</p><p>five</p><p>six</p>", [1, 0, 0], [1, 1, 0]))
        likely = np.array([0.8, 0.4, 0.9])
        found = loss_of(made, saying(np.log(likely / (1 - likely)).tolist()), made.pieces[0])
        rows = -(2.3 * np.log(0.8) + 1.3 * np.log(1 - 0.4)) / (2.3 + 1.3)
        f1 = 2 * 4 * 0.8 / (4 * 0.8 + 1 * 0.4 + 4)
        assert found == pytest.approx(rows + expert().f1_share * (1 - f1) + NO_ROLES, abs=1e-3)

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
            found.append(loss(ExpertTask(expert(), [Piece(first, 0)], [Piece(one, 0)]), 0))
        assert found[0] == found[1] != found[2]

    def test_a_page_of_which_nothing_is_known_teaches_only_roles(self) -> None:
        made = task(marked("<p>one</p><p>two</p>", [0, 0], [0, 0]))
        assert loss_of(made, saying([5, -5]), made.pieces[0]) == pytest.approx(NO_ROLES, abs=1e-5)

    @pytest.mark.parametrize("role", ["comment", "related"])
    def test_roles_are_learned_wherever_names_tell_them(self, role: str) -> None:
        told: dict[str, Any] = {role: np.array([0, 1], np.float32)}
        one = replace(example([4, 4], [1, 0], [1, 0]), **told)
        made = task()
        place = OUTPUTS.index(role)

        def saying_role(second: float) -> Any:
            logits = torch.zeros(1, 1, 2, len(OUTPUTS))
            logits[0, 0, :, place] = torch.tensor([-30.0, second])
            return lambda *given: (logits, torch.zeros(1, 1, 7))

        right, wrong = (loss_of(made, saying_role(logit), Piece(one, 0)) for logit in (30.0, -30.0))
        # Half of the weight of the page is on that row.
        assert wrong - right == pytest.approx(tamis._ROLE_SHARE * 30 / 2, rel=1e-3)

    def test_pages_of_a_batch_do_not_see_each_other(self) -> None:
        made = task(page(0, page_type=None), page(1, paragraphs=9, page_type=None))
        assert loss(made, 0, 1) == pytest.approx((loss(made, 0) + loss(made, 1)) / 2, abs=1e-5)

    def test_the_page_type_is_learned_where_it_is_known(self) -> None:
        typed, untyped = task(page(0)), task(page(0, page_type=None))
        assert loss(typed, 0) > loss(untyped, 0)
        kinds = tamis._TYPE_SHARE * np.log(7)  # about what guessing costs
        assert loss(typed, 0) - loss(untyped, 0) == pytest.approx(kinds, rel=0.5)

    def test_each_column_is_hidden_on_some_pages(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """So that the network relies on no single one."""
        monkeypatch.setattr(tamis, "_HIDDEN", 0.05)
        made = task()
        values = torch.full((200, 2, len(COLUMNS)), 7.0)
        found = made._partly_hidden(values)
        hidden = found == 0
        assert (hidden[:, 0] == hidden[:, 1]).all(), "in all runs of a page"
        assert 0.04 < float(hidden.float().mean()) < 0.06
        assert torch.allclose(found[~hidden], made._scaled(values)[~hidden])

    def test_some_pages_are_learned_from_without_names(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Or pages that have none would be lost."""
        monkeypatch.setattr(tamis, "_NAMELESS", 0.3)
        named = page(0, extra="<div class=comments role=main itemprop=text><p>Some words</p><p>and more</p></div>")
        made = task(named, page(1))
        seen: list[Any] = []

        def network(values: Any, *others: Any) -> Any:
            seen.append(values[0] * torch.from_numpy(made.scaling.deviation) + torch.from_numpy(made.scaling.mean))
            return saying([0.0] * len(made.pieces[0].example))(values, *others)

        for _ in range(60):
            loss_of(made, network, made.pieces[0])
        names = [COLUMNS.index(name) for name in ("named comments", "role main", "property text")]
        with_names = [float(values[:, names].sum()) for values in seen]
        assert 5 < sum(total < 0.01 for total in with_names) < 35
        assert {round(total) for total in with_names} == {0, 6}
        places = [COLUMNS.index(name) for name in ("words", "in footer", "place", "og article")]
        assert all(torch.allclose(values[:, places], seen[0][:, places], atol=1e-4) for values in seen)


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

    def test_pages_of_which_one_side_is_known_say_nothing(self) -> None:
        """Of recipes, only the lines that are content are."""
        random = np.random.default_rng(2)
        logits = random.normal(size=400)
        likely = 1 / (1 + np.exp(-(2 * logits + 0.5)))
        whole, lines = example([1.0] * 400, likely.tolist()), example([1.0] * 400, [1.0] * 400)
        assert calibration([(logits, whole), (logits, lines)]).tolist() == calibration([(logits, whole)]).tolist()

    def test_pages_count_alike_whatever_their_length(self) -> None:
        random = np.random.default_rng(3)

        def answer(count: int, offset: float) -> tuple[Floats, TamisExample]:
            logits = np.tile(random.normal(size=50), count)
            likely = 1 / (1 + np.exp(-(logits + offset)))
            return logits, example([1.0] * len(logits), likely.tolist())

        short, long = calibration([answer(1, 1), answer(1, -1)]), calibration([answer(1, 1), answer(20, -1)])
        assert long[1] == pytest.approx(short[1], abs=0.2), "and not close to -1"

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
    def test_where_nothing_is_known_logits_stay_as_they_are(self, answers: list[tuple[Floats, TamisExample]]) -> None:
        assert calibration(answers).tolist() == [1, 0]

    def test_rows_that_nobody_knows_say_nothing(self) -> None:
        random = np.random.default_rng(2)
        logits = random.normal(size=400)
        likely = 1 / (1 + np.exp(-(2 * logits + 0.5)))
        known = np.arange(400) % 2
        content = np.where(known, likely, 1 - likely)  # the other half would say the contrary
        found = calibration([(logits, example([1.0] * 400, content.tolist(), known.astype(float).tolist()))] * 50)
        assert found.tolist() == pytest.approx([2, 0.5], rel=0.03)
