"""The files of one shard, which appear together or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import BinaryIO, Self

from tamis.batch.columns import COLUMNS
from tamis.batch.inputs import Shard, fingerprint
from tamis.batch.outputs.folder import Folder
from tamis.batch.outputs.parquet import ParquetRows
from tamis.batch.outputs.prefix import Prefix
from tamis.batch.records import Answer, Letter, Refused, Row, Tally


class JsonRows:
    """A file of JSON lines that is being written."""

    def __init__(self, file: BinaryIO, columns: Sequence[str]) -> None:
        self._file = file
        self._json = [name for name in columns if COLUMNS[name].type == "json"]  # as text only in a table

    def write(self, rows: list[Row]) -> None:
        """Add rows."""
        for row in rows:
            parsed = {name: json.loads(str(row.values[name])) for name in self._json}
            self._file.write(f"{json.dumps(row.values | parsed, ensure_ascii=False)}\n".encode())

    def close(self) -> None:
        """All rows are written already."""

    abandon = close


FORMATS: dict[str, type[JsonRows] | type[ParquetRows]] = {"parquet": ParquetRows, "jsonl": JsonRows}


class ShardWriter:
    """Writes the answers of a shard, which appear in the output all at once. All methods raise OptionError."""

    def __init__(self, place: Folder | Prefix, shard: Shard, format: str, columns: Sequence[str]) -> None:
        self.shard, self.tally = shard, Tally()
        self._place = place
        with place.access():
            self._rows_draft = place.draft(f"{shard.name}.{format}")
            self._letters = place.draft(f"_dead/{shard.name}.jsonl")
            self._rows = FORMATS[format](self._rows_draft.file, columns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.abandon()

    def add(self, answers: Iterable[Answer]) -> None:
        """Write the next answers of the shard."""
        answers = list(answers)
        self.tally.add(answers)
        letters = (answer for answer in answers if isinstance(answer, Letter))
        with self._place.access():
            self._letters.file.writelines(f"{json.dumps(letter.as_dict())}\n".encode() for letter in letters)
            self._rows.write([answer for answer in answers if not isinstance(answer, Letter | Refused)])

    def commit(self) -> Tally:
        """Move all files to their places, the marker last, and return the counts.

        Raises InputError, before any file is moved, if a store can't tell whether the input has changed.
        """
        name = self.shard.name
        marker = {"shard": asdict(self.shard), "input": fingerprint(self.shard), "counts": self.tally.as_dict()}
        with self._place.access():
            self._rows.close()
            self._place.check_lock()
            self._rows_draft.place()
            if self.tally.letters:
                self._letters.place()
            else:
                self._place.delete(f"_dead/{name}.jsonl")  # of an attempt that was killed before its marker
                self._letters.discard()
            done = self._place.draft(f"_done/{name}.json")
            try:
                done.file.write(f"{json.dumps(marker)}\n".encode())
                done.place()
            finally:
                done.discard()
        return self.tally

    def abandon(self) -> None:
        """Delete the files, unless they are committed."""
        self._rows.abandon()
        self._rows_draft.discard()
        self._letters.discard()
