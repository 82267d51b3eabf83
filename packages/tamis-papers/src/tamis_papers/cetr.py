"""CETR: Content Extraction via Tag Ratios (Weninger, Hsu, Han; WWW 2010).

The tag ratio of a line of the source is its characters of text per tag. The ratios of all lines are smoothed, and
lines are told apart in one of two ways:

- threshold (CETR-TM): content lines have a smoothed ratio of at least the standard deviation;
- clustering in two dimensions (CETR): the points of smoothed ratio and smoothed change of the ratio are clustered by
  k-means, with one centroid held at the origin. Lines of all other clusters are content.

README.md says what the paper leaves open.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.document import Document
from tamis.errors import OptionError
from tamis.labels import Labels, from_text_scores
from tamis_papers.pieces import Pieces, pieces

# k-means has long settled by then on all pages that were tried.
_MOST_ROUNDS = 100
# Distances are compared after rounding, so that the result does not depend on the processor.
_DECIMALS = 9


@dataclass(frozen=True, eq=False)
class SourceLines:
    """The lines of the source that hold a tag or a text, and which texts are on them.

    The segments are the parts of texts, each on one line.
    """

    ratio: Floats  # the tag ratio of each line
    segment_line: Ints
    segment_leaf: Ints
    segment_size: Ints


@dataclass(frozen=True)
class TagRatios(ABC):
    """What both ways share: the lines, their tag ratios and the smoothing.

    `width` is the length at which lines are broken: those of a page without any line break, or with `break_all` those
    of every page. `radius` is that of the Gaussian kernel.
    """

    width: int = 65
    break_all: bool = False
    radius: int = 2

    def __post_init__(self) -> None:
        if self.width < 1 or self.radius < 1:
            raise OptionError(f"width and radius are at least 1, not {self.width} and {self.radius}")

    def label(self, document: Document) -> Labels:
        """The score of a text is the share of its characters on content lines."""
        found = lines(pieces(document), self.width, break_all=self.break_all)
        on_content = np.where(self.content(found.ratio)[found.segment_line], found.segment_size, 0)
        size = len(document.leaves)
        total = np.bincount(found.segment_leaf, found.segment_size, minlength=size)
        share = np.bincount(found.segment_leaf, on_content, minlength=size) / np.maximum(total, 1)
        return from_text_scores(document, share)

    @abstractmethod
    def content(self, ratio: Floats) -> Bools:
        """Which lines are content, by their tag ratios."""


@dataclass(frozen=True)
class ThresholdTagRatios(TagRatios):
    """CETR-TM: content are lines from a threshold on, which is `coefficient` standard deviations."""

    coefficient: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.coefficient >= 0:
            raise OptionError(f"coefficient is at least 0, not {self.coefficient}")

    def content(self, ratio: Floats) -> Bools:
        """Lines whose smoothed ratio reaches the threshold."""
        smooth = smoothed(ratio, self.radius)
        threshold = self.coefficient * smooth.std() if smooth.size else 0.0
        return (smooth > 0) & (np.round(smooth - threshold, _DECIMALS) >= 0)


@dataclass(frozen=True)
class ClusteredTagRatios(TagRatios):
    """CETR: k-means with `clusters` clusters; the change of the ratio is taken over the next `ahead` lines."""

    clusters: int = 3
    ahead: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.clusters < 2 or self.ahead < 1:
            raise OptionError(f"clusters is at least 2 and ahead at least 1, not {self.clusters} and {self.ahead}")

    def content(self, ratio: Floats) -> Bools:
        """Lines that are not in the cluster of the origin."""
        smooth = smoothed(ratio, self.radius)
        change = np.abs(smoothed(derivative(smooth, self.ahead), self.radius))
        return clustered(np.column_stack([smooth, change]), self.clusters) > 0


def lines(found: Pieces, width: int, *, break_all: bool = False) -> SourceLines:
    """Tag ratios: the characters of text on a line divided by its tags, or by 1 if it has none."""
    is_tag, size, column = found.is_tag, found.size, _columns(found)
    parts = np.ones(len(found), np.int64)
    first = np.zeros(len(found), np.int64)
    if break_all or not found.line.any():
        first = column // width
        # A text that crosses line ends is cut into segments; a tag is on the line where it starts.
        parts = np.where(is_tag, 1, (column + size - 1) // width - first + 1)
    piece = np.repeat(np.arange(len(found)), parts)
    part = np.arange(len(piece)) - np.repeat(parts.cumsum() - parts, parts)
    row = first[piece] + part
    begin = np.where(part == 0, column[piece], row * width)
    end = np.where(part == parts[piece] - 1, (column + size)[piece], (row + 1) * width)
    # Lines without anything are left out.
    rows = row.max(initial=0) + 1
    line = np.unique(found.line[piece] * rows + row, return_inverse=True)[1]
    texts = ~is_tag[piece]
    tags = np.bincount(line[~texts], minlength=line.max(initial=-1) + 1)
    line, leaf, characters = line[texts], found.leaf[piece][texts], (end - begin)[texts]
    ratio = np.bincount(line, characters, minlength=len(tags)) / np.maximum(tags, 1)
    return SourceLines(ratio, line, leaf, characters)


def _columns(found: Pieces) -> Ints:
    """The number of characters before each piece on its line."""
    before = found.size.cumsum() - found.size
    starts = np.flatnonzero(np.diff(found.line, prepend=-1))
    lengths = np.diff(np.append(starts, len(found)))
    return before - np.repeat(before[starts], lengths)


def smoothed(values: Floats, radius: int) -> Floats:
    """The values after a Gaussian kernel of this radius, which is its standard deviation, too."""
    if not values.size:
        return values
    offsets = np.arange(-radius, radius + 1, dtype=np.float64)
    kernel = np.exp(-(offsets**2) / (2 * radius**2))
    whole = np.convolve(values, kernel / kernel.sum())
    return whole[radius : radius + len(values)].round(_DECIMALS)


def derivative(values: Floats, ahead: int) -> Floats:
    """How much the mean of the next values, fewer at the end, differs from each value."""
    total = np.zeros(len(values) + 1)
    values.cumsum(out=total[1:])
    after = np.arange(1, len(values) + 1)
    until = np.minimum(after + ahead, len(values))
    mean = (total[until] - total[after]) / np.maximum(until - after, 1)
    change: Floats = np.where(until > after, mean - values, 0.0)
    return change


def clustered(points: Floats, clusters: int) -> Ints:
    """The cluster of each point, 0 for that of the origin: k-means whose first centroid stays at the origin.

    The other centroids start evenly spaced between the origin and the largest values.
    """
    if not len(points):
        return np.zeros(0, np.int64)
    centroids = np.linspace(0.0, 1.0, clusters)[:, None] * points.max(axis=0)  # (clusters, 2)
    belongs = np.zeros(len(points), np.int64)
    for _ in range(_MOST_ROUNDS):
        distance = ((points[:, None, :] - centroids) ** 2).sum(axis=2)  # (points, clusters)
        nearest = np.round(distance, _DECIMALS).argmin(axis=1)
        if np.array_equal(nearest, belongs):
            break
        belongs = nearest
        for cluster in range(1, clusters):
            members = points[belongs == cluster]
            if len(members):  # a cluster without points stays where it is
                centroids[cluster] = members.mean(axis=0)
    return belongs


cetr = ClusteredTagRatios()
cetr_threshold = ThresholdTagRatios()
