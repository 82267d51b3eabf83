"""Figures as plain text, beside those of `benchmarks/scores.toml` and the bars."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from tamis_lab.scores import sets
from tamis_lab.scores.figures import Figures

Stored = dict[str, dict[str, Figures]]  # by column and set

MISSED = "!"
_COUNTS = (
    "pages",
    "pages lost",
    "pages flooded",
    "pages failed",
    "pages ending in a heading",
    "pages with comments",
    "words of comments",
)
_SCORES = ("F1", "precision", "recall")
_NAME_WIDTH, _LEAST_WIDTH = 34, 12  # of columns


def table(title: str, system: str, found: Mapping[str, Figures], stored: Stored, notes: Mapping[str, str]) -> str:
    """A row for each figure of each set; `notes` are behind the names of sets."""
    columns = [system, "bar", *stored]
    widths = [max(_LEAST_WIDTH, len(column)) for column in columns]
    lines = [title, _line("", columns, widths)]
    missed = bars = 0
    for name, figures in found.items():
        lines += ["", f"{name}{f' ({notes[name]})' if notes.get(name) else ''}"]
        for figure, value in figures.items():
            bar = sets.bar(name, figure, int(figures["pages"]))
            is_missed = bar is not None and not bar.holds(value)
            missed, bars = missed + is_missed, bars + (bar is not None)
            limit = "" if bar is None else f"{'<=' if bar.at_most else '>='} {shown(figure, bar.value)}"
            others = [shown(figure, column.get(name, {}).get(figure)) for column in stored.values()]
            cells = [shown(figure, value), f"{limit} {MISSED if is_missed else ' '}", *others]
            lines.append(_line(f"  {figure}", cells, widths))
    return "\n".join([*lines, "", f"{missed} of {bars} bars missed ({MISSED})"])


def shown(figure: str, value: float | None) -> str:
    """A figure as text: a number, a score from 0 to 1, or a share in percent."""
    if value is None:
        return "-"
    if figure in _COUNTS:
        return f"{value:,.0f}"
    return f"{value:.3f}" if any(word in figure for word in _SCORES) else f"{value:.1%}"


def _line(name: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    return (
        f"{name:{_NAME_WIDTH}s}"
        + "".join(f"  {cell:>{width}s}" for cell, width in zip(cells, widths, strict=True)).rstrip()
    )


def read(path: Path) -> Stored:
    """The stored columns; none without a file."""
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def store(path: Path, name: str, found: Mapping[str, Figures]) -> None:
    """Write figures under a name; those of other sets stay."""
    stored = read(path)
    stored[name] = stored.get(name, {}) | {key: dict(figures) for key, figures in found.items()}
    parts = [_HEAD]
    for column, by_set in stored.items():
        for each, figures in by_set.items():
            rows = [f"{json.dumps(figure)} = {round(value, 5):g}" for figure, value in figures.items()]
            parts.append("\n".join([f"[{json.dumps(column)}.{json.dumps(each)}]", *rows]))
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_HEAD = "# Figures of releases and peers, by column and set; `python -m tamis_lab.scores --store NAME` writes them."
