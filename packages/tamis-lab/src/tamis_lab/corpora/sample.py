"""Some pages of a corpus that stand for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from hashlib import sha256

from tamis_lab.corpora.reader import Entry

SEED = 1


def sample(
    entries: Sequence[Entry], page_type: Callable[[Entry], str | None], count: int, seed: int = SEED
) -> list[Entry]:
    """`count` of the entries, in their order: of each page type its share, and among them at random by the seed.

    A larger sample of the same seed has all pages of a smaller one, so that a run can be extended.
    """
    if count >= len(entries):
        return list(entries)
    by_type: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_type[page_type(entry) or ""].append(entry)
    places: dict[Entry, float] = {}
    for some in by_type.values():
        for number, entry in enumerate(sorted(some, key=lambda entry: _drawn(entry, seed))):
            places[entry] = (number + 0.5) / len(some)  # each type is spread evenly from 0 to 1
    chosen = set(sorted(entries, key=places.__getitem__)[:count])
    return [entry for entry in entries if entry in chosen]


def _drawn(entry: Entry, seed: int) -> bytes:
    """A random number that depends on nothing but the page and the seed."""
    return sha256(f"{seed} {entry.split} {entry.id}".encode("utf-8", "replace")).digest()
