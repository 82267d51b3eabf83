"""Reports of benchmark runs, each one HTML file that opens without a network.

The report on texts quotes pages of the corpora, so it must not be published or committed.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tamis
from tamis.errors import OptionError
from tamis.render import safe
from tamis_lab import needs
from tamis_lab.bench.metadata import ALL_ANSWERS, PAGES_WITH_GOLD, MetadataSummary, caption, shown
from tamis_lab.bench.runner import Selection
from tamis_lab.bench.structure.bench import WHOLE_PAGE, StructureSummary, lead_text
from tamis_lab.bench.structure.page import KINDS
from tamis_lab.bench.text import CUTS, SEEN, SIGNIFICANT, TextSummary, p_text, pages_text
from tamis_lab.report.differences import compare
from tamis_lab.reproduce.page import head


def write_report(
    path: Path,
    summaries: Sequence[TextSummary],
    selections: Mapping[str, Selection],
    left_out: Mapping[str, str],
    *,
    workers: int | None = None,
) -> None:
    """Write the report of a run; `selections` are the corpora by label, `left_out` the contestants that could not run.

    Raises MissingExtra and OptionError.
    """
    with needs("bench", "the benchmark's report"):
        from markupsafe import Markup

        from tamis_lab.report import charts

    sections = [
        {
            "number": number,
            "summary": summary,
            "cuts": [cut for cut in CUTS if summary.groups(cut)],
            # Not escaped: charts drawn here.
            "leaderboard": Markup(charts.leaderboard(summary, f"c{number}-board")),  # noqa: S704
            "cost": Markup(charts.cost(summary, f"c{number}-cost")),  # noqa: S704
            "spread": Markup(charts.spread(summary, f"c{number}-spread")),  # noqa: S704
            "pair": compare(summary, selections[summary.label], workers=workers),
        }
        for number, summary in enumerate(summaries, 1)
    ]
    script = Path(__file__).with_name("report.js").read_text(encoding="utf-8")
    labels = ", ".join(summary.label for summary in summaries)
    _write(
        path,
        "report.html.j2",
        head(f"tamis bench: {labels}", scripts=safe.digest(script)),
        selections,
        left_out,
        {
            "script": Markup(script),  # noqa: S704 ours
            "link": lambda url: Markup(safe.attributes({"href": url})),  # noqa: S704 written by `safe`
            "sections": sections,
            "best_scores": lambda summary, cut: {  # the best mean of each group, in bold
                value: max(row.cuts[cut][value].mean for row in summary.rows) for value in summary.groups(cut)
            },
            "p_text": p_text,
            "significant": SIGNIFICANT,
            "seen": SEEN,
            "machine": f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        },
    )


def write_structure_report(
    path: Path, summaries: Sequence[StructureSummary], selections: Mapping[str, Selection], left_out: Mapping[str, str]
) -> None:
    """Write the report on structure; `left_out` as for `write_report`. Raises MissingExtra and OptionError."""
    title = head(f"tamis bench --structure: {', '.join(summary.label for summary in summaries)}")
    facts: dict[str, Any] = {"kinds": KINDS, "lead_text": lead_text, "whole_page": WHOLE_PAGE, "seen": SEEN}
    _write(path, "structure.html.j2", title, selections, left_out, facts | {"summaries": summaries})


def write_metadata_report(
    path: Path, summaries: Sequence[MetadataSummary], selections: Mapping[str, Selection], left_out: Mapping[str, str]
) -> None:
    """Write the report on metadata; `left_out` as for `write_report`. Raises MissingExtra and OptionError."""
    title = head(f"tamis bench --metadata: {', '.join(summary.label for summary in summaries)}")
    facts: dict[str, Any] = {"caption": caption, "shown": shown, "kinds": (ALL_ANSWERS, PAGES_WITH_GOLD)}
    _write(path, "metadata.html.j2", title, selections, left_out, facts | {"summaries": summaries})


def _write(
    path: Path,
    template: str,
    head: str,
    selections: Mapping[str, Selection],
    left_out: Mapping[str, str],
    facts: Mapping[str, Any],
) -> None:
    """Fill a template of this folder. Values are escaped, and a missing one is an error."""
    with needs("bench", "the benchmark's report"):
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup

    environment = Environment(
        autoescape=True,
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    seeds = {label: selection.seed for label, selection in selections.items() if selection.limit}
    html = environment.get_template(template).render(
        head=Markup(head),  # noqa: S704 escaped by `style.head`
        sampled=lambda label: f", chosen by page type, seed {seeds[label]}" if label in seeds else "",
        left_out=left_out,
        pages_text=pages_text,
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        tamis_version=tamis.__version__,
        **facts,
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None
