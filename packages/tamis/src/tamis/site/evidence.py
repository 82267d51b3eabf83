"""What a page tells about its site: what each run of text says, where it stands, and how likely it is content."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools
from tamis.document import Document
from tamis.errors import InputError
from tamis.extractor.network import CONTENT
from tamis.extractor.runs import PageRuns
from tamis.extractor.scaling import Singles

Hashes = NDArray[np.uint64]

# The longest kept runs of a page are its fingerprint, by which `SiteCounts` knows pages with the same article.
LONGEST = 8
# Shorter runs are no part of the fingerprint; two pages may well share them.
_LEAST_WORDS = 5

# The limit on logits: beyond it more sureness tells nothing.
_SURE = 8.0

# Their classes name what is special to a page: its section, its author, its number.
_WHOLE = ("html", "body")
_NUMBER = re.compile(r"\d+")
# The evidence as bytes: the number of runs, then the columns.
_HEAD = struct.Struct("<I")
_KINDS = ("<u8", "<u8", "<f4", "<f4")


@dataclass(frozen=True, eq=False)
class Evidence:
    """The runs of a page, each with two hashes."""

    text: Hashes  # of its words, in lower case, and its place: a lead on a list of articles is another text
    place: Hashes  # of the tags, classes and ids above it
    logit: Singles  # of content, above the threshold of the network
    words: Singles

    @classmethod
    def empty(cls) -> Evidence:
        """Of a page without text."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0, np.float32), np.zeros(0, np.float32))

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
        texts = list(dict.fromkeys(self.text[candidates[order]].tolist()))[:LONGEST]
        return np.array(texts + [0] * (LONGEST - len(texts)), np.uint64)

    def to_bytes(self) -> bytes:
        """Plain data, some 24 bytes a run."""
        columns: tuple[NDArray[Any], ...] = (self.text, self.place, self.logit, self.words)
        data = (column.astype(kind).tobytes() for column, kind in zip(columns, _KINDS, strict=True))
        return _HEAD.pack(len(self)) + b"".join(data)

    @classmethod
    def from_bytes(cls, data: bytes) -> Evidence:
        """What `to_bytes` wrote. Raises InputError."""
        if len(data) < _HEAD.size:
            raise InputError("the evidence of a page is cut off")
        (runs,) = _HEAD.unpack_from(data)
        if len(data) != _HEAD.size + 24 * runs:
            raise InputError("the evidence of a page has another length than it says")
        at, columns = _HEAD.size, []
        for kind in _KINDS:
            columns.append(np.frombuffer(data, kind, runs, at))
            at += runs * np.dtype(kind).itemsize
        return cls(*columns)


def evidence_of(runs: PageRuns, logits: Singles, threshold: float) -> Evidence:
    """The evidence of a page with the logits (runs, outputs) of the network."""
    above = np.clip(logits[:, CONTENT] - np.float32(threshold), -_SURE, _SURE).astype(np.float32)
    places = _places(runs.document, runs.element.tolist())
    texts = np.maximum(_words(runs) ^ places, np.uint64(1))  # 0 stands for no text
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
