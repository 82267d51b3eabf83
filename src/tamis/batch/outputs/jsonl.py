"""Output rows as JSON lines."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from tamis.batch.records import Row


def _parsed(row: Row) -> Row:
    """The chunks of a row as a list: only a table needs them as text."""
    return {"chunks": json.loads(found)} if isinstance(found := row["chunks"], str) else {}


class JsonRows:
    """A JSONL file that is being written."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8")

    def write(self, rows: list[Row]) -> None:
        """Add rows."""
        self._file.writelines(json.dumps(row | _parsed(row), ensure_ascii=False) + "\n" for row in rows)

    def close(self) -> None:
        """Write all that is left."""
        self._file.close()

    def abandon(self) -> None:
        """Close the file, whatever is left."""
        with suppress(OSError):
            self._file.close()
