"""The network of the default extractor in PyTorch; `networks.rows` runs what it learned."""

from __future__ import annotations

from tamis.extractor.network import SUMMED_UP, TAG_CODES
from tamis.lab.extras import needs

with needs("train", "training"):
    import torch
    from torch import Tensor, nn
    from torch.nn import functional


class Layer(nn.Module):
    """Rows are set by the page, look at rows around them, and change a little."""

    def __init__(self, width: int, reach: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.steer = nn.Linear(2 * width, 2 * width)
        self.kernel = nn.Conv1d(width, width, 3, padding=reach, dilation=reach)
        self.out = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropout)
        nn.init.zeros_(self.steer.weight)  # at first pages are all alike
        nn.init.zeros_(self.steer.bias)

    def forward(self, rows: Tensor, there: Tensor, summary: Tensor) -> Tensor:
        """(pages, rows, width); `there` (pages, rows, 1) is 0 beyond the end of a page."""
        scale, shift = self.steer(summary)[:, None].chunk(2, dim=-1)
        seen = (self.norm(rows) * (1 + scale) + shift) * there
        heard = self.kernel(seen.transpose(1, 2)).transpose(1, 2)
        changed: Tensor = rows + self.dropout(self.out(functional.relu(heard)))
        return changed


class RowNet(nn.Module):
    """Columns and tags of rows to their logits, and to those of the page's types."""

    def __init__(
        self, columns: int, tag_columns: int, outputs: int, kinds: int, *, width: int, layers: int, dropout: float
    ) -> None:
        super().__init__()
        embedding = 6
        self.tags = nn.Embedding(TAG_CODES, embedding)
        self.first = nn.Linear(columns + tag_columns * embedding, width)
        self.second = nn.Linear(width, width)
        self.layers = nn.ModuleList(Layer(width, 2**number, dropout) for number in range(layers))
        self.norm = nn.LayerNorm(width)
        self.top = nn.Linear(width, outputs)
        self.kinds = nn.Linear(2 * width, kinds)
        self.dropout = nn.Dropout(dropout)

    def forward(self, values: Tensor, tags: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """(pages, rows, columns) and (pages, rows, tag columns) to (pages, rows, outputs) and (pages, kinds)."""
        given = torch.cat([values, self.tags(tags).flatten(2)], dim=-1)
        rows = self.dropout(self.second(functional.relu(self.first(given))))
        summary = summed_up(rows, there)
        for number, layer in enumerate(self.layers):
            if number in SUMMED_UP[1:]:
                summary = summed_up(rows, there)
            rows = layer(rows, there, summary)
        return self.top(self.norm(rows)), self.kinds(summed_up(rows, there))


def summed_up(rows: Tensor, there: Tensor) -> Tensor:
    """The mean of the rows of each page and their maximum, one behind the other."""
    mean = (rows * there).sum(dim=1) / there.sum(dim=1).clamp(min=1)
    highest = rows.masked_fill(there == 0, -1e4).amax(dim=1)
    return torch.cat([mean, highest], dim=-1)
