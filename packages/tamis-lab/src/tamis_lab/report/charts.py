"""The charts of the report as SVG, readable in black and white: shape before colour."""

from __future__ import annotations

from typing import Any

from tamis_lab import needs
from tamis_lab.bench.text import FIT, TextRow, TextSummary
from tamis_lab.reproduce.page import svg

with needs("bench", "charts"):
    from matplotlib.lines import Line2D
    from matplotlib.ticker import LogFormatter

# A marker, a colour (of Okabe and Ito's set, which the colour-blind can tell apart) and a hatch a kind.
_LOOKS = {"extractor": ("o", "#0072b2", "///"), "peer": ("s", "#d55e00", ""), "own": ("^", "#009e73", "...")}
_KINDS = {"extractor": "tamis", "peer": "peer", "own": "your own"}

_WIDTH = 7.2  # inches
_ROW = 0.27


class _Plain(LogFormatter):
    """Labels such as 0.5, 4 and 10, at the ticks that matplotlib chooses to label."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return f"{x:g}" if super().__call__(x, pos) else ""


def leaderboard(summary: TextSummary, name: str) -> str:
    """Mean F1 with its interval, a line a contestant."""

    def draw(axes: Any) -> None:
        for place, row in enumerate(summary.everyone):
            colour = _LOOKS[row.kind][1]
            axes.plot([row.f1.low, row.f1.high], [place, place], color=colour, linewidth=2.2, solid_capstyle="butt")
            axes.plot(row.f1.mean, place, **_point(row), markersize=6, markeredgewidth=1.3)
        _contestants(axes, summary)
        axes.set_xlabel("mean F1 with its 95 % interval")
        _legend(axes, summary)

    return svg(draw, _size(summary), f"Mean F1 of each contestant on {summary.title}", name)


def spread(summary: TextSummary, name: str) -> str:
    """Boxes of the F1 of single pages: half of them in the box, nine of ten between the whiskers."""

    def draw(axes: Any) -> None:
        boxes = axes.boxplot(
            [list(row.by_page.values()) for row in summary.everyone],
            orientation="horizontal",
            positions=range(len(summary.everyone)),
            widths=0.58,
            whis=(5, 95),
            showfliers=False,
            showmeans=True,
            patch_artist=True,
            medianprops={"color": "black", "linewidth": 1.6},
            meanprops={"marker": "D", "markersize": 4, "markerfacecolor": "white", "markeredgecolor": "black"},
            whiskerprops={"color": "#555555"},
            capprops={"color": "#555555"},
        )
        for box, row in zip(boxes["boxes"], summary.everyone, strict=True):
            _, colour, hatch = _LOOKS[row.kind]
            box.set(facecolor="white", edgecolor=colour, hatch=hatch)
        _contestants(axes, summary)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xlabel("F1 of single pages: box 25-75 %, whiskers 5-95 %, line median, diamond mean")

    return svg(draw, _size(summary), f"Distribution of F1 over the pages of {summary.title}", name)


def cost(summary: TextSummary, name: str) -> str:
    """Quality against time a page, with a line through those that nobody beats in both."""

    def draw(axes: Any) -> None:
        front = _front(summary.rows)
        axes.set_xscale("log")
        axes.plot([_ms(row) for row in front], [row.f1.mean for row in front], "--", color="#777777", linewidth=1)
        for row in summary.everyone:
            axes.plot(_ms(row), row.f1.mean, **_point(row), markersize=7, markeredgewidth=1.4)
        axes.margins(x=0.12, y=0.08)
        axes.xaxis.set_major_formatter(_Plain())
        axes.xaxis.set_minor_formatter(_Plain())
        axes.set_xlabel("median milliseconds a page (log scale)")
        axes.set_ylabel("mean F1")
        _legend(axes, summary)
        _label_points(axes, summary)

    return svg(draw, (_WIDTH, 4.6), f"Mean F1 against time a page on {summary.title}", name)


def _point(row: TextRow) -> dict[str, str]:
    """The look of a contestant's point; peers are hollow, so that they differ without colour."""
    marker, colour, _ = _LOOKS[row.kind]
    face = "white" if row.kind == "peer" else colour
    return {"linestyle": "", "marker": marker, "color": colour, "markerfacecolor": face}


def _ms(row: TextRow) -> float:
    return max(row.seconds * 1000, 0.001)  # zero is not on a log scale


def _front(rows: list[TextRow]) -> list[TextRow]:
    front: list[TextRow] = []
    for row in sorted(rows, key=lambda row: (_ms(row), -row.f1.mean)):
        if not front or row.f1.mean > front[-1].f1.mean:
            front.append(row)
    return front


def _label_points(axes: Any, summary: TextSummary) -> None:
    """Write names next to the points, each at the first place where it covers nothing."""
    axes.figure.draw_without_rendering()  # places are known only then
    rows = summary.everyone
    points = [axes.transData.transform((_ms(row), row.f1.mean)) for row in rows]
    frame = axes.get_window_extent()
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in points]
    for row, (x, y) in zip(rows, points, strict=True):
        name = _name(row, summary)
        wide, high = len(name) * 5.0, 10
        near = [(8, -4), (-wide - 8, -4), (-wide / 2, 8), (-wide / 2, -18), (8, 7), (-wide - 8, 7), (8, -15)]
        for right, up in [*near, (8, 19), (8, -27), (-wide - 8, 19), (-wide - 8, -27), (8, 31), (8, -39)]:
            box = (x + right, y + up, x + right + wide, y + up + high)
            inside = frame.x0 < box[0] and box[2] < frame.x1 and frame.y0 < box[1] and box[3] < frame.y1
            if inside and not any(
                box[0] < there[2] and there[0] < box[2] and box[1] < there[3] and there[1] < box[3] for there in taken
            ):
                break
        taken.append(box)
        far = abs(box[1] + 4 - y) > 14
        label = axes.annotate(
            name,
            (x, y),
            (box[0], box[1] + 2),
            xycoords="figure pixels",
            textcoords="figure pixels",
            fontsize=8,
            color="#222222",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85},
            arrowprops={"arrowstyle": "-", "color": "#aaaaaa", "linewidth": 0.6} if far else None,
        )
        label.set_in_layout(False)  # or the names would move the points


def _name(row: TextRow, summary: TextSummary) -> str:
    return f"{row.contestant} {FIT}" if row in summary.seen else row.contestant


def _contestants(axes: Any, summary: TextSummary) -> None:
    axes.set_yticks(range(len(summary.everyone)), [_name(row, summary) for row in summary.everyone])
    axes.set_ylim(len(summary.everyone) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _legend(axes: Any, summary: TextSummary) -> None:
    shown = {row.kind: row for row in summary.everyone}
    if len(shown) > 1:
        handles = [Line2D([], [], **_point(row)) for row in shown.values()]  # type: ignore[arg-type]
        names = [_KINDS[kind] for kind in shown]
        axes.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(shown), frameon=False)


def _size(summary: TextSummary) -> tuple[float, float]:
    return _WIDTH, 0.8 + _ROW * len(summary.everyone)
