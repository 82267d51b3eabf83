"""Training of the default extractor: which runs of text are content, and what type a page has.

Gold is noisy: two people disagree on what of a shop's page is content. So teachers are trained first, each on
four fifths of the sites, and label the other sites. The shipped network, the student, learns half from the gold
and half from the labels of teachers that had not seen the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors.numpy import save_file

from tamis.arrays import Bytes, Floats
from tamis.extractor.network import OUTPUTS
from tamis.extractor.runs import COLUMNS, LEVELS, VERSION
from tamis.extractor.scaling import Scaling, Singles
from tamis.extractor.tamis import MODEL, Tensors, read_tensors
from tamis.lab.extras import needs
from tamis.lab.training.loop import Schedule, Stage
from tamis.lab.training.pages import LabelledPage, fold_of
from tamis.lab.training.tamis_examples import NO_TYPE, TYPES, Example, prepare, prepare_variant
from tamis.lab.training.tamis_module import RunNet
from tamis.registry import extractors

with needs("train", "training"):
    import torch
    from torch import Tensor
    from torch.nn import functional

# Measured on WCXB dev with folds by site: docs/tamis.md.
WIDTH, LAYERS, DROPOUT = 24, 4, 0.1
SCHEDULE = Schedule(
    epochs=14, batch_pages=16, learning_rate=2e-3, patience=14, weight_decay=0.02, gradient_limit=1.0, decay=True
)
# For tuning trained weights on a few pages of one's own: docs/tamis.md has what it brings.
TUNING = replace(SCHEDULE, epochs=80, patience=80, batch_pages=4, learning_rate=5e-4)
FOLDS, TEACHERS = 5, 2  # folds of sites, and teachers for each
TAUGHT = 0.5  # the weight of the teachers' labels beside the gold
_TEACHER_WIDTH = 48
STUDENT_SHARE = 0.8  # of the epochs, since with augmentation there are twice as many pages

# The goal is the mean F1 of pages in words. Cross entropy learns every run, long ones more; a soft F1 keeps it from
# trading a short page for a long one.
_SMALLEST_WEIGHT = 0.3
_F1_SHARE = 0.5
_TYPE_SHARE = 0.1
_ROLE_SHARE = 0.1

# How often the names of a page's elements are hidden, so that the network copes with pages that have none.
_NAMELESS = 0.3
_NAMES = [number for number, name in enumerate(COLUMNS) if name.startswith(("role ", "property ", "named "))]

# Columns are bounded, so a floor under the deviation bounds the scaled values without clipping.
_LEAST_DEVIATION = 0.1

# Longer pages are learned from in pieces of this many runs, and validated in one piece.
_LONGEST = 1_536
_TOGETHER = 16  # pages of a batch where nothing is learned

_NEWTON_STEPS = 20
# The prior of the calibration weighs as much as a twentieth of a page. Slope and offset are bounded; the offsets keep
# the threshold between 0.31 and 0.71, below that of favor_precision.
_PULL = 0.05
_SLOPES, _OFFSETS = (0.01, 10.0), (-0.8, 0.9)
_FEW_PAGES = 30


class _Batch(NamedTuple):
    """Pages side by side, the shorter ones padded with zeros; all (pages, runs, ...) but the last."""

    values: Tensor
    tags: Tensor
    words: Tensor
    content: Tensor
    known: Tensor
    comment: Tensor
    related: Tensor
    there: Tensor  # (pages, runs, 1), 0 beyond the end of a page
    page_type: Tensor  # (pages,)


class Piece(NamedTuple):
    """A page or a part of one, and the fold of its site."""

    example: Example
    fold: int
    is_variant: bool = False  # it is augmented


class Teacher(NamedTuple):
    """Learns from the gold of all sites but those of one fold, without augmented pages."""

    network: RunNet
    fold: int
    examples: list[Example]


class TamisTask:
    """Training and validation pages, the teachers, and the student."""

    def __init__(
        self,
        training: Sequence[Piece],
        validation: Sequence[Example],
        *,
        teachers: int = TEACHERS,
        start: Tensors | None = None,
        device: str = "cpu",
    ) -> None:
        originals = [piece.example for piece in training if not piece.is_variant and len(piece.example)]
        self._start = start
        self.scaling = Scaling(start["scaling.mean"], start["scaling.deviation"]) if start else _scaling(originals)
        self._device = device
        self.pieces = [
            piece._replace(example=part) for piece in training for part in _parts(self._scaled(piece.example))
        ]
        self._validation = [self._scaled(example) for example in validation if len(example)]
        self.module = self._network(len(start["first.bias"]) if start else WIDTH)
        if start:
            known = self.module.state_dict()
            self.module.load_state_dict({name: torch.from_numpy(start[name]) for name in known})
        # A fold without pages needs no teachers.
        folds = sorted({piece.fold for piece in self.pieces})
        self.teachers = [self._teacher(fold) for _ in range(teachers) for fold in folds]

    def _teacher(self, fold: int) -> Teacher:
        seen = [piece.example for piece in self.pieces if piece.fold != fold and not piece.is_variant]
        return Teacher(self._network(_TEACHER_WIDTH), fold, seen)

    def _network(self, width: int) -> RunNet:
        network = RunNet(
            len(COLUMNS), 1 + LEVELS, len(OUTPUTS), len(TYPES), width=width, layers=LAYERS, dropout=DROPOUT
        )
        return network.to(self._device)

    def _scaled(self, example: Example) -> Example:
        values = (example.values - self.scaling.mean) / self.scaling.deviation
        return replace(example, values=values.astype(np.float32))

    @property
    def calibration(self) -> Singles:
        """Slope and offset from logits to probabilities; those of the start where pages are too few to fit them."""
        if self._start and len(self._validation) < _FEW_PAGES:
            return self._start["calibration"]
        return calibration(self._answers(self.module, self._validation))

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The teachers, and then the student."""
        teachers = [self._stage(each.network, each.examples, each.examples.__getitem__) for each in self.teachers]
        originals = [piece.example for piece in self.pieces]
        # What the student learns from is known only when the teachers have learned.
        student = self._stage(self.module, originals, lambda number: self.mixed[number])
        return (*teachers, replace(student, share=STUDENT_SHARE))

    def _stage(self, network: RunNet, sized: Sequence[Example], example: Callable[[int], Example]) -> Stage:
        return Stage(
            network,
            [len(one) for one in sized],
            lambda pages: self.loss(network, [example(number) for number in pages]),
            lambda: self.validate(network),
        )

    @cached_property
    def mixed(self) -> list[Example]:
        """The examples of the student: all pieces, with the mean of gold and the teachers' labels."""
        pieces = [piece.example for piece in self.pieces]
        if self.taught is None:
            return pieces
        return [
            replace(piece, content=((1 - TAUGHT) * piece.content + TAUGHT * likely).astype(np.float32))
            for piece, likely in zip(pieces, self.taught, strict=True)
        ]

    @cached_property
    def taught(self) -> list[Singles] | None:
        """For each piece: the probability of content of each run, by teachers that have not seen its site."""
        if not self.teachers:
            return None
        logits = [np.zeros(len(piece.example), dtype=np.float32) for piece in self.pieces]
        teachers = Counter(teacher.fold for teacher in self.teachers)
        for teacher in self.teachers:
            unseen = [number for number, piece in enumerate(self.pieces) if piece.fold == teacher.fold]
            answers = self._answers(teacher.network, [self.pieces[number].example for number in unseen])
            for number, (found, _) in zip(unseen, answers, strict=True):
                logits[number] += found / teachers[teacher.fold]
        return [(1 / (1 + np.exp(-found))).astype(np.float32) for found in logits]

    def loss(self, network: RunNet, examples: Sequence[Example]) -> Tensor:
        """Cross entropy of content, roles and page types, and 1 less the soft F1."""
        batch = self._batch(examples)
        logits, kinds = network(self._without_names(batch.values), batch.tags, batch.there)
        content = logits[..., 0]
        loss = _run_loss(content, batch.content, batch.words, batch.known)
        loss = loss + _F1_SHARE * _missing_f1(torch.sigmoid(content), batch)
        there = batch.there[..., 0]
        for place, truth in ((1, batch.comment), (2, batch.related)):
            loss = loss + _ROLE_SHARE * _run_loss(logits[..., place], truth, batch.words, there)
        if (batch.page_type != NO_TYPE).any():
            loss = loss + _TYPE_SHARE * functional.cross_entropy(kinds, batch.page_type, ignore_index=NO_TYPE)
        return loss

    def _without_names(self, values: Tensor) -> Tensor:
        """The values with the names of elements hidden on some of the pages."""
        nameless = torch.rand(len(values), 1, 1) < _NAMELESS
        is_name = torch.zeros(values.shape[-1], dtype=torch.bool)
        is_name[_NAMES] = True
        none = torch.from_numpy((-self.scaling.mean / self.scaling.deviation).astype(np.float32))
        return torch.where((nameless & is_name).to(values.device), none.to(values.device), values)

    def validate(self, network: RunNet) -> float:
        """The mean F1 of the validation pages in words."""
        found = [page_f1(logits >= 0, page) for logits, page in self._answers(network, self._validation)]
        return float(np.mean(found)) if found else 0.0

    def _answers(self, network: RunNet, examples: Sequence[Example]) -> Iterable[tuple[Floats, Example]]:
        """The logits of content, page by page as given."""
        network.eval()
        order = sorted(range(len(examples)), key=lambda number: len(examples[number]))
        found: dict[int, Floats] = {}
        with torch.no_grad():
            for start in range(0, len(order), _TOGETHER):
                some = order[start : start + _TOGETHER]
                batch = self._batch([examples[number] for number in some])
                logits = network(batch.values, batch.tags, batch.there)[0][..., 0].double().cpu().numpy()
                found |= {number: page[: len(examples[number])] for number, page in zip(some, logits, strict=True)}
        return [(found[number], example) for number, example in enumerate(examples)]

    def _batch(self, examples: Sequence[Example]) -> _Batch:
        longest = max(map(len, examples))

        def padded(columns: Sequence[Singles | Bytes]) -> Tensor:
            first = columns[0]
            whole = np.zeros((len(columns), longest, *first.shape[1:]), dtype=first.dtype)
            for number, column in enumerate(columns):
                whole[number, : len(column)] = column
            return torch.from_numpy(whole).to(self._device)

        return _Batch(
            padded([example.values for example in examples]),
            padded([example.tags for example in examples]).long(),
            padded([example.words for example in examples]),
            padded([example.content for example in examples]),
            padded([example.known for example in examples]),
            padded([example.comment for example in examples]),
            padded([example.related for example in examples]),
            padded([np.ones((len(example), 1), dtype=np.float32) for example in examples]),
            torch.tensor([example.page_type for example in examples], device=self._device),
        )


def _scaling(examples: Sequence[Example]) -> Scaling:
    fitted = Scaling.fit(example.values.astype(np.float64) for example in examples)
    return Scaling(fitted.mean, np.maximum(fitted.deviation, _LEAST_DEVIATION))


def _run_loss(logits: Tensor, truth: Tensor, words: Tensor, known: Tensor) -> Tensor:
    """Cross entropy: the mean over pages of the weighted mean over runs."""
    weight = (words.sqrt() + _SMALLEST_WEIGHT) * known
    each = functional.binary_cross_entropy_with_logits(logits, truth, reduction="none")
    return ((each * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=1e-6)).mean()


def _missing_f1(likely: Tensor, batch: _Batch) -> Tensor:
    """1 less the soft F1 (probabilities instead of decisions), as a mean over pages that have content."""
    words = batch.words * batch.known
    content = (words * batch.content).sum(dim=1)
    f1 = 2 * (words * likely * batch.content).sum(dim=1) / ((words * likely).sum(dim=1) + content + 1e-3)
    some = (content > 0).float()
    return ((1 - f1) * some).sum() / some.sum().clamp(min=1)


def page_f1(keep: Any, page: Example) -> float:
    """The F1 of a page in words; 1 where nothing is content and nothing kept."""
    words = page.words * page.known
    content, kept = float((words * page.content).sum()), float(words[keep].sum())
    if content + kept == 0:
        return 1.0
    return 2 * float((words * page.content)[keep].sum()) / (content + kept)


def calibration(answers: Iterable[tuple[Floats, Example]]) -> Singles:
    """Slope and offset from logits to probabilities (Platt scaling), on validation pages; each page counts the same.

    They minimise cross entropy with a weak prior for slope 1 and offset 0, since few pages, or pages that are all
    right or all wrong, tell little. The slope stays positive, or content would become boilerplate.
    """
    pages = [(logits, page) for logits, page in answers if page.known.sum() > 0]
    if not pages:
        return np.array([1.0, 0.0], dtype=np.float32)
    logits = np.concatenate([found for found, _ in pages])
    truth = np.concatenate([page.content for _, page in pages]).astype(np.float64)
    weight = np.concatenate([page.known / page.known.sum() for _, page in pages]).astype(np.float64)
    columns = np.stack([logits, np.ones_like(logits)], axis=1)
    plain = np.array([1.0, 0.0])

    def cost(line: Floats) -> float:
        found = columns @ line
        return float((weight * (np.logaddexp(0, found) - truth * found)).sum() + _PULL * ((line - plain) ** 2).sum())

    line = plain
    for _ in range(_NEWTON_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(columns @ line, -500, 500)))
        gradient = columns.T @ (weight * (likely - truth)) + 2 * _PULL * (line - plain)
        curvature = (columns * (weight * likely * (1 - likely))[:, np.newaxis]).T @ columns + 2 * _PULL * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        # A full Newton step may overshoot; a small enough one never does.
        while cost(line - step) > cost(line) and np.abs(step).max() > 1e-9:
            step = step / 2
        line = line - step
    return np.array([np.clip(line[0], *_SLOPES), np.clip(line[1], *_OFFSETS)], dtype=np.float32)


def _parts(example: Example) -> list[Example]:
    """A page in pieces that are not too long to learn from; none for a page without runs."""
    return [example.part(slice(start, start + _LONGEST)) for start in range(0, len(example), _LONGEST)]


def pieces_of(pages: Sequence[LabelledPage], random: np.random.Generator) -> list[Piece]:
    """Each page as published, and once more augmented."""
    found: list[Piece] = []
    for page in pages:
        fold = fold_of(page.site, FOLDS)
        found.append(Piece(prepare(page), fold))
        found.append(Piece(prepare_variant(page, pages, random), fold, is_variant=True))
    return found


@dataclass(frozen=True)
class TamisRecipe:
    """How `tamis train tamis` learns."""

    paper: str = "The default extractor: a network over runs of text that sees no words, so it depends on no language."
    schedule: Schedule = SCHEDULE
    measure: str = "mean F1 of validation pages, in words"
    start: str = ""

    def starting_from(self, weights: str) -> TamisRecipe:
        """Tune a trained network on pages of one's own: at a low rate, and without teachers."""
        return replace(self, start=weights, schedule=TUNING)

    @property
    def _weights(self) -> Path:
        """The weights of the extractor of that name, or else the folder of that path."""
        known = extractors().get(self.start)
        return known.weights if known and known.weights else Path(self.start)

    def task(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage], device: str) -> TamisTask:
        """The runs of all pages, and the networks."""
        held = [prepare(page) for page in validation]
        if self.start:
            pieces = [Piece(prepare(page), 0) for page in training]
            return TamisTask(pieces, held, teachers=0, start=read_tensors(self._weights), device=device)
        return TamisTask(pieces_of(training, np.random.default_rng(0)), held, device=device)

    def save(self, task: TamisTask, folder: Path) -> tuple[str, dict[str, Any]]:
        """The network as safetensors."""
        tensors = {name: np.ascontiguousarray(value.cpu().numpy()) for name, value in task.module.state_dict().items()}
        tensors["scaling.mean"] = task.scaling.mean
        tensors["scaling.deviation"] = task.scaling.deviation
        tensors["calibration"] = task.calibration
        save_file(tensors, folder / MODEL)
        return MODEL, {"input": VERSION, "width": len(tensors["first.bias"]), "layers": LAYERS}


RECIPE = TamisRecipe()
