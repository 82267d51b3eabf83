"""How much each group of columns moves the score of each run: Shapley values over some ten groups.

A group is taken away from all runs of a page at once: each of its columns becomes the page's mean, each of its tags
the page's commonest. So a run is compared with the ordinary run of its own page, and what a group says of the runs
around counts, too. Taken one by one, in some order, the groups lead from a page of ordinary runs to the real one, and
each step belongs to the group that was added. The effect of a group is the mean of its steps over several orders and
their reverses; effects add up to the difference in log-odds between the run and the ordinary one.

With 8 orders an effect was off by 0.11 on average where its exact value, over all 2,048 coalitions, was 0.47 (six
pages; docs/explain.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from tamis.arrays import Bytes, Floats
from tamis.explain.groups import Group, grouped
from tamis.extractor.scaling import Singles

# From values and tags of all runs to the logits of each run and of the page.
Predict = Callable[[Singles, Bytes], tuple[Singles, Singles]]

# At most so many orders; fewer on long pages, so that the work stays below that of so many runs.
_ORDERS = 8
_MOST_RUN_PASSES = 200_000


@dataclass(frozen=True, eq=False)
class Effects:
    """What decided on each run, in log-odds."""

    groups: tuple[Group, ...]
    log_odds: Floats  # (runs,): of the page as it is
    start: Floats  # (runs,): of a page of ordinary runs; less than log_odds by the sum of the effects
    effects: Floats  # (runs, groups)
    without: Floats  # (runs, groups): log-odds where only this group is ordinary


def effects(predict: Predict, values: Singles, tags: Bytes, columns: Sequence[str]) -> Effects:
    """Of a page of at least one run. Deterministic."""
    page = _Page(predict, values, tags, columns)
    groups, runs = page.groups, len(values)
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
    """Some orders of the groups, each followed by its reverse: the same for every page of that length."""
    pairs = max(1, min(_ORDERS, _MOST_RUN_PASSES // (runs * max(1, len(groups)))) // 2)
    shuffled = Random(1)  # noqa: S311 - chance has no secrets here
    orders: list[list[Group]] = []
    for _ in range(pairs):
        order = shuffled.sample(list(groups), len(groups))
        orders += [order, order[::-1]]
    return orders


class _Page:
    """A page of which some groups of columns can be taken away."""

    def __init__(self, predict: Predict, values: Singles, tags: Bytes, columns: Sequence[str]) -> None:
        self._predict = predict
        self._values, self._tags = values, tags
        self._mean = np.nan_to_num(values).mean(axis=0)
        self._commonest = np.array([np.bincount(column).argmax() for column in tags.T], dtype=tags.dtype)
        self._columns = grouped(columns)
        # What is the same for all runs tells none of them from the others.
        self.groups = tuple(group for group, numbers in self._columns.items() if self._differs(group, numbers))
        self._known: dict[frozenset[Group], Floats] = {}

    def _differs(self, group: Group, numbers: list[int]) -> bool:
        values = self._values[:, numbers]
        tags_differ = group is Group.TAGS and bool((self._tags != self._tags[0]).any())
        return tags_differ or bool((values != values[0]).any())

    def log_odds(self, present: frozenset[Group]) -> Floats:
        """Of each run, with the other groups taken away; asked for again it is remembered."""
        if present not in self._known:
            logits, _ = self._predict(*self._without(set(self.groups) - present))
            self._known[present] = logits[:, 0].astype(np.float64)
        return self._known[present]

    def _without(self, absent: Iterable[Group]) -> tuple[Singles, Bytes]:
        """The page with some groups made ordinary."""
        values, tags = self._values.copy(), self._tags.copy()
        for group in absent:
            numbers = self._columns[group]
            values[:, numbers] = self._mean[numbers]
            if group is Group.TAGS:
                tags[:] = self._commonest
        return values, tags
