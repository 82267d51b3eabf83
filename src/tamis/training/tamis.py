"""The default extractor: learning which rows of a page are content, and what kind of page it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor
from torch.nn import functional

from tamis.arrays import Bytes, Floats
from tamis.features.tamis import COLUMNS, LEVELS, VERSION, PageRows
from tamis.features.words import tokenize
from tamis.genre.types import PageType
from tamis.networks.scaling import Scaling, Singles
from tamis.systems.tamis import MODEL
from tamis.training.loop import Schedule
from tamis.training.pages import LabelledPage
from tamis.training.tamis_module import RowNet

# Measured on WCXB dev with folds by site: docs/tamis.md.
WIDTH, LAYERS, DROPOUT = 48, 4, 0.1
SCHEDULE = Schedule(epochs=16, batch_pages=16, learning_rate=2e-3, patience=16, weight_decay=0.02, gradient_limit=1.0)

# What is asked of the network is the mean F1 of pages in words. Cross entropy learns every row, long ones more; the F1
# itself, softened, keeps it from trading a short page for a long one.
_SMALLEST_WEIGHT = 0.3
_F1_SHARE = 0.5
_TYPE_SHARE = 0.1

# Longer pages are learned from in pieces of this many rows, and judged in one piece.
_LONGEST = 1_536
_TOGETHER = 16

_TYPES = list(PageType)
_NO_TYPE = -100  # what cross entropy leaves out


@dataclass(frozen=True, eq=False)
class Example:
    """A page as the network sees it; one row a run of text."""

    values: Singles  # (rows, COLUMNS)
    tags: Bytes  # (rows, 1 + LEVELS)
    words: Singles
    content: Singles  # the share of its words that is content
    known: Singles  # the share of its words of which that is known
    page_type: int

    def __len__(self) -> int:
        return len(self.words)


def prepare(page: LabelledPage) -> Example:
    """The rows and labels of a page."""
    document = page.document()
    rows = PageRows(document)
    kind = _TYPES.index(PageType(page.page_type)) if page.page_type else _NO_TYPE
    if not len(rows):
        none = np.zeros(0, dtype=np.float32)
        return Example(rows.values, rows.tags, none, none, none, kind)
    tokens = tokenize([document.leaves.text[leaf] for leaf in rows.texts.tolist()])
    words = tokens.sum_per_text(tokens.weight)
    weight = words + 1e-6  # a row without words has the label of its texts, too
    total = np.add.reduceat(weight, rows.first)
    content = np.add.reduceat(weight * page.gold.content[rows.texts], rows.first) / total
    known = np.add.reduceat(weight * page.gold.known[rows.texts], rows.first) / total
    counts = np.add.reduceat(words, rows.first)
    return Example(rows.values, rows.tags, _single(counts), _single(content), _single(known), kind)


def _single(column: Floats) -> Singles:
    return column.astype(np.float32)


class _Batch(NamedTuple):
    """Some pages side by side, the shorter ones filled up; all (pages, rows, ...) but the last."""

    values: Tensor
    tags: Tensor
    words: Tensor
    content: Tensor
    known: Tensor
    there: Tensor  # (pages, rows, 1)
    page_type: Tensor  # (pages,)


class TamisTask:
    """Training and validation pages, and the network."""

    pace = share = 1.0

    def __init__(self, training: Sequence[Example], validation: Sequence[Example], *, device: str = "cpu") -> None:
        self.scaling = Scaling.fit(example.values.astype(np.float64) for example in training if len(example))
        self.module = RowNet(len(COLUMNS), 1 + LEVELS, 1, len(_TYPES), width=WIDTH, layers=LAYERS, dropout=DROPOUT).to(
            device
        )
        self._device = device
        self._training = [piece for example in training for piece in _pieces(self._scaled(example))]
        self._validation = [self._scaled(example) for example in validation if len(example)]

    def _scaled(self, example: Example) -> Example:
        return replace(example, values=self.scaling.apply(example.values))

    @property
    def stages(self) -> tuple[TamisTask]:
        """There is one."""
        return (self,)

    @property
    def sizes(self) -> list[int]:
        """How many rows each piece has."""
        return [len(piece) for piece in self._training]

    def loss(self, pages: Sequence[int]) -> Tensor:
        """Cross entropy of rows and of page types, and how much is missing to an F1 of 1."""
        batch = self._batch([self._training[number] for number in pages])
        logits, kinds = self._run(batch)
        weight = (batch.words.sqrt() + _SMALLEST_WEIGHT) * batch.known
        each = functional.binary_cross_entropy_with_logits(logits, batch.content, reduction="none")
        rows = ((each * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=1e-6)).mean()
        loss = rows + _F1_SHARE * _missing_f1(torch.sigmoid(logits), batch)
        if (batch.page_type != _NO_TYPE).any():
            loss = loss + _TYPE_SHARE * functional.cross_entropy(kinds, batch.page_type, ignore_index=_NO_TYPE)
        return loss

    def validate(self) -> float:
        """The mean F1 of the validation pages in words."""
        return float(np.mean([page_f1(found >= 0.5, page) for found, page in self._answers()]))

    def _answers(self) -> Iterable[tuple[Floats, Example]]:
        self.module.eval()
        pages = sorted(self._validation, key=len)
        with torch.no_grad():
            for start in range(0, len(pages), _TOGETHER):
                some = pages[start : start + _TOGETHER]
                found = torch.sigmoid(self._run(self._batch(some))[0]).double().cpu().numpy()
                yield from ((row[: len(page)], page) for row, page in zip(found, some, strict=True))

    def _run(self, batch: _Batch) -> tuple[Tensor, Tensor]:
        logits, kinds = self.module(batch.values, batch.tags, batch.there)
        return logits[..., 0], kinds

    def _batch(self, examples: Sequence[Example]) -> _Batch:
        longest = max(map(len, examples))

        def filled(columns: Sequence[Singles | Bytes]) -> Tensor:
            first = columns[0]
            whole = np.zeros((len(columns), longest, *first.shape[1:]), dtype=first.dtype)
            for number, column in enumerate(columns):
                whole[number, : len(column)] = column
            return torch.from_numpy(whole).to(self._device)

        there = [np.ones((len(example), 1), dtype=np.float32) for example in examples]
        return _Batch(
            filled([example.values for example in examples]),
            filled([example.tags for example in examples]).long(),
            filled([example.words for example in examples]),
            filled([example.content for example in examples]),
            filled([example.known for example in examples]),
            filled(there),
            torch.tensor([example.page_type for example in examples], device=self._device),
        )


def _missing_f1(likely: Tensor, batch: _Batch) -> Tensor:
    """1 less the F1 of each page, with probabilities for decisions, over pages that have content."""
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


def _pieces(example: Example) -> list[Example]:
    """A page in pieces that are not too long to learn from."""
    if len(example) <= _LONGEST:
        return [example] if len(example) else []
    return [
        replace(
            example,
            values=example.values[here],
            tags=example.tags[here],
            words=example.words[here],
            content=example.content[here],
            known=example.known[here],
        )
        for here in (slice(start, start + _LONGEST) for start in range(0, len(example), _LONGEST))
    ]


@dataclass(frozen=True)
class TamisRecipe:
    """How `tamis train tamis` learns."""

    paper: str = "tamis: the default extractor, over rows of text and without words of any language."
    schedule: Schedule = SCHEDULE
    measure: str = "mean F1 of validation pages, in words"

    def task(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage], device: str) -> TamisTask:
        """The rows of all pages."""
        return TamisTask([prepare(page) for page in training], [prepare(page) for page in validation], device=device)

    def save(self, task: TamisTask, folder: Path) -> tuple[str, dict[str, Any]]:
        """The network as safetensors."""
        tensors = {name: np.ascontiguousarray(value.cpu().numpy()) for name, value in task.module.state_dict().items()}
        tensors["scaling.mean"] = task.scaling.mean
        tensors["scaling.deviation"] = task.scaling.deviation
        save_file(tensors, folder / MODEL)
        return MODEL, {"input": VERSION, "width": WIDTH, "layers": LAYERS}


RECIPE = TamisRecipe()
