"""Counts of pages by how they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from tamis.batch.records import Answer, Letter, Refused


@dataclass
class Tally:
    """Counts of pages: output rows, dead letters by kind and refusals by filter add up to all."""

    rows: int = 0
    empty: int = 0  # rows without any content or, where they are all that was asked for, metadata
    bytes: int = 0  # of the pages that have rows
    characters: int = 0  # of their texts
    seconds: float = 0.0  # of work on them
    letters: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def pages(self) -> int:
        """All of them."""
        return self.rows + self.letters.total() + self.refused.total()

    def add(self, answers: Iterable[Answer]) -> None:
        """Count answers."""
        for answer in answers:
            if isinstance(answer, Letter):
                self.letters[str(answer.kind)] += 1
            elif isinstance(answer, Refused):
                self.refused[answer.filter] += 1
            else:
                self.rows += 1
                self.empty += answer.empty
                self.bytes += answer.bytes
                self.characters += answer.characters
                self.seconds += answer.seconds

    def merge(self, other: Tally) -> None:
        """Add the counts of another."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        counters = {"letters": dict(sorted(self.letters.items())), "refused": dict(sorted(self.refused.items()))}
        return {"pages": self.pages} | vars(self) | {"seconds": round(self.seconds, 3)} | counters

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """What `as_dict` gave. Raises KeyError and TypeError for anything else."""
        counters = {name: Counter(plain[name]) for name in ("letters", "refused")}
        return cls(**{each.name: plain[each.name] for each in fields(cls)} | counters)
