"""Files at addresses such as s3://bucket/key, through fsspec: ranges and listings come in, whole objects go out.

A request is repeated if the store does not answer or breaks off, from the first missing byte. Addresses are without
credentials: these come from where the store's own tools find them (AWS_*, profiles, roles ...).
"""

from __future__ import annotations

import errno
import io
import os
import random
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from tamis.batch.packages import fsspec
from tamis.errors import InputError, MissingExtra, OptionError

# Seconds before each new try, of which 50 to 100 % are waited, so that workers do not come back all at once. The
# packages of the stores also retry, for shorter times.
_PAUSES = (0.5, 2.0, 8.0)
_FIRST_BLOCK = 1 << 17  # bytes that are fetched after a jump; each block that follows is twice as large
# With 4 MB, waiting for a store at 50 ms takes a tenth of the time that the pages in a block take.
_LARGEST_BLOCK = 1 << 22

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]{0,30})://([^/]*)", re.IGNORECASE)
MAGIC = re.compile(r"[*?[]")  # of globs
_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs", "abfs": "azure", "abfss": "azure", "az": "azure"}
_HTTP = ("http", "https")
_OPTION = re.compile(r"[?&]([^?&=]{1,60})=")  # its name
# In the name of an option or variable, but not in `author`.
_SECRET = re.compile(r"key|secret|token|pass|pwd|sig|credential|connection_string|jwt|auth(?!or(?!i))", re.IGNORECASE)
_FOLDERS = ("PWD", "OLDPWD")  # variables that name no password
_USER = re.compile(r"(?<=://)[^/@\s]+@")

# Errors that another try would not change.
_FINAL = (PermissionError, IsADirectoryError, NotADirectoryError, ImportError)
_FINAL_STATUS = (400, 401, 403, 404, 405, 410, 451)  # of HTTP
_NO_CREDENTIALS = ("NoCredentialsError", "PartialCredentialsError", "ProfileNotFound")  # of botocore

Result = TypeVar("Result")


class StoreFailed(InputError):
    """The store does not answer, or refuses access. The file may well be there."""


class StoreEntry(NamedTuple):
    """A file of a store, or a folder: a prefix of files."""

    address: str
    size: int
    is_folder: bool = False
    tag: str = ""  # changes with the content; empty if the store has none

    @property
    def version(self) -> str:
        """The size and the tag of the file; empty without a tag."""
        return f"{self.size}\0{self.tag}" if self.tag else ""


# Answers of the store, so that the pages of a folder are not listed again for each shard, nor asked for one by one.
# Both only hold names below the inputs and outputs of this process.
_entries: dict[str, StoreEntry] = {}
_listings: dict[str, list[str]] = {}  # of globs and folders


def is_address(path: str) -> bool:
    """Is this an address, not a path of this machine?"""
    return _ADDRESS.match(path) is not None


def check_address(address: str) -> None:
    """Raise OptionError for an address with credentials, which every marker and message would repeat."""
    for part in address.split("::"):  # zip://a.warc::https://host/a.zip
        found = _ADDRESS.match(part)
        if found is None:
            continue
        scheme, user = found[1].lower(), found[2].rpartition("@")[0]
        if (
            ":" in user
            or (user and (scheme in _HTTP or _EXTRAS.get(scheme) in ("s3", "gs")))
            or any(map(_SECRET.search, _OPTION.findall(part)))
        ):
            raise OptionError(
                f"the {scheme}:// address holds credentials; leave them out, and set the variables of the store "
                "(AWS_ACCESS_KEY_ID, GOOGLE_APPLICATION_CREDENTIALS, AZURE_STORAGE_ACCOUNT_KEY ...)"
            )


def forget(address: str) -> None:
    """Ask the store again when an address is needed next."""
    _entries.pop(address, None)
    _listings.pop(address, None)


def entry(address: str) -> StoreEntry | None:
    """The file or folder at an address, if any. Raises StoreFailed, and InputError if even the bucket is missing."""
    if address in _entries:
        return _entries[address]
    fs, path = _file_system(address)
    try:
        found = _entry(address, _with_retries(address, lambda: _info(address, fs, path)))
    except FileNotFoundError as error:
        if "bucket" in str(error).replace(path, ""):
            raise InputError(f"{address}: {_reason(error)}") from None
        return None
    _entries[address] = found
    return found


def glob(address: str) -> list[str]:
    """The sorted files and folders that a glob matches, none for other addresses. Raises StoreFailed and InputError."""
    magic = MAGIC.search(address, len(_root(address)))
    if magic is None:
        return []
    if address in _listings:
        return _listings[address]
    fs, pattern = _file_system(address)
    top = address[: address.rindex("/", 0, magic.start())]
    try:
        found = _with_retries(address, lambda: _uncached(fs).glob(pattern, detail=True))
    except FileNotFoundError:  # of the folder or bucket
        found = {}
    if not found:
        forget(top)
        entry(top)  # raises where even the bucket is missing
    return _remember_listing(address, top, found.values())


def files_below(address: str) -> list[StoreEntry]:
    """All files of a folder and the folders in it, sorted. Raises StoreFailed and InputError."""
    if address not in _listings:
        fs, path = _file_system(address)
        found = _with_retries(address, lambda: _uncached(fs).find(path, detail=True), missing=InputError)
        # A file that appears during the listing can turn the address itself into a folder.
        files = [info for info in found.values() if info["type"] != "directory"]
        _remember_listing(address, address.rstrip("/"), files)
    return [_entries[name] for name in _listings[address]]


def read_range(address: str, start: int, end: int) -> bytes:
    """These bytes of a file, all of which must be there. Raises InputError, StoreFailed and MemoryError."""
    fs, path = _file_system(address)
    held = bytearray()

    def more() -> bytes:
        held.extend(fs.cat_file(path, start=start + len(held), end=end))
        if len(held) < end - start:
            raise OSError(errno.EIO, f"only {len(held):,} of {end - start:,} bytes came")
        return bytes(held)

    data = _with_retries(address, more, missing=InputError)
    if len(data) > end - start:
        raise StoreFailed(f"{address}: the server sends no ranges of a file; copy the file to a disk")
    return data


def read(address: str) -> bytes | None:
    """A whole small file; None where there is none. Raises StoreFailed."""
    fs, path = _file_system(address)
    try:
        data: bytes = _with_retries(address, lambda: fs.cat_file(path))
    except FileNotFoundError:
        return None
    return data


def read_all(addresses: Sequence[str]) -> dict[str, bytes]:
    """Whole small files of one store, many at a time. Raises StoreFailed and InputError."""
    if not addresses:
        return {}
    paths = [_file_system(address)[1] for address in addresses]
    fs, _ = _file_system(addresses[0])
    found = _with_retries(addresses[0], lambda: fs.cat(paths), missing=InputError)
    return {address: found[path] for address, path in zip(addresses, paths, strict=True)}


def write(address: str, data: bytes) -> None:
    """A file as a whole, in place of one that is there. Raises StoreFailed and InputError."""
    fs, path = _file_system(address)
    _with_retries(address, lambda: fs.pipe_file(path, data), missing=InputError)


def delete(address: str) -> None:
    """A file, where there is one. Raises StoreFailed."""
    fs, path = _file_system(address)
    with suppress(FileNotFoundError):
        _with_retries(address, lambda: fs.rm_file(path))


class RemoteFile(io.RawIOBase):
    """A file of a store that is read by ranges; a jump costs a request."""

    def __init__(self, address: str) -> None:
        """Raises InputError and StoreFailed."""
        found = entry(address)
        if found is None or found.is_folder:
            raise InputError(f"{address}: {'it is a folder' if found else 'no such file'}")
        self.name, self.size = address, found.size
        self._at, self._ahead = 0, _FIRST_BLOCK
        # Readers of archives read beyond the end of a record and go back, so two blocks are kept.
        self._blocks: deque[tuple[int, bytes]] = deque(maxlen=2)
        self._failed: StoreFailed | None = None

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to another place."""
        self._at = offset + (0, self._at, self.size)[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, as far as there are bytes."""
        wanted = memoryview(buffer).cast("B")
        count = max(min(len(wanted), self.size - self._at), 0)
        done = 0
        while done < count:
            begin, block = self._block(self._at + done, count - done)
            part = memoryview(block)[self._at + done - begin :][: count - done]
            wanted[done : done + len(part)] = part
            done += len(part)
        self._at += count
        return count

    def _block(self, offset: int, count: int) -> tuple[int, bytes]:
        """The start and the bytes of a block that holds this offset."""
        for begin, block in self._blocks:
            if begin <= offset < begin + len(block):
                return begin, block
        if self._failed:  # a library in between may have taken the first error for damage
            raise self._failed
        follows = bool(self._blocks) and offset == self._blocks[-1][0] + len(self._blocks[-1][1])
        self._ahead = min(2 * self._ahead, _LARGEST_BLOCK) if follows else _FIRST_BLOCK
        try:
            data = read_range(self.name, offset, min(offset + max(count, self._ahead), self.size))
        except StoreFailed as error:
            self._failed = error
            raise
        self._blocks.append((offset, data))
        return offset, data


def _file_system(address: str) -> tuple[Any, str]:
    """The file system of an address and the path in it. Raises MissingExtra and OptionError."""
    scheme = _scheme(address)
    package = fsspec()
    try:
        fs, path = package.core.url_to_fs(address)
    except ImportError as error:
        if scheme in _EXTRAS:
            raise MissingExtra(f"{scheme}://", _EXTRAS[scheme]) from None
        raise OptionError(f"{scheme}:// needs a package that is not installed: {_reason(error)}") from None
    except Exception as error:  # each file system has its own errors for wrong settings
        raise OptionError(f"{scheme}:// can't be opened: {_reason(error)}") from None
    return fs, path


def _uncached(fs: Any) -> Any:
    """The file system, with its cache of listings cleared."""
    fs.invalidate_cache()
    return fs


def _info(address: str, fs: Any, path: str) -> dict[str, Any]:
    """The facts about a file. fsspec's HTTP calls each error a missing file; this raises the original error."""
    try:
        found: dict[str, Any] = _uncached(fs).info(path)
    except FileNotFoundError as error:
        cause = error.__cause__
        if cause is not None and _scheme(address) in _HTTP and getattr(cause, "status", None) != 404:
            raise cause from None
        raise
    return found


def _with_retries(address: str, action: Callable[[], Result], missing: type[InputError] | None = None) -> Result:
    """The result of the action, which is repeated where the store fails.

    Raises StoreFailed, MemoryError, and FileNotFoundError or the error `missing` that replaces it.
    """
    for pause in (*_PAUSES, None):
        try:
            return action()
        except MemoryError:
            raise
        except FileNotFoundError as error:
            if missing is None:
                raise
            raise missing(f"{address}: {_reason(error)}") from None
        except Exception as error:  # each file system has its own errors
            if pause is None or _is_final(error):
                raise StoreFailed(f"{address}: {_reason(error)}") from None
        time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 nothing secret depends on it
    raise AssertionError("the last try returns or raises")


def _is_final(error: Exception) -> bool:
    """Would another try end in the same way?"""
    return (
        isinstance(error, _FINAL)
        or type(error).__name__ in _NO_CREDENTIALS
        or getattr(error, "status", None) in _FINAL_STATUS
    )


def _reason(error: Exception) -> str:
    """An error in one line, with all that could be a secret removed."""
    words = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, PermissionError) or getattr(error, "status", None) in (401, 403):
        words = f"the store refuses access: {words}"
    elif type(error).__name__ in _NO_CREDENTIALS:
        words = f"no credentials that can be used: {words}"
    for name, value in os.environ.items():
        if len(value) > 5 and _SECRET.search(name) and name not in _FOLDERS:
            words = words.replace(value, "***")
    return _USER.sub("", words)[:300]


def _root(address: str) -> str:
    """The scheme and the bucket of an address."""
    found = _ADDRESS.match(address)
    return found[0] if found else ""


def _scheme(address: str) -> str:
    return _root(address).partition(":")[0].lower()


def _entry(address: str, info: dict[str, Any]) -> StoreEntry:
    """Raises InputError for a file of unknown size: fsspec's HTTP reads the size from a header."""
    is_folder = info["type"] == "directory"
    if info.get("size") is None and not is_folder:
        raise InputError(f"{address}: the server does not tell its size; copy the file to a disk")
    tag = next((str(info[name]) for name in ("ETag", "etag", "content_md5", "md5Hash") if info.get(name)), "")
    return StoreEntry(address, int(info.get("size") or 0), is_folder, tag)


def _remember_listing(address: str, top: str, infos: Iterable[dict[str, Any]]) -> list[str]:
    """The sorted addresses of the files below `top`; remembers them. Raises StoreFailed and InputError."""
    path = _file_system(top)[1].rstrip("/")
    names = []
    for info in infos:
        name = f"{top}/{info['name'].rstrip('/')[len(path) :].removeprefix('/')}"
        forget(name)  # an earlier listing, where it is a folder
        if info.get("size") is None and info["type"] != "directory":
            found = entry(name)  # a listing of links tells no sizes
            if found is None:
                raise InputError(f"{name}: no such file")
        else:
            found = _entry(name, info)
        _entries[name] = found
        names.append(name)
    _listings[address] = sorted(names)
    return _listings[address]
