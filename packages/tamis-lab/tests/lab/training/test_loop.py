from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tamis.errors import InputError, OptionError

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from tamis_lab.training import loop
from tamis_lab.training.loop import Epoch, Schedule, Stage, device_named, seed_everything

SCHEDULE = Schedule(epochs=6, batch_pages=4, learning_rate=0.05, patience=10, seed=3)


class Toy:
    """Ten pages of one row each; half of the hidden values are dropped."""

    def __init__(
        self, seed: int = 3, *, scores: Sequence[float] | None = None, sizes: Sequence[int] = (1,) * 10
    ) -> None:
        seed_everything(seed)
        nn = torch.nn
        self.module = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 1))
        generator = torch.Generator().manual_seed(0)
        self.rows = torch.randn(10, 3, generator=generator)
        self.goal = self.rows.sum(dim=1, keepdim=True)
        self.sizes = sizes
        self.seen: list[list[int]] = []
        self.live: list[dict[str, Any]] = []  # the weights before each step
        self.weights: list[dict[str, Any]] = []  # as they were at each validation
        self._scores = scores

    def loss(self, pages: Sequence[int]) -> Any:
        assert self.module.training
        self.seen.append(list(pages))
        self.live.append(copy.deepcopy(self.module.state_dict()))
        return ((self.module(self.rows[pages]) - self.goal[pages]) ** 2).mean()

    def validate(self) -> float:
        assert not self.module.training
        self.weights.append(copy.deepcopy(self.module.state_dict()))
        if self._scores is not None:
            return self._scores[len(self.weights) - 1]
        return float(-((self.module(self.rows) - self.goal) ** 2).mean())


def fit(toy: Toy, schedule: Schedule, **more: Any) -> list[Epoch]:
    return loop.fit(Stage(toy.module, toy.sizes, toy.loss, toy.validate), schedule, **more)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(value, other[name]) for name, value in one.items())


def stop_after(epochs: int) -> Callable[[Epoch], None]:
    """As if somebody pressed Ctrl-C while the next epoch is reported."""

    def report(epoch: Epoch) -> None:
        if epoch.number > epochs:
            raise KeyboardInterrupt

    return report


def test_each_epoch_sees_each_page_once_in_an_order_of_its_own() -> None:
    toy = Toy()
    fit(toy, replace(SCHEDULE, epochs=2))
    epochs = toy.seen[:3], toy.seen[3:]
    for batches in epochs:
        assert sorted(len(batch) for batch in batches) == [2, 4, 4]
        assert sorted(page for batch in batches for page in batch) == list(range(10))
    assert epochs[0] != epochs[1]


def test_pages_of_one_batch_are_of_similar_length() -> None:
    toy = Toy(sizes=[50, 3, 900, 2, 51, 901, 1, 52, 4, 53])
    fit(toy, replace(SCHEDULE, epochs=6))
    lengths = [sorted(toy.sizes[page] for page in batch) for batch in toy.seen]
    assert {tuple(batch) for batch in lengths} == {(1, 2, 3, 4), (50, 51, 52, 53), (900, 901)}
    firsts = {tuple(lengths[place]) for place in range(0, len(lengths), 3)}
    assert len(firsts) > 1, "the short ones are not always the first"


def test_weights_are_those_of_the_seed() -> None:
    histories, states = [], []
    for seed in (3, 3, 4):
        toy = Toy(seed)
        histories.append(fit(toy, replace(SCHEDULE, seed=seed)))
        states.append(toy.module.state_dict())
    assert histories[0] == histories[1]
    assert same(states[0], states[1])
    assert not same(states[0], states[2])


@pytest.mark.parametrize(
    ("how", "averaging", "decay"),
    [
        *((how, averaging, False) for how in ("epochs", "interrupt") for averaging in (0.0, 0.3, 0.99)),
        ("interrupt", 0.5, True),
    ],
)
@pytest.mark.parametrize("epochs", [1, 3, 5])
def test_a_run_that_was_stopped_goes_on_as_if_it_never_was(
    how: str, epochs: int, averaging: float, decay: bool, tmp_path: Path
) -> None:
    schedule = replace(SCHEDULE, averaging=averaging, decay=decay)
    whole = Toy()
    expected = fit(whole, schedule)
    checkpoint = tmp_path / "deep" / "checkpoint.pt"
    if how == "epochs":
        fit(Toy(), replace(schedule, epochs=epochs), checkpoint=checkpoint)
    else:
        with pytest.raises(KeyboardInterrupt):
            fit(Toy(), schedule, checkpoint=checkpoint, report=stop_after(epochs))
    resumed = Toy(seed=99)  # other first weights and other random numbers: all comes from the file
    reported: list[Epoch] = []
    assert fit(resumed, schedule, checkpoint=checkpoint, report=reported.append) == expected
    assert [epoch.number for epoch in reported] == list(range(epochs + 1, 7))
    assert same(resumed.module.state_dict(), whole.module.state_dict())
    assert same(resumed.weights[-1], whole.weights[-1])
    assert same(resumed.live[-1], whole.live[-1])


def test_a_finished_run_is_not_trained_again(tmp_path: Path) -> None:
    first, again = Toy(), Toy(seed=5)
    history = fit(first, SCHEDULE, checkpoint=tmp_path / "c.pt")
    assert fit(again, SCHEDULE, checkpoint=tmp_path / "c.pt") == history
    assert again.seen == []
    assert same(first.module.state_dict(), again.module.state_dict())


@pytest.mark.parametrize(
    ("scores", "patience", "epochs", "best"),
    [
        ([0.1, 0.5, 0.4, 0.3, 0.9, 0.9], 2, 4, 2),
        ([0.1, 0.5, 0.4, 0.6, 0.3, 0.2], 2, 6, 4),
        ([0.5, 0.5, 0.5, 0.5, 0.5, 0.5], 3, 4, 1),
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1, 2, 1),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 1, 6, 6),
        ([-9.0, -7.0, -8.0, -8.0, -8.0, -8.0], 3, 5, 2),
    ],
)
def test_it_stops_early_and_ends_with_the_best_weights(
    scores: list[float], patience: int, epochs: int, best: int
) -> None:
    toy = Toy(scores=scores)
    history = fit(toy, replace(SCHEDULE, patience=patience))
    assert [epoch.score for epoch in history] == scores[:epochs]
    assert history[-1].best == scores[best - 1]
    assert same(toy.module.state_dict(), toy.weights[best - 1])
    assert not any(same(toy.weights[best - 1], other) for other in toy.weights[best:])


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"something else"]
)
def test_a_damaged_checkpoint_is_an_error(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    checkpoint = tmp_path / "c.pt"
    fit(Toy(), replace(SCHEDULE, epochs=1), checkpoint=checkpoint)
    checkpoint.write_bytes(damage(checkpoint.read_bytes()))
    with pytest.raises(InputError, match="not a checkpoint of this model") as caught:
        fit(Toy(), SCHEDULE, checkpoint=checkpoint)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("changes", [{"seed": 4}, {"batch_pages": 5}, {"device": "cuda"}, {"decay": True}])
def test_a_checkpoint_of_another_schedule_is_an_error(changes: dict[str, Any], tmp_path: Path) -> None:
    fit(Toy(), replace(SCHEDULE, epochs=1), checkpoint=tmp_path / "c.pt")
    with pytest.raises(InputError, match="another schedule"):
        fit(Toy(), replace(SCHEDULE, **changes), checkpoint=tmp_path / "c.pt")


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("a", ""), ("", "b")])
def test_a_checkpoint_of_other_data_is_an_error(first: str, second: str, tmp_path: Path) -> None:
    checkpoint = tmp_path / "c.pt"
    fit(Toy(), replace(SCHEDULE, epochs=1), checkpoint=checkpoint, data=first)
    toy = Toy()
    untouched = copy.deepcopy(toy.module.state_dict())
    with pytest.raises(InputError, match="other pages") as caught:
        fit(toy, SCHEDULE, checkpoint=checkpoint, data=second)
    assert str(checkpoint) in str(caught.value)
    assert toy.seen == []
    assert same(toy.module.state_dict(), untouched)
    assert len(fit(toy, SCHEDULE, checkpoint=checkpoint, data=first)) == SCHEDULE.epochs


def test_a_checkpoint_keeps_the_random_numbers_of_a_graphics_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = torch.arange(16, dtype=torch.uint8)
    restored: list[Any] = []
    with monkeypatch.context() as patched:
        patched.setattr(torch.cuda, "is_available", lambda: True)
        patched.setattr(torch.cuda, "get_rng_state_all", lambda: [state])
        patched.setattr(torch.cuda, "set_rng_state_all", restored.extend)
        fit(Toy(), replace(SCHEDULE, epochs=1), checkpoint=tmp_path / "c.pt")
        assert restored == []
        fit(Toy(), replace(SCHEDULE, epochs=2), checkpoint=tmp_path / "c.pt")
        assert [torch.equal(one, state) for one in restored] == [True]
    assert len(fit(Toy(), SCHEDULE, checkpoint=tmp_path / "c.pt")) == SCHEDULE.epochs, "without one it goes on, too"


def test_without_pages_there_is_nothing_to_step_on() -> None:
    toy = Toy(sizes=())
    untouched = copy.deepcopy(toy.module.state_dict())
    assert [epoch.loss for epoch in fit(toy, SCHEDULE)] == [0.0] * SCHEDULE.epochs
    assert same(toy.module.state_dict(), untouched)


class TestAveraging:
    """With all pages in one batch, an epoch is a step."""

    STEPS = replace(SCHEDULE, batch_pages=10, epochs=5)

    @pytest.mark.parametrize(
        ("averaging", "kept"),
        [
            (0.99, [1 / 10, 2 / 11, 3 / 12, 4 / 13]),
            (0.2, [1 / 10, 2 / 11, 0.2, 0.2]),
            (0.05, [0.05] * 4),
            (0.0, [0.0] * 4),
        ],
    )
    def test_what_is_validated_is_the_running_average(self, averaging: float, kept: list[float]) -> None:
        toy = Toy()
        fit(toy, replace(self.STEPS, averaging=averaging))
        average = toy.live[0]  # what the module began with
        for keep, live, validated in zip(kept, toy.live[1:], toy.weights[:-1], strict=True):
            average = {name: keep * average[name] + (1 - keep) * live[name] for name in average}
            for name, value in average.items():
                assert torch.allclose(value, validated[name], rtol=1e-5, atol=1e-7), name


class Rated(Toy):
    """Remembers by how much the only weight moved at each step: its gradient is always 1."""

    def __init__(self) -> None:
        super().__init__(scores=range(10))
        self.module = torch.nn.Sequential(torch.nn.Linear(1, 1, bias=False))

    def loss(self, pages: Sequence[int]) -> Any:
        self.seen.append(list(pages))
        self.live.append(copy.deepcopy(self.module.state_dict()))
        return self.module[0].weight.sum()

    def steps(self) -> list[float]:
        weights = [float(state["0.weight"]) for state in self.live]
        return [before - after for before, after in pairwise(weights)]


class TestDecay:
    """The rate rises for a tenth of the steps and falls to 0, and the last epoch is kept."""

    # Three batches an epoch, thirty steps. Adam moves a weight whose gradient is always the same by the rate.
    SCHEDULE = replace(SCHEDULE, epochs=10, decay=True, weight_decay=0.0, averaging=0.0, patience=10)

    def rates(self) -> list[float]:
        toy = Rated()
        fit(toy, self.SCHEDULE)
        assert len(toy.live) == 30
        return toy.steps()

    def test_the_rate_rises_and_falls(self) -> None:
        rates = self.rates()
        assert rates[0] == pytest.approx(0, abs=1e-6), "it begins at nothing"
        assert rates[:4] == sorted(rates[:4])
        assert rates[3] == pytest.approx(self.SCHEDULE.learning_rate, rel=1e-3), "a tenth of the steps are behind"
        assert rates[3:] == sorted(rates[3:], reverse=True)
        assert 0 < rates[-1] < 0.02 * self.SCHEDULE.learning_rate

    def test_without_it_the_rate_stays(self) -> None:
        toy = Rated()
        fit(toy, replace(self.SCHEDULE, decay=False))
        assert toy.steps() == pytest.approx([self.SCHEDULE.learning_rate] * 29, rel=1e-3)

    def test_the_last_epoch_is_kept_whatever_the_score(self) -> None:
        toy = Toy(scores=[0.1, 0.9, 0.5, 0.3])
        history = fit(toy, replace(SCHEDULE, epochs=4, decay=True))
        assert same(toy.module.state_dict(), toy.weights[-1])
        assert not same(toy.weights[-1], toy.weights[1])
        assert (history[-1].score, history[-1].best) == (0.3, 0.9)


def test_a_checkpoint_runs_no_code(tmp_path: Path) -> None:
    ran = tmp_path / "ran"

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (ran,)

    torch.save({"schedule": Evil()}, tmp_path / "c.pt")
    with pytest.raises(InputError):
        fit(Toy(), SCHEDULE, checkpoint=tmp_path / "c.pt")
    assert not ran.exists()


class TestDevices:
    @pytest.mark.parametrize("there", [False, True])
    def test_auto_takes_the_best(self, there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: there)
        assert device_named("auto") == ("cuda" if there else "cpu")

    @pytest.mark.parametrize("name", ["cuda", "cuda:1", "tpu", ""])
    def test_one_that_is_not_there_is_an_error(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
        with pytest.raises(OptionError, match="no device"):
            device_named(name)


def test_the_limit_of_the_gradient_grows_with_the_networks() -> None:
    """Four networks together have twice the norm of one."""
    found = []
    for networks, limit in ((1, 0.002), (4, 0.001), (4, 0.002)):
        toy = Toy()
        stage = Stage(toy.module, toy.sizes, toy.loss, toy.validate, networks=networks)
        loop.fit(stage, replace(SCHEDULE, epochs=1, gradient_limit=limit))
        found.append([parameter.grad.norm() for parameter in toy.module.parameters() if parameter.grad is not None])
    first, same_limit, twice = (float(torch.stack(norms).norm()) for norms in found)
    assert first == pytest.approx(same_limit, rel=1e-4)
    assert twice == pytest.approx(2 * first, rel=1e-3)
