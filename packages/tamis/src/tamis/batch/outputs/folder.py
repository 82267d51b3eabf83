"""An output folder of this machine: files appear complete, flushed and renamed; a lock keeps a second run out."""

from __future__ import annotations

import os
import platform
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tamis.errors import OptionError

TEMPORARY = "tamis-"  # names of our temporary files begin so; nothing else is ever deleted
_SCRATCH, _LOCK = "_tmp", "_lock"


class Draft:
    """A file that is being written under another name."""

    def __init__(self, temporary: Path, path: Path) -> None:
        self._temporary, self._path = temporary, path
        self.file = temporary.open("wb")

    def place(self) -> None:
        """Give it its name when it is on disk, and sync the name, too. Raises OSError."""
        self.file.close()
        _sync(self._temporary)
        self._temporary.replace(self._path)
        _sync(self._path.parent)

    def discard(self) -> None:
        """Delete it, unless it has its name."""
        with suppress(OSError):  # what can't be written does not matter any more
            self.file.close()
        with suppress(OSError):
            self._temporary.unlink(missing_ok=True)


class Folder:
    """A folder by its path. Names are relative to it, with slashes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return str(self.path)

    def absolute(self) -> Folder:
        """The same folder for a process that works elsewhere."""
        return Folder(self.path.absolute())

    @contextmanager
    def used(self, how: str = "written") -> Iterator[None]:
        """Raise OptionError where the folder can't be written, or read: the disk is full, it is gone ..."""
        try:
            yield
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else error
            raise OptionError(f"{self.path}: can't be {how}: {why}") from None

    def found(self, name: str, *, is_folder: bool) -> bool:
        """Is there something of this name? Raises OptionError where no run has made it."""
        if not os.path.lexists(self.path / name):
            return False
        mode = (self.path / name).lstat().st_mode
        if not (stat.S_ISDIR(mode) if is_folder else stat.S_ISREG(mode)):
            raise OptionError(
                f"{self.path / name}: this name is reserved for runs, but no run wrote it; choose another folder"
            )
        return True

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out. Raises OptionError where one is in."""
        import fcntl  # which Windows does not have

        with self.used():
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        with os.fdopen(lock):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OptionError(f"{self.path}: another run is writing here") from None
            yield

    def is_lock(self) -> bool:
        """Is the lock that is there one of a run?"""
        return self.read(_LOCK) == b""

    def check_lock(self) -> None:
        """The system keeps the lock."""

    def make(self, name: str) -> None:
        """Make a folder, unless there is one."""
        (self.path / name).mkdir(exist_ok=True)

    def clean(self) -> None:
        """Delete the temporary files of runs that were killed."""
        for leftover in (self.path / _SCRATCH).glob(f"{TEMPORARY}*"):
            leftover.unlink(missing_ok=True)

    def draft(self, name: str) -> Draft:
        """A file that gets its name when it is complete. Raises OSError."""
        # Machine and process are in the name: two of them may do a shard at a time, and the last one counts.
        temporary = f"{TEMPORARY}{name.replace('/', '.')}.{platform.node()}-{os.getpid()}"
        return Draft(self.path / _SCRATCH / temporary, self.path / name)

    def read(self, name: str) -> bytes | None:
        """A file; None where there is none. Raises OSError."""
        try:
            return (self.path / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write(self, name: str, data: bytes) -> None:
        """A small file of the folder itself. Programs that read the output ignore the temporary one. Raises OSError."""
        temporary = self.path / f"_{TEMPORARY}{name}"
        temporary.unlink(missing_ok=True)  # of a run that was killed
        temporary.write_bytes(data)
        _sync(temporary)
        temporary.replace(self.path / name)
        _sync(self.path)

    def delete(self, name: str) -> None:
        """A file, where there is one. Raises OSError."""
        (self.path / name).unlink(missing_ok=True)

    def contents(self, folder: str) -> dict[str, bytes]:
        """All files of a folder in this one, sorted by name. Raises OSError."""
        return {f"{folder}/{path.name}": path.read_bytes() for path in sorted((self.path / folder).glob("*.json*"))}


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
