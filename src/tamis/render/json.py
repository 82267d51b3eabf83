"""A page as data: its content, its metadata and every block with its verdict."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from tamis.document import Document
from tamis.document.paths import Paths
from tamis.labels import Labels, Role
from tamis.render.layout import Break, Layout
from tamis.render.text import pieces


@dataclass(frozen=True)
class Block:
    """A run of text that a reader sees as one piece, all of it kept or all of it dropped."""

    text: str
    score: float
    keep: bool
    role: Role
    xpath: str
    tag_path: str
    leaves: tuple[int, ...]  # rows of the document's leaves

    def as_dict(self) -> dict[str, object]:
        """What the JSON output shows of the block."""
        shown = asdict(self)
        del shown["leaves"]
        return shown | {"score": round(self.score, 4), "role": self.role.value}


def blocks(document: Document, labels: Labels) -> list[Block]:
    """All visible text of the page in reading blocks, kept or not."""
    leaves = document.leaves.visible_text
    if not len(leaves):
        return []
    layout = Layout(document, leaves)
    texts = pieces(document, layout)
    verdict = labels.keep[leaves]
    begins = np.flatnonzero((layout.breaks != Break.NONE) | np.append(True, verdict[1:] != verdict[:-1]))
    paths = Paths(document)
    found: list[Block] = []
    for first, stop in zip(begins.tolist(), [*begins[1:].tolist(), len(leaves)], strict=True):
        rows = leaves[first:stop].tolist()
        found.append(
            Block(
                text="".join(texts[first:stop]).strip(),
                score=float(labels.scores[rows].mean()),
                keep=bool(verdict[first]),
                role=labels.role(rows[0]),
                xpath=paths.xpath(rows[0]),
                tag_path=paths.tag_path(rows[0]),
                leaves=tuple(rows),
            )
        )
    return found
