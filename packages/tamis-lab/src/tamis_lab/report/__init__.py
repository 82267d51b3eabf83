"""The report of a benchmark run as one HTML file that opens without a network.

It quotes pages of the corpora, so it must not be published or committed.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import tamis
from tamis.errors import OptionError
from tamis.render import safe
from tamis_lab.bench.bench import CUTS, SEEN, SIGNIFICANT, Summary, p_text, pages_text
from tamis_lab.bench.runner import Selection
from tamis_lab.extras import needs
from tamis_lab.report.differences import Pair, compare
from tamis_lab.style import head


class Section(NamedTuple):
    """What the report says of one corpus; charts are SVG."""

    number: int
    summary: Summary
    cuts: list[str]
    leaderboard: str
    cost: str
    spread: str
    pair: Pair | None


def write_report(
    path: Path,
    summaries: Sequence[Summary],
    selections: Mapping[str, Selection],
    left_out: Mapping[str, str],
    *,
    workers: int | None = None,
) -> None:
    """Write the report of a run; `selections` are the corpora by label, to quote pages from.

    `left_out` are contestants that could not run, each with the reason.
    Raises MissingExtra and OptionError.
    """
    with needs("bench", "the benchmark's report"):
        from markupsafe import Markup

        from tamis_lab.report import charts
        from tamis_lab.report.template import sampled, template

    page = template("report.html.j2")
    sections = [
        Section(
            number=number,
            summary=summary,
            cuts=[cut for cut in CUTS if summary.groups(cut)],
            # Not escaped: charts drawn here.
            leaderboard=Markup(charts.leaderboard(summary, f"c{number}-board")),  # noqa: S704
            cost=Markup(charts.cost(summary, f"c{number}-cost")),  # noqa: S704
            spread=Markup(charts.spread(summary, f"c{number}-spread")),  # noqa: S704
            pair=compare(summary, selections[summary.label], workers=workers),
        )
        for number, summary in enumerate(summaries, 1)
    ]
    script = Path(__file__).with_name("report.js").read_text(encoding="utf-8")
    labels = ", ".join(summary.label for summary in summaries)
    html = page.render(
        # Written by `safe`, or ours.
        head=Markup(head(f"tamis bench: {labels}", scripts=safe.digest(script))),  # noqa: S704
        script=Markup(script),  # noqa: S704
        link=lambda url: Markup(safe.attributes({"href": url})),  # noqa: S704
        sections=sections,
        best_scores=_best_scores,
        p_text=p_text,
        significant=SIGNIFICANT,
        seen=SEEN,
        pages_text=pages_text,
        sampled=sampled(selections),
        left_out=left_out,
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        tamis_version=tamis.__version__,
        machine=f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None


def _best_scores(summary: Summary, cut: str) -> dict[str, float]:
    """The best mean of each group, to be set in bold."""
    return {value: max(row.cuts[cut][value].mean for row in summary.rows) for value in summary.groups(cut)}
