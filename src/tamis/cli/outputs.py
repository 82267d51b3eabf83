"""Where the verbs write to."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING

from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.cli.sources import Source


def paths_read(pages: Iterable[Source]) -> set[str]:
    """The files that pages are read from, as real paths: none may be written to."""
    return {realpath(source.name) for source in pages if source.is_file and "\0" not in source.name}


def save(path: Path, content: str | bytes) -> None:
    """Write a file, and the folders above it. Raises OptionError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_bytes(content)
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror or error}") from None


def use_utf8_output() -> None:
    """Pages hold any character, whatever the terminal's locale is."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:
        reconfigure(encoding="utf-8", errors="replace")
