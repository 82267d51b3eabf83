"""Pages as bytes, and pages in files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from tamis.errors import InputError


class RawPage(NamedTuple):
    """A page as bytes, with its address and the charset of its HTTP header, if they are known.

    `tamis.fetch` returns it and `tamis.extract` accepts it. Wrap a page that another library has fetched:
    `tamis.RawPage(response.content, url)`.
    """

    data: bytes
    url: str | None = None
    charset: str | None = None

    def __repr__(self) -> str:
        return f"RawPage({len(self.data):,} bytes, url={self.url!r}, charset={self.charset!r})"


PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")

# At most this much is read of a file, standard input or a record of a batch. A page within the limits is smaller in
# every encoding.
MOST_BYTES = 100_000_000

# The first bytes of files that are not web pages.
_SIGNATURES = {
    b"%PDF-": "a PDF file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF87a": "a GIF image",
    b"GIF89a": "a GIF image",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"\x7fELF": "a program",
    b"PAR1": "a Parquet file",
    b"WARC/": "a WARC archive",
}


# Control characters that text never has. ISO-2022-JP uses ESC, and some old pages have form feeds.
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
# In the first bytes of random or compressed data, one in ten is such a character; of 8,624 files of fourteen corpora,
# none has more than one in 600. A few bytes make no difference.
_MOST_CONTROLS = 0.02  # of the first bytes
_FEW_CONTROLS = 50
_FIRST_BYTES = 16_384


class NotAPage(InputError):
    """A PDF, an image or another file that is not a web page."""


def read_file(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> RawPage:
    """The page in a file. Raises InputError if it can't be read or is not a web page."""
    name = os.fsdecode(path)
    try:
        with Path(name).open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{name!r}: {error}") from None
    check_signature(data, name)
    return RawPage(data)


def leads_out(path: Path, folder: Path) -> bool:
    """Does a symbolic link make this path lead out of the folder? A stranger may have put it there."""
    return not path.resolve().is_relative_to(folder.resolve())


def check_signature(data: bytes | bytearray, name: str | None = None, charset: str | None = None) -> None:
    """Raise NotAPage for the bytes of a PDF, an image and so on, and for bytes that are not text.

    `name` is the source in the message; `charset` comes from the HTTP header.
    """
    kind = next((kind for signature, kind in _SIGNATURES.items() if data.startswith(signature)), None)
    if kind is None and _is_binary(bytes(data[:_FIRST_BYTES]), charset):
        kind = "binary data"
    if kind:
        raise NotAPage(f"{f'{name}: ' if name else ''}this is {kind}, not a web page")


def _is_binary(data: bytes, charset: str | None) -> bool:
    if _too_many(len(data) - len(data.translate(None, _CONTROLS)), len(data)):
        from tamis.document.decode import decode  # its room imports NumPy, and a help text must be fast

        text = decode(data, encoding=charset).text  # in UTF-16, half of all bytes may be control characters
        return _too_many(sum(text.count(each) for each in ("\ufffd", *map(chr, _CONTROLS))), len(text))
    return False


def _too_many(controls: int, size: int) -> bool:
    return controls > _FEW_CONTROLS and controls > _MOST_CONTROLS * size
