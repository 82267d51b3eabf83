"""The files of one shard, which appear together or not at all."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Self

from tamis.batch.inputs import Shard
from tamis.batch.outputs.jsonl import JsonRows
from tamis.batch.outputs.parquet import ParquetRows
from tamis.batch.records import Answer, Letter, Refused
from tamis.batch.tally import Tally

FORMATS: dict[str, type[JsonRows] | type[ParquetRows]] = {"parquet": ParquetRows, "jsonl": JsonRows}


class ShardWriter:
    """Writes the answers of a shard; they appear in the output at `commit`, all at once."""

    def __init__(self, folder: Path, shard: Shard, format: str) -> None:
        self.shard, self.tally = shard, Tally()
        self._folder, self._suffix = folder, f".{format}"
        # Machine and process are in the name: two of them may do a shard at a time, and the last one counts.
        self._writer = f"{platform.node()}-{os.getpid()}"
        self._rows_path = folder / "_tmp" / f"{shard.name}.{self._writer}.rows"
        self._rows = FORMATS[format](self._rows_path)
        self._letters: list[Letter] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.abandon()

    def add(self, answers: Iterable[Answer]) -> None:
        """Take answers, in the order of the shard's items."""
        answers = list(answers)
        self.tally.add(answers)
        self._letters += [answer for answer in answers if isinstance(answer, Letter)]
        self._rows.write([answer for answer in answers if not isinstance(answer, Letter | Refused)])

    def commit(self) -> Tally:
        """Move everything to its place, the marker last, and return the counts."""
        name = self.shard.name
        self._rows.close()
        _place(self._rows_path, self._folder / f"{name}{self._suffix}")
        dead = self._folder / "_dead" / f"{name}.jsonl"
        if self._letters:
            self._place_text(dead, "".join(f"{json.dumps(letter.as_dict())}\n" for letter in self._letters))
        else:
            dead.unlink(missing_ok=True)  # of an attempt that was killed before its marker
        marker = {"shard": asdict(self.shard), "counts": self.tally.as_dict()}
        self._place_text(self._folder / "_done" / f"{name}.json", json.dumps(marker) + "\n")
        return self.tally

    def abandon(self) -> None:
        """Delete what is not committed."""
        if self._rows_path.exists():
            self._rows.close()
            self._rows_path.unlink(missing_ok=True)

    def _place_text(self, path: Path, text: str) -> None:
        temporary = self._folder / "_tmp" / f"{path.parent.name}-{path.name}.{self._writer}"
        temporary.write_text(text, encoding="utf-8")
        _place(temporary, path)


def _place(temporary: Path, path: Path) -> None:
    """Move a file to its name when it is on disk, and sync the name, too."""
    _sync(temporary)
    temporary.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
