"""How much each group of columns moves the score of each run away from that of a typical one: Shapley values.

A run is compared with the typical run of its kind (`typical`) at the same place of the same page, among typical runs
too. The groups are made real one by one, in some order, and each step belongs to the group that was made real. The
effect of a group is the mean of its steps over several orders and their reverses. Effects add up to the difference in
log-odds between the run and the typical one.

Most groups are about the part of the page in which a run stands. They are made real in its neighbours at the same time,
which stand in the same part. The groups of OWN are about the text of the run alone; the texts of its neighbours are a
group of their own. What the network takes from the page as a whole (the summary of all runs) is always real.

A layer adds to each run what its neighbours at one distance contribute, and distances double from layer to layer. No
sum of smaller distances reaches back, so what a run gets from its neighbours never depends on its own columns. So one
pass gives what neighbours contribute, and in a second one all runs are changed at once, each by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from tamis.arrays import Floats
from tamis.explain.groups import Group, grouped
from tamis.explain.typical import Rows
from tamis.extractor.network import CONTENT, EPSILON, SUMMARY_LAYERS, Layer, RunNetwork
from tamis.extractor.scaling import Singles

# The most orders of groups; there are fewer on long pages, so that the network sees no more runs than this in total.
_ORDERS = 8
_MOST_RUN_PASSES = 400_000

# The groups about a run's own text. All other groups are about the part of the page in which it stands, which it shares
# with the runs around it.
OWN = frozenset({Group.LENGTH, Group.LINKS, Group.MARKS})


@dataclass(frozen=True, eq=False)
class Effects:
    """The effects of all groups on all runs, in log-odds."""

    groups: tuple[Group, ...]
    log_odds: Floats  # (runs,): of the real run
    start: Floats  # (runs,): of the typical run; with all effects added it is log_odds
    effects: Floats  # (runs, groups)
    without: Floats  # (runs, groups): log-odds if only this group is typical


def effects(network: RunNetwork, real: Rows, typical: Rows, columns: Sequence[str]) -> Effects:
    """The effects on a page of at least one run; the same page always gets the same ones."""
    page = _Page(network, real, typical, columns)
    groups, runs = page.groups, len(real.values)
    everything, nothing = frozenset(groups), frozenset[Group]()
    start, log_odds = page.log_odds(nothing), page.log_odds(everything)
    orders = _orders(groups, runs)
    found = np.zeros((runs, len(groups)))
    for order in orders:
        present, before = nothing, start
        for group in order:
            present |= {group}
            after = page.log_odds(present)
            found[:, groups.index(group)] += (after - before) / len(orders)
            before = after
    without = np.empty((runs, len(groups)))
    for number, group in enumerate(groups):
        without[:, number] = page.log_odds(everything - {group})
    return Effects(groups, log_odds, start, found, without)


def _orders(groups: Sequence[Group], runs: int) -> list[list[Group]]:
    """Random orders of the groups, each followed by its reverse; the same for every page of this length."""
    pairs = max(1, min(_ORDERS, _MOST_RUN_PASSES // (runs * max(1, len(groups)))) // 2)
    random = Random(1)  # noqa: S311 - not for cryptography
    orders: list[list[Group]] = []
    for _ in range(pairs):
        order = random.sample(list(groups), len(groups))
        orders += [order, order[::-1]]
    return orders


class _Page:
    """The log-odds of each run of a page with any subset of its groups real; the others are typical."""

    def __init__(self, network: RunNetwork, real: Rows, typical: Rows, columns: Sequence[str]) -> None:
        self._network = network
        self._start = _first(network, typical)
        changes = {
            group: _change(network, real, typical, group, numbers) for group, numbers in grouped(columns).items()
        }
        self._changes = {group: change for group, change in changes.items() if change.any()}
        self._conditionings, _ = _surroundings(network, _second(network, _first(network, real)), None)
        own = OWN.intersection(self._changes) if len(real.values) > 1 else ()
        self.groups = (*self._changes, *((Group.NEIGHBOURS,) if own else ()))
        self._neighbours: tuple[frozenset[Group], list[Singles]] | None = None  # of the last coalition
        self._cache: dict[frozenset[Group], Floats] = {}

    def log_odds(self, present: frozenset[Group]) -> Floats:
        """The log-odds of each run with only these groups real; cached."""
        if present not in self._cache:
            vectors = self._vectors(present)
            layers = zip(self._network.layers, self._conditionings, self._contributed(present), strict=True)
            for layer, conditioning, added in layers:
                own = _contributions(layer, vectors, conditioning, slice(vectors.shape[1], 2 * vectors.shape[1]))
                vectors = _residual(layer, vectors, own + added)
            logits = _normalised(vectors) @ self._network.top + self._network.top_bias
            self._cache[present] = logits[:, CONTENT].astype(np.float64)
        return self._cache[present]

    def _contributed(self, present: frozenset[Group]) -> list[Singles]:
        """What neighbours contribute to each run; kept for the next coalition, which often differs in OWN alone."""
        of_neighbours = present - OWN | (OWN if Group.NEIGHBOURS in present else set())
        if self._neighbours is None or self._neighbours[0] != of_neighbours:
            _, added = _surroundings(self._network, self._vectors(of_neighbours), self._conditionings)
            self._neighbours = of_neighbours, added
        return self._neighbours[1]

    def _vectors(self, present: frozenset[Group]) -> Singles:
        inputs = self._start.copy()
        for group, change in self._changes.items():  # in a fixed order, so that sums are the same
            if group in present:
                inputs += change
        return _second(self._network, inputs)


def _first(network: RunNetwork, page: Rows) -> Singles:
    """(runs, width): the first layer before its ReLU."""
    inputs: Singles = page.values @ network.first + network.first_bias
    for number in range(page.tags.shape[1]):
        inputs += network.tags[number].take(page.tags[:, number], axis=0)
    return inputs


def _change(network: RunNetwork, real: Rows, typical: Rows, group: Group, numbers: list[int]) -> Singles:
    """(runs, width): what a group adds to the first layer if it is real in place of typical."""
    change: Singles = np.matmul(real.values[:, numbers] - typical.values[:, numbers], network.first[numbers])
    if group is Group.TAGS:
        for number in range(real.tags.shape[1]):
            by_tag = network.tags[number]
            change += by_tag.take(real.tags[:, number], axis=0) - by_tag.take(typical.tags[:, number], axis=0)
    return change


def _second(network: RunNetwork, inputs: Singles) -> Singles:
    second: Singles = np.maximum(inputs, 0.0) @ network.second + network.second_bias
    return second


def _surroundings(
    network: RunNetwork, vectors: Singles, given: list[Singles] | None
) -> tuple[list[Singles], list[Singles]]:
    """For each layer its conditioning, by the summary of these vectors if none is given, and what neighbours add."""
    width, summary = vectors.shape[1], _summary_of(vectors)
    conditionings: list[Singles] = []
    neighbours: list[Singles] = []
    for number, layer in enumerate(network.layers):
        if number in SUMMARY_LAYERS[1:]:
            summary = _summary_of(vectors)
        conditioning = summary @ layer.film + layer.film_bias if given is None else given[number]
        every = _contributions(layer, vectors, conditioning, slice(None))
        added = np.zeros_like(vectors)
        added[layer.dilation :] += every[: -layer.dilation, :width]
        added[: -layer.dilation] += every[layer.dilation :, 2 * width :]
        vectors = _residual(layer, vectors, every[:, width : 2 * width] + added)
        conditionings.append(conditioning)
        neighbours.append(added)
    return conditionings, neighbours


def _contributions(layer: Layer, vectors: Singles, conditioning: Singles, taps: slice) -> Singles:
    """What each run contributes to itself and its neighbours, or to some of them."""
    width = vectors.shape[1]
    conditioned = _normalised(vectors) * conditioning[:width] + conditioning[width:]
    found: Singles = np.matmul(conditioned, layer.kernel[:, taps])
    return found


def _residual(layer: Layer, vectors: Singles, convolved: Singles) -> Singles:
    found: Singles = vectors + np.maximum(convolved + layer.kernel_bias, 0.0) @ layer.out + layer.out_bias
    return found


def _normalised(vectors: Singles) -> Singles:
    """Each vector with mean 0 and deviation 1."""
    centred = vectors - vectors.mean(axis=1, keepdims=True)
    found: Singles = centred / np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + EPSILON)
    return found


def _summary_of(vectors: Singles) -> Singles:
    """The mean of all vectors and their maximum."""
    return np.concatenate((vectors.mean(axis=0), vectors.max(axis=0)))
