"""The files of one shard, which appear together or not at all."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Self

from tamis.batch.inputs import Shard, fingerprint
from tamis.batch.outputs.jsonl import JsonRows
from tamis.batch.outputs.parquet import ParquetRows
from tamis.batch.records import Answer, Letter, Refused
from tamis.batch.tally import Tally
from tamis.errors import OptionError

FORMATS: dict[str, type[JsonRows] | type[ParquetRows]] = {"parquet": ParquetRows, "jsonl": JsonRows}
TEMPORARY = "tamis-"  # names of our temporary files begin so; nothing else is ever deleted


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Raise OptionError where the system can't write: the disk is full, a folder is gone ..."""
    try:
        yield
    except OSError as error:
        raise OptionError(f"{folder}: can't be written: {os.strerror(error.errno) if error.errno else error}") from None


class ShardWriter:
    """Writes the answers of a shard; they appear in the output at `commit`, all at once. All raise OptionError."""

    def __init__(self, folder: Path, shard: Shard, format: str) -> None:
        self.shard, self.tally = shard, Tally()
        self._folder, self._suffix = folder, f".{format}"
        # Machine and process are in the name: two of them may do a shard at a time, and the last one counts.
        self._writer = f"{platform.node()}-{os.getpid()}"
        self._rows_path = self._temporary("rows")
        with writing(folder):
            self._rows = FORMATS[format](self._rows_path)
            self._letters = self._temporary("dead").open("w", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.abandon()

    def add(self, answers: Iterable[Answer]) -> None:
        """Take answers, in the order of the shard's items."""
        answers = list(answers)
        self.tally.add(answers)
        letters = (answer for answer in answers if isinstance(answer, Letter))
        with writing(self._folder):
            self._letters.writelines(f"{json.dumps(letter.as_dict())}\n" for letter in letters)
            self._rows.write([answer for answer in answers if not isinstance(answer, Letter | Refused)])

    def commit(self) -> Tally:
        """Move everything to its place, the marker last, and return the counts."""
        name = self.shard.name
        marker = {"shard": asdict(self.shard), "input": fingerprint(self.shard), "counts": self.tally.as_dict()}
        with writing(self._folder):
            self._rows.close()
            self._letters.close()
            _place(self._rows_path, self._folder / f"{name}{self._suffix}")
            dead = self._folder / "_dead" / f"{name}.jsonl"
            if self.tally.letters:
                _place(self._temporary("dead"), dead)
            else:
                dead.unlink(missing_ok=True)  # of an attempt that was killed before its marker
                self._temporary("dead").unlink()
            self._temporary("done").write_text(json.dumps(marker) + "\n", encoding="utf-8")
            _place(self._temporary("done"), self._folder / "_done" / f"{name}.json")
        return self.tally

    def abandon(self) -> None:
        """Delete what is not committed."""
        with suppress(OSError):  # what can't be written does not matter any more
            self._letters.close()
        self._rows.abandon()
        with suppress(OSError):
            for kind in ("rows", "dead", "done"):
                self._temporary(kind).unlink(missing_ok=True)

    def _temporary(self, kind: str) -> Path:
        return self._folder / "_tmp" / f"{TEMPORARY}{self.shard.name}.{self._writer}.{kind}"


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
