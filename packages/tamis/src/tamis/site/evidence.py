"""The evidence of a page for its site, and the counts of all pages of a site.

A site is known by tables of bounded size: texts, places, and the fingerprints of its pages. Pages are added in any
order. Two with the same article count once: otherwise an article that was saved twice would look like template. When
there are too many texts, those on the fewest pages are dropped first, and of these the oldest.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Singles
from tamis.document import Document
from tamis.errors import InputError
from tamis.extractor.network import CONTENT
from tamis.extractor.runs import PageRuns

Hashes = NDArray[np.uint64]

FINGERPRINT_SIZE = 8  # of the longest kept runs of a page, by which `SiteCounts` knows pages with the same article
_LEAST_WORDS = 5  # shorter runs are not in the fingerprint; different articles may share them
_MOST_LOGIT = 8.0  # beyond it being surer tells nothing
_WHOLE = ("html", "body")  # their classes name things special to a page: its section, its author, its number
_NUMBER = re.compile(r"\d+")
_HEAD = struct.Struct("<I")  # the start of evidence as bytes: the number of runs; the columns follow
_KINDS = ("<u8", "<u8", "<f4", "<f4")  # of the columns


@dataclass(frozen=True, eq=False)
class Evidence:
    """The runs of a page, each with two hashes."""

    text: Hashes  # of its words, in lower case, and its place: a lead on a list of articles is another text
    place: Hashes  # of the tags, classes and ids above it
    logit: Singles  # of content, above the threshold of the network
    words: Singles

    @classmethod
    def empty(cls) -> Evidence:
        """The evidence of a page without text."""
        return cls.from_bytes(_HEAD.pack(0))

    def __len__(self) -> int:
        return len(self.text)

    @property
    def kept(self) -> Bools:
        """Which runs the network takes for content."""
        return self.logit >= 0

    @property
    def fingerprint(self) -> Hashes:
        """The texts of the longest kept runs, with zeros where there are fewer."""
        candidates = np.flatnonzero(self.kept & (self.words >= _LEAST_WORDS))
        order = np.lexsort((self.text[candidates], -self.words[candidates]))
        texts = list(dict.fromkeys(self.text[candidates[order]].tolist()))[:FINGERPRINT_SIZE]
        return np.array(texts + [0] * (FINGERPRINT_SIZE - len(texts)), np.uint64)

    def to_bytes(self) -> bytes:
        """The evidence as plain data, 24 bytes a run."""
        columns: tuple[NDArray[Any], ...] = (self.text, self.place, self.logit, self.words)
        data = (column.astype(kind).tobytes() for column, kind in zip(columns, _KINDS, strict=True))
        return _HEAD.pack(len(self)) + b"".join(data)

    @classmethod
    def from_bytes(cls, data: bytes) -> Evidence:
        """The evidence that `to_bytes` wrote. Raises InputError."""
        if len(data) < _HEAD.size:
            raise InputError("the evidence of a page is cut off")
        (runs,) = _HEAD.unpack_from(data)
        if len(data) != _HEAD.size + 24 * runs:
            raise InputError("the evidence of a page does not have the length that it declares")
        at, columns = _HEAD.size, []
        for kind in _KINDS:
            columns.append(np.frombuffer(data, kind, runs, at))
            at += runs * np.dtype(kind).itemsize
        return cls(*columns)


def evidence_of(runs: PageRuns, logits: Singles, threshold: float) -> Evidence:
    """The evidence of a page with the logits (runs, outputs) of the network."""
    above = np.clip(logits[:, CONTENT] - np.float32(threshold), -_MOST_LOGIT, _MOST_LOGIT).astype(np.float32)
    places = _places(runs.document, runs.element.tolist())
    texts = np.maximum(_words(runs) ^ places, np.uint64(1))  # 0 means no text
    return Evidence(texts, places, above, runs.words.astype(np.float32))


def _words(runs: PageRuns) -> Hashes:
    """A hash of the words of each run, in lower case."""
    strings, leaves = runs.document.leaves.text, runs.texts.tolist()
    words = (
        " ".join(" ".join([strings[leaf] for leaf in leaves[first:last]]).split()).lower().encode("utf-8", "replace")
        for first, last in pairwise([*runs.first.tolist(), len(leaves)])
    )
    hashes = b"".join([blake2b(text, digest_size=8).digest() for text in words])
    return np.frombuffer(hashes, "<u8").astype(np.uint64)


def _places(document: Document, rows: list[int]) -> Hashes:
    """The place of each of these elements: a hash of the tags, classes and ids from BODY down to it."""
    elements, nodes = document.elements, document.elements.all_nodes
    tags, parents = elements.tag, elements.parent.tolist()
    known: dict[int, bytes] = {-1: b""}
    hashed: dict[tuple[bytes, str, str | None, str | None], bytes] = {}  # siblings that look alike have one place
    for row in rows:
        path = []
        while row not in known:
            path.append(row)
            row = parents[row]
        place = known[row]
        for each in reversed(path):
            attribute = nodes[each].attr
            named = tags[each] not in _WHOLE
            step = (place, tags[each], attribute("class") if named else None, attribute("id") if named else None)
            if step not in hashed:
                names = _NUMBER.sub("0", f"{step[2] or ''}\0{step[3] or ''}")
                own = f"{step[1]}\0{names}".encode("utf-8", "replace")
                hashed[step] = blake2b(place + own, digest_size=8).digest()
            known[each] = place = hashed[step]
    return np.frombuffer(b"".join([known[row] for row in rows]), "<u8").astype(np.uint64)


# Tables of these sizes take 3 MB.
MOST_TEXTS = 60_000
MOST_PLACES = 16_000
MOST_PAGES = 16_000  # of which the fingerprints are kept

# Two pages with the same longest run, and this share of the others in common, show the same article.
_SAME = 0.5
_GROUP_SIZE = 10_000  # runs of the pages that are counted together: each time costs as much as the tables are long

TEXT_COLUMNS = ("pages", "kept", "last")  # pages with it, pages that keep it, the number of the last of them
PLACE_COLUMNS = ("pages", "runs", "texts")  # texts: different ones

Counts = NDArray[np.float32]


class HashTable(NamedTuple):
    """Rows of numbers by hash."""

    keys: Hashes  # in order
    rows: Counts  # (keys, columns)

    @classmethod
    def empty(cls, columns: tuple[str, ...]) -> HashTable:
        """A table without rows."""
        return cls(np.zeros(0, np.uint64), np.zeros((0, len(columns)), np.float32))

    def of(self, keys: Hashes) -> Counts:
        """The row of each key; zeros for keys that are not in the table."""
        if not len(self.keys):
            return np.zeros((len(keys), self.rows.shape[1]), np.float32)
        at = self.keys.searchsorted(keys).clip(max=len(self.keys) - 1)
        return np.where((self.keys[at] == keys)[:, np.newaxis], self.rows[at], np.float32(0))

    def limited(self, most: int, columns: tuple[int, int]) -> HashTable:
        """The table with at most `most` rows: those with the largest values in these columns."""
        if len(self.keys) <= most:
            return self
        first, second = columns
        kept = np.sort(np.lexsort((self.rows[:, second], self.rows[:, first]))[-most:])
        return HashTable(self.keys[kept], self.rows[kept])


@dataclass(eq=False)
class SiteCounts:
    """The tables of a site. `add` changes them."""

    pages: int = 0  # that count
    texts: HashTable = field(default_factory=lambda: HashTable.empty(TEXT_COLUMNS))
    places: HashTable = field(default_factory=lambda: HashTable.empty(PLACE_COLUMNS))
    fingerprints: Hashes = field(default_factory=lambda: np.zeros((0, FINGERPRINT_SIZE), np.uint64))
    _waiting: list[Evidence] = field(default_factory=list, repr=False)

    def add(self, page: Evidence) -> bool:
        """Count a page, unless one with the same article was; is it counted?"""
        mine = page.fingerprint
        if not mine.any() or self.knows(mine):
            return False
        self.fingerprints = np.concatenate([self.fingerprints, mine[np.newaxis]])[-MOST_PAGES:]
        self.pages += 1
        self._waiting.append(page)
        if sum(map(len, self._waiting)) >= _GROUP_SIZE:
            self.settle()
        return True

    def knows(self, fingerprint: Hashes) -> bool:
        """Is a page with the same article counted?"""
        if not fingerprint.any() or not len(self.fingerprints):
            return False
        # The longest run is rarely template; the others may be, on a page with little content.
        alike = self.fingerprints[self.fingerprints[:, 0] == fingerprint[0]]
        shared = (np.isin(alike, fingerprint) & (alike > 0)).sum(axis=1)
        sizes = np.maximum((alike > 0).sum(axis=1), (fingerprint > 0).sum())
        return bool((shared >= _SAME * sizes).any())

    def settle(self) -> None:
        """Add the waiting pages to the tables."""
        if not self._waiting:
            return
        first, pages = self.pages - len(self._waiting) + 1, self._waiting
        new = np.split(first_sights(pages, self.texts), np.cumsum([len(page) for page in pages])[:-1])
        parts = [contribution(page, first + number, new[number]) for number, page in enumerate(pages)]
        last = TEXT_COLUMNS.index("last")
        texts = _merged([self.texts, *(texts for texts, _ in parts)], last)
        places = _merged([self.places, *(places for _, places in parts)])
        self.texts, self.places = texts.limited(MOST_TEXTS, (0, last)), places.limited(MOST_PLACES, (0, 1))
        self._waiting = []


def first_sights(pages: Sequence[Evidence], known: HashTable) -> Bools:
    """For each run of these pages, one after another: is it the first with its text?"""
    texts = np.concatenate([page.text for page in pages])
    every, first = np.unique(texts, return_index=True)
    new = np.zeros(len(texts), np.bool_)
    new[first] = known.of(every)[:, 0] == 0
    return new


def contribution(page: Evidence, number: int, is_new: Bools) -> tuple[HashTable, HashTable]:
    """The rows that the page with this number adds to the tables of texts and places; `is_new` are first sights."""
    texts, run_of = np.unique(page.text, return_inverse=True)
    kept = np.zeros(len(texts), np.float32)
    np.maximum.at(kept, run_of, page.kept.astype(np.float32))
    by_text = np.stack([np.ones_like(kept), kept, np.full_like(kept, number)], axis=1)
    by_run = np.stack([np.ones(len(page), np.float32), is_new], axis=1).astype(np.float32)
    places = _merged([HashTable(page.place, by_run)])
    by_place = np.concatenate([np.ones((len(places.keys), 1), np.float32), places.rows], axis=1)
    return HashTable(texts, by_text), HashTable(places.keys, by_place)


def _merged(tables: Sequence[HashTable], last: int | None = None) -> HashTable:
    """The sums of the rows of each key; of the column `last` the largest value."""
    found, place = np.unique(np.concatenate([table.keys for table in tables]), return_inverse=True)
    every = np.concatenate([table.rows for table in tables])
    sums = np.zeros((len(found), every.shape[1]), np.float32)
    np.add.at(sums, place, every)
    if last is not None:
        sums[:, last] = 0
        np.maximum.at(sums[:, last], place, every[:, last])
    return HashTable(found, sums)
