"""An output folder of this machine: files appear complete, flushed and renamed; a lock keeps a second run out."""

from __future__ import annotations

import os
import platform
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from tamis.errors import OptionError

_TEMPORARY = "tamis-"  # how names of our temporary files start; no other file is ever deleted
_SCRATCH = "_tmp"
_LOCK = "_lock"


class FileDraft:
    """A file that is being written under another name."""

    def __init__(self, temporary: Path, path: Path) -> None:
        self._temporary, self._path = temporary, path
        self.file = temporary.open("wb")

    def place(self) -> None:
        """Sync the file, rename it into place, then sync the folder. Raises OSError."""
        self.file.close()
        _sync(self._temporary)
        self._temporary.replace(self._path)
        _sync(self._path.parent)

    def discard(self) -> None:
        """Delete the file, unless it is in its place."""
        with suppress(OSError):  # the rest need not be written
            self.file.close()
        with suppress(OSError):
            self._temporary.unlink(missing_ok=True)


class Folder:
    """A folder of this machine. Names are relative to it, with slashes."""

    lock_content = re.compile(rb"")

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return str(self.path)

    def absolute(self) -> Folder:
        """The same folder, for a process with another working directory."""
        return Folder(self.path.absolute())

    @contextmanager
    def access(self, how: str = "written") -> Iterator[None]:
        """Raise OptionError if the folder can't be written, or read: the disk is full, the folder is gone ..."""
        try:
            yield
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else error
            raise OptionError(f"{self.path}: can't be {how}: {why}") from None

    def kind_of(self, name: str) -> Literal["file", "folder", "other"] | None:
        """What has this name, if anything; links are not followed."""
        if not os.path.lexists(self.path / name):
            return None
        mode = (self.path / name).lstat().st_mode
        return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "other"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out. Raises OptionError if another run is in."""
        import fcntl  # not on Windows

        with self.access():
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        with os.fdopen(lock):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OptionError(f"{self.path}: another run is writing here") from None
            yield

    def check_lock(self) -> None:
        """Nothing to check: the system keeps the lock."""

    def make(self, name: str) -> None:
        """Make a folder, unless there is one."""
        (self.path / name).mkdir(exist_ok=True)

    def clean(self) -> None:
        """Delete the temporary files of runs that were killed."""
        for leftover in (self.path / _SCRATCH).glob(f"{_TEMPORARY}*"):
            leftover.unlink(missing_ok=True)

    def draft(self, name: str) -> FileDraft:
        """A file that gets its name when it is complete. Raises OSError."""
        # The name has machine and process: two may do the same shard at the same time, and the last one counts.
        temporary = f"{_TEMPORARY}{name.replace('/', '.')}.{platform.node()}-{os.getpid()}"
        return FileDraft(self.path / _SCRATCH / temporary, self.path / name)

    def read(self, name: str) -> bytes | None:
        """The content of a file, if it exists. Raises OSError."""
        try:
            return (self.path / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write(self, name: str, data: bytes) -> None:
        """Write a small file of the folder itself. Readers of the output ignore the temporary one. Raises OSError."""
        temporary = self.path / f"_{_TEMPORARY}{name}"
        temporary.unlink(missing_ok=True)  # of a run that was killed
        temporary.write_bytes(data)
        _sync(temporary)
        temporary.replace(self.path / name)
        _sync(self.path)

    def delete(self, name: str) -> None:
        """Delete a file, if it exists. Raises OSError."""
        (self.path / name).unlink(missing_ok=True)

    def contents(self, folder: str) -> dict[str, bytes]:
        """The JSON files of a folder in this one, sorted by name. Raises OSError."""
        return {f"{folder}/{path.name}": path.read_bytes() for path in sorted((self.path / folder).glob("*.json*"))}


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
