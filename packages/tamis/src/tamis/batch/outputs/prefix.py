"""An output folder in a store: a prefix, below which each object is written as a whole.

A store has no rename and no lock. An object appears when all of it has come, so none is ever half there. Who writes
here is in the object `_lock`: a run puts its own id there when it begins and looks if it still stands there before each
shard that it completes. So of two runs the later one goes on, and the earlier one ends.
"""

from __future__ import annotations

import re
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from tamis.batch import stores
from tamis.errors import InputError, OptionError

_LOCK = "_lock"


class Draft:
    """An object to be, in a file of this machine that has no name, so it vanishes with the process."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.file = tempfile.TemporaryFile()  # noqa: SIM115

    def place(self) -> None:
        """Send it. Raises InputError."""
        self.file.seek(0)
        stores.write(self._address, self.file.read())
        self.file.close()

    def discard(self) -> None:
        """Drop it."""
        self.file.close()


class Prefix:
    """A prefix by its address. Names are relative to it, with slashes."""

    def __init__(self, address: str) -> None:
        """Raises OptionError for an address with credentials, and for a glob, as which a store would read it."""
        stores.check_address(address)
        if stores.MAGIC.search(address):
            raise OptionError(f"{address}: the address of an output has no *, ? or [")
        self.address = address.rstrip("/")
        self._run = ""  # the id of the run that has opened it

    def __str__(self) -> str:
        return self.address

    def absolute(self) -> Prefix:
        """The same prefix, for a process elsewhere."""
        return self

    @contextmanager
    def used(self, how: str = "written") -> Iterator[None]:
        """Raise OptionError where the store can't be written, or read."""
        try:
            yield
        except (InputError, OSError) as error:
            why = str(error).partition(": ")[2] if isinstance(error, InputError) else error.strerror
            raise OptionError(f"{self.address}: can't be {how}: {why or error}") from None

    def found(self, name: str, *, is_folder: bool) -> bool:
        """Is there something of this name? Raises OptionError where no run has made it."""
        stores.forget(self._at(name))
        entry = stores.entry(self._at(name))
        if entry is not None and entry.is_folder != is_folder:
            raise OptionError(
                f"{self._at(name)}: this name is reserved for runs, but no run wrote it; choose another folder"
            )
        return entry is not None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Say that this run writes here; an earlier one that still does will see it."""
        self._run = uuid.uuid4().hex
        with self.used():
            self.write(_LOCK, self._run.encode())
        yield

    def is_lock(self) -> bool:
        """Is the lock that is there one of a run?"""
        return re.fullmatch(rb"[0-9a-f]{32}", self.read(_LOCK) or b"") is not None

    def check_lock(self) -> None:
        """Raise OptionError if another run has opened the prefix."""
        if self.read(_LOCK) != self._run.encode():
            raise OptionError(f"{self.address}: another run has begun to write here, so this one ends")

    def make(self, name: str) -> None:
        """A store has no folders to make."""

    def clean(self) -> None:
        """Nothing is left of runs that were killed."""

    def draft(self, name: str) -> Draft:
        """An object that appears when it is complete. Raises OSError."""
        return Draft(self._at(name))

    def read(self, name: str) -> bytes | None:
        """An object; None where there is none. Raises InputError."""
        return stores.read(self._at(name))

    def write(self, name: str, data: bytes) -> None:
        """A small object. Raises InputError."""
        stores.write(self._at(name), data)

    def delete(self, name: str) -> None:
        """An object, where there is one. Raises InputError."""
        stores.delete(self._at(name))

    def contents(self, folder: str) -> dict[str, bytes]:
        """All objects of a folder in this one, sorted by name. Raises InputError."""
        stores.forget(self._at(folder))
        found = stores.read_all([each.address for each in stores.files_below(self._at(folder))])
        return {address.removeprefix(f"{self.address}/"): data for address, data in found.items()}

    def _at(self, name: str) -> str:
        return f"{self.address}/{name}"
