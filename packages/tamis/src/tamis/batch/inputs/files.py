"""What the formats share: shards, globs, opening files, and slicing them by bytes.

A path is one of this machine or an address, whose files `stores.py` reads.
"""

from __future__ import annotations

import glob
import hashlib
import io
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tamis.batch import stores
from tamis.batch.records import Damage, Kind
from tamis.errors import InputError

_SAMPLE = 1 << 12  # bytes
_BUFFER = 1 << 16  # of a file in a store, which holds larger blocks itself
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # which Windows does not have


@dataclass(frozen=True, slots=True)
class Shard:
    """The items of `path` that start at or after `start` and before `end`; None is the end of the input.

    Both are bytes of a file, or numbers of the sorted pages of a folder.
    """

    format: str
    path: str
    start: int = 0
    end: int | None = None
    size: int = 0  # about how many bytes of input, for progress

    @property
    def name(self) -> str:
        """A unique file name, the same in every run."""
        path = self.path if stores.is_address(self.path) else Path(self.path).absolute()
        stem = re.sub(r"[^A-Za-z0-9.-]+", "_", Path(path).name).strip("._-")[:60] or "pages"
        place = f"{path}\0{self.start}".encode("utf-8", "surrogateescape")
        return f"{stem}-{hashlib.sha256(place).hexdigest()[:12]}"


def matches(pattern: str) -> list[str]:
    """The files that a glob matches, sorted; an empty list for other paths. Raises InputError."""
    if stores.is_address(pattern):
        return stores.glob(pattern)
    # Path.glob takes no pattern that begins at the root.
    return sorted(glob.glob(pattern, recursive=True)) if glob.has_magic(pattern) else []  # noqa: PTH207


def is_folder(path: str) -> bool:
    """Is there a folder of this name? Raises InputError where a store can't tell."""
    if stores.is_address(path):
        found = stores.entry(path)
        return found is not None and found.is_folder
    return Path(path).is_dir()


def exists(path: str) -> bool:
    """Is there a file or folder of this name? Raises InputError where a store can't tell."""
    if stores.is_address(path):
        return stores.entry(path) is not None
    return os.path.exists(path)  # noqa: PTH110 Path.exists raises where a name is too long


class NotRead(InputError):
    """The item is skipped, because an earlier attempt to read it ended a worker."""

    def __init__(self, message: str, kind: Kind) -> None:
        super().__init__(message)
        self.kind = kind


# Raised while an item is read, these cost only that item: the reader reports `not_read` and continues after it.
NOT_READ = (MemoryError, NotRead)
Check = Callable[[], None]  # a reader calls it before each item; raises NotRead


def not_read(source: str, offset: int, error: BaseException, what: str = "it", id: str = "") -> Damage:
    """The damage for an item, or for `what`, that raised one of NOT_READ."""
    kind = error.kind if isinstance(error, NotRead) else Kind.MEMORY
    reason = str(error) if isinstance(error, NotRead) else "it needs more memory than a page may use"
    return Damage(source, offset, f"{what} can't be read: {reason}", kind, id)


def open_binary(path: str) -> io.BufferedReader:
    """Open a regular file, without waiting for the writer of a pipe. Raises InputError."""
    if stores.is_address(path):
        return io.BufferedReader(stores.RemoteFile(path), _BUFFER)
    try:
        file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | _NONBLOCK))  # noqa: SIM115
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    file.close()
    raise InputError(f"{path}: not a regular file")


def size_of(path: str) -> int:
    """The bytes of a file. Raises InputError."""
    if stores.is_address(path):
        if stored := stores.entry(path):
            return stored.size
        raise InputError(f"{path}: no such file")
    try:
        found = Path(path).stat()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if not stat.S_ISREG(found.st_mode):
        raise InputError(f"{path}: not a regular file")
    return found.st_size


def samples(path: str, start: int, end: int | None, count: int) -> Iterator[bytes]:
    """The size of a file, and `count` pieces spread over one part of the file. Raises InputError."""
    with open_binary(path) as file:
        length = file.seek(0, os.SEEK_END)
        yield f"{length}\0".encode()
        last = max((length if end is None else min(end, length)) - _SAMPLE, start)
        for number in range(count):
            file.seek(start + (last - start) * number // (count - 1))
            yield file.read(_SAMPLE)


class SampledFile(NamedTuple):
    """A file, or a part of one, and how it is compared: by its tag, where a store has one, or by samples."""

    path: str
    start: int
    end: int | None
    pieces: int  # the number of samples
    tag: str = ""


def sampled_range(shard: Shard) -> list[SampledFile]:
    """The one file of a shard that is a range of bytes. Raises InputError where a store can't tell."""
    found = stores.entry(shard.path) if stores.is_address(shard.path) else None
    return [SampledFile(shard.path, shard.start, shard.end, 16, found.version if found else "")]


def byte_slices(format_: str, path: str, shard_bytes: int | None) -> Iterator[Shard]:
    """A file in ranges of `shard_bytes`, the last up to twice as long; None is the whole file."""
    length = size_of(path)
    start = 0
    while shard_bytes is not None and length - start >= 2 * shard_bytes:
        yield Shard(format_, path, start, start + shard_bytes, shard_bytes)
        start += shard_bytes
    yield Shard(format_, path, start, None, length - start)
