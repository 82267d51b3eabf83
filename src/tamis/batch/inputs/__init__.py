"""Files to shards, shards to records.

A shard is what is done, written and resumed as one: an input file, or a slice of a long one. The
same inputs and the same `shard_bytes` give the same shards, and a shard gives the same items, in
the same order, each time that it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Protocol, cast

from tamis.batch.inputs.files import PAGE_SUFFIXES, matches
from tamis.batch.inputs.shard import Shard as Shard
from tamis.batch.records import Item
from tamis.errors import InputError, OptionError

# A shard is this share of all input, within the bounds: enough of them that all cores finish
# together, and not so many that the output is a crowd of small files.
_SHARDS = 256
_SMALLEST, _LARGEST = 4 << 20, 256 << 20

# How the name of a file tells its format; `inputs/` has a file each.
_SUFFIXES = {
    "warc": (".warc", ".warc.gz", ".warc.zst"),
    "jsonl": (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz"),
    "parquet": (".parquet",),
    "folder": PAGE_SUFFIXES,
}


class _Format(Protocol):
    """What each file of this folder has."""

    def size(self, path: str) -> int:
        """The bytes of all pages of an input."""
        ...

    def slices(self, path: str, shard_bytes: int) -> Iterator[Shard]:
        """The shards of an input, of about this many bytes each. Raises InputError and MissingExtra."""
        ...

    def read(self, shard: Shard) -> Iterator[Item]:
        """The items of a shard. Raises InputError where nothing of it can be read."""
        ...


def shards(patterns: Sequence[str], *, shard_bytes: int | None = None) -> list[Shard]:
    """The shards of files, folders and globs, in the order of the patterns and then of names.

    `shard_bytes` is about how much input makes one; by default what `fitting_shard_bytes` says.
    Raises InputError for what does not exist, OptionError for formats that are not known, MissingExtra.
    """
    if shard_bytes is None:
        shard_bytes = fitting_shard_bytes(patterns)
    if shard_bytes < 1:
        raise OptionError("a shard has at least one byte")
    return [shard for path, format_ in _inputs(patterns) for shard in _reader(format_).slices(path, shard_bytes)]


def fitting_shard_bytes(patterns: Sequence[str]) -> int:
    """How much input makes a shard, by the size of all input. Raises as `shards` does."""
    total = sum(_reader(format_).size(path) for path, format_ in _inputs(patterns))
    return min(max(total // _SHARDS, _SMALLEST), _LARGEST)


def read(shard: Shard, *, skip: int = 0) -> Iterator[Item]:
    """The items of a shard without the first `skip`. Raises InputError where it can't be opened."""
    return islice(_reader(shard.format).read(shard), skip, None)


def _inputs(patterns: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Each input once, with its format."""
    return {path: _format_of(path) for pattern in patterns for path in _matches(pattern)}.items()


def _matches(pattern: str) -> list[str]:
    """The inputs that a word stands for; the pages of a glob are one, under its own name."""
    if not pattern or "\0" in pattern:
        raise InputError(f"{pattern!r} is no file, folder or glob")
    if Path(pattern).exists():
        return [pattern]
    found = matches(pattern)
    if not found:
        raise InputError(f"{pattern}: no such file or folder, and no glob that matches any")
    archives = [path for path in found if Path(path).is_dir() or not path.lower().endswith(PAGE_SUFFIXES)]
    return archives if len(archives) == len(found) else [*archives, pattern]


def _format_of(path: str) -> str:
    if Path(path).is_dir() or not Path(path).exists():  # what does not exist is a glob of pages
        return "folder"
    name = path.lower()
    for format_, suffixes in _SUFFIXES.items():
        if name.endswith(suffixes):
            return format_
    known = ", ".join(suffix for suffixes in _SUFFIXES.values() for suffix in suffixes)
    raise OptionError(f"{path}: its name does not tell what it is; known are folders and {known}")


def _reader(format_: str) -> _Format:
    return cast("_Format", import_module(f"tamis.batch.inputs.{format_}"))
