"""Content Code Blurring (Gottron; DEXA 2008).

The source of a page becomes the content code vector: 1 for each character of text, 0 for each character of a tag. The
vector is blurred with a Gaussian, as a picture is, again and again. The blurred value, the content code ratio, is high
inside long regions with little markup. Texts with a high ratio on average are content.

The adapted form (ACCB) leaves the tags of links out of the vector, so that links in a text don't tear it apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.document import Document
from tamis.errors import OptionError
from tamis.labels import Labels, from_text_scores
from tamis_papers.pieces import pieces

# Ratios are rounded, so that the result does not depend on the processor.
_DECIMALS = 9
# The neighbourhood ends at this many standard deviations of the Gaussian.
_DEVIATIONS = 2


@dataclass(frozen=True)
class CodeBlurring:
    """Keeps texts whose content code ratio is at least `threshold` on average.

    The neighbourhood of a character is `reach` characters to each side, and the vector is blurred `rounds` times. With
    `links` false the tags of links do not count as code (ACCB).

    The threshold is that of the paper, as others report it. Reach and rounds were chosen on CleanEval's development
    set; README.md has the figures.
    """

    reach: int = 20
    rounds: int = 4
    threshold: float = 0.75
    links: bool = True

    def __post_init__(self) -> None:
        if self.reach < 1 or self.rounds < 1:
            raise OptionError(f"reach and rounds are at least 1, not {self.reach} and {self.rounds}")
        if not 0 < self.threshold < 1:
            raise OptionError(f"the threshold is between 0 and 1, not {self.threshold}")

    def label(self, document: Document) -> Labels:
        """The score of a text is its mean content code ratio, scaled so that the threshold is one half."""
        found = pieces(document)
        counts = np.full(len(found), True) if self.links else ~found.is_link
        size, leaf, is_text = found.size[counts], found.leaf[counts], ~found.is_tag[counts]
        ratio = content_code_ratio(size, is_text, self.reach, self.rounds)
        of_leaves = leaf[is_text]
        rows = len(document.leaves)
        characters = np.bincount(of_leaves, size[is_text], minlength=rows)
        content = np.bincount(of_leaves, (ratio * size)[is_text], minlength=rows)
        mean = np.minimum(content / np.maximum(characters, 1), 1.0).round(_DECIMALS)
        below, above = mean / (2 * self.threshold), 0.5 + (mean - self.threshold) / (2 * (1 - self.threshold))
        return from_text_scores(document, np.where(mean < self.threshold, below, above))


def content_code_ratio(size: Ints, is_text: Bools, reach: int, rounds: int) -> Floats:
    """The mean ratio of each piece of text or code, given its size in characters.

    Farther than the blurring reaches from both of its ends, the inside of a run of text keeps its 1 and that of a run
    of code its 0. So long runs are shortened, which bounds the cost of huge texts and attributes and changes nothing.
    """
    if not len(size):
        return np.zeros(0)
    runs = np.flatnonzero(np.diff(is_text, prepend=not is_text[0]))  # the first piece of each run
    of_run = np.repeat(np.arange(len(runs)), np.diff(np.append(runs, len(size))))
    length = np.add.reduceat(size, runs)
    short = np.minimum(length, 2 * reach * rounds)
    values = blurred(np.repeat(is_text[runs].astype(np.float64), short), reach, rounds)
    total = np.zeros(len(values) + 1)
    values.cumsum(out=total[1:])
    # The sum up to a character: half of a shortened run is at its start, half at its end; all between them is 0 or 1.
    start = short.cumsum() - short
    half = short // 2

    def up_to(offset: Ints, run: Ints) -> Floats:
        cut = length[run] - short[run]
        front = np.minimum(offset, half[run])
        middle = np.clip(offset - half[run], 0, cut)
        back = np.maximum(offset - half[run] - cut, 0)
        inside: Floats = total[start[run] + front + back] - total[start[run]] + middle * is_text[runs[run]]
        return inside

    before = size.cumsum() - size
    offset = before - before[runs][of_run]
    return (up_to(offset + size, of_run) - up_to(offset, of_run)) / size


def blurred(values: Floats, reach: int, rounds: int) -> Floats:
    """The weighted averages of each value and its neighbours, `rounds` times; at the ends there are fewer."""
    offsets = np.arange(-reach, reach + 1, dtype=np.float64)
    kernel = np.exp(-(offsets**2) / (2 * (reach / _DEVIATIONS) ** 2))
    weight = np.convolve(np.ones(len(values)), kernel)[reach:-reach]
    for _ in range(rounds):
        values = np.convolve(values, kernel)[reach:-reach] / weight
    return values


ccb = CodeBlurring()
accb = CodeBlurring(links=False)
