"""What is known about a site, in tables of bounded size: texts, places, and the fingerprints of its pages.

Pages are added in any order. Two that show the same article count once: else an article that was saved twice would
look like template. Of more texts than fit, those on the fewest pages go first, and of these the oldest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools
from tamis.site.evidence import LONGEST, Evidence, Hashes

# Tables of these sizes take 3 MB.
MOST_TEXTS = 60_000
MOST_PLACES = 16_000
MOST_PAGES = 16_000  # of which the fingerprints are kept

# Two pages with the same longest run, and this share of the others in common, show the same article.
_SAME = 0.5
# Pages are taken into the tables in groups, since each time costs as much as the tables are long: so many runs.
_TOGETHER = 10_000

TEXT_COLUMNS = ("pages", "kept", "last")  # pages with it, pages that keep it, the number of the last of them
PLACE_COLUMNS = ("pages", "runs", "texts")  # texts: different ones

Counts = NDArray[np.float32]


class Table(NamedTuple):
    """Rows of numbers by hash."""

    keys: Hashes  # in order
    rows: Counts  # (keys, columns)

    @classmethod
    def empty(cls, columns: tuple[str, ...]) -> Table:
        """No row yet."""
        return cls(np.zeros(0, np.uint64), np.zeros((0, len(columns)), np.float32))

    def of(self, keys: Hashes) -> Counts:
        """The row of each key; zeros for those that are not there."""
        if not len(self.keys):
            return np.zeros((len(keys), self.rows.shape[1]), np.float32)
        at = self.keys.searchsorted(keys).clip(max=len(self.keys) - 1)
        return np.where((self.keys[at] == keys)[:, np.newaxis], self.rows[at], np.float32(0))

    def part(self, which: Bools) -> Table:
        """Some of the rows."""
        return Table(self.keys[which], self.rows[which])


@dataclass(eq=False)
class SiteCounts:
    """The tables of a site. `add` changes them."""

    pages: int = 0  # that count
    texts: Table = field(default_factory=lambda: Table.empty(TEXT_COLUMNS))
    places: Table = field(default_factory=lambda: Table.empty(PLACE_COLUMNS))
    fingerprints: Hashes = field(default_factory=lambda: np.zeros((0, LONGEST), np.uint64))
    _waiting: list[Evidence] = field(default_factory=list, repr=False)

    def add(self, page: Evidence) -> bool:
        """Take a page in, unless one with the same article was; was it taken in?"""
        mine = page.fingerprint
        if not mine.any() or self.knows(mine):
            return False
        self.fingerprints = np.concatenate([self.fingerprints, mine[np.newaxis]])[-MOST_PAGES:]
        self.pages += 1
        self._waiting.append(page)
        if sum(map(len, self._waiting)) >= _TOGETHER:
            self.settle()
        return True

    def knows(self, fingerprint: Hashes) -> bool:
        """Was a page with the same article taken in?"""
        if not fingerprint.any() or not len(self.fingerprints):
            return False
        # The longest run is rarely template; others of the longest may be, on a page with little content.
        alike = self.fingerprints[self.fingerprints[:, 0] == fingerprint[0]]
        shared = (np.isin(alike, fingerprint) & (alike > 0)).sum(axis=1)
        sizes = np.maximum((alike > 0).sum(axis=1), (fingerprint > 0).sum())
        return bool((shared >= _SAME * sizes).any())

    def settle(self) -> None:
        """Take the pages that wait into the tables."""
        if not self._waiting:
            return
        first, pages = self.pages - len(self._waiting) + 1, self._waiting
        new = np.split(first_sights(pages, self.texts), np.cumsum([len(page) for page in pages])[:-1])
        parts = [contribution(page, first + number, new[number]) for number, page in enumerate(pages)]
        self.texts = _merged([self.texts, *(texts for texts, _ in parts)], last=TEXT_COLUMNS.index("last"))
        self.places = _merged([self.places, *(places for _, places in parts)])
        self._waiting = []
        self.texts = _bounded(self.texts, MOST_TEXTS, (self.texts.rows[:, 0], self.texts.rows[:, 2]))
        self.places = _bounded(self.places, MOST_PLACES, (self.places.rows[:, 0], self.places.rows[:, 1]))


def first_sights(pages: Sequence[Evidence], known: Table) -> Bools:
    """For each run of these pages, one after another: is it the first with its text?"""
    texts = np.concatenate([page.text for page in pages])
    every, first = np.unique(texts, return_index=True)
    new = np.zeros(len(texts), np.bool_)
    new[first] = known.of(every)[:, 0] == 0
    return new


def contribution(page: Evidence, number: int, is_new: Bools) -> tuple[Table, Table]:
    """What a page adds to the tables of texts and places. `number` is its own; `is_new` are first sights of a text."""
    texts, run_of = np.unique(page.text, return_inverse=True)
    kept = np.zeros(len(texts), np.float32)
    np.maximum.at(kept, run_of, page.kept.astype(np.float32))
    by_text = np.stack([np.ones_like(kept), kept, np.full_like(kept, number)], axis=1)
    by_run = np.stack([np.ones(len(page), np.float32), is_new], axis=1).astype(np.float32)
    places = _merged([Table(page.place, by_run)])
    by_place = np.concatenate([np.ones((len(places.keys), 1), np.float32), places.rows], axis=1)
    return Table(texts, by_text), Table(places.keys, by_place)


def _merged(tables: Sequence[Table], last: int | None = None) -> Table:
    """The sums of the rows of each key; of the column `last` the largest value."""
    found, place = np.unique(np.concatenate([table.keys for table in tables]), return_inverse=True)
    every = np.concatenate([table.rows for table in tables])
    sums = np.zeros((len(found), every.shape[1]), np.float32)
    np.add.at(sums, place, every)
    if last is not None:
        sums[:, last] = 0
        np.maximum.at(sums[:, last], place, every[:, last])
    return Table(found, sums)


def _bounded(table: Table, most: int, worth: tuple[Counts, Counts]) -> Table:
    """The table with at most so many rows: those that are worth most."""
    if len(table.keys) <= most:
        return table
    kept = np.zeros(len(table.keys), np.bool_)
    kept[np.lexsort((*worth[::-1],))[-most:]] = True
    return table.part(kept)
