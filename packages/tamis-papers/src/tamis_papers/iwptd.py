"""IWPTD (Wang, Fang, Cheng, Guo, Xu: Incremental Web Page Template Detection, WWW 2008).

A text segment is a text node. Two are the same if their texts are equal and they have the same path of tags from the
root. A table counts on how many pages of the site each segment is (its document frequency, DF). A page goes through
four steps (§2): it is divided into blocks and these into segments; the table is expanded by them; a block whose
segments repeat is template; the table is shrunk where it grows too large.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document
from tamis.errors import OptionError
from tamis.labels import Labels
from tamis_papers.trees import digest, everything, without

# Step 1: elements that divide a page into blocks. The paper's own list could not be found; these are the elements that
# lay pages out, by tables as in 2008 or by sections as today.
_DIVIDING = frozenset(
    "body table td th div ul ol dl form fieldset center section article nav aside header footer main".split()
)


@dataclass(frozen=True)
class Iwptd:
    """Keeps the blocks most of whose text does not repeat.

    A segment repeats if it is on at least `frequency` of the pages, and on two at least. A block is template if the
    segments that repeat have more than `share` of its characters. `table` has the DF of each segment and `count` the
    number of pages that it knows.
    """

    frequency: float = 0.5
    share: float = 0.5
    table: Mapping[bytes, int] = field(default_factory=dict, repr=False)
    count: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.frequency <= 1 or not 0 <= self.share < 1:
            raise OptionError(
                f"frequency is above 0 up to 1 and share from 0 below 1, not {self.frequency} and {self.share}"
            )

    def learned(self, pages: Sequence[Document]) -> Iwptd:
        """The extractor for the site of these pages."""
        table = Counter(segment for page in pages for segment in set(segments(page)))
        return replace(self, table=table, count=len(pages))

    def label(self, document: Document) -> Labels:
        """Texts of blocks that are template score 0, others 1."""
        if not self.count:
            return everything(document)
        # Step 2 expands the table by the page itself before step 3 asks for the DF.
        wanted = max(2.0, self.frequency * (self.count + 1))
        repeats = np.array([1 + self.table.get(segment, 0) >= wanted for segment in segments(document)], np.bool_)
        return without(document, template_blocks(document, repeats, self.share))


def segments(document: Document) -> list[bytes]:
    """Of each leaf: what tells its segment, a digest of its text and its path of tags."""
    elements, leaves = document.elements, document.leaves
    paths: list[bytes] = []
    for parent, tag in zip(elements.parent.tolist(), elements.tag, strict=True):
        paths.append(digest(paths[parent] if parent >= 0 else b"", tag.encode(errors="surrogatepass")))
    return [
        digest(paths[element], " ".join(text.split()).encode(errors="surrogatepass"))
        for element, text in zip(leaves.element.tolist(), leaves.text, strict=True)
    ]


def template_blocks(document: Document, repeats: Bools, share: float) -> Bools:
    """For each leaf: is it in a block with more than `share` of its visible characters in segments that repeat?"""
    elements, leaves = document.elements, document.leaves
    divides = np.fromiter((tag in _DIVIDING for tag in elements.tag), np.bool_, len(elements))
    block = elements.nearest(divides, leaves.element) + 1  # 0 for texts outside all
    characters = np.array([len("".join(text.split())) for text in leaves.text], np.int64)
    characters[~leaves.is_visible_text] = 0
    size = len(elements) + 1
    every = np.bincount(block, characters, minlength=size)
    repeated = np.bincount(block, np.where(repeats, characters, 0), minlength=size)
    template: Bools = (repeated > share * every)[block]
    return template


iwptd = Iwptd()
