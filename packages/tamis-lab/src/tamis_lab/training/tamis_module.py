"""The network of the default extractor in PyTorch; `tamis.extractor.network` runs the trained weights.

Several networks are trained side by side, since one is too small to keep a GPU busy. Every parameter has one entry a
network, all networks see the same pages, and each has its own loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tamis.extractor.network import SUMMARY_LAYERS, TAG_CODES
from tamis.extractor.tamis import Tensors
from tamis_lab import needs

with needs("train", "training"):
    import torch
    from torch import Tensor, nn
    from torch.nn import functional

_TAG_WIDTH = 6


class Linears(nn.Module):
    """One linear layer for each network."""

    def __init__(self, networks: int, inputs: int, outputs: int, *, zero: bool = False) -> None:
        super().__init__()
        bound = 0.0 if zero else 1 / math.sqrt(inputs)
        self.weight = nn.Parameter(torch.empty(networks, outputs, inputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(networks, outputs).uniform_(-bound, bound))

    def forward(self, vectors: Tensor) -> Tensor:
        """(networks, ..., inputs) to (networks, ..., outputs)."""
        found = torch.baddbmm(self.bias[:, None], vectors.flatten(1, -2), self.weight.transpose(1, 2))
        return found.view(*vectors.shape[:-1], -1)


class Norms(nn.Module):
    """One layer normalisation for each network."""

    def __init__(self, networks: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(networks, width))
        self.bias = nn.Parameter(torch.zeros(networks, width))

    def forward(self, vectors: Tensor) -> Tensor:
        """(networks, pages, runs, width) to the same."""
        normal = functional.layer_norm(vectors, vectors.shape[-1:])
        return normal * self.weight[:, None, None] + self.bias[:, None, None]


class Kernels(nn.Module):
    """One dilated convolution of width 3 for each network."""

    def __init__(self, networks: int, width: int, reach: int) -> None:
        super().__init__()
        bound = 1 / math.sqrt(3 * width)
        self.weight = nn.Parameter(torch.empty(networks, width, width, 3).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(networks, width).uniform_(-bound, bound))
        self._reach = reach

    def forward(self, runs: Tensor) -> Tensor:
        """(networks, pages, runs, width) to the same."""
        reach, flat = self._reach, runs.flatten(1, 2)
        before, here, after = (
            torch.bmm(flat, self.weight[..., place].transpose(1, 2)).view_as(runs) for place in range(3)
        )
        found = here + self.bias[:, None, None]
        if runs.shape[2] <= reach:
            return found
        shifted = functional.pad(before[:, :, :-reach], (0, 0, reach, 0))
        return found + shifted + functional.pad(after[:, :, reach:], (0, 0, 0, reach))


class Layer(nn.Module):
    """Residual blocks: normalisation, FiLM conditioning by the summary of the page, a dilated convolution."""

    def __init__(self, networks: int, width: int, reach: int, dropout: float) -> None:
        super().__init__()
        self.norm = Norms(networks, width)
        self.film = Linears(networks, 2 * width, 2 * width, zero=True)  # at first the summary changes nothing
        self.kernel = Kernels(networks, width, reach)
        self.out = Linears(networks, width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, runs: Tensor, there: Tensor, summary: Tensor) -> Tensor:
        """(networks, pages, runs, width); `there` (pages, runs, 1) is 0 beyond the end of a page."""
        scale, shift = self.film(summary)[:, :, None].chunk(2, dim=-1)
        conditioned = (self.norm(runs) * (1 + scale) + shift) * there
        changed: Tensor = runs + self.dropout(self.out(functional.relu(self.kernel(conditioned))))
        return changed


class RunNets(nn.Module):
    """Columns and tags of runs to their logits and to the logits of the page types, by several networks."""

    def __init__(
        self,
        networks: int,
        columns: int,
        tag_columns: int,
        outputs: int,
        types: int,
        corpora: int,
        *,
        width: int,
        layers: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.corpora = nn.Parameter(torch.zeros(networks, corpora, width))  # at first all are alike
        self.tags = nn.ParameterDict({"weight": nn.Parameter(torch.randn(networks, TAG_CODES, _TAG_WIDTH))})
        self.first = Linears(networks, columns + tag_columns * _TAG_WIDTH, width)
        self.second = Linears(networks, width, width)
        self.layers = nn.ModuleList(Layer(networks, width, 2**number, dropout) for number in range(layers))
        self.norm = Norms(networks, width)
        self.top = Linears(networks, width, outputs)
        self.types = Linears(networks, 2 * width, types)
        self.dropout = nn.Dropout(dropout)

    def __len__(self) -> int:
        return len(self.first.bias)

    def forward(self, values: Tensor, tags: Tensor, there: Tensor, guideline: Tensor) -> tuple[Tensor, Tensor]:
        """Pages of (runs, columns) and (runs, tag columns), and the weights of the corpora in each page's guideline.

        Returns (networks, pages, runs, outputs) and (networks, pages, types).
        """
        runs = self.vectors(values, tags, there, guideline)
        return self.top(self.norm(runs)), self.types(summed_up(runs, there))

    def vectors(self, values: Tensor, tags: Tensor, there: Tensor, guideline: Tensor) -> Tensor:
        """The vectors that the outputs are computed from: (networks, pages, runs, width)."""
        by_tag = self.tags["weight"][:, tags].flatten(3)
        columns = values.expand(len(self), *values.shape)
        inputs = self.first(torch.cat([columns, by_tag], dim=-1)) + (guideline @ self.corpora)[:, :, None]
        runs: Tensor = self.dropout(self.second(functional.relu(inputs)))
        summary = summed_up(runs, there)
        for number, layer in enumerate(self.layers):
            if number in SUMMARY_LAYERS[1:]:
                summary = summed_up(runs, there)
            runs = layer(runs, there, summary)
        return runs

    def tensors(self, network: int, guideline: Sequence[float]) -> Tensors:
        """The weights of one network; it follows this mixture of the guidelines of the corpora."""
        found = {name: np.ascontiguousarray(each[network].cpu().numpy()) for name, each in self.state_dict().items()}
        of_corpora = found.pop("corpora")
        return found | {"first.bias": found["first.bias"] + np.array(guideline, np.float32) @ of_corpora}

    def start_from(self, tensors: Tensors) -> None:
        """Give every network these weights."""
        known = {name: value for name, value in self.state_dict().items() if name != "corpora"}
        given = {name: torch.from_numpy(tensors[name]).expand_as(value) for name, value in known.items()}
        self.load_state_dict(given | {"corpora": torch.zeros_like(self.corpora)})


def summed_up(runs: Tensor, there: Tensor) -> Tensor:
    """The mean and the maximum of the runs of each page: (networks, pages, 2 × width)."""
    mean = (runs * there).sum(dim=2) / there.sum(dim=1).clamp(min=1)
    highest = runs.masked_fill(there == 0, -1e4).amax(dim=2)
    return torch.cat([mean, highest], dim=-1)
