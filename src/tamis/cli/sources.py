"""What the words on the command line stand for: files, folders, URLs, standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from tamis.errors import InputError
from tamis.fetch import fetch, is_url

_PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml"})

# How files begin that are certainly no web page.
_SIGNATURES = {
    b"%PDF-": "a PDF file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"\x7fELF": "a program",
}


# More than any page that is not too large has in any encoding; an endless file ends here.
_MOST_BYTES = 100_000_000


class Source(NamedTuple):
    """One page to read: what the user called it, and under which name its output is filed."""

    name: str
    output_name: Path

    @property
    def is_file(self) -> bool:
        """Is this a file, and not standard input or a URL?"""
        return self.name != "-" and not is_url(self.name)


class Raw(NamedTuple):
    """A page as bytes, with what is known of it beside them."""

    data: bytes
    url: str | None
    charset: str | None


def expand(words: Sequence[str]) -> list[Source]:
    """Turn folders into the pages below them. Raises InputError for one without pages."""
    found: list[Source] = []
    for word in words:
        path = Path(word)
        if not word:
            raise InputError("an empty name is no file")
        if word != "-" and not is_url(word) and _is_folder(path):
            pages = sorted(_pages_below(path))
            if not pages:
                raise InputError(f"{word}: no page in this folder (looked for {', '.join(sorted(_PAGE_SUFFIXES))})")
            found += [Source(str(page), page.relative_to(path).with_suffix("")) for page in pages]
        elif is_url(word):
            found.append(Source(word, Path(_file_name(word))))
        else:
            found.append(Source(word, Path("stdin" if word == "-" else path.stem)))
    return _with_distinct_outputs(found)


def read(source: Source, *, timeout: float, max_bytes: int) -> Raw:
    """Read one page. Raises InputError."""
    if is_url(source.name):
        page = fetch(source.name, timeout=timeout, max_bytes=max_bytes)
        return Raw(page.data, page.url, page.charset)
    try:
        data = _standard_input() if source.name == "-" else _contents(source.name)
    except OSError as error:
        raise InputError(f"{source.name}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{source.name!r}: {error}") from None
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            raise InputError(f"{source.name}: this is {kind}, not a web page")
    return Raw(data, None, None)


def _standard_input() -> bytes:
    # A process can be started without one, whatever its type says.
    stdin: TextIO | None = sys.stdin
    if stdin is None:
        raise InputError("standard input is closed")
    return stdin.buffer.read(_MOST_BYTES)


def _contents(name: str) -> bytes:
    with Path(name).open("rb") as file:
        return file.read(_MOST_BYTES)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name too long, or with a NUL; reading it will say so
        return False


def _with_distinct_outputs(found: list[Source]) -> list[Source]:
    """Number output names that stand for more than one page."""
    reserved = {source.output_name for source in found}
    taken: set[Path] = set()
    distinct: list[Source] = []
    for source in found:
        name, number = source.output_name, 1
        while name in taken or (number > 1 and name in reserved):
            number += 1
            name = source.output_name.with_name(f"{source.output_name.name}-{number}")
        taken.add(name)
        distinct.append(Source(source.name, name))
    return distinct


def _pages_below(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.suffix.lower() in _PAGE_SUFFIXES and path.is_file())


def _file_name(url: str) -> str:
    """A file name for a URL: only letters, digits, dots and dashes reach the file system."""
    bare = url.split("://", 1)[1]
    name = "".join(letter if letter.isascii() and (letter.isalnum() or letter in ".-") else "_" for letter in bare)
    return name.strip("._")[:120] or "page"
