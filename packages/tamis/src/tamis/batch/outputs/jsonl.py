"""Output rows as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import BinaryIO

from tamis.batch.columns import COLUMNS
from tamis.batch.records import Row


class JsonRows:
    """A JSONL file that is being written."""

    @staticmethod
    def load() -> None:
        """No package is needed."""

    def __init__(self, file: BinaryIO, columns: Sequence[str]) -> None:
        self._file = file
        self._json = [name for name in columns if COLUMNS[name].type == "json"]  # only a table needs it as text

    def write(self, rows: list[Row]) -> None:
        """Add rows."""
        for row in rows:
            parsed = {name: json.loads(str(row.values[name])) for name in self._json}
            self._file.write(f"{json.dumps(row.values | parsed, ensure_ascii=False)}\n".encode())

    def close(self) -> None:
        """Nothing is left to write."""

    def abandon(self) -> None:
        """Nothing is left to write."""
