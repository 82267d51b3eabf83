"""The output folder: output rows, dead letters, and markers of the shards that are done.

    OUT/NAME.parquet         the rows of a shard (or NAME.jsonl)
    OUT/_dead/NAME.jsonl     its dead letters, where it has any
    OUT/_done/NAME.json      its marker: the shard is done, and these are its counts
    OUT/_run.json            the options, which must be the same in every later run
    OUT/_summary.json        the counts of all finished shards
    OUT/_lock, OUT/_tmp      the lock of the run that writes here, and its unfinished files

pyarrow, Spark and DuckDB's globs ignore names that start with an underscore, so OUT can be read as one table. A
shard's files get their names when they are complete, the marker last: see `folder.py` and `prefix.py`. A shard without
a marker is done again, and its files are replaced.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from tamis.batch import stores
from tamis.batch.inputs import Shard
from tamis.batch.outputs.folder import Folder
from tamis.batch.outputs.prefix import Prefix
from tamis.batch.outputs.shard import FORMATS, ShardWriter
from tamis.batch.packages import arrow
from tamis.batch.records import Tally
from tamis.errors import OptionError

RUN = "_run.json"
_DEAD = "_dead"
_DONE = "_done"
_FOLDERS = (_DEAD, _DONE, "_tmp")
_FILES = ("_lock", "_summary.json", RUN)


class DoneShard(NamedTuple):
    """A finished shard, as its marker says."""

    shard: Shard
    tally: Tally
    fingerprint: str  # of its input


class Output:
    """A folder of rows in one format, on this machine or in a store."""

    def __init__(self, folder: Path | str, format: str = "parquet") -> None:
        """`folder` is a path or an address. Raises OptionError."""
        if format not in FORMATS:
            raise OptionError(f"no output format is called {format!r}; there are: {', '.join(FORMATS)}")
        name = str(folder).removeprefix("file://")
        self.place = Prefix(name) if stores.is_address(name) else Folder(Path(name))
        self.format = format

    def absolute(self) -> Output:
        """The same output, for a process with another working directory."""
        there = copy(self)
        there.place = self.place.absolute()
        return there

    def check(self, settings: Mapping[str, Any], follow: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the first run in this folder for the names in `follow`; without such a run, `follow` itself.

        Raises the errors of `opened`, except for a lock. Nothing is changed.
        """
        if self.format == "parquet":
            arrow()  # raises MissingExtra
        with self.place.access("read"):
            self._check_owner()
            return self._earlier(settings, follow) or dict(follow)

    @contextmanager
    def opened(self, settings: Mapping[str, Any], follow: Mapping[str, Any]) -> Iterator[None]:
        """Lock the folder for one run.

        `settings` must be those of the first run in this folder; values in `follow` may differ. Raises MissingExtra,
        and OptionError if another run has the lock, settings differ, the folder holds files that no run has written, or
        it can't be written. Nothing is changed before all of this is checked.
        """
        self.check(settings, follow)
        with self.place.locked():
            with self.place.access("read"):
                earlier = self._earlier(settings, follow)
            with self.place.access():
                if earlier is None:
                    self._write(RUN, {**settings, "format": self.format, **follow})
                for name in _FOLDERS:
                    self.place.make(name)
                self.clean()
            yield

    def clean(self) -> None:
        """Delete the temporary files of runs that were killed."""
        self.place.clean()

    def exists(self) -> bool:
        """Has a run made this folder?"""
        return self.place.read(RUN) is not None

    def done(self) -> dict[str, DoneShard]:
        """The finished shards, by name. Raises OptionError."""
        with self.place.access("read"):
            markers = self.place.contents(_DONE)
        found = {PurePath(name).stem: self._marker(name, data) for name, data in markers.items()}
        if any(not done.fingerprint for done in found.values()):
            raise OptionError(f"{self.place}: an earlier version of tamis wrote it; choose another folder")
        return found

    def counts(self, shard: Shard) -> Tally | None:
        """The counts of a shard, if it is done. Raises OptionError."""
        name = f"{_DONE}/{shard.name}.json"
        with self.place.access("read"):
            data = self.place.read(name)
        return None if data is None else self._marker(name, data).tally

    def _marker(self, name: str, data: bytes) -> DoneShard:
        try:
            plain = json.loads(data)
            return DoneShard(Shard(**plain["shard"]), Tally.from_dict(plain["counts"]), plain.get("input", ""))
        except (ValueError, KeyError, TypeError) as error:
            raise OptionError(f"{self.place}/{name}: this marker can't be read: {error}") from None

    def writer(self, shard: Shard, columns: Sequence[str]) -> ShardWriter:
        """Where the rows and dead letters of a shard go."""
        return ShardWriter(self.place, shard, self.format, columns)

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Write the summary."""
        with self.place.access():
            self._write("_summary.json", summary)

    def letters(self) -> Iterator[dict[str, Any]]:
        """All dead letters of shards that are done. Raises OptionError."""
        done = self.done()
        with self.place.access("read"):
            letters = self.place.contents(_DEAD)
        for name, data in letters.items():
            if PurePath(name).stem in done:
                yield from map(json.loads, data.splitlines())

    def _check_owner(self) -> None:
        """Raise OptionError if one of our names is taken by something that no run has written."""
        expected = dict.fromkeys(_FOLDERS, "folder") | dict.fromkeys(_FILES, "file")
        found = {name: kind for name in expected if (kind := self.place.kind_of(name))}
        foreign = [name for name, kind in found.items() if kind != expected[name]]
        if not foreign and RUN not in found:
            foreign = list(found)
        if foreign and not (foreign == ["_lock"] and found["_lock"] == "file" and self._is_own_lock()):
            raise OptionError(
                f"{self.place}/{foreign[0]}: this name is reserved for runs, but no run wrote it; choose another folder"
            )

    def _is_own_lock(self) -> bool:
        """Is the lock one of a run? A run that was killed at its start leaves only that."""
        return self.place.lock_content.fullmatch(self.place.read("_lock") or b"") is not None

    def _earlier(self, settings: Mapping[str, Any], follow: Mapping[str, Any]) -> dict[str, Any] | None:
        """The values of an earlier run for `follow`, if there was one. Raises OptionError if its settings differ."""
        try:
            text = self.place.read(RUN)
            if text is None:
                return None
            before: dict[str, Any] = json.loads(text)
            followed = {name: before[name] for name in follow}
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise OptionError(f"{self.place}/{RUN}: the options of the earlier run can't be read: {error}") from None
        now: dict[str, Any] = json.loads(json.dumps({**settings, "format": self.format}))  # tuples become lists
        differing = sorted(name for name in (before | now).keys() - follow.keys() if before.get(name) != now.get(name))
        if differing:
            told = "; ".join(f"{name} was {before.get(name)!r}, now it is {now.get(name)!r}" for name in differing)
            raise OptionError(f"{self.place}: an earlier run had other options ({told}); choose another folder")
        return followed

    def _write(self, name: str, plain: Mapping[str, Any]) -> None:
        self.place.write(name, (json.dumps(plain, indent=2) + "\n").encode())
