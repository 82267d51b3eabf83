"""An output folder in a store: a prefix, below which each object is written as a whole.

A store can't rename or lock. An object appears when it has been sent completely, so none is ever half there. The object
`_lock` names the run that writes here: a run puts its own id there when it starts, and checks before each shard that
it completes that the id is still there. So of two runs the later one continues, and the earlier one ends.
"""

from __future__ import annotations

import re
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from tamis.batch import stores
from tamis.errors import InputError, OptionError

_LOCK = "_lock"


class ObjectDraft:
    """A future object, in an unnamed file of this machine, which vanishes with the process."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.file = tempfile.TemporaryFile()  # noqa: SIM115

    def place(self) -> None:
        """Send the object. Raises InputError."""
        self.file.seek(0)
        stores.write(self._address, self.file.read())
        self.file.close()

    def discard(self) -> None:
        """Drop the file."""
        self.file.close()


class Prefix:
    """A prefix by its address. Names are relative to it, with slashes."""

    lock_content = re.compile(rb"[0-9a-f]{32}")

    def __init__(self, address: str) -> None:
        """Raises OptionError for an address with credentials, and for one that a store would read as a glob."""
        stores.check_address(address)
        if stores.MAGIC.search(address):
            raise OptionError(f"{address}: the address of an output can't have *, ? or [")
        self.address = address.rstrip("/")
        self._run = ""  # the id of the run that has opened it

    def __str__(self) -> str:
        return self.address

    def absolute(self) -> Prefix:
        """The same prefix: an address means the same everywhere."""
        return self

    @contextmanager
    def access(self, how: str = "written") -> Iterator[None]:
        """Raise OptionError if the store can't be written, or read."""
        try:
            yield
        except (InputError, OSError) as error:
            why = str(error).partition(": ")[2] if isinstance(error, InputError) else error.strerror
            raise OptionError(f"{self.address}: can't be {how}: {why or error}") from None

    def kind_of(self, name: str) -> Literal["file", "folder"] | None:
        """What has this name, if anything. Raises InputError."""
        stores.forget(self._address_of(name))
        entry = stores.entry(self._address_of(name))
        return None if entry is None else "folder" if entry.is_folder else "file"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Announce that this run writes here, which ends an earlier one."""
        self._run = uuid.uuid4().hex
        with self.access():
            self.write(_LOCK, self._run.encode())
        yield

    def check_lock(self) -> None:
        """Raise OptionError if another run has opened the prefix."""
        if self.read(_LOCK) != self._run.encode():
            raise OptionError(f"{self.address}: another run has started to write here, so this one ends")

    def make(self, name: str) -> None:
        """Nothing to do: folders of a store appear with their objects."""

    def clean(self) -> None:
        """Nothing to do: killed runs leave nothing in a store."""

    def draft(self, name: str) -> ObjectDraft:
        """An object that appears when it is complete. Raises OSError."""
        return ObjectDraft(self._address_of(name))

    def read(self, name: str) -> bytes | None:
        """The content of an object, if it exists. Raises InputError."""
        return stores.read(self._address_of(name))

    def write(self, name: str, data: bytes) -> None:
        """Write a small object. Raises InputError."""
        stores.write(self._address_of(name), data)

    def delete(self, name: str) -> None:
        """Delete an object, if it exists. Raises InputError."""
        stores.delete(self._address_of(name))

    def contents(self, folder: str) -> dict[str, bytes]:
        """All objects of a folder in this one, sorted by name. Raises InputError."""
        stores.forget(self._address_of(folder))
        found = stores.read_all([each.address for each in stores.files_below(self._address_of(folder))])
        return {address.removeprefix(f"{self.address}/"): data for address, data in found.items()}

    def _address_of(self, name: str) -> str:
        return f"{self.address}/{name}"
