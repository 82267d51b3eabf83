"""The smallest model that `tamis train` can train: two lines through the lengths of texts, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from torch.nn.functional import binary_cross_entropy_with_logits

from tamis_lab.training.loop import Schedule, Stage
from tamis_lab.training.pages import LabelledPage

MODEL = "model.safetensors"
Example = tuple[torch.Tensor, torch.Tensor]


def example(page: LabelledPage) -> Example:
    """(leaves, 1) lengths in hundreds of characters, and (leaves, 1) what is content."""
    lengths = [[len(text) / 100] for text in page.document().leaves.text]
    return torch.tensor(lengths), torch.from_numpy(page.gold.content.astype(np.float32))[:, None]


class Line:
    def __init__(self, training: Sequence[Example], validation: Sequence[Example]) -> None:
        self.module = torch.nn.Linear(1, 1)
        self.training, self.validation = training, validation

    @property
    def stage(self) -> Stage:
        return Stage(self.module, [len(lengths) for lengths, _ in self.training], self.loss, self.validate)

    def loss(self, pages: Sequence[int]) -> torch.Tensor:
        parts = [self.training[page] for page in pages]
        lengths, content = (torch.cat(column) for column in zip(*parts, strict=True))
        return binary_cross_entropy_with_logits(self.module(lengths), content)

    def validate(self) -> float:
        right = [((self.module(lengths) > 0) == (content > 0)).float().mean() for lengths, content in self.validation]
        return float(torch.stack(right).mean())


@dataclass
class ToyTask:
    stages: tuple[Stage, Stage]


class Toy:
    paper = "A toy, 2020."
    schedule = Schedule(epochs=4, batch_pages=2, learning_rate=0.05, patience=20)
    measure = "share of leaves"

    def task(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage], device: str) -> ToyTask:
        parts = [example(page) for page in training], [example(page) for page in validation]
        return ToyTask((Line(*parts).stage, Line(*parts).stage))

    def save(self, task: Any, folder: Path) -> tuple[str, dict[str, Any]]:
        save_file(task.stages[-1].module.state_dict(), folder / MODEL)
        return MODEL, {"size": 1}


RECIPE = Toy()
