"""All visible text of a page in blocks, each kept or dropped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.deadline import checked
from tamis.document import Document
from tamis.document.paths import Paths
from tamis.labels import Labels, Role
from tamis.page_data import BLOCK
from tamis.render.layout import Break, Layout
from tamis.render.length import Room
from tamis.render.text import pieces


@dataclass(frozen=True)
class Block:
    """Text that a reader sees as one block, all of it kept or all of it dropped."""

    text: str
    score: float
    keep: bool
    role: Role
    xpath: str
    tag_path: str
    leaves: tuple[int, ...]  # rows of the document's leaves

    def as_dict(self) -> dict[str, object]:
        """The block as in the JSON output."""
        return BLOCK.read(self)


def blocks(document: Document, labels: Labels) -> list[Block]:
    """The blocks of the page in document order. Raises PageTooLarge if their paths are too long altogether."""
    leaves = document.leaves.visible_text
    if not len(leaves):
        return []
    layout = Layout(document, leaves)
    texts = pieces(document, layout)
    keep = labels.keep[leaves]
    begins = np.flatnonzero((layout.separations.breaks != Break.NONE) | np.append(True, keep[1:] != keep[:-1]))
    ends = np.append(begins[1:], len(leaves))
    scores = np.add.reduceat(labels.scores[leaves], begins) / (ends - begins)
    paths = Paths(document)
    room = Room(document)
    found: list[Block] = []
    rows, kept = leaves.tolist(), keep.tolist()
    for first, stop, score in checked(zip(begins.tolist(), ends.tolist(), scores.tolist(), strict=True)):
        xpath, tag_path = paths.both(rows[first])
        room.take(len(xpath) + len(tag_path))
        found.append(
            Block(
                text="".join(texts[first:stop]).strip(),
                score=score,
                keep=kept[first],
                role=labels.role(rows[first]),
                xpath=xpath,
                tag_path=tag_path,
                leaves=tuple(rows[first:stop]),
            )
        )
    return found
