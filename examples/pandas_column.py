"""Extract a column of pages with pandas (pip install 'tamis[pandas]'): python examples/pandas_column.py"""

from __future__ import annotations

from pathlib import Path

import pandas

import tamis.integrations.pandas  # noqa: F401 (registers the accessor)

HARBOUR = Path(__file__).with_name("harbour.html").read_text(encoding="utf-8")


def main() -> None:
    """Extract three pages, one of which is missing and one no page, and print what was found."""
    frame = pandas.DataFrame(
        {
            "url": ["https://harbour.example/bridge", "https://harbour.example/lost", "https://harbour.example/plan"],
            "html": [HARBOUR, None, b"%PDF-1.7"],
        }
    )
    found = frame["html"].tamis.extract(url=frame["url"], metadata=True)
    # The same as a function: tamis.integrations.pandas.extract_column(frame["html"], url=frame["url"], metadata=True)
    result = frame[["url"]].join(found)
    print(result[["url", "title", "date_published", "page_type", "error"]].to_string())
    print(f"{result['text'].str.len().sum()} characters; failed: {result['error'].value_counts().to_dict()}")


if __name__ == "__main__":
    main()
