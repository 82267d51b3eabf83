"""Charts as SVG. Curves differ by line style and not by colour alone."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tamis.arrays import Floats
from tamis.lab.style import CHARTS

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

    return _svg(draw, (8, 0.25 * len(values) + 1))


def _plot(
    curves: Mapping[str, tuple[Floats, Floats]], x_label: str, y_label: str, size: tuple[float, float], marker: str
) -> str:
    def draw(axes: Axes) -> None:
        for (name, (x, y)), style in zip(curves.items(), cycle(_STYLES), strict=False):
            axes.plot(x, y, linestyle=style, marker=marker, label=name)
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.legend(frameon=False)

    return _svg(draw, size)


def _svg(draw: Callable[[Axes], None], size: tuple[float, float]) -> str:
    """A chart in the look of those of the report; it has no background, so that a page can be dark."""
    with mpl.rc_context(fname=CHARTS):
        figure = Figure(figsize=size, layout="tight")
        draw(figure.subplots())
        written = io.StringIO()
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
    svg = written.getvalue()
    return svg[svg.index("<svg") :]
