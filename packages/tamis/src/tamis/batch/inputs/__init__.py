"""From files to shards, from shards to records.

A shard is done, written and resumed as one: it is an input file, or a slice of a long one. The same inputs and the
same `shard_bytes` give the same shards, and a shard gives the same items in the same order each time it is read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, cast

from tamis.batch import stores
from tamis.batch.inputs.files import Check, SampledFile, exists, is_folder, matching_files, size_and_samples
from tamis.batch.inputs.files import NotRead as NotRead
from tamis.batch.inputs.files import Shard as Shard
from tamis.batch.packages import arrow, fastwarc
from tamis.batch.records import Item, Progressed
from tamis.errors import InputError, OptionError
from tamis.inputs import PAGE_SUFFIXES
from tamis.renamed import old_attributes

# A shard costs the time of a few pages, because a slice is read from before its start: with shards of 1 MB an archive
# of 7 MB takes 2 % longer in all, with 0.5 MB 5 %, with 0.25 MB 13 %.
_SMALLEST = 1 << 20  # bytes
_LARGEST = 256 << 20
_SHARDS = 256  # of a long input: all cores finish together, and output files are not small
_SHARDS_OF_SHORT = 64  # while they are smaller than _SMALL
_SMALL = 4 << 20

# The format of a file by its name; each format is a module in `inputs/`.
_SUFFIXES = {
    "warc": (".warc", ".warc.gz", ".warc.zst"),
    "jsonl": (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz"),
    "parquet": (".parquet",),
    "folder": PAGE_SUFFIXES,
}
_PACKAGES = {"warc": fastwarc, "parquet": arrow}  # that reading needs; each raises MissingExtra


class _Format(Protocol):
    """The functions of a format's module; all raise InputError where the input can't be read."""

    def size(self, path: str) -> int: ...  # bytes of all pages of an input
    def slices(self, path: str, shard_bytes: int) -> Iterator[Shard]: ...
    def files(self, shard: Shard) -> Iterable[SampledFile]: ...
    def read(self, shard: Shard, check: Check) -> Progressed: ...


def shards_of_inputs(patterns: Sequence[str], *, shard_bytes: int | None = None) -> list[Shard]:
    """The shards of files, folders and globs, in the order of the patterns and then of names.

    A shard has about `shard_bytes` of input, by default those of `fitting_shard_bytes`.
    Raises InputError for inputs that do not exist, OptionError for unknown formats, and MissingExtra.
    """
    if shard_bytes is None:
        shard_bytes = fitting_shard_bytes(patterns)
    if shard_bytes < 1:
        raise OptionError("a shard has at least one byte")
    return [
        shard
        for path, format_ in _inputs_with_format(patterns)
        for shard in _loaded_reader(format_).slices(path, shard_bytes)
    ]


def fitting_shard_bytes(patterns: Sequence[str]) -> int:
    """The size of a shard that suits the size of all input. Raises what `shards` raises."""
    total = sum(_loaded_reader(format_).size(path) for path, format_ in _inputs_with_format(patterns))
    return min(max(total // _SHARDS, min(total // _SHARDS_OF_SHORT, _SMALL), _SMALLEST), _LARGEST)


def read_items(shard: Shard, *, skip: int = 0, lost: Mapping[int, NotRead] = MappingProxyType({})) -> Iterator[Item]:
    """The items of a shard without the first `skip`. Raises InputError where it can't be opened.

    Items whose numbers are in `lost` are not read; they are reported as damage, and reading continues after them.
    """
    return _items_after(_loaded_reader(shard.format), shard, skip, lost)


def shard_fingerprint(shard: Shard) -> str:
    """A digest that shows if an input has changed: of its size, its names and samples of its bytes.

    Times do not count, so a copy is the same input. A change between two samples that moves nothing goes unnoticed.
    If a store tags contents, the tag is used instead of samples. Raises InputError where a store fails.
    """
    digest = hashlib.sha256()
    for path, start, end, count, tag in _reader_module(shard.format).files(shard):
        digest.update(b"\0".join([os.fsencode(Path(path).name), tag.encode()]))
        if tag:
            continue
        try:
            for sample in size_and_samples(path, start, end, count):
                digest.update(sample)
        except stores.StoreFailed:
            raise
        except (InputError, OSError):
            digest.update(b"unreadable")
    return digest.hexdigest()


def _items_after(reader: _Format, shard: Shard, skip: int, lost: Mapping[int, NotRead]) -> Iterator[Item]:
    number = 0

    def raise_if_lost() -> None:
        if number in lost:
            raise lost[number]

    for item, done in reader.read(shard, raise_if_lost):
        number += 1
        if number > skip:
            yield replace(item, read=min(max(done, 0), shard.size))


def _inputs_with_format(patterns: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Each input once, with its format."""
    return {path: _format_of(path) for pattern in patterns for path in _matching_inputs(pattern)}.items()


def _matching_inputs(pattern: str) -> list[str]:
    """The inputs that a pattern matches; all single pages of a glob are one input, named by the glob."""
    if not pattern or "\0" in pattern:
        raise InputError(f"{pattern!r} is not a file, folder or glob")
    pattern = pattern.removeprefix("file://")
    stores.check_address(pattern)
    stores.forget_cached_entry(pattern)
    if exists(pattern):
        return [pattern]
    found = matching_files(pattern)
    if not found:
        raise InputError(f"{pattern}: no such file or folder, and no glob that matches any")
    archives = [path for path in found if is_folder(path) or not path.lower().endswith(PAGE_SUFFIXES)]
    return archives if len(archives) == len(found) else [*archives, pattern]


def _format_of(path: str) -> str:
    if is_folder(path) or not exists(path):  # a glob of pages does not exist as a path
        return "folder"
    name = path.lower()
    for format_, suffixes in _SUFFIXES.items():
        if name.endswith(suffixes):
            return format_
    known = ", ".join(suffix for suffixes in _SUFFIXES.values() for suffix in suffixes)
    raise OptionError(f"{path}: its name does not tell its format; give a folder or a name that ends with {known}")


def _loaded_reader(format_: str) -> _Format:
    """The reader of a format, with its packages. Raises MissingExtra."""
    if format_ in _PACKAGES:
        _PACKAGES[format_]()
    return _reader_module(format_)


def _reader_module(format_: str) -> _Format:
    return cast("_Format", import_module(f"tamis.batch.inputs.{format_}"))


__getattr__ = old_attributes(
    __name__, {"read": "read_items", "shards": "shards_of_inputs", "fingerprint": "shard_fingerprint"}
)
