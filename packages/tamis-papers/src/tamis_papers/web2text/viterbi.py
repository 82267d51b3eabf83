"""The most likely labelling of a sequence with two labels (Web2Text §3.5), exactly, in log space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Floats, Singles


class Decoded(NamedTuple):
    """The best labelling, and for each block its margin over the best one with the other label there."""

    labels: Bools
    margins: Floats  # positive where the label is true


def viterbi(unary: Singles, pairwise: Singles) -> Decoded:
    """The labels that maximise the product of all potentials.

    `unary[i]` holds the log potentials of block i being boilerplate and content, `pairwise[i]`
    those of the step from block i to block i + 1: boilerplate to boilerplate, boilerplate to
    content, content to boilerplate, content to content. It has one row less than `unary`.

    A margin is the difference of two maxima, over all labellings with and without the block as
    content. Its sign is the label, except where two labellings are equally good.
    """
    if len(unary) == 0:
        return Decoded(np.zeros(0, np.bool_), np.zeros(0))
    if len(pairwise) != len(unary) - 1:
        raise ValueError(f"{len(unary)} blocks have {len(unary) - 1} steps, not {len(pairwise)}")
    own, steps = unary.astype(np.float64), pairwise.astype(np.float64)
    forward = _best_so_far(own, steps)
    backward = _best_so_far(own[::-1], steps[::-1][:, [0, 2, 1, 3]])[::-1]
    margins = (forward + backward - own) @ np.array([-1.0, 1.0])
    return Decoded(_trace(forward, steps, margins), margins)


def _best_so_far(own: Floats, steps: Floats) -> Floats:
    """For each block and label: the best sum over the blocks up to it, itself included."""
    out, inside = own[0].tolist()
    best = [(out, inside)]
    for (own_out, own_in), (out_out, out_in, in_out, in_in) in zip(own[1:].tolist(), steps.tolist(), strict=True):
        stay, leave, enter, remain = out + out_out, inside + in_out, out + out_in, inside + in_in
        out = (stay if stay >= leave else leave) + own_out
        inside = (remain if remain >= enter else enter) + own_in
        best.append((out, inside))
    return np.array(best)


def _trace(forward: Floats, steps: Floats, margins: Floats) -> Bools:
    """The labels, traced back from the last block where margins may mix two equally good labellings."""
    # Sums in another order differ by this much, so margins below it may be ties.
    rounding = len(forward) * np.finfo(np.float64).eps * np.abs(forward).max()
    if not (np.abs(margins) <= rounding).any():
        clear: Bools = margins > 0
        return clear
    labels = np.zeros(len(forward), dtype=np.bool_)
    label = bool(forward[-1, 1] > forward[-1, 0])
    labels[-1] = label
    for place in range(len(forward) - 2, -1, -1):
        to = int(label)
        label = bool(forward[place, 1] + steps[place, 2 + to] > forward[place, 0] + steps[place, to])
        labels[place] = label
    return labels
