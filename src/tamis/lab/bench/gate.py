"""Floors under the benchmark: the gate fails where a contestant scores below its floor, and says where.

A floors file is TOML, one table for each contestant and corpus. A floor holds for one corpus digest and one number
of pages, because scores over other pages can't be compared. The gate passes only if every floor was checked.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tamis.errors import OptionError
from tamis.lab.bench.bench import Summary

_HEADER = """\
# Floors of mean token F1; `tamis bench --gate` fails below them.
# `--update-gate` raises them, and lowers them only together with `--lower-floors`.
"""
_DECIMALS = 4  # floors are rounded down to as many, so that the run that set them passes them
_STEPS = 10_000


@dataclass(frozen=True)
class Floor:
    """What a contestant must reach on a corpus."""

    corpus: str  # the selection, as on the command line
    digest: str
    pages: int
    contestant: str
    overall: float
    page_types: dict[str, float]

    @property
    def values(self) -> dict[str, float]:
        """All floors by name, overall first."""
        return {"overall": self.overall} | {f"page type {name}": floor for name, floor in self.page_types.items()}


def measured(summaries: Sequence[Summary]) -> list[Floor]:
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
        for row in summary.rows
        if not row.has_seen  # a fit to these very pages must not raise a floor
    ]


def violations(floors: Sequence[Floor], reached: Sequence[Floor]) -> list[str]:
    """One line for each floor that is not reached, or that can't be judged."""
    found = {(floor.corpus, floor.contestant): floor for floor in reached}
    lines: list[str] = []
    for floor in floors:
        where = f"{floor.corpus}: {floor.contestant}"
        now = found.get((floor.corpus, floor.contestant))
        if now is None:
            lines.append(f"{where}: has a floor but was not run")
        elif now.digest != floor.digest:
            lines.append(
                f"{where}: the corpus is not the one the floors were set on "
                f"(digest {now.digest[:16]}, floors for {floor.digest[:16]}); set them anew with --update-gate"
            )
        elif now.pages != floor.pages:
            lines.append(f"{where}: the floors are for {floor.pages:,} pages, this run has {now.pages:,}")
        else:
            lines += [
                f"{where}: {name} F1 {now.values.get(name, 0.0):.4f} is below its floor {value:.4f}"
                for name, value in floor.values.items()
                if now.values.get(name, 0.0) < value
            ]
    return lines


def updated(floors: Sequence[Floor], reached: Sequence[Floor], *, lower: bool) -> list[Floor]:
    """Floors raised to what was reached; none becomes lower, except with `lower`.

    Where the pages have changed a floor is replaced as a whole. If any of its values would be lower, it stays as it
    is, and then fails the gate.
    """
    merged = {(floor.corpus, floor.contestant): floor for floor in floors}
    for now in reached:
        key = (now.corpus, now.contestant)
        old = merged.get(key)
        if old is None or lower or all(now.values.get(name, 0.0) >= value for name, value in old.values.items()):
            merged[key] = now
        elif (old.digest, old.pages) == (now.digest, now.pages):
            merged[key] = replace(
                now,
                overall=max(old.overall, now.overall),
                page_types={
                    name: max(old.page_types.get(name, 0.0), now.page_types.get(name, 0.0))
                    for name in old.page_types | now.page_types
                },
            )
    return [merged[key] for key in sorted(merged)]


def read(path: Path) -> list[Floor]:
    """Read a floors file. Raises OptionError."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))["floor"]
        return [
            Floor(
                corpus=str(table["corpus"]),
                digest=str(table["digest"]),
                pages=int(table["pages"]),
                contestant=str(table["contestant"]),
                overall=float(table["overall"]),
                page_types={name: float(value) for name, value in table.get("page_types", {}).items()},
            )
            for table in tables
        ]
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror or error}") from None
    except KeyError as error:
        raise OptionError(f"{path}: not a floors file: {error} is missing") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise OptionError(f"{path}: not a floors file: {error}") from None


def write(path: Path, floors: Sequence[Floor]) -> None:
    """Write a floors file. Raises OptionError."""
    tables = [_HEADER]
    for floor in floors:
        lines = [
            "[[floor]]",
            f"corpus = {_quoted(floor.corpus)}",
            f"digest = {_quoted(floor.digest)}",
            f"pages = {floor.pages}",
            f"contestant = {_quoted(floor.contestant)}",
            f"overall = {floor.overall:.{_DECIMALS}f}",
        ]
        if floor.page_types:
            lines.append("[floor.page_types]")
            lines += [f"{_quoted(name)} = {value:.{_DECIMALS}f}" for name, value in floor.page_types.items()]
        tables.append("\n".join(lines) + "\n")
    try:
        path.write_text("\n".join(tables), encoding="utf-8")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a string of JSON is one of TOML


def _rounded_down(value: float) -> float:
    # Rounded first: 0.6999999999999 is 0.7, added up in another order.
    return math.floor(round(value * _STEPS, 6)) / _STEPS
