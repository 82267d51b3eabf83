"""The output folder: output rows, dead letters, and markers of the shards that are done.

    OUT/NAME.parquet         the rows of a shard (or NAME.jsonl)
    OUT/_dead/NAME.jsonl     its dead letters, where it has any
    OUT/_done/NAME.json      its marker: the shard is done, and these are its counts
    OUT/_run.json            the options, which every later run has to have
    OUT/_summary.json        the counts of all that is done
    OUT/_lock, OUT/_tmp      the lock of the run that writes here, and its unfinished files

pyarrow, Spark and DuckDB's globs ignore names that begin with an underscore, so OUT can be read as one table. A
shard's files are written under other names and moved to their place when they are complete and on disk, the
marker last. A shard without a marker is done again, and its files are replaced.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tamis.batch.inputs import Shard
from tamis.batch.outputs.shard import FORMATS, TEMPORARY, ShardWriter, writing
from tamis.batch.tally import Tally
from tamis.errors import OptionError

_RUN = "_run.json"
_FOLDERS = ("_dead", "_done", "_tmp")


class Done(NamedTuple):
    """A shard that is done."""

    shard: Shard
    tally: Tally
    fingerprint: str  # of its input


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
        run are returned. Raises OptionError where another run has the lock, settings differ, the folder holds what
        no run has written, or it can't be written. Nothing is changed before all this is known.
        """
        import fcntl  # which Windows does not have

        settings = dict(settings) | {"format": self.format}
        with writing(self.folder):
            self._check_owner()
            self._earlier(settings, follow)
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.folder / "_lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        with os.fdopen(lock):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OptionError(f"{self.folder}: another run is writing here") from None
            followed = self._earlier(settings, follow)
            with writing(self.folder):
                if followed is None:
                    self._write(_RUN, {**settings, **follow})
                for name in _FOLDERS:
                    (self.folder / name).mkdir(exist_ok=True)
                self.clean()
            yield dict(follow) if followed is None else followed

    def clean(self) -> None:
        """Delete the temporary files of runs that were killed."""
        for leftover in (self.folder / "_tmp").glob(f"{TEMPORARY}*"):
            leftover.unlink(missing_ok=True)

    def done(self) -> dict[str, Done]:
        """The shards that are done, by name."""
        found = {}
        for marker in sorted((self.folder / "_done").glob("*.json")):
            try:
                plain = json.loads(marker.read_text(encoding="utf-8"))
                done = Done(Shard(**plain["shard"]), Tally.from_dict(plain["counts"]), plain.get("input", ""))
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise OptionError(f"{marker}: this marker can't be read: {error}") from None
            if not done.fingerprint:
                raise OptionError(f"{self.folder}: an earlier version of tamis wrote it; choose another folder")
            found[marker.stem] = done
        return found

    def writer(self, shard: Shard) -> ShardWriter:
        """Where the rows and dead letters of a shard go."""
        return ShardWriter(self.folder, shard, self.format)

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Write the summary."""
        with writing(self.folder):
            self._write("_summary.json", summary)

    def letters(self) -> Iterator[dict[str, Any]]:
        """All dead letters of shards that are done."""
        for path in sorted((self.folder / "_dead").glob("*.jsonl")):
            if (self.folder / "_done" / f"{path.stem}.json").exists():
                with path.open(encoding="utf-8") as lines:
                    yield from map(json.loads, lines)

    def _check_owner(self) -> None:
        """Raise OptionError if something stands under one of our names that no run has written."""
        found = [name for name in (*_FOLDERS, "_lock", "_summary.json", _RUN) if os.path.lexists(self.folder / name)]
        for name in found:
            mode = (self.folder / name).lstat().st_mode
            if not (stat.S_ISDIR(mode) if name in _FOLDERS else stat.S_ISREG(mode)):
                raise OptionError(f"{self.folder / name}: a run writes there, but no run has made this")
        if found == ["_lock"] and not (self.folder / "_lock").stat().st_size:
            return  # a run that was killed at once has made the lock, which is empty, and no _run.json
        if found and not (self.folder / _RUN).exists():
            raise OptionError(f"{self.folder / found[0]}: a run writes there, but no run has made this")

    def _earlier(self, settings: Mapping[str, Any], follow: Mapping[str, Any]) -> dict[str, Any] | None:
        """What an earlier run chose for `follow`, if there was one. Raises OptionError where its settings differ."""
        path = self.folder / _RUN
        if not path.exists():
            return None
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
        """Write a file of the folder itself, where a program that reads the output ignores the temporary one."""
        temporary = self.folder / f"_{TEMPORARY}{name}"
        temporary.unlink(missing_ok=True)  # of a run that was killed
        temporary.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")
        temporary.replace(self.folder / name)
