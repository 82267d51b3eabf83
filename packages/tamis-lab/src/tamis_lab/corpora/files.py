"""The files of a corpus, read from a folder or from a zip alike; nothing is unpacked to disk.

Only names that the listing holds can be read, so a name out of a corpus's own tables can never
lead outside of it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import os
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from tamis.errors import InputError

# No page or table of a public corpus comes near this; a hostile archive could.
MAX_BYTES = 256 * 1024 * 1024

_CHUNK = 1 << 20
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError)


class CorpusError(InputError):
    """A corpus is missing or damaged; the message names the file."""


class Files(ABC):
    """The files below the root of a corpus. Names are relative to that root, with slashes."""

    def __init__(self, where: Path, members: Mapping[str, str]) -> None:
        self.where = where
        self._members = dict(sorted(members.items()))  # name below the root: name in the store

    @property
    def names(self) -> list[str]:
        """All names, sorted."""
        return list(self._members)

    def below(self, folder: str, suffix: str = "") -> list[str]:
        """The names in a folder (itself, not folders in it), sorted; with this suffix where given."""
        head = folder.rstrip("/") + "/" if folder else ""
        return [
            name
            for name in self._members
            if name.startswith(head) and name.endswith(suffix) and "/" not in name[len(head) :]
        ]

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def read(self, name: str) -> bytes:
        """The content of a file. Raises CorpusError if it is missing, broken or absurdly large."""
        if name not in self._members:
            raise CorpusError(f"{self.where}: {name} is missing")
        return self._read(name)

    def unzip(self, name: str) -> bytes:
        """The content of a gzip file."""
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(self.read(name))) as packed:
                data = packed.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise self.broken(name, str(error)) from None
        if len(data) > MAX_BYTES:
            raise self.broken(name, f"it unpacks to more than {MAX_BYTES:,} bytes")
        return data

    def table(self, name: str) -> dict[str, object]:
        """The object in a JSON file."""
        try:
            value = json.loads(self.read(name).decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise self.broken(name, str(error)) from None
        if not isinstance(value, dict):
            raise self.broken(name, "it is not a JSON object")
        return value

    def broken(self, name: str, reason: str) -> CorpusError:
        """The error for a damaged file."""
        return CorpusError(f"{self.where}: {name} is damaged: {' '.join(reason.split())}")

    def digest(self) -> str:
        """SHA-256 over the sorted names with their sizes and checksums (CRC-32).

        It is the same for a zip and for the folder unpacked from it. A zip's own directory knows
        all of this; of a folder every file is read.
        """
        total = hashlib.sha256()
        for name in self._members:
            size, checksum = self._fingerprint(name)
            total.update(f"{name}\0{size}\0{checksum:08x}\n".encode("utf-8", "surrogateescape"))
        return total.hexdigest()

    def close(self) -> None:
        """Close the files."""
        return

    @abstractmethod
    def _read(self, name: str) -> bytes: ...

    @abstractmethod
    def _fingerprint(self, name: str) -> tuple[int, int]: ...


class Folder(Files):
    """A corpus that somebody unpacked."""

    def __init__(self, where: Path, landmarks: Iterable[str] = ()) -> None:
        super().__init__(where, _rooted(_walk(where), landmarks))

    def _read(self, name: str) -> bytes:
        path = self.where / self._members[name]
        try:
            if path.stat().st_size > MAX_BYTES:
                raise self.broken(name, f"it is larger than {MAX_BYTES:,} bytes")
            return path.read_bytes()
        except OSError as error:
            raise self.broken(name, error.strerror or str(error)) from None

    def _fingerprint(self, name: str) -> tuple[int, int]:
        size = checksum = 0
        try:
            with (self.where / self._members[name]).open("rb") as file:
                while chunk := file.read(_CHUNK):
                    size += len(chunk)
                    checksum = zlib.crc32(chunk, checksum)
        except OSError as error:
            raise self.broken(name, error.strerror or str(error)) from None
        return size, checksum


class Archive(Files):
    """A corpus in a zip, as it was downloaded."""

    def __init__(self, where: Path, landmarks: Iterable[str] = ()) -> None:
        try:
            self._zip = zipfile.ZipFile(where)
        except (OSError, *_ZIP_ERRORS) as error:
            raise CorpusError(f"{where} is damaged: {error}") from None
        names = [info.filename for info in self._zip.infolist() if not info.is_dir()]
        for name in names:
            if not _is_safe(name):
                self._zip.close()
                raise CorpusError(f"{where} is damaged: it holds the name {name!r}, which leads outside")
        super().__init__(where, _rooted(names, landmarks))

    def close(self) -> None:
        """Close the zip; nothing can be read from it any more."""
        self._zip.close()

    def _read(self, name: str) -> bytes:
        member = self._members[name]
        try:
            if self._zip.getinfo(member).file_size > MAX_BYTES:
                raise self.broken(name, f"it is larger than {MAX_BYTES:,} bytes")
            return self._zip.read(member)
        except (OSError, *_ZIP_ERRORS) as error:
            raise self.broken(name, str(error)) from None

    def _fingerprint(self, name: str) -> tuple[int, int]:
        info = self._zip.getinfo(self._members[name])
        return info.file_size, info.CRC


def open_files(where: Path, landmarks: Iterable[str] = ()) -> Files:
    """The files of a folder or zip, relative to the folder in it that holds one of the `landmarks`.

    A landmark is a file or the start of a path ("html/"). Corpora are published with and without
    a folder around them; without landmarks, or if none is found, the root is the whole.
    """
    return Folder(where, landmarks) if where.is_dir() else Archive(where, landmarks)


def _walk(folder: Path) -> list[str]:
    """The files below a folder, without links that lead outside, pipes and devices."""
    home = folder.resolve()
    found = []
    for root, _, files in os.walk(folder):
        for file in files:
            path = Path(root, file)
            if path.is_file() and (not path.is_symlink() or path.resolve().is_relative_to(home)):
                found.append(path.relative_to(folder).as_posix())
    return found


def _rooted(names: list[str], landmarks: Iterable[str]) -> dict[str, str]:
    """Names relative to the root of the corpus, without files that systems and tools leave behind."""
    kept = [name for name in names if not any(part.startswith((".", "__MACOSX")) for part in name.split("/"))]
    heads = {head for name in kept for landmark in landmarks if (head := _head(name, landmark)) is not None}
    root = min(heads, key=lambda head: (head.count("/"), head), default="")
    return {name[len(root) :]: name for name in kept if name.startswith(root)}


def _head(name: str, landmark: str) -> str | None:
    """The part of a path before the landmark, if the path has it."""
    start = f"/{name}".find(f"/{landmark}")
    is_whole = landmark.endswith("/") or f"/{name}".endswith(f"/{landmark}")
    return name[:start] if start >= 0 and is_whole else None


def _is_safe(name: str) -> bool:
    path = PurePosixPath(name)
    return not (path.is_absolute() or ".." in path.parts or "\\" in name or ":" in path.parts[0])
