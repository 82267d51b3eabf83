"""A page of figures and charts: what the paper says, what was measured here, and how far apart they are.

All pages of the laboratory have one look: `style.css`, in the colours of explanations, light and dark.
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from html import escape
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tamis.arrays import Floats
from tamis.render import safe
from tamis_lab import needs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STYLE_SHEET = Path(__file__).parents[1] / "style.css"
_CHART_STYLE = Path(__file__).parents[1] / "charts.mplstyle"
_IDS = re.compile(r'(\bid="|url\(#|href="#)')


def head(title: str, *, scripts: str = "'none'") -> str:
    """The head of a page that is complete in itself; `scripts` is the digest of its script, see `safe.policy`."""
    style = _STYLE_SHEET.read_text(encoding="utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{safe.policy(scripts=scripts)}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{safe.text(title)}</title>\n<link rel="icon" href="data:,">\n<style>\n{style}</style>\n</head>'
    )


# Charts as SVG. Curves differ by line style and not by colour alone.


def svg(draw: Callable[[Any], None], size: tuple[float, float], described: str, name: str = "") -> str:
    """A chart drawn on matplotlib's axes; `size` is in inches. It is transparent, so that a page can be dark.

    Its ids start with `name`, or with a digest of the chart, so that several charts of a page share none. Raises
    MissingExtra.
    """
    with needs("bench", "charts"):
        import matplotlib as mpl
        from matplotlib.figure import Figure
    with mpl.rc_context(fname=_CHART_STYLE):
        figure = Figure(figsize=size, dpi=72, layout="constrained")
        draw(figure.add_subplot())
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    drawn = file.getvalue().partition("<svg ")[2]
    name = name or f"c{sha256(drawn.encode()).hexdigest()[:8]}"
    return f'<svg role="img" aria-label="{escape(described)}" ' + _IDS.sub(rf"\g<1>{name}-", drawn)


_LINE_STYLES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1, 4, 1)))


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
        for (name, (x, y)), line in zip(curves.items(), cycle(_LINE_STYLES), strict=False):
            axes.plot(x, y, linestyle=line, marker=marker, label=name)
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.legend(frameon=False)

    return svg(draw, size, f"{y_label} by {x_label}")


_COUNT = 1000  # from here on numbers are counts


@dataclass(frozen=True)
class Figure:
    """One number of the paper and ours, shown with the decimals of the paper's.

    `within` is the largest distance that is accepted; with `at_least`, any value from there up is accepted.
    `asked` is a bar of this project's own, which applies whether or not the paper has the figure.
    """

    name: str
    paper: float | None
    ours: float
    within: float | None = None
    note: str = ""
    at_least: float | None = None
    asked: float | None = None

    @property
    def met(self) -> bool | None:
        """Is ours close enough? None if nothing was asked for."""
        if self.asked is not None:
            return self.ours >= self.asked
        if self.paper is not None and self.at_least is not None:
            return self.ours >= self.at_least
        if self.paper is None or self.within is None:
            return None
        return abs(self.ours - self.paper) <= self.within

    @property
    def paper_text(self) -> str:
        """The paper's number as it prints it; empty if it has none."""
        return "" if self.paper is None else _text(self.paper, _own_decimals(self.paper))

    @property
    def ours_text(self) -> str:
        """Ours; below the bar with as many decimals as show it."""
        decimals = self._decimals
        while self.asked is not None and self.ours < self.asked <= round(self.ours, decimals):
            decimals += 1
        return _text(self.ours, decimals)

    @property
    def apart_text(self) -> str:
        """How far ours is from the paper's, with its sign; empty if there is none."""
        return "" if self.paper is None else _text(self.ours - self.paper, self._decimals, "+")

    @property
    def asked_text(self) -> str:
        """The bar of this project; empty if there is none."""
        return "" if self.asked is None else _text(self.asked, max(self._decimals, _own_decimals(self.asked)))

    @property
    def _decimals(self) -> int:
        """Counts have none; other numbers as many as in the paper, and below 1 at least three."""
        shown = self.ours if self.paper is None else self.paper
        own = _own_decimals(shown) if self.paper is not None or shown == round(shown) else 1
        return max(own, 3) if own and abs(shown) <= 1 else own


def _own_decimals(number: float) -> int:
    """As many as the number is written with; two at least for a share."""
    decimals = len(repr(round(number, 6)).partition(".")[2]) if isinstance(number, float) and number < _COUNT else 0
    return max(decimals, 2) if decimals and abs(number) < 1 else decimals


def _text(number: float, decimals: int, sign: str = "") -> str:
    rounded = round(number, decimals)
    return f"{rounded:{sign},.{decimals}f}" if rounded else f"{0:.{decimals}f}"


def compare(
    name: str,
    measures: Sequence[str],
    paper: Sequence[float] | None,
    ours: Sequence[float],
    within: Sequence[float] | None = None,
) -> list[Figure]:
    """One figure a measure, called `NAME: MEASURE`."""
    nothing = [None] * len(measures)
    rows = zip(measures, paper or nothing, ours, within or nothing, strict=True)
    return [Figure(f"{name}: {measure}", theirs, value, distance) for measure, theirs, value, distance in rows]


@dataclass(frozen=True)
class Section:
    """A table of figures, with words above and a chart (SVG or other HTML) below.

    Words that come from a file may name facts in braces, which are filled in.
    """

    title: str
    words: str = ""
    figures: Sequence[Figure] = ()
    chart: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class ReproducedPage:
    """All that was reproduced of one paper."""

    title: str
    words: str
    sections: list[Section] = field(default_factory=list)
    summary: tuple[str, ...] = ()  # lines for the terminal

    @classmethod
    def from_texts(cls, texts: Path, sections: Iterable[Section]) -> ReproducedPage:
        """A page with the texts of a TOML file: `title` and `words` of the page, and in `sections` words by title.

        Raises ValueError for a text of a section that is not there.
        """
        found = tomllib.loads(texts.read_text(encoding="utf-8"))
        words = {title: " ".join(text.split()) for title, text in found["sections"].items()}
        worded = []
        for section in sections:
            text = words.pop(section.title, None)
            worded.append(replace(section, words=text.format_map(section.facts)) if text else section)
        if words:
            raise ValueError(f"{texts} has texts for sections that are not on the page: {', '.join(words)}")
        return cls(found["title"], " ".join(found["words"].split()), worded)

    @property
    def figures(self) -> list[Figure]:
        """Every figure of every section."""
        return [figure for section in self.sections for figure in section.figures]

    def html(self) -> str:
        """The page, complete in itself."""
        body = "".join(_section(section) for section in self.sections)
        return (
            f"{head(self.title)}<body><header><h1>{safe.text(self.title)}</h1><p>{safe.text(self.words)}</p>"
            f"</header><main>{body}</main></body></html>\n"
        )


def _section(section: Section) -> str:
    rows = "".join(_row(figure) for figure in section.figures)
    head = "<thead><tr><th></th><th>paper</th><th>here</th><th>off by</th><th class=note></th></tr></thead>"
    table = f"<div class=wide><table>{head}<tbody>{rows}</tbody></table></div>" if rows else ""
    chart = f"<figure>{section.chart}</figure>" if section.chart else ""
    return f"<section><h2>{safe.text(section.title)}</h2><p>{safe.text(section.words)}</p>{table}{chart}</section>"


def _row(figure: Figure) -> str:
    missed = " class=missed" if figure.met is False else ""
    asked = f"asked for: at least {figure.asked_text}" if figure.asked_text else ""
    note = "; ".join(words for words in (figure.note, asked) if words)
    return (
        f"<tr><th scope=row>{safe.text(figure.name)}</th><td>{figure.paper_text}</td>"
        f"<td{missed}>{figure.ours_text}</td><td>{figure.apart_text}</td>"
        f"<td class=note>{safe.text(note)}</td></tr>"
    )
