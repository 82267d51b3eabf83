"""Content Extraction via Text Density (Sun, Song, Liao: DOM Based Content Extraction via Text Density, SIGIR 2011).

Each element has a density: its characters per tag, or the composite density, which hyperlinks lower. The content is
found in one of two ways. With DensitySum, the sum of the children's densities says which element of a dense subtree
holds its content as a whole. With smoothing, the density of each element is averaged with those of its neighbours, and
elements that are dense enough keep their own texts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.labels import Labels, from_text_scores
from tamis_papers.text_density import DensityTree, threshold, whole_content

# The Gaussian kernel of radius 1 with which CETR (Weninger et al., WWW 2010), whose smoothing the paper compares with
# DensitySum, smooths its tag ratios: exp(-x * x / 2) for x = -1, 0, 1.
_KERNEL = np.exp([-0.5, 0.0, -0.5])


@dataclass(frozen=True)
class Cetd:
    """The paper's method.

    `composite` takes the composite text density instead of the text density, `smoothing` smooths it instead of using
    DensitySum.
    """

    composite: bool = True
    smoothing: bool = False

    def label(self, document: Document) -> Labels:
        """Texts of the content score 1, others 0."""
        tree = DensityTree(document)
        scores = np.zeros(len(document.leaves))
        if tree.body.size:
            density = tree.composite_density if self.composite else tree.text_density
            chosen = _smoothed_content(tree, density) if self.smoothing else whole_content(tree, density)
            scores[chosen] = 1.0
        return from_text_scores(document, scores)


def _smoothed_content(tree: DensityTree, density: Floats) -> Bools:
    """The leaves that stand directly in an element whose smoothed density reaches the threshold."""
    elements = tree.elements
    rows = np.flatnonzero(tree.inside_body & (tree.characters > 0))
    if not rows.size:
        return np.zeros(len(tree.leaves), dtype=np.bool_)
    smooth = np.zeros(len(elements))
    smooth[rows] = _smoothed(density[rows])
    least = threshold(tree, smooth, int(rows[np.argmax(smooth[rows])]))
    return (smooth >= least)[tree.leaves.element]


def _smoothed(values: Floats) -> Floats:
    """A weighted mean of each value and its two neighbours; beyond the ends there are none."""
    weights = np.convolve(np.ones(len(values)), _KERNEL)[1:-1]
    smooth: Floats = np.round(np.convolve(values, _KERNEL)[1:-1] / weights, 6)
    return smooth


cetd_ds = Cetd(composite=False)
cectd_s = Cetd(smoothing=True)
cectd_ds = Cetd()
