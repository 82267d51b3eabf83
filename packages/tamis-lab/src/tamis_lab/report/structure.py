"""The counts of structure as one HTML file that opens without a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import tamis
from tamis.errors import OptionError
from tamis_lab.bench.bench import SEEN, pages_text
from tamis_lab.bench.runner import Selection
from tamis_lab.bench.structure.elements import KINDS
from tamis_lab.bench.structure.summary import WHOLE_PAGE, StructureSummary, lead_text
from tamis_lab.extras import needs
from tamis_lab.report.template import sampled, template
from tamis_lab.style import head


def write_structure_report(
    path: Path, summaries: Sequence[StructureSummary], selections: Mapping[str, Selection], left_out: Mapping[str, str]
) -> None:
    """Write the report; `left_out` as for `write_report`. Raises MissingExtra and OptionError."""
    with needs("bench", "the benchmark's report"):
        from markupsafe import Markup

    labels = ", ".join(summary.label for summary in summaries)
    html = template("structure.html.j2").render(
        head=Markup(head(f"tamis bench --structure: {labels}")),  # noqa: S704 escaped there
        summaries=summaries,
        pages_text=pages_text,
        sampled=sampled(selections),
        left_out=left_out,
        kinds=KINDS,
        lead_text=lead_text,
        whole_page=WHOLE_PAGE,
        seen=SEEN,
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        tamis_version=tamis.__version__,
    )
    try:
        path.write_text(html, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None
