"""Training of the default extractor: which runs of text are content, and what type a page has.

There are two experts, and a gate that learns to tell their pages apart. `modern` learns from pages as published, `old`
also from variants of them: in markup of earlier years, with comments and teasers added.

Gold is noisy: two people disagree about the content of a shop's page. So teachers are trained first, each on four
fifths of the sites, and label the other sites by the guideline of each page's own corpus. The shipped network, the
student, learns half from the gold and half from the labels of teachers that had not seen the page.

With `--folds`, a student for each fold is trained beside the one that is shipped. It has not seen the sites of its
fold, and neither have its teachers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from tamis.arrays import Floats, Singles
from tamis.cached import cached_property
from tamis.errors import OptionError
from tamis.extractor.network import EXPERTS, GATE, OUTPUTS, Scaling, tensors_of
from tamis.extractor.runs import COLUMNS, LEVELS, VERSION
from tamis.extractor.tamis import MODEL, Tensors, read_tensors
from tamis.kernel import library
from tamis_lab import needs
from tamis_lab.training.loop import Schedule, Stage
from tamis_lab.training.pages import LabelledPage
from tamis_lab.training.recipes import start_folder
from tamis_lab.training.tamis_examples import (
    ANY_AGE,
    CORPORA,
    FOLDS,
    MODERN,
    TYPES,
    UNKNOWN,
    Piece,
    PreparedPage,
    TamisExample,
    pieces_of,
    prepare_all,
)
from tamis_lab.training.tamis_losses import (
    SMALLEST_WEIGHT,
    RunBatch,
    calibration,
    missing_f1,
    page_f1,
    run_loss,
    type_loss,
)
from tamis_lab.training.tamis_module import RunNets

with needs("train", "training"):
    import torch
    from sklearn.linear_model import LogisticRegression
    from torch import Tensor

# Measured on WCXB dev with folds by site, Dragnet and DAnIEL: docs/research/tamis.md.
LAYERS = 4
DROPOUT = 0.1
SCHEDULE = Schedule(
    epochs=16, batch_pages=32, learning_rate=3e-3, patience=12, weight_decay=0.02, gradient_limit=1.0, decay=True
)
# For tuning trained weights on a few pages of your own; docs/research/tamis.md says how much that gains.
TUNING = replace(SCHEDULE, epochs=80, patience=80, batch_pages=4, learning_rate=5e-4)
TEACHERS = 1  # for each fold of sites
_MODERN_TEACHERS = 3  # fewer pages, whose gold is noisier
VARIANTS = 2  # of each page
TAUGHT = 0.5  # the weight of the teachers' labels; the gold has the rest
_TEACHER_WIDTH = 48  # teachers are larger
_TEACHER_SHARE = 0.84  # of the epochs: they overfit sooner

_TYPE_SHARE = 0.3  # the weight of the loss of page types
_ROLE_SHARE = 0.1  # the weight of the loss of each role

_NAMELESS = 0.3  # how often the names of a page's elements are hidden, so that pages without names are learned, too
_HIDDEN = 0.05  # how often each column is hidden, so that the network relies on no single one
_NAMES = [number for number, name in enumerate(COLUMNS) if name.startswith(("role ", "property ", "named "))]

# Columns are bounded, so a floor under the deviation bounds the scaled values without clipping.
_LEAST_DEVIATION = 0.1

# Longer pages are learned from in pieces of this many runs, and validated in one piece.
_LONGEST = 1_536
_TOGETHER = 16  # pages of a batch when networks only answer

# The gate sends a page to `modern` only if it is as sure as this that it is one: `old` does less harm to a modern page
# than `modern` to an old one.
_SURE = 1.6
_GATE_PRIOR = 0.1  # scikit-learn's C of the gate
_ROLE_PRIOR = 10.0  # and of the roles
_FEW_PAGES = 30  # with fewer validation pages a tuned network keeps the calibration of its start
_UNTOLD = 0.5  # how often a network is not told the corpus of a page

Folds = frozenset[int]
Guideline = tuple[float, ...]  # (CORPORA,)


def guideline(**shares: float) -> Guideline:
    """A mixture of the guidelines of corpora, each named with `_` in place of `-`."""
    given = {name.replace("_", "-"): share for name, share in shares.items()}
    return tuple(given.get(corpus, 0.0) for corpus in CORPORA)


@dataclass(frozen=True)
class Expert:
    """How one of the two networks learns, from which pages, and the guideline that it follows once it is trained."""

    name: str
    variants: bool
    guideline: Guideline
    width: int = 24
    share: float = 1.0  # how long it learns, as a share of the schedule's epochs
    f1_share: float = 1.0  # the weight of the soft F1 in the loss; that of the cross entropy is 1
    strictness: float = 0.0  # added to the threshold that the calibration found
    teachers: int = TEACHERS  # for each fold of sites


MODERN_EXPERT = Expert("modern", variants=False, guideline=guideline(wcxb=1.0), teachers=_MODERN_TEACHERS)
# Variants are more pages, so it learns from each for a shorter time.
OLD_EXPERT = Expert(
    "old", variants=True, guideline=guideline(wcxb=0.25, news_2023=0.75),
    width=32, share=0.375, f1_share=0.5, strictness=0.6,
)  # fmt: skip


class ExpertTask:
    """Training and validation pages of one expert, its teachers, and its students.

    The first student learns from all pages and is the one that is shipped. With `folds` there is one more for each
    fold, which learns from the others.
    """

    def __init__(
        self,
        expert: Expert,
        training: Sequence[Piece],
        validation: Sequence[Piece],
        *,
        folds: bool = False,
        start: Tensors | None = None,
        device: str = "cpu",
    ) -> None:
        self.expert = expert
        self._everything = [piece for piece in training if len(piece.example)]
        training, validation = (
            [piece for piece in pieces if not piece.is_variant or piece.is_rewritten is not expert.variants]
            for pieces in (training, validation)
        )
        originals = [piece.example for piece in training if not piece.is_variant and len(piece.example)]
        self._start = start
        self.scaling = Scaling(start["scaling.mean"], start["scaling.deviation"]) if start else _scaling(originals)
        self._device = device
        self._mean, self._deviation = (
            torch.from_numpy(column.astype(np.float32)).to(device)
            for column in (self.scaling.mean, self.scaling.deviation)
        )
        self.pieces = [  # of pages that are not too long to learn from; none of a page without runs
            piece._replace(example=piece.example.part(slice(start, start + _LONGEST)))
            for piece in training
            for start in range(0, len(piece.example), _LONGEST)
        ]
        self._validation = [piece for piece in validation if len(piece.example)]
        # The folds that each network has not seen.
        self.students: list[Folds] = [frozenset(), *(frozenset({fold}) for fold in range(FOLDS if folds else 0))]
        # A fold without pages needs no teachers.
        there = sorted({piece.fold for piece in self.pieces})
        pairs = dict.fromkeys(unseen | {fold} for unseen in self.students for fold in there)
        self.teachers: list[Folds] = [*pairs] * (0 if start else expert.teachers)
        self.module = self._networks(self.students, len(start["first.bias"]) if start else expert.width)
        self._taught_by = self._networks(self.teachers, _TEACHER_WIDTH)
        if start:
            self.module.start_from(start)

    def _networks(self, networks: Sequence[Folds], width: int) -> RunNets:
        sizes = (len(COLUMNS), 1 + LEVELS, len(OUTPUTS), len(TYPES), len(CORPORA))
        return RunNets(len(networks), *sizes, width=width, layers=LAYERS, dropout=DROPOUT).to(self._device)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The teachers, if any, and then the students."""
        gold = [piece.example.content[:, np.newaxis] for piece in self.pieces]
        taught = self._stage(self._taught_by, self.teachers, gold.__getitem__)
        # The targets of the students are known only when the teachers have learned.
        students = self._stage(self.module, self.students, lambda number: self.targets[number])
        stages = (replace(taught, share=_TEACHER_SHARE), students) if self.teachers else (students,)
        share = 1.0 if self._start else self.expert.share
        return tuple(replace(stage, share=stage.share * share) for stage in stages)

    def _stage(self, networks: RunNets, unseen: Sequence[Folds], target: Callable[[int], Singles]) -> Stage:
        sees = np.array([[piece.fold not in folds for piece in self.pieces] for folds in unseen], dtype=np.float32)

        def loss(pages: Sequence[int]) -> Tensor:
            weights = torch.from_numpy(sees[:, list(pages)]).to(self._device)
            return self.loss(
                networks, [self.pieces[number] for number in pages], [target(number) for number in pages], weights
            )

        return Stage(
            networks,
            [len(piece.example) for piece in self.pieces],
            loss,
            lambda: self.validate(networks),
            networks=len(unseen),
        )

    @cached_property
    def targets(self) -> list[Singles]:
        """The students' targets: for each piece (runs, students), the mean of gold and the teachers' labels.

        Comments are never content, whatever the teachers say.
        """
        if not self.teachers:
            return [piece.example.content[:, np.newaxis] for piece in self.pieces]
        found: list[Singles] = []
        for (example, *_), likely in zip(self.pieces, self.taught, strict=True):
            taught = np.where(example.comment > 0.5, 0.0, TAUGHT)
            found.append(((1 - taught) * example.content + taught * likely).T.astype(np.float32))
        return found

    @cached_property
    def taught(self) -> list[Singles]:
        """For each piece (students, runs): how likely each run is content, by teachers that have not seen its site."""
        answers = self._answers(self._taught_by, self.pieces, by_own_guideline=True)
        chosen = {
            fold: [
                [number for number, folds in enumerate(self.teachers) if folds == unseen | {fold}]
                for unseen in self.students
            ]
            for fold in {piece.fold for piece in self.pieces}
        }
        logits = (
            np.stack([found[teachers].mean(axis=0) for teachers in chosen[piece.fold]])
            for piece, found in zip(self.pieces, answers, strict=True)
        )
        return [(1 / (1 + np.exp(-each))).astype(np.float32) for each in logits]

    def loss(self, networks: RunNets, pieces: Sequence[Piece], targets: Sequence[Singles], weights: Tensor) -> Tensor:
        """Cross entropy of content, roles and page types, and 1 less the soft F1; summed over the networks.

        `weights` (networks, pages) is 0 for a page that a network must not see.
        """
        untold: list[bool] = (torch.rand(len(pieces)) < _UNTOLD).tolist()
        told = [_single_guideline(UNKNOWN if hide else each.corpus) for each, hide in zip(pieces, untold, strict=True)]
        batch = self._batch(pieces, np.array(told, np.float32), targets)
        logits, types = networks(self._partly_hidden(batch.values), batch.tags, batch.there, batch.guideline)
        content = logits[..., 0]
        loss = run_loss(content, batch.content, batch.words, batch.known, weights)
        loss = loss + self.expert.f1_share * missing_f1(torch.sigmoid(content), batch, weights)
        there = batch.there[..., 0]
        for place, truth in ((1, batch.comment), (2, batch.related)):
            loss = loss + _ROLE_SHARE * run_loss(logits[..., place], truth[None], batch.words, there, weights)
        return loss + _TYPE_SHARE * type_loss(types, batch.page_type, weights)

    def _partly_hidden(self, values: Tensor) -> Tensor:
        """The values, scaled, with the names of elements hidden on some pages, and some columns on each page."""
        nameless = torch.rand(len(values), 1, 1) < _NAMELESS
        is_name = torch.zeros(values.shape[-1], dtype=torch.bool)
        is_name[_NAMES] = True
        named = values * ~(nameless & is_name).to(values.device)
        shown = torch.rand(len(values), 1, values.shape[-1]) >= _HIDDEN
        return self._scaled(named) * shown.to(values.device)

    def _scaled(self, values: Tensor) -> Tensor:
        return (values - self._mean) / self._deviation

    def validate(self, networks: RunNets) -> float:
        """The mean F1 of the validation pages in words; with several networks their mean."""
        answers = self._answers(networks, self._validation)
        found = [
            page_f1(logits >= 0, piece.example)
            for networks_logits, piece in zip(answers, self._validation, strict=True)
            for logits in networks_logits
        ]
        return float(np.mean(found)) if found else 0.0

    def calibration(self, student: int) -> Singles:
        """Slope and offset from logits to probabilities; those of the start where pages are too few to fit them."""
        if self._start and len(self._validation) < _FEW_PAGES:
            return self._start["calibration"]
        unseen = [piece for piece in self._validation if piece.fold not in self.students[student]]
        answers = self._answers(self.module, unseen)
        return calibration([(found[student], piece.example) for found, piece in zip(answers, unseen, strict=True)])

    def student(self, number: int) -> Tensors:
        """One of the trained networks."""
        scaling = {"scaling.mean": self.scaling.mean, "scaling.deviation": self.scaling.deviation}
        found = self.module.tensors(number, self.expert.guideline)
        slope, offset = self.calibration(number)
        strict = 0.0 if self._start else self.expert.strictness  # the weights that it starts from are strict already
        roles = {} if self.expert.variants or self._start else self._roles(number, found)
        return found | roles | scaling | {"calibration": np.array([slope, offset - strict], np.float32)}

    def _roles(self, number: int, tensors: Tensors) -> Tensors:
        """The last layer, with outputs for comments and teasers that are learned from variants, too.

        Pages as published have few of either that are named as such. The other layers stay as they are.
        """
        pieces = [piece for piece in self._everything if piece.fold not in self.students[number]]
        self.module.eval()
        inputs = self._read(lambda *given: self.module.norm(self.module.vectors(*given))[number], pieces)
        vectors = np.concatenate(inputs)
        examples = [piece.example for piece in pieces]
        of_runs = [np.sqrt(each.words, dtype=np.float64) + SMALLEST_WEIGHT for each in examples]
        weights = np.concatenate([each / each.sum() for each in of_runs])  # each page counts the same
        top, bias = tensors["top.weight"].copy(), tensors["top.bias"].copy()
        for place, role in ((1, "comment"), (2, "related")):
            truth = np.concatenate([getattr(each, role) for each in examples]) > 0.5
            if truth.any() and not truth.all():
                model = LogisticRegression(C=_ROLE_PRIOR, max_iter=200).fit(vectors, truth, sample_weight=weights)
                top[place], bias[place] = model.coef_[0], model.intercept_[0]
        return {"top.weight": top, "top.bias": bias}

    def _answers(self, networks: RunNets, pieces: Sequence[Piece], *, by_own_guideline: bool = False) -> list[Floats]:
        """The logits of content (networks, runs) of each page, in the order of the pages, by the expert's guideline."""
        networks.eval()

        def content(*given: Tensor) -> Tensor:
            logits: Tensor = networks(*given)[0]
            return logits[..., 0].double().permute(1, 2, 0)

        return [found.T for found in self._read(content, pieces, by_own_guideline=by_own_guideline)]

    def _read(
        self, read: Callable[..., Tensor], pieces: Sequence[Piece], *, by_own_guideline: bool = False
    ) -> list[NDArray[Any]]:
        """What `read` computes from the runs of pages (pages, runs, ...), one array a page in their order."""
        order = sorted(range(len(pieces)), key=lambda number: len(pieces[number].example))
        found: dict[int, NDArray[Any]] = {}
        with torch.no_grad():
            for start in range(0, len(order), _TOGETHER):
                some = order[start : start + _TOGETHER]
                chosen = [pieces[number] for number in some]
                guidelines = [
                    _single_guideline(piece.corpus) if by_own_guideline else self.expert.guideline for piece in chosen
                ]
                batch = self._batch(chosen, np.array(guidelines, np.float32))
                made = read(self._scaled(batch.values), batch.tags, batch.there, batch.guideline).cpu().numpy()
                found |= {number: made[place, : len(pieces[number].example)] for place, number in enumerate(some)}
        return [found[number] for number in range(len(pieces))]

    def _batch(
        self, pieces: Sequence[Piece], guidelines: Singles, targets: Sequence[Singles] | None = None
    ) -> RunBatch:
        examples = [piece.example for piece in pieces]
        longest = max(map(len, examples))

        def padded(columns: Sequence[NDArray[Any]]) -> Tensor:
            whole = np.zeros((len(columns), longest, *columns[0].shape[1:]), dtype=columns[0].dtype)
            for number, column in enumerate(columns):
                whole[number, : len(column)] = column
            return torch.from_numpy(whole).to(self._device)

        content = [example.content[:, np.newaxis] for example in examples] if targets is None else targets
        columns = {
            name: padded([getattr(example, name) for example in examples])
            for name in ("values", "tags", "words", "known", "comment", "related")
        }
        columns |= {"values": columns["values"].float(), "tags": columns["tags"].long()}
        return RunBatch(
            **columns,
            content=padded(content).permute(2, 0, 1),
            there=padded([np.ones((len(example), 1), dtype=np.float32) for example in examples]),
            page_type=torch.tensor([example.page_type for example in examples], device=self._device),
            guideline=torch.from_numpy(guidelines).to(self._device),
        )


class TamisTask:
    """Both experts and the gate between them: networks of all pages, and with `folds` of all but those of each fold."""

    def __init__(
        self,
        training: Sequence[Piece],
        validation: Sequence[Piece],
        *,
        experts: Sequence[Expert] = (MODERN_EXPERT, OLD_EXPERT),
        folds: bool = False,
        start: Tensors | None = None,
        device: str = "cpu",
    ) -> None:
        self.experts = [
            ExpertTask(
                expert,
                training,
                validation,
                folds=folds,
                start=tensors_of(start, expert.name) if start else None,
                device=device,
            )
            for expert in experts
        ]
        self._pages, self._start = training, start

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Those of one expert, and then those of the other."""
        return tuple(stage for expert in self.experts for stage in expert.stages)

    @property
    def parts(self) -> dict[str, Tensors]:
        """The weights by the folder that they are stored in, below that of the run."""
        students = self.experts[0].students
        names = ["", *(f"fold-{number}" for number in range(len(students) - 1))]
        return {name: self._part(number, students[number]) for number, name in enumerate(names)}

    def _part(self, number: int, unseen: Folds) -> Tensors:
        seen = [piece for piece in self._pages if piece.fold not in unseen]
        gate = self._start[GATE] if self._start else learned_gate(seen)
        networks = {each.expert.name: each.student(number) for each in self.experts}
        return {GATE: gate} | {
            f"{name}.{key}": tensor for name, tensors in networks.items() for key, tensor in tensors.items()
        }


def learned_gate(pieces: Iterable[Piece]) -> Singles:
    """The weights of the gate's columns and an offset: a logistic model of which pages are modern."""
    pages = [piece.example for piece in pieces if piece.example.age != ANY_AGE]
    if len({page.age for page in pages}) < 2:
        return np.zeros(library().tamis_gate_size(), dtype=np.float32)  # nothing to tell apart
    columns = np.stack([page.gate for page in pages])
    model = LogisticRegression(C=_GATE_PRIOR, class_weight="balanced", max_iter=1_000)
    model.fit(columns, [page.age == MODERN for page in pages])
    return np.append(model.coef_[0], model.intercept_ - _SURE).astype(np.float32)


def _single_guideline(corpus: int) -> Guideline:
    """The guideline of one corpus alone."""
    return tuple(float(number == corpus) for number in range(len(CORPORA)))


def _scaling(examples: Sequence[TamisExample]) -> Scaling:
    fitted = Scaling.fit(example.values.astype(np.float64) for example in examples)
    return Scaling(fitted.mean, np.maximum(fitted.deviation, _LEAST_DEVIATION))


@dataclass(frozen=True)
class TamisRecipe:
    """How `tamis train tamis` learns."""

    paper: str = (
        "The default extractor: two networks over runs of text, and a gate. They see no words, so they depend on no "
        "language.\nWhat each corpus brought is in docs/research/tamis.md."
    )
    schedule: Schedule = SCHEDULE
    measure: str = "mean F1 of validation pages, in words"
    start: str = ""
    folds: bool = False

    def starting_from(self, weights: str) -> TamisRecipe:
        """Tune a trained network on pages of your own: at a low rate, without teachers."""
        return replace(self, start=weights, schedule=TUNING)

    def with_folds(self, folds: int) -> TamisRecipe:
        """Train a network for each fold as well. Raises OptionError."""
        if folds != FOLDS or self.start:
            raise OptionError(f"tamis has {FOLDS} folds, and none when it is tuned")
        return replace(self, folds=True)

    def prepare(self, pages: Sequence[LabelledPage], seed: int) -> list[PreparedPage]:
        """The examples of all pages: the slow part, which needs the pages themselves."""
        return prepare_all(pages, seed, variants=0 if self.start else VARIANTS)

    def task(self, training: Sequence[PreparedPage], validation: Sequence[PreparedPage], device: str) -> TamisTask:
        """The runs of all pages, and the networks."""
        held = [piece for piece in pieces_of(validation) if not piece.is_variant]
        start = read_tensors(start_folder(self.start)) if self.start else None
        return TamisTask(pieces_of(training), held, folds=self.folds, start=start, device=device)

    def save(self, part: Tensors, folder: Path) -> tuple[str, dict[str, Any]]:
        """The networks and the gate as safetensors."""
        save_file(part, folder / MODEL)
        width = max(len(tensors_of(part, name)["first.bias"]) for name in EXPERTS)
        return MODEL, {"input": VERSION, "width": width, "layers": LAYERS}


RECIPE = TamisRecipe()
