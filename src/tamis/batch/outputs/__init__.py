"""The output folder: output rows, dead letters, and markers of the shards that are done.

    OUT/NAME.parquet         the rows of a shard (or NAME.jsonl)
    OUT/_dead/NAME.jsonl     its dead letters, where it has any
    OUT/_done/NAME.json      its marker: the shard is done, and these are its counts
    OUT/_run.json            the options, which every later run has to have
    OUT/_summary.json        the counts of all that is done

pyarrow, Spark and DuckDB's globs ignore names that begin with an underscore, so OUT can be read as one table. A
shard's files are written under other names and moved to their place when they are complete and on disk, the
marker last. A shard without a marker is done again, and its files are replaced.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tamis.batch.inputs import Shard
from tamis.batch.outputs.shard import FORMATS, ShardWriter
from tamis.batch.tally import Tally
from tamis.errors import OptionError


class Output:
    """A folder of rows in one format."""

    def __init__(self, folder: Path | str, format: str = "parquet") -> None:
        if format not in FORMATS:
            raise OptionError(f"no output format is called {format!r}; there are: {', '.join(FORMATS)}")
        self.folder, self.format = Path(folder), format

    @contextmanager
    def opened(self, settings: Mapping[str, Any], follow: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Lock the folder for one run.

        `settings` must be those of the first run in this folder. For the names in `follow` the values of the first
        run are returned. Raises OptionError where another run has the lock, settings differ, or it can't be written.
        """
        import fcntl  # which Windows does not have

        try:
            for name in ("_dead", "_done", "_tmp"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            lock = (self.folder / "_lock").open("w")
        except OSError as error:
            raise OptionError(f"{self.folder}: can't be written: {error.strerror or error}") from None
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OptionError(f"{self.folder}: another run is writing here") from None
            for leftover in (self.folder / "_tmp").iterdir():  # of a run that was killed
                leftover.unlink()
            yield self._agreed(dict(settings) | {"format": self.format}, follow)

    def done(self) -> dict[str, tuple[Shard, Tally]]:
        """The shards that are done, with their counts, by name."""
        found = {}
        for marker in sorted((self.folder / "_done").glob("*.json")):
            try:
                plain = json.loads(marker.read_text(encoding="utf-8"))
                found[marker.stem] = (Shard(**plain["shard"]), Tally.from_dict(plain["counts"]))
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise OptionError(f"{marker}: this marker can't be read: {error}") from None
        return found

    def writer(self, shard: Shard) -> ShardWriter:
        """Where the rows and dead letters of a shard go."""
        return ShardWriter(self.folder, shard, self.format)

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Write the summary."""
        self._write("_summary.json", summary)

    def letters(self) -> Iterator[dict[str, Any]]:
        """All dead letters of shards that are done."""
        for path in sorted((self.folder / "_dead").glob("*.jsonl")):
            if (self.folder / "_done" / f"{path.stem}.json").exists():
                with path.open(encoding="utf-8") as lines:
                    yield from map(json.loads, lines)

    def _agreed(self, settings: Mapping[str, Any], follow: Mapping[str, Any]) -> dict[str, Any]:
        path = self.folder / "_run.json"
        if not path.exists():
            self._write(path.name, {**settings, **follow})
            return dict(follow)
        try:
            before: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            followed = {name: before[name] for name in follow}
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise OptionError(f"{path}: the options of the earlier run can't be read: {error}") from None
        now: dict[str, Any] = json.loads(json.dumps(settings))  # as they will be read: tuples as lists
        differing = sorted(name for name in (before | now).keys() - follow.keys() if before.get(name) != now.get(name))
        if differing:
            told = "; ".join(f"{name} was {before.get(name)!r}, now it is {now.get(name)!r}" for name in differing)
            raise OptionError(f"{self.folder}: an earlier run had other options ({told}); choose another folder")
        return followed

    def _write(self, name: str, plain: Mapping[str, Any]) -> None:
        temporary = self.folder / "_tmp" / name
        temporary.write_text(json.dumps(plain, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        temporary.replace(self.folder / name)
