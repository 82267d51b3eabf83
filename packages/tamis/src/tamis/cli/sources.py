"""The pages that arguments name: files, folders, URLs, standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from os.path import isdir  # unlike Path.is_dir, it is False for a name that is too long; reading it reports that
from pathlib import Path
from typing import NamedTuple, TextIO

from tamis.errors import InputError
from tamis.inputs import MOST_BYTES, PAGE_SUFFIXES, RawPage, check_encoding, check_signature, leads_out, read_file
from tamis.web import MAX_BYTES, TIMEOUT, fetch, is_url

# Files of many pages, which only `tamis batch` reads.
_MANY_PAGES = tuple(f"{kind}{packed}" for kind in (".warc", ".jsonl", ".parquet") for packed in ("", ".gz", ".zst"))


class Source(NamedTuple):
    """One page to read."""

    name: str  # as in the arguments: a path, a URL or -
    output_name: Path  # the name of its output, without suffix

    @property
    def shown(self) -> str:
        """The name for messages: a URL without credentials."""
        return _without_credentials(self.name) if is_url(self.name) else self.name

    @property
    def is_file(self) -> bool:
        """Is this a file, not standard input or a URL?"""
        return self.name != "-" and not is_url(self.name)

    def output_in(self, folder: Path, suffix: str) -> Path:
        """The output file of this page."""
        return folder / self.output_name.with_name(self.output_name.name + suffix)


def expand(names: Sequence[str]) -> list[Source]:
    """The sources of these names; a folder is every page below it. Raises InputError for an empty name."""
    sources: list[Source] = []
    for name in names:
        path = Path(name)
        if not name:
            raise InputError("an empty name is not a file")
        if name == "-":
            sources.append(Source(name, Path("stdin")))
        elif is_url(name):
            sources.append(Source(name, Path(_file_name(name))))
        elif isdir(path):  # noqa: PTH112
            pages = sorted(_pages_below(path))
            sources += [Source(str(page), page.relative_to(path).with_suffix("")) for page in pages]
            if not pages:  # `read` reports it, so that the other sources are read
                sources.append(Source(name, Path(path.name)))
        else:
            sources.append(Source(name, Path(path.stem)))
    return _with_distinct_outputs(sources)


def read(
    source: Source,
    *,
    url: str | None = None,
    charset: str | None = None,
    timeout: float = TIMEOUT,
    max_bytes: int = MAX_BYTES,
    allow_private: bool = False,
) -> RawPage:
    """Read one page. `url` and `charset` replace what the server named. Raises InputError or OptionError."""
    if charset:
        check_encoding(charset)
    if source.is_file and isdir(source.name):  # noqa: PTH112
        raise InputError(f"{source.name}: no page in this folder (looked for {', '.join(PAGE_SUFFIXES)})")
    if source.is_file and source.name.lower().endswith(_MANY_PAGES):
        raise InputError(f"{source.name}: this holds many pages: tamis batch {source.name} -o out")
    if is_url(source.name):
        page = fetch(source.name, timeout=timeout, max_bytes=max_bytes, allow_private=allow_private)
    else:
        page = _read_stdin() if source.name == "-" else read_file(source.name)
    return page._replace(url=url or page.url, charset=charset or page.charset)


def _read_stdin() -> RawPage:
    stdin: TextIO | None = sys.stdin  # None in a process that was started without it
    if stdin is None:
        raise InputError("standard input is closed")
    try:
        data = stdin.buffer.read(MOST_BYTES)
    except OSError as error:
        raise InputError(f"-: {error.strerror or error}") from None
    if not data:
        raise InputError("standard input is empty")  # the program before the pipe failed
    check_signature(data, "-")
    return RawPage(data)


def _with_distinct_outputs(sources: list[Source]) -> list[Source]:
    """The same with numbers added to output names that several pages have."""
    reserved = {source.output_name for source in sources}
    taken: set[Path] = set()
    distinct: list[Source] = []
    for source in sources:
        name, number = source.output_name, 1
        while name in taken or (number > 1 and name in reserved):
            number += 1
            name = source.output_name.with_name(f"{source.output_name.name}-{number}")
        taken.add(name)
        distinct.append(Source(source.name, name))
    return distinct


def _pages_below(folder: Path) -> Iterator[Path]:
    found = (path for path in folder.rglob("*") if path.suffix.lower() in PAGE_SUFFIXES and path.is_file())
    return (path for path in found if not leads_out(path, folder))


def _without_credentials(url: str) -> str:
    from tamis.document.addresses import without_credentials  # its room imports NumPy, and a help text must be fast

    return without_credentials(url)


def _file_name(url: str) -> str:
    """A file name for a URL: ASCII letters, digits, dots and dashes; everything else becomes an underscore."""
    name = re.sub(r"[^A-Za-z0-9.-]", "_", _without_credentials(url).split("://", 1)[1])
    return name.strip("._")[:120] or "page"
