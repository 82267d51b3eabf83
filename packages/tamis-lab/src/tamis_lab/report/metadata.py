"""The scores of metadata as one HTML file that opens without a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import tamis
from tamis.errors import OptionError
from tamis_lab.bench.bench import pages_text
from tamis_lab.bench.metadata.summary import ALL_ANSWERS, PAGES_WITH_GOLD, MetadataSummary, caption, shown
from tamis_lab.bench.runner import Selection
from tamis_lab.extras import needs
from tamis_lab.report.template import sampled, template
from tamis_lab.style import head


def write_metadata_report(
    path: Path, summaries: Sequence[MetadataSummary], selections: Mapping[str, Selection], left_out: Mapping[str, str]
) -> None:
    """Write the report; `left_out` as for `write_report`. Raises MissingExtra and OptionError."""
    with needs("bench", "the benchmark's report"):
        from markupsafe import Markup

    labels = ", ".join(summary.label for summary in summaries)
    html = template("metadata.html.j2").render(
        head=Markup(head(f"tamis bench --metadata: {labels}")),  # noqa: S704 escaped there
        summaries=summaries,
        pages_text=pages_text,
        sampled=sampled(selections),
        left_out=left_out,
        caption=caption,
        shown=shown,
        kinds=(ALL_ANSWERS, PAGES_WITH_GOLD),
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        tamis_version=tamis.__version__,
    )
    try:
        path.write_text(html, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None
