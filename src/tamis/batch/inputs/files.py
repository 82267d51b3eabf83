"""What the formats share: globs, opening files, and slicing them by bytes."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from tamis.batch.inputs.shard import Shard
from tamis.errors import InputError

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")


def matches(pattern: str) -> list[str]:
    """What a glob stands for, sorted; nothing where it is none."""
    # Path.glob takes no pattern that begins at the root.
    return sorted(glob.glob(pattern, recursive=True)) if glob.has_magic(pattern) else []  # noqa: PTH207


def open_binary(path: str) -> BinaryIO:
    """Open a file. Raises InputError."""
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def size_of(path: str) -> int:
    """The bytes of a file. Raises InputError."""
    try:
        return Path(path).stat().st_size
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def byte_slices(format_: str, path: str, shard_bytes: int | None) -> Iterator[Shard]:
    """A file in ranges of this many bytes, the last one up to twice as long; whole where None."""
    length = size_of(path)
    start = 0
    while shard_bytes is not None and length - start >= 2 * shard_bytes:
        yield Shard(format_, path, start, start + shard_bytes, shard_bytes)
        start += shard_bytes
    yield Shard(format_, path, start, None, length - start)
