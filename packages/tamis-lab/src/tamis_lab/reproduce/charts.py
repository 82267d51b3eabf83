"""Charts as SVG. Curves differ by line style and not by colour alone."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

import numpy as np
from matplotlib.axes import Axes

from tamis.arrays import Floats
from tamis_lab.style import svg

_STYLES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1, 4, 1)))


def lines(curves: Mapping[str, Floats], x_label: str, y_label: str) -> str:
    """One line a curve over 0, 1, 2, ..."""
    over_number = {name: (np.arange(len(values), dtype=np.float64), values) for name, values in curves.items()}
    return _plot(over_number, x_label, y_label, (8, 4), marker="")


def points(curves: Mapping[str, tuple[Floats, Floats]], x_label: str, y_label: str) -> str:
    """One line with its points a curve, from columns of x and y."""
    return _plot(curves, x_label, y_label, (6, 5), marker="o")


def bars(values: Mapping[str, float], label: str) -> str:
    """Horizontal bars, the first on top."""

    def draw(axes: Axes) -> None:
        axes.barh(list(values)[::-1], list(values.values())[::-1], color="#777")
        axes.set_xlabel(label)

    return svg(draw, (8, 0.25 * len(values) + 1), label)


def _plot(
    curves: Mapping[str, tuple[Floats, Floats]], x_label: str, y_label: str, size: tuple[float, float], marker: str
) -> str:
    def draw(axes: Axes) -> None:
        for (name, (x, y)), style in zip(curves.items(), cycle(_STYLES), strict=False):
            axes.plot(x, y, linestyle=style, marker=marker, label=name)
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.legend(frameon=False)

    return svg(draw, size, f"{y_label} by {x_label}")
