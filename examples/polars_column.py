"""Extract a column of pages with Polars (pip install 'tamis[polars]'): python examples/polars_column.py"""

from __future__ import annotations

from pathlib import Path

import polars as pl

import tamis.integrations.polars  # noqa: F401 (registers the namespace)

HARBOUR = Path(__file__).with_name("harbour.html").read_bytes()


def main() -> None:
    """Extract three pages, one of which is missing and one no page, and print what was found."""
    frame = pl.LazyFrame(
        {
            "url": ["https://harbour.example/bridge", "https://harbour.example/lost", "https://harbour.example/plan"],
            "html": [HARBOUR, None, b"%PDF-1.7"],
        }
    )
    pages = frame.select("url", page=pl.col("html").tamis.extract(url="url", metadata=True)).unnest("page")
    found = pages.collect()
    print(found.select("url", "title", "date_published", "page_type", "error"))
    failed = found["error"].drop_nulls().to_list()
    print(f"{found['text'].str.len_chars().sum()} characters; failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
