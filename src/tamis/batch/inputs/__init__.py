"""From files to shards, from shards to records.

A shard is done, written and resumed as one: it is an input file, or a slice of a long one. The same inputs and the
same `shard_bytes` give the same shards, and a shard gives the same items in the same order each time it is read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, cast

from tamis.batch.inputs.files import PAGE_SUFFIXES, Check, SampledFile, matches, samples
from tamis.batch.inputs.files import NotRead as NotRead
from tamis.batch.inputs.files import Shard as Shard
from tamis.batch.records import Item
from tamis.errors import InputError, OptionError

# So many shards, within the bounds on their bytes: all cores finish together, and output files are not small.
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
    """The functions of a format's file; all raise InputError where the input can't be read."""

    def load(self) -> object: ...  # the packages that reading needs; raises MissingExtra
    def size(self, path: str) -> int: ...  # bytes of all pages of an input
    def slices(self, path: str, shard_bytes: int) -> Iterator[Shard]: ...
    def files(self, shard: Shard) -> Iterable[SampledFile]: ...
    def read(self, shard: Shard, check: Check) -> Iterator[Item]: ...


def shards(patterns: Sequence[str], *, shard_bytes: int | None = None) -> list[Shard]:
    """The shards of files, folders and globs, in the order of the patterns and then of names.

    A shard has about `shard_bytes` of input, by default those of `fitting_shard_bytes`.
    Raises InputError for inputs that do not exist, OptionError for unknown formats, and MissingExtra.
    """
    if shard_bytes is None:
        shard_bytes = fitting_shard_bytes(patterns)
    if shard_bytes < 1:
        raise OptionError("a shard has at least one byte")
    return [shard for path, format_ in _inputs(patterns) for shard in _reader(format_).slices(path, shard_bytes)]


def fitting_shard_bytes(patterns: Sequence[str]) -> int:
    """The size of a shard that suits the size of all input. Raises what `shards` raises."""
    total = sum(_reader(format_).size(path) for path, format_ in _inputs(patterns))
    return min(max(total // _SHARDS, _SMALLEST), _LARGEST)


def read(shard: Shard, *, skip: int = 0, lost: Mapping[int, NotRead] = MappingProxyType({})) -> Iterator[Item]:
    """The items of a shard without the first `skip`. Raises InputError where it can't be opened.

    Items of the numbers in `lost` are not read; they are reported as damage, and reading goes on behind them.
    """
    reader = _reader(shard.format)
    reader.load()
    return _items(reader, shard, skip, lost)


def fingerprint(shard: Shard) -> str:
    """What is another if the input of the shard is another: of its size, its names and samples of its bytes.

    Times do not count, so a copy is the same input. A change between two samples that moves nothing is not noticed.
    """
    digest = hashlib.sha256()
    for path, start, end, count in _reader(shard.format).files(shard):
        digest.update(b"\0".join([os.fsencode(Path(path).name), b""]))
        try:
            for sample in samples(path, start, end, count):
                digest.update(sample)
        except (InputError, OSError):
            digest.update(b"unreadable")
    return digest.hexdigest()


def _items(reader: _Format, shard: Shard, skip: int, lost: Mapping[int, NotRead]) -> Iterator[Item]:
    number = 0

    def check() -> None:
        if number in lost:
            raise lost[number]

    for item in reader.read(shard, check):
        number += 1
        if number > skip:
            yield item


def _inputs(patterns: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Each input once, with its format."""
    return {path: _format_of(path) for pattern in patterns for path in _matches(pattern)}.items()


def _matches(pattern: str) -> list[str]:
    """The inputs that a pattern matches; all single pages of a glob are one input, named by the glob."""
    if not pattern or "\0" in pattern:
        raise InputError(f"{pattern!r} is no file, folder or glob")
    if os.path.exists(pattern):  # noqa: PTH110 Path.exists raises where a name is too long
        return [pattern]
    found = matches(pattern)
    if not found:
        raise InputError(f"{pattern}: no such file or folder, and no glob that matches any")
    archives = [path for path in found if Path(path).is_dir() or not path.lower().endswith(PAGE_SUFFIXES)]
    return archives if len(archives) == len(found) else [*archives, pattern]


def _format_of(path: str) -> str:
    if Path(path).is_dir() or not Path(path).exists():  # a glob of pages is no path that exists
        return "folder"
    name = path.lower()
    for format_, suffixes in _SUFFIXES.items():
        if name.endswith(suffixes):
            return format_
    known = ", ".join(suffix for suffixes in _SUFFIXES.values() for suffix in suffixes)
    raise OptionError(f"{path}: its name does not tell what it is; known are folders and {known}")


def _reader(format_: str) -> _Format:
    return cast("_Format", import_module(f"tamis.batch.inputs.{format_}"))
