"""Floors under the benchmark: the gate fails where a contestant scores below its floor, and says where.

A floors file is TOML, one table for each contestant and corpus. A floor holds for one corpus digest and one number
of pages, because scores over other pages can't be compared. The gate passes only if every floor of the run's kind was
checked: `text` (mean token F1) or `metadata` (accuracy by field, and ceilings of the share of answers without gold).
A score may be below its floor, or above its ceiling, by the tolerance of the file.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from tamis.errors import OptionError
from tamis_lab.bench.metadata import MetadataSummary
from tamis_lab.bench.text import TextSummary

TEXT = "text"  # a kind of floors
METADATA = "metadata"  # the other
_GROUPS = {TEXT: ("page_types",), METADATA: ("accuracy", "false_answers")}

TOLERANCE = 0.0005
_FLOOR = "below its floor"
_CEILING = "above its ceiling"

_HEADER = """\
# Floors of mean token F1 and, where the kind is metadata, of accuracy; `tamis bench --gate` fails below them.
# `--update-gate` raises them, and lowers them only together with `--lower-floors`.

# A score may be below its floor by as much: processors add numbers up in another order, so the score of a text that is
# close to the threshold can fall to the other side of it. docs/research/evaluation.md has the measurement.
tolerance = {tolerance:g}
"""
_DECIMALS = 4  # floors are rounded down, so that the run that set them passes them
_STEPS = 10_000


@dataclass(frozen=True)
class Floor:
    """What a contestant must reach on a corpus."""

    corpus: str  # the selection, as on the command line
    digest: str
    pages: int
    contestant: str
    overall: float | None = None  # text only
    page_types: dict[str, float] = field(default_factory=dict)
    accuracy: dict[str, float] = field(default_factory=dict)  # metadata only, by field
    false_answers: dict[str, float] = field(default_factory=dict)  # the ceilings

    @property
    def kind(self) -> str:
        """The kind of the scores."""
        return METADATA if self.overall is None else TEXT

    @property
    def key(self) -> tuple[str, str, str]:
        """There is one floor of each kind for a contestant on a corpus; text comes first in the file."""
        return "" if self.kind == TEXT else self.kind, self.corpus, self.contestant

    @property
    def limits(self) -> dict[tuple[str, str], float]:
        """Each floor, and negative each ceiling, by its kind and what it limits."""
        found = {(_FLOOR, "overall F1"): self.overall} if self.overall is not None else {}
        found |= {(_FLOOR, f"page type {name} F1"): value for name, value in self.page_types.items()}
        found |= {(_FLOOR, f"accuracy of the {name}"): value for name, value in self.accuracy.items()}
        false = "share of false answers for the"
        return found | {(_CEILING, f"{false} {name}"): -value for name, value in self.false_answers.items()}

    def below(self, other: Floor, tolerance: float = 0.0) -> dict[tuple[str, str], float]:
        """The limits of another that it does not keep within the tolerance, with its own values."""
        own = self.limits
        return {
            key: abs(own.get(key, 0.0))
            for key, value in other.limits.items()
            if own.get(key, 0.0) < round(value - tolerance, 6)
        }


class Floors(NamedTuple):
    """A floors file."""

    floors: list[Floor]
    tolerance: float = TOLERANCE


def measured(summaries: Sequence[TextSummary]) -> list[Floor]:
    """What the contestants reach now, in the form of floors."""
    return [
        Floor(
            corpus=summary.label,
            digest=summary.digest,
            pages=summary.pages,
            contestant=row.contestant,
            overall=_rounded_down(row.f1.mean),
            page_types={name: _rounded_down(row.cuts["page type"][name].mean) for name in summary.groups("page type")},
        )
        for summary in summaries
        for row in summary.rows  # not those that were trained on these pages: a fit must not raise a floor
    ]


def measured_metadata(summaries: Sequence[MetadataSummary]) -> list[Floor]:
    """What the contestants reach now. A fit to these pages counts, too: it is to notice what breaks."""
    return [
        Floor(
            corpus=summary.label,
            digest=summary.digest,
            pages=summary.pages,
            contestant=name,
            accuracy={field: _rounded_down(one.accuracy) for field, one in counts.items()},
            false_answers={field: -_rounded_down(-one.false_rate) for field, one in counts.items() if one.without},
        )
        for summary in summaries
        for name in summary.contestants
        for counts in [summary.counts_of(name)]
    ]


def violations(floors: Floors, reached: Sequence[Floor]) -> list[str]:
    """One line for each floor that is not reached, or that can't be judged."""
    found = {floor.key: floor for floor in reached}
    lines: list[str] = []
    for floor in floors.floors:
        where = f"{floor.corpus}: {floor.contestant}"
        now = found.get(floor.key)
        if now is None:
            lines.append(f"{where}: has a floor but was not run")
        elif now.digest != floor.digest:
            lines.append(
                f"{where}: the corpus is not the one the floors were set on "
                f"(digest {now.digest[:16]}, floors for {floor.digest[:16]}); set them again with --update-gate"
            )
        elif now.pages != floor.pages:
            lines.append(f"{where}: the floors are for {floor.pages:,} pages, this run has {now.pages:,}")
        else:
            lines += [
                f"{where}: {name} {value:.4f} is {side} {abs(floor.limits[side, name]):.4f} "
                f"by more than {floors.tolerance:g}"
                for (side, name), value in now.below(floor, floors.tolerance).items()
            ]
    return lines


def updated(floors: Floors, reached: Sequence[Floor], *, lower: bool) -> Floors:
    """Floors raised to what was reached; none becomes lower, except with `lower`.

    Where the pages have changed a floor is replaced as a whole. If any of its values would be lower, it stays as it
    is, and then fails the gate.
    """
    merged = {floor.key: floor for floor in floors.floors}
    for now in reached:
        old = merged.get(now.key)
        if old is None or lower or not now.below(old):
            merged[now.key] = now
        elif (old.digest, old.pages) == (now.digest, now.pages):
            merged[now.key] = replace(
                now,
                overall=None if now.overall is None else max(old.overall or 0.0, now.overall),
                page_types=_merged(old.page_types, now.page_types, max),
                accuracy=_merged(old.accuracy, now.accuracy, max),
                false_answers=_merged(old.false_answers, now.false_answers, min),
            )
    return floors._replace(floors=[merged[key] for key in sorted(merged)])


def _merged(old: dict[str, float], now: dict[str, float], choose: Callable[[float, float], float]) -> dict[str, float]:
    both = old | now
    return {name: choose(old.get(name, value), now.get(name, value)) for name, value in both.items()}


def read(path: Path) -> Floors:
    """Read a floors file. Raises OptionError."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        return Floors([_floor(table) for table in found["floor"]], float(found.get("tolerance", TOLERANCE)))
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror or error}") from None
    except KeyError as error:
        raise OptionError(f"{path}: not a floors file: {error} is missing") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise OptionError(f"{path}: not a floors file: {error}") from None


def _floor(table: Mapping[str, Any]) -> Floor:
    if (kind := table.get("kind", TEXT)) not in (TEXT, METADATA):
        raise ValueError(f"unknown kind {kind!r}")
    groups = {name: {key: float(value) for key, value in table.get(name, {}).items()} for name in _GROUPS[kind]}
    overall = float(table["overall"]) if kind == TEXT else None
    where = str(table["corpus"]), str(table["digest"]), int(table["pages"]), str(table["contestant"])
    return Floor(*where, overall, *(groups.get(name, {}) for name in ("page_types", "accuracy", "false_answers")))


def write(path: Path, floors: Floors) -> None:
    """Write a floors file. Raises OptionError."""
    tables = [_HEADER.format(tolerance=floors.tolerance)]
    for floor in floors.floors:
        lines = ["[[floor]]"]
        if floor.kind != TEXT:
            lines.append(f"kind = {_quoted(floor.kind)}")
        names = "corpus", "digest", "pages", "contestant"
        lines += [f"{name} = {_quoted(getattr(floor, name))}" for name in names]
        if floor.overall is not None:
            lines.append(f"overall = {floor.overall:.{_DECIMALS}f}")
        for name in _GROUPS[floor.kind]:
            if values := getattr(floor, name):
                lines.append(f"[floor.{name}]")
                lines += [f"{_quoted(key)} = {value:.{_DECIMALS}f}" for key, value in values.items()]
        tables.append("\n".join(lines) + "\n")
    try:
        path.write_text("\n".join(tables), encoding="utf-8")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None


def _quoted(value: str | int) -> str:
    return json.dumps(value, ensure_ascii=False)  # strings and numbers of JSON are also TOML


def _rounded_down(value: float) -> float:
    # Rounded first: 0.6999999999999 is 0.7, added up in another order.
    return math.floor(round(value * _STEPS, 6)) / _STEPS
