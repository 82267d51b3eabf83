"""The training loop: seeded, resumable, with early stopping on the validation score."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import InputError, OptionError
from tamis_lab import needs

with needs("train", "training"):
    import torch

# Pages are drawn at random for this many batches at a time, and these are divided by length.
_SORTED_BATCHES = 8

# With decay: the share of the steps in which the rate rises.
_RISE = 0.1


@dataclass(frozen=True)
class Schedule:
    """How long and how fast a network learns."""

    epochs: int
    batch_pages: int
    learning_rate: float
    patience: int  # it stops after this many epochs without a better validation score
    seed: int = 0
    device: str = "cpu"
    weight_decay: float = 0.01
    gradient_limit: float = 5.0
    averaging: float = 0.99  # the share of the running average of the weights that stays at each step
    decay: bool = False  # the rate rises for a tenth of the steps, then falls to 0; the last epoch is kept


@dataclass(frozen=True, eq=False)
class Stage:
    """A module that the loop trains, with its data."""

    module: torch.nn.Module
    sizes: Sequence[int]  # how many leaves each training page has
    loss: Callable[[Sequence[int]], torch.Tensor]  # on training pages, given by number
    validate: Callable[[], float]  # the score on the validation pages; more is better
    pace: float = 1.0  # how fast it learns, as a multiple of the schedule's rate
    share: float = 1.0  # how long it learns, as a share of the schedule's epochs
    networks: int = 1  # how many are trained side by side, each with its own loss


@dataclass(frozen=True)
class Epoch:
    """The result of one pass over the training pages."""

    number: int  # from 1
    loss: float
    score: float
    best: float


def seed_everything(seed: int) -> None:
    """Seed all random numbers; call it before the module is made, so that its first weights depend on the seed."""
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)


def device_named(name: str) -> str:
    """`cpu`, `cuda`, or for `auto` the best of this machine. Raises OptionError for a device that it lacks."""
    has_gpu = torch.cuda.is_available()
    if name == "auto":
        return "cuda" if has_gpu else "cpu"
    if name != "cpu" and not (name.startswith("cuda") and has_gpu):
        raise OptionError(f"this machine has no device {name!r}")
    return name


def fit(
    stage: Stage,
    schedule: Schedule,
    *,
    checkpoint: Path | None = None,
    data: str = "",
    report: Callable[[Epoch], None] = lambda epoch: None,
) -> list[Epoch]:
    """Train `stage.module` in place; it ends with the weights of the best epoch.

    A running average of the weights is validated and kept, since single steps on few pages are
    noisy. With `checkpoint`, the state is written there after each epoch, and a run that finds it
    goes on with the same result as if it had never stopped. `data` identifies the training data.
    Raises InputError for a checkpoint that is damaged, or of another schedule or other data.
    """
    module = stage.module
    optimizer = torch.optim.AdamW(module.parameters(), lr=schedule.learning_rate, weight_decay=schedule.weight_decay)
    state = _State(module, optimizer, schedule, data)
    if checkpoint is not None and checkpoint.exists():
        state.load(checkpoint)
    while len(state.history) < schedule.epochs and not state.is_stuck:
        number = len(state.history) + 1
        loss = _train_once(stage, optimizer, schedule, number, state.average)
        with state.averaged(), torch.no_grad():
            score = stage.validate()
        state.add(number, loss, score)
        report(state.history[-1])
        if checkpoint is not None:
            state.save(checkpoint)
    module.load_state_dict(state.best_weights)
    module.eval()
    return state.history


def _train_once(
    stage: Stage, optimizer: torch.optim.Optimizer, schedule: Schedule, number: int, after_step: Callable[[], None]
) -> float:
    stage.module.train()
    losses = []
    batches = _batches(stage.sizes, schedule, number)
    for place, pages in enumerate(batches):
        _set_rate(optimizer, schedule, (number - 1 + place / len(batches)) / schedule.epochs)
        optimizer.zero_grad()
        loss = stage.loss(pages)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(stage.module.parameters(), schedule.gradient_limit * stage.networks**0.5)
        optimizer.step()
        after_step()
        losses.append(loss.detach())
    return float(torch.stack(losses).mean()) if losses else 0.0


def _set_rate(optimizer: torch.optim.Optimizer, schedule: Schedule, done: float) -> None:
    """Set the rate by `done`, the share of the steps that are done, so that checkpoints need not store it."""
    if not schedule.decay:
        return
    rise = done / _RISE
    fall = (1 + math.cos(math.pi * (done - _RISE) / (1 - _RISE))) / 2
    for group in optimizer.param_groups:
        group["lr"] = schedule.learning_rate * (rise if done < _RISE else fall)


def _batches(sizes: Sequence[int], schedule: Schedule, number: int) -> list[list[int]]:
    """All pages in a random order; those of a batch have similar lengths, since the longest sets its time.

    The order depends on seed and epoch alone, so a resumed run sees the same batches.
    """
    random = np.random.default_rng([schedule.seed, number])
    order = random.permutation(len(sizes)).tolist()
    group = _SORTED_BATCHES * schedule.batch_pages
    batches = []
    for start in range(0, len(order), group):
        alike = sorted(order[start : start + group], key=lambda page: sizes[page])
        batches += [alike[first : first + schedule.batch_pages] for first in range(0, len(alike), schedule.batch_pages)]
    return [batches[place] for place in random.permutation(len(batches)).tolist()]


class _State:
    """The state of a training: what a checkpoint holds."""

    def __init__(
        self, module: torch.nn.Module, optimizer: torch.optim.Optimizer, schedule: Schedule, data: str
    ) -> None:
        self._module, self._optimizer, self._schedule, self._data = module, optimizer, schedule, data
        self.history: list[Epoch] = []
        self._steps = 0
        self._average = copy.deepcopy(module.state_dict())
        self.best_weights = copy.deepcopy(module.state_dict())

    def average(self) -> None:
        """Move the average towards the weights after a step; quickly at first, since it starts from random weights."""
        self._steps += 1
        keep = min(self._schedule.averaging, self._steps / (self._steps + 9))
        for name, weights in self._module.state_dict().items():
            if weights.is_floating_point():
                self._average[name].lerp_(weights, 1 - keep)
            else:  # a counter
                self._average[name].copy_(weights)

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """Give the module the average as its weights for the duration of the context."""
        live = copy.deepcopy(self._module.state_dict())
        self._module.load_state_dict(self._average)
        self._module.eval()
        yield
        self._module.load_state_dict(live)

    @property
    def is_stuck(self) -> bool:
        """Was the best score too many epochs ago?"""
        scores = [epoch.score for epoch in self.history]
        if self._schedule.decay:  # the last epoch is kept
            return False
        return bool(scores) and len(scores) - 1 - scores.index(max(scores)) >= self._schedule.patience

    def add(self, number: int, loss: float, score: float) -> None:
        best = max((epoch.score for epoch in self.history), default=float("-inf"))
        if score > best or self._schedule.decay:
            self.best_weights = copy.deepcopy(self._average)
        self.history.append(Epoch(number, loss, score, max(best, score)))

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        torch.save(
            {
                "schedule": asdict(self._schedule),
                "data": self._data,
                "steps": self._steps,
                "average": self._average,
                "history": [asdict(epoch) for epoch in self.history],
                "module": self._module.state_dict(),
                "best": self.best_weights,
                "optimizer": self._optimizer.state_dict(),
                "random": {
                    "cpu": torch.get_rng_state(),
                    "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
                },
            },
            part,
        )
        part.replace(path)  # never half a checkpoint

    def load(self, path: Path) -> None:
        try:
            # weights_only: a checkpoint is data, and no code in it is run.
            saved: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
            # The number of epochs may change, unless the rate depends on it.
            free = {} if self._schedule.decay else {"epochs": 0}
            if saved["schedule"] | free != asdict(self._schedule) | free:
                raise InputError(f"{path} is a checkpoint of another schedule; delete it, or train with that schedule")
            if saved["data"] != self._data:
                raise InputError(
                    f"{path} is a checkpoint of a training on other pages; delete it, or train on those pages"
                )
            self._module.load_state_dict(saved["module"])
            self._optimizer.load_state_dict(saved["optimizer"])
            self._steps = saved["steps"]
            for name, weights in saved["average"].items():
                self._average[name].copy_(weights)
            self.best_weights = saved["best"]
            self.history = [Epoch(**epoch) for epoch in saved["history"]]
            torch.set_rng_state(saved["random"]["cpu"])
            if torch.cuda.is_available() and saved["random"]["cuda"]:
                torch.cuda.set_rng_state_all(saved["random"]["cuda"])
        except InputError:
            raise
        except Exception as error:  # a damaged file can make torch raise anything
            reason = next(iter(str(error).splitlines()), type(error).__name__)  # torch writes many lines
            raise InputError(f"{path} is not a checkpoint of this model: {reason}") from error
