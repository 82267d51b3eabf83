"""A linear chain of two labels, other (0) and content (1): its best labelling, and the gradient of its likelihood."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Floats


class Decoded(NamedTuple):
    """The best labelling of a page."""

    labels: Bools
    margins: Floats  # the best labelling with a block as content minus the best one without


def viterbi(potentials: Floats, transitions: Floats) -> Decoded:
    """The best labelling of blocks with these potentials of content; those of other are 0.

    `transitions` has the weight of a step from the label of its row to the label of its column.
    """
    ahead = _best_before(potentials, transitions)
    back = _best_before(potentials[::-1], transitions.T)[::-1]
    both = ahead + back  # (blocks, 2)
    margins: Floats = np.round(both[:, 1] - both[:, 0] + potentials, 9)
    return Decoded(margins > 0, margins)


def _best_before(potentials: Floats, transitions: Floats) -> Floats:
    """(blocks, 2): the weight of the best labelling of all blocks before one that has this label."""
    (other_other, other_content), (content_other, content_content) = transitions.tolist()
    best = np.zeros((len(potentials), 2))
    other = content = 0.0
    rows = []
    for place, potential in enumerate(potentials.tolist()):
        if place:
            other, content = (
                max(other + other_other, content + content_other),
                max(other + other_content, content + content_content),
            )
        rows.append((other, content))
        content += potential
        base = max(other, content)  # only differences matter, and sums stay small on long pages
        other, content = other - base, content - base
    if rows:
        # Each row is shifted by its own base, which the difference of the two labels does not see.
        best[:] = rows
    return best
