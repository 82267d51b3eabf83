"""The losses and scores of the default extractor's networks, and how their logits become probabilities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from tamis.arrays import Floats, Singles
from tamis_lab import needs
from tamis_lab.training.tamis_examples import NO_TYPE, TamisExample

with needs("train", "training"):
    from torch import Tensor
    from torch.nn import functional

# The goal is the mean F1 of pages in words. Cross entropy learns every run, long ones more; a soft F1 keeps it from
# trading a short page for a long one.
SMALLEST_WEIGHT = 0.3

_NEWTON_STEPS = 20
# The prior of the calibration weighs as much as a twentieth of a page. Slope and offset are bounded; the offsets keep
# the threshold between 0.31 and 0.71, below that of favor_precision.
_PULL = 0.05
_SLOPES = (0.01, 10.0)
_OFFSETS = (-0.8, 0.9)


class RunBatch(NamedTuple):
    """Several pages, the shorter ones padded with zeros: (pages, runs, ...) unless another shape is given."""

    values: Tensor
    tags: Tensor
    words: Tensor
    content: Tensor  # (networks or 1, pages, runs)
    known: Tensor
    comment: Tensor
    related: Tensor
    there: Tensor  # (pages, runs, 1), 0 beyond the end of a page
    page_type: Tensor  # (pages,)
    guideline: Tensor  # (pages, CORPORA)


def _mean_over(pages: Tensor, weights: Tensor) -> Tensor:
    """The weighted mean over pages of each network, summed over the networks."""
    return ((pages * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1e-6)).sum()


def run_loss(logits: Tensor, truth: Tensor, words: Tensor, known: Tensor, weights: Tensor) -> Tensor:
    """Cross entropy: the mean over pages of the weighted mean over runs."""
    weight = (words.sqrt() + SMALLEST_WEIGHT) * known
    each = functional.binary_cross_entropy_with_logits(logits, truth.expand_as(logits), reduction="none")
    return _mean_over((each * weight).sum(dim=2) / weight.sum(dim=1).clamp(min=1e-6), weights)


def missing_f1(likely: Tensor, batch: RunBatch, weights: Tensor) -> Tensor:
    """1 less the soft F1 (probabilities instead of decisions), as a mean over pages that have content."""
    words = batch.words * batch.known
    content = (words * batch.content).sum(dim=2)
    f1 = 2 * (words * likely * batch.content).sum(dim=2) / ((words * likely).sum(dim=2) + content + 1e-3)
    return _mean_over(1 - f1, weights * (content > 0))


def type_loss(types: Tensor, truth: Tensor, weights: Tensor) -> Tensor:
    """Cross entropy, as a mean over pages with a type."""
    wanted = truth.expand(types.shape[:2])
    each = functional.cross_entropy(types.flatten(0, 1), wanted.flatten(), ignore_index=NO_TYPE, reduction="none")
    return _mean_over(each.view_as(wanted), weights * (truth != NO_TYPE))


def page_f1(keep: Any, page: TamisExample) -> float:
    """The F1 of a page in words; 1 where nothing is content and nothing kept."""
    words = page.words * page.known
    content, kept = float((words * page.content).sum()), float(words[keep].sum())
    if content + kept == 0:
        return 1.0
    return 2 * float((words * page.content)[keep].sum()) / (content + kept)


def calibration(answers: Iterable[tuple[Floats, TamisExample]]) -> Singles:
    """Slope and offset from logits to probabilities (Platt scaling), on validation pages; each page counts the same.

    They minimise cross entropy with a weak prior for slope 1 and offset 0, since few pages, or pages that are all
    right or all wrong, tell little. The slope stays positive, or content would become boilerplate. Pages with gold of
    one class only would move the offset; they are left out.
    """
    pages = [(logits, page) for logits, page in answers if page.tells_both]
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
