"""Which of several media types a client prefers, by its Accept header (RFC 9110, 12.5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Name = TypeVar("Name", bound=str)


def best(header: str, offered: Sequence[Name]) -> Name | None:
    """The offered type that the header prefers, the first of equals; None if it accepts none of them."""
    if not header.strip():
        return offered[0]
    ranges = [_range(part) for part in header.split(",")]
    weights = [(_weight(name, ranges), name) for name in offered]
    weight, name = max(weights, key=lambda pair: pair[0])
    return name if weight > 0 else None


def _range(part: str) -> tuple[str, float]:
    """A range of media types and its weight."""
    name, *parameters = (word.strip().lower() for word in part.split(";"))
    quality = next((word[2:] for word in parameters if word.startswith("q=")), "1")
    try:
        weight = float(quality)
    except ValueError:
        weight = 0.0
    return name, weight if 0 <= weight <= 1 else 0.0


def _weight(name: str, ranges: Sequence[tuple[str, float]]) -> float:
    """The weight of a media type: the most specific range decides."""
    for wanted in (name, f"{name.partition('/')[0]}/*", "*/*"):
        found = [weight for range, weight in ranges if range == wanted]
        if found:
            return max(found)
    return 0.0
