r"""Find pages of equal or similar text: by an exact hash, and by MinHash signatures.

The resemblance of two texts is the share of shingles that they have in common, of all shingles of the two: |A ∩ B| /
|A ∪ B|. A shingle is a sequence of adjacent words. Under a random permutation of all shingles, the first one of A and
that of B are the same with just this probability. So of a signature, which has the first shingle's place under each of
128 permutations, about this share of numbers is equal (Broder, On the resemblance and containment of documents,
SEQUENCES 1997, sections 2 and 3).

A hash function of Dietzfelbinger's family (multiply, add, shift; STACS 1996) replaces each permutation. It maps two
shingles to any two numbers with the same probability.

All is defined here to the last bit, so that signatures of two machines can be compared:

1. words: the text in NFC and lower case; sequences of letters, digits and underscores (what `\w` is in Python), but
   each character of a script without spaces between words (Chinese, Japanese, Thai, Lao, Burmese and Khmer, by the
   ranges of _UNSPACED) is a word
2. shingles: each five adjacent words with spaces between them; of fewer words, all of them
3. x: the CRC-32 of a shingle in UTF-8
4. number i of the signature, from 0 to 127: the least ((a x + b) mod 2^64) >> 32 of all shingles, where a and b are the
   first and the second eight bytes, little-endian, of the SHA-256 of the text `tamis minhash i`
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from unicodedata import normalize
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tamis.errors import OptionError

PERMUTATIONS = 128  # the standard error of a resemblance is then at most 0.044
SHINGLE = 5  # words
_AT_ONCE = 512  # shingles of one array pass, which then fits into a processor's cache

_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_HAS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_WORD = re.compile(r"\w+")
_WORD_OR_CHARACTER = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")

Signature = Sequence[int]


def content_hash(text: str) -> str | None:
    """The SHA-256 of a text in NFC and UTF-8, white space made one space, in hex; None without text."""
    words = normalize("NFC", text).split()
    return sha256(" ".join(words).encode("utf-8", "replace")).hexdigest() if words else None


def minhash(text: str) -> list[int] | None:
    """The signature of a text: PERMUTATIONS numbers of 32 bits; None if it has no words."""
    words = _words(text)
    if not words:
        return None
    starts = range(max(1, len(words) - SHINGLE + 1))
    hashes = np.array([crc32(b" ".join(words[start : start + SHINGLE])) for start in starts], dtype=np.uint64)
    factors, summands = _functions()
    parts = (hashes[start : start + _AT_ONCE] for start in range(0, len(hashes), _AT_ONCE))
    least = [(factors * part + summands).min(axis=1) for part in parts]  # each (permutations,), modulo 2^64
    signature: list[int] = (np.min(least, axis=0) >> np.uint64(32)).tolist()
    return signature


def resemblance(one: Signature, other: Signature) -> float:
    """About the share of shingles that two texts have in common, by their signatures."""
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def groups(signatures: Sequence[Signature | None], *, threshold: float = 0.8, bands: int = 32) -> list[list[int]]:
    """Which texts are near-duplicates: groups of places in `signatures`, each in order, the group of the first first.

    Two texts are in one group if their resemblance is at least `threshold`, or if others lead from one to the other.
    Only texts are compared whose signatures are equal in one of `bands` parts of the same length (locality-sensitive
    hashing). With 32 bands of 4 numbers, texts of resemblance s meet with probability 1 - (1 - s^4)^32: 1.000 for 0.8,
    0.87 for 0.5. A None, for a page without text, is in no group. The order of texts changes no group.

    Raises OptionError for an impossible threshold or number of bands, and for a wrong signature.
    """
    if not 0 < threshold <= 1:
        raise OptionError(f"a threshold is above 0 and at most 1, not {threshold}")
    if bands < 1 or PERMUTATIONS % bands:
        raise OptionError(f"bands must divide {PERMUTATIONS}, which {bands} does not")
    if any(signature is not None and len(signature) != PERMUTATIONS for signature in signatures):
        raise OptionError(f"a signature has {PERMUTATIONS} numbers")
    places: dict[bytes, list[int]] = defaultdict(list)
    for place, signature in enumerate(signatures):
        if signature is not None:
            places[np.asarray(signature, dtype=np.uint32).tobytes()].append(place)
    together = list(places.values())
    table = np.frombuffer(b"".join(places), dtype=np.uint32).reshape(len(together), PERMUTATIONS)
    leader = list(range(len(together)))
    for band in np.split(table, bands, axis=1):
        for members in _equal_rows(band):
            if len({_leader(leader, each) for each in members.tolist()}) > 1:
                _join(leader, members, table, threshold)
    found: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(together):
        found[_leader(leader, number)] += each
    return sorted(sorted(group) for group in found.values() if len(group) > 1)


def _words(text: str) -> list[bytes]:
    plain = normalize("NFC", text).lower()
    pattern = _WORD_OR_CHARACTER if _HAS_UNSPACED.search(plain) else _WORD
    return [word.encode("utf-8", "replace") for word in pattern.findall(plain)]


@cache
def _functions() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Factors and summands of the hash functions, each (permutations, 1)."""
    digests = b"".join(sha256(f"tamis minhash {number}".encode()).digest()[:16] for number in range(PERMUTATIONS))
    numbers = np.frombuffer(digests, dtype="<u8").astype(np.uint64).reshape(PERMUTATIONS, 2)
    return numbers[:, :1], numbers[:, 1:]


def _equal_rows(table: NDArray[np.uint32]) -> list[NDArray[np.int64]]:
    """The numbers of rows that are equal, where there are several."""
    keys = np.ascontiguousarray(table).view(f"V{table.shape[1] * table.itemsize}").ravel()
    _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
    order = np.argsort(which, kind="stable")
    return [rows for rows in np.split(order, np.cumsum(counts)[:-1]) if len(rows) > 1]


def _join(leader: list[int], members: NDArray[np.int64], table: NDArray[np.uint32], threshold: float) -> None:
    """Put members that resemble each other into one group. What has joined one is not compared with it again."""
    while len(members) > 1:
        queue, members = [int(members[0])], members[1:]
        while queue and len(members):
            member = queue.pop()
            is_near = (table[members] == table[member]).mean(axis=1) >= threshold
            near, members = members[is_near].tolist(), members[~is_near]
            for similar in near:
                leader[_leader(leader, similar)] = _leader(leader, member)
            queue += near


def _leader(leader: list[int], member: int) -> int:
    """The number by which the group of a member is known."""
    while leader[member] != member:
        leader[member] = leader[leader[member]]
        member = leader[member]
    return member
