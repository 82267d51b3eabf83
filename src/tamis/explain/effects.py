"""How much each group of columns moves the score of each run: Shapley values over some ten groups.

To take a group away, each of its columns is set to the page's mean and each of its tags to the page's most common
one, in all runs of the page at once. So a run is compared with an average run of its own page, and the columns of its
neighbours count too. Added one by one, in some order, the groups lead from a page of average runs to the real page,
and each step belongs to the group that was added. The effect of a group is the mean of its steps over several orders
and their reverses. Effects add up to the difference in log-odds between the run and the average one.

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

# From values and tags of all runs to the logits of each run and of the page type.
Predict = Callable[[Singles, Bytes], tuple[Singles, Singles]]

# The most orders of groups; there are fewer on long pages, so that the network sees no more runs than this in total.
_ORDERS = 8
_MOST_RUN_PASSES = 200_000


@dataclass(frozen=True, eq=False)
class Effects:
    """The effects of all groups on all runs, in log-odds."""

    groups: tuple[Group, ...]
    log_odds: Floats  # (runs,): of the real page
    start: Floats  # (runs,): of a page of average runs; with all effects added it is log_odds
    effects: Floats  # (runs, groups)
    without: Floats  # (runs, groups): log-odds if only this group is taken away


def effects(predict: Predict, values: Singles, tags: Bytes, columns: Sequence[str]) -> Effects:
    """The effects on a page of at least one run; the same page always gets the same ones."""
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
    """Random orders of the groups, each followed by its reverse; the same for every page of this length."""
    pairs = max(1, min(_ORDERS, _MOST_RUN_PASSES // (runs * max(1, len(groups)))) // 2)
    random = Random(1)  # noqa: S311 - not for cryptography
    orders: list[list[Group]] = []
    for _ in range(pairs):
        order = random.sample(list(groups), len(groups))
        orders += [order, order[::-1]]
    return orders


class _Page:
    """The log-odds of a page with any subset of its groups; the rest is taken away."""

    def __init__(self, predict: Predict, values: Singles, tags: Bytes, columns: Sequence[str]) -> None:
        self._predict = predict
        self._values, self._tags = values, tags
        self._mean = np.nan_to_num(values).mean(axis=0)
        self._most_common = np.array([np.bincount(column).argmax() for column in tags.T], dtype=tags.dtype)
        self._columns = grouped(columns)
        # Groups that are the same in all runs have no effect.
        self.groups = tuple(group for group, numbers in self._columns.items() if self._differs(group, numbers))
        self._cache: dict[frozenset[Group], Floats] = {}

    def _differs(self, group: Group, numbers: list[int]) -> bool:
        values = self._values[:, numbers]
        tags_differ = group is Group.TAGS and bool((self._tags != self._tags[0]).any())
        return tags_differ or bool((values != values[0]).any())

    def log_odds(self, present: frozenset[Group]) -> Floats:
        """The log-odds of each run with only these groups present; cached."""
        if present not in self._cache:
            logits, _ = self._predict(*self._without(set(self.groups) - present))
            self._cache[present] = logits[:, 0].astype(np.float64)
        return self._cache[present]

    def _without(self, absent: Iterable[Group]) -> tuple[Singles, Bytes]:
        """Values and tags with these groups taken away."""
        values, tags = self._values.copy(), self._tags.copy()
        for group in absent:
            numbers = self._columns[group]
            values[:, numbers] = self._mean[numbers]
            if group is Group.TAGS:
                tags[:] = self._most_common
        return values, tags
