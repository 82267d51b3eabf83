"""Output rows as JSON lines."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from tamis.batch.records import Row

_JSON = ("chunks", "confidences")  # only a table needs them as text


def _parsed(row: Row) -> Row:
    return {name: json.loads(found) for name in _JSON if isinstance(found := row[name], str)}


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
