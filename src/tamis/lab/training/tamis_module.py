"""The network of the default extractor in PyTorch; `tamis.extractor.network` runs the trained weights with NumPy."""

from __future__ import annotations

from tamis.extractor.network import SUMMARY_LAYERS, TAG_CODES
from tamis.lab.extras import needs

with needs("train", "training"):
    import torch
    from torch import Tensor, nn
    from torch.nn import functional

_TAG_WIDTH = 6


class Layer(nn.Module):
    """A residual block: normalisation, FiLM conditioning by the summary of the page, a dilated convolution."""

    def __init__(self, width: int, reach: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.steer = nn.Linear(2 * width, 2 * width)
        self.kernel = nn.Conv1d(width, width, 3, padding=reach, dilation=reach)
        self.out = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropout)
        nn.init.zeros_(self.steer.weight)  # at first the page has no influence
        nn.init.zeros_(self.steer.bias)

    def forward(self, runs: Tensor, there: Tensor, summary: Tensor) -> Tensor:
        """(pages, runs, width); `there` (pages, runs, 1) is 0 beyond the end of a page."""
        scale, shift = self.steer(summary)[:, None].chunk(2, dim=-1)
        conditioned = (self.norm(runs) * (1 + scale) + shift) * there
        convolved = self.kernel(conditioned.transpose(1, 2)).transpose(1, 2)
        changed: Tensor = runs + self.dropout(self.out(functional.relu(convolved)))
        return changed


class RunNet(nn.Module):
    """Columns and tags of runs to their logits, and to the logits of the page types."""

    def __init__(
        self, columns: int, tag_columns: int, outputs: int, kinds: int, *, width: int, layers: int, dropout: float
    ) -> None:
        super().__init__()
        self.tags = nn.Embedding(TAG_CODES, _TAG_WIDTH)
        self.first = nn.Linear(columns + tag_columns * _TAG_WIDTH, width)
        self.second = nn.Linear(width, width)
        self.layers = nn.ModuleList(Layer(width, 2**number, dropout) for number in range(layers))
        self.norm = nn.LayerNorm(width)
        self.top = nn.Linear(width, outputs)
        self.kinds = nn.Linear(2 * width, kinds)
        self.dropout = nn.Dropout(dropout)

    def forward(self, values: Tensor, tags: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """(pages, runs, columns) and (pages, runs, tag columns) to (pages, runs, outputs) and (pages, kinds)."""
        given = torch.cat([values, self.tags(tags).flatten(2)], dim=-1)
        runs = self.dropout(self.second(functional.relu(self.first(given))))
        summary = summed_up(runs, there)
        for number, layer in enumerate(self.layers):
            if number in SUMMARY_LAYERS[1:]:
                summary = summed_up(runs, there)
            runs = layer(runs, there, summary)
        return self.top(self.norm(runs)), self.kinds(summed_up(runs, there))


def summed_up(runs: Tensor, there: Tensor) -> Tensor:
    """The mean and the maximum of the runs of each page: (pages, 2 × width)."""
    mean = (runs * there).sum(dim=1) / there.sum(dim=1).clamp(min=1)
    highest = runs.masked_fill(there == 0, -1e4).amax(dim=1)
    return torch.cat([mean, highest], dim=-1)
