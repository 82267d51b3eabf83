"""Folders of pages, single pages, and globs of them. A shard is a range of the pages, sorted by path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tamis.batch.bodies import MOST_BYTES
from tamis.batch.inputs.files import (
    NOT_READ,
    PAGE_SUFFIXES,
    Check,
    SampledFile,
    Shard,
    load_nothing,
    matches,
    not_read,
    open_binary,
    size_of,
)
from tamis.batch.records import Damage, Item, Kind, Record
from tamis.errors import InputError

load = load_nothing

_MOST_PAGES = 10_000  # in a shard, however small they are


def size(path: str) -> int:
    """The bytes of all pages."""
    return sum(size_of(str(page)) for page in _pages(path))


def slices(path: str, shard_bytes: int) -> Iterator[Shard]:
    """Shards of about `shard_bytes`. Raises InputError for a folder without pages."""
    start = total = number = 0
    for number, page in enumerate(_pages(path), 1):
        total += size_of(str(page))
        if total >= shard_bytes or number - start >= _MOST_PAGES:
            yield Shard("folder", path, start, number, total)
            start, total = number, 0
    if number > start:
        yield Shard("folder", path, start, number, total)
    elif not number:
        raise InputError(f"{path}: no page in this folder (looked for {', '.join(PAGE_SUFFIXES)})")


def files(shard: Shard) -> list[SampledFile]:
    """All pages of a shard; most of them are sampled as a whole."""
    return [(str(page), 0, None, 3) for page in _pages(shard.path)[shard.start : shard.end]]


def read(shard: Shard, check: Check) -> Iterator[Item]:
    """The pages of a shard; the source of a record is its own file."""
    folder = Path(shard.path)
    for page in _pages(shard.path)[shard.start : shard.end]:
        name = page.relative_to(folder).as_posix() if folder.is_dir() else page.as_posix()
        try:
            check()
            with open_binary(str(page)) as file:
                body = file.read(MOST_BYTES + 1)
        except NOT_READ as error:
            yield not_read(str(page), 0, error, id=name)
            continue
        except (InputError, OSError) as error:
            yield Damage(str(page), 0, str(error).removeprefix(f"{page}: "), id=name)
            continue
        if len(body) > MOST_BYTES:
            yield Damage(str(page), 0, f"the file has more than {MOST_BYTES:,} bytes", Kind.TOO_LARGE, id=name)
        else:
            yield Record(body, str(page), id=name)


def _pages(path: str) -> list[Path]:
    """The pages of a folder or glob, or the one page of this name."""
    where = Path(path)
    if where.is_dir():
        found = [page for page in where.rglob("*") if page.name.lower().endswith(PAGE_SUFFIXES)]
    else:
        found = [where] if where.exists() else [Path(name) for name in matches(path)]
    return sorted(page for page in found if page.name.lower().endswith(PAGE_SUFFIXES) and page.is_file())
