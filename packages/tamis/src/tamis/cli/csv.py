"""Pages as CSV (RFC 4180): a row for each page, below the names of the columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.page import Page

_METADATA = ("title", "author", "date", "site_name", "description", "language")
COLUMNS = ("page", "url", *_METADATA, "page_type", "words", "text")


def csv_head() -> str:
    """The names of the columns."""
    return _line(COLUMNS)


def csv_row(page: Page, name: str) -> str:
    """The values of a page in these columns; empty where there is none."""
    from tamis.document.decode import clean_text

    values = (*(getattr(page.metadata, field) for field in _METADATA), page.page_type, page.words, page.text)
    return _line(clean_text("" if value is None else str(value)) for value in (name, page.url, *values))


def _line(values: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()
