"""Training the random field: the likelihood of the labels of all pages, made as large as it gets by L-BFGS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from tamis.arrays import Bools, Floats, Ints
from tamis_lab.metrics import leaf_scores
from tamis_lab.training.loop import Epoch, Schedule
from tamis_lab.training.models import LEAF_F1, SOLVED
from tamis_lab.training.pages import LabelledPage
from tamis_papers.victor.extractor import MODEL, RandomField, column_names, columns_of, viterbi
from tamis_papers.victor.features import Features

# The variance of the Gaussian prior of the weights, and the steps of the solver. In four folds of CleanEval's
# development pages, F1 of blocks is 79.1 with 0.1 and 77.7 with 1.
_VARIANCE = 0.1
_MOST_STEPS = 60


@dataclass(frozen=True, eq=False)
class VictorExample:
    """The columns and labels of the blocks of a page."""

    columns: Ints
    content: Bools
    names: tuple[str, ...]


def prepare(page: LabelledPage) -> VictorExample:
    """The features and labels of a page."""
    features = Features(page.document())
    return VictorExample(columns_of(features), page.gold.content[features.blocks], tuple(features.levels))


class Likelihood:
    """The negative log likelihood of pages and its gradient, with the prior of the weights."""

    def __init__(self, pages: Sequence[VictorExample], size: int) -> None:
        # Longest first: then the pages that reach a place are always the first ones.
        self._pages = sorted((page for page in pages if len(page.content)), key=lambda page: -len(page.content))
        self._lengths = np.array([len(page.content) for page in self._pages])
        self.size = size
        columns = np.vstack([page.columns for page in self._pages])
        bounds = np.arange(len(columns) + 1) * columns.shape[1]
        self._matrix = csr_matrix((np.ones(columns.size), columns.ravel(), bounds), shape=(len(columns), size))
        self._labels = np.concatenate([page.content for page in self._pages]).astype(np.int64)
        longest = int(self._lengths[0])
        self._active = [int((self._lengths > place).sum()) for place in range(longest)]
        # The place of block t of page n in the list of all blocks: its page's first plus t.
        first = np.concatenate([[0], self._lengths.cumsum()[:-1]])
        self._rows = [first[:active] + place for place, active in enumerate(self._active)]
        steps = np.ones(len(self._labels), dtype=np.bool_)
        steps[first] = False
        after = np.flatnonzero(steps)
        pairs = 2 * self._labels[after - 1] + self._labels[after]
        self._steps = np.bincount(pairs, minlength=4).reshape(2, 2)

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        weights, transitions = parameters[: self.size], parameters[self.size :].reshape(2, 2)
        potentials = self._matrix @ weights
        log_total, marginals, steps = self._expectations(potentials, transitions)
        fit = float(potentials @ self._labels + (self._steps * transitions).sum())
        value = log_total - fit + float(parameters @ parameters) / (2 * _VARIANCE)
        gradient = np.concatenate([self._matrix.T @ (marginals - self._labels), (steps - self._steps).ravel()])
        return value, gradient + parameters / _VARIANCE

    def _expectations(self, potentials: Floats, transitions: Floats) -> tuple[float, Floats, Floats]:
        """The log of the sum over all labellings, the probability of content of each block, and expected steps."""
        step = np.exp(transitions)
        local = np.exp(np.column_stack([-np.maximum(potentials, 0), np.minimum(potentials, 0)]))  # largest is 1
        ahead = np.empty_like(local)
        log_total = float(np.maximum(potentials, 0).sum())
        for place, rows in enumerate(self._rows):
            row = local[rows]
            if place:
                row = row * (ahead[self._rows[place - 1][: len(rows)]] @ step)
            total = row.sum(axis=1, keepdims=True)
            ahead[rows] = row / total
            log_total += float(np.log(total).sum())
        back = np.ones_like(local)
        steps = np.zeros((2, 2))
        for place in range(len(self._rows) - 1, 0, -1):
            rows = self._rows[place]
            before = self._rows[place - 1][: len(rows)]
            here = local[rows] * back[rows]
            joint = ahead[before][:, :, None] * step * here[:, None, :]
            total = joint.sum(axis=(1, 2), keepdims=True)
            steps += (joint / total).sum(axis=0)
            reached = here @ step.T
            back[before] = reached / reached.sum(axis=1, keepdims=True)
        both = ahead * back
        return log_total, both[:, 1] / both.sum(axis=1), steps


@dataclass(frozen=True, eq=False)
class NamedField:
    """What was learned, and the names of the features that its columns are of."""

    field: RandomField
    names: tuple[str, ...]

    def f1(self, pages: Sequence[VictorExample]) -> float:
        """F1 of the content over the blocks of all these pages."""
        kept = [viterbi(self.field.potentials(page.columns), self.field.transitions).labels for page in pages]
        return leaf_scores(np.concatenate(kept), np.concatenate([page.content for page in pages])).content.f1


class VictorRecipe:
    """How `tamis train crf` learns."""

    paper = "Spousta, Marek, Pecina: Victor: the Web-Page Cleaning Tool, WAC4 2008."
    schedule: Schedule = SOLVED
    measure: str = LEAF_F1

    def solve(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage]) -> tuple[NamedField, Epoch]:
        """Maximise the likelihood; the loss is its negative logarithm a block."""
        examples = [prepare(page) for page in training]
        likelihood = Likelihood(examples, len(column_names()))
        start = np.zeros(likelihood.size + 4)
        found = minimize(likelihood, start, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS})
        # Single precision, as in the file: the field that is validated is the one that is saved.
        weights = found.x.astype(np.float32).astype(np.float64)
        learned = RandomField(weights[: likelihood.size], weights[likelihood.size :].reshape(2, 2))
        named = NamedField(learned, examples[0].names)
        score = named.f1([prepare(page) for page in validation])
        return named, Epoch(1, float(found.fun) / sum(len(page.content) for page in examples), score, score)

    def save(self, learned: NamedField, folder: Path) -> tuple[str, dict[str, Any]]:
        """The weights of all levels and of the transitions."""
        tensors = {name: getattr(learned.field, name).astype(np.float32) for name in ("levels", "transitions")}
        save_file(tensors, folder / MODEL)
        return MODEL, {"features": list(learned.names)}


RECIPE = VictorRecipe()
