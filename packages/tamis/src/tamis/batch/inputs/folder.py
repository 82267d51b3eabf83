"""Folders of pages, single pages, and globs of them. A shard is a range of the pages, sorted by path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from glob import has_magic
from pathlib import Path
from typing import NamedTuple

from tamis.batch import stores
from tamis.batch.inputs.files import (
    NOT_READ,
    Check,
    SampledFile,
    Shard,
    exists,
    is_folder,
    matches,
    not_read,
    open_binary,
)
from tamis.batch.records import Damage, Item, Kind, Progressed, Record
from tamis.errors import InputError
from tamis.inputs import MOST_BYTES, PAGE_SUFFIXES, leads_out

_MOST_PAGES = 10_000  # in a shard, however small they are


class _PageFile(NamedTuple):
    path: str
    id: str  # its path in the folder
    size: int
    tag: str = ""  # as in SampledFile
    folder: Path | None = None  # a link may not lead out of it; None for a page that was named

    @property
    def leads_out(self) -> bool:
        """Is it a link that is not followed?"""
        return self.folder is not None and leads_out(Path(self.path), self.folder)


def size(path: str) -> int:
    """The bytes of all pages."""
    return sum(page.size for page in _pages(path))


def slices(path: str, shard_bytes: int) -> Iterator[Shard]:
    """Shards of about `shard_bytes`. Raises InputError for a folder without pages."""
    start = total = number = 0
    for number, page in enumerate(_pages(path), 1):
        total += page.size
        if total >= shard_bytes or number - start >= _MOST_PAGES:
            yield Shard("folder", path, start, number, total)
            start, total = number, 0
    if number > start:
        yield Shard("folder", path, start, number, total)
    elif not number:
        raise InputError(f"{path}: no page in this folder (looked for {', '.join(PAGE_SUFFIXES)})")


def files(shard: Shard) -> list[SampledFile]:
    """All pages of a shard; most of them are sampled as a whole."""
    pages = _pages(shard.path)[shard.start : shard.end]
    return [SampledFile(page.path, 0, None, 3, page.tag) for page in pages if not page.leads_out]


def read(shard: Shard, check: Check) -> Progressed:
    """The pages of a shard; the source of a record is its own file. Raises InputError where a store fails."""
    done = 0
    for page in _pages(shard.path)[shard.start : shard.end]:
        done += page.size
        yield _read_page(page, check), done


def _read_page(page: _PageFile, check: Check) -> Item:
    if page.leads_out:
        return Damage(page.path, 0, "a symbolic link that leads out of the folder", id=page.id)
    try:
        check()
        with open_binary(page.path) as file:
            body = file.read(MOST_BYTES + 1)
    except NOT_READ as error:
        return not_read(page.path, 0, error, id=page.id)
    except stores.StoreFailed:
        raise
    except (InputError, OSError) as error:
        return Damage(page.path, 0, str(error).removeprefix(f"{page.path}: "), id=page.id)
    if len(body) > MOST_BYTES:
        return Damage(page.path, 0, f"the file has more than {MOST_BYTES:,} bytes", Kind.TOO_LARGE, id=page.id)
    return Record(body, page.path, id=page.id)


def _pages(path: str) -> list[_PageFile]:
    """The pages of a folder or glob, or the one page of this name, sorted. Raises InputError."""
    if stores.is_address(path):
        return _stored_pages(path)
    where = Path(path)
    folder: Path | None = None
    found: Iterable[Path]
    if where.is_dir():
        folder, found = where, where.rglob("*")
    elif where.exists():
        found = [where]
    else:
        folder, found = _root_of_glob(where), map(Path, matches(path))
    pages = sorted(page for page in found if page.name.lower().endswith(PAGE_SUFFIXES) and page.is_file())
    return [
        _PageFile(
            str(page), (page.relative_to(where) if folder is where else page).as_posix(), _size(page), folder=folder
        )
        for page in pages
    ]


def _root_of_glob(pattern: Path) -> Path:
    """The folder in which a glob looks."""
    return next(folder for folder in pattern.parents if not has_magic(str(folder)))


def _size(page: Path) -> int:
    try:
        return page.stat().st_size
    except OSError:
        return 0  # it is gone; reading reports that


def _stored_pages(path: str) -> list[_PageFile]:
    if is_folder(path):
        found, root = stores.files_below(path), f"{path.rstrip('/')}/"
    else:
        names = [path] if exists(path) else matches(path)
        found, root = [each for name in names if (each := stores.entry(name)) is not None], ""
    return [
        _PageFile(each.address, each.address.removeprefix(root), each.size, each.version)
        for each in found
        if not each.is_folder and each.address.lower().endswith(PAGE_SUFFIXES)
    ]
