"""Writing files, standard output and error messages."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from os.path import realpath
from pathlib import Path

from tamis.cli.sources import Source
from tamis.errors import InputError, OptionError, PageTooLarge, PageTooSlow, RenderError


def refuse_to_overwrite(pages: Iterable[Source], targets: Iterable[Path]) -> None:
    """Raise OptionError for a target that is an input page, or that two outputs share."""
    taken = {realpath(source.name) for source in pages if source.is_file and "\0" not in source.name}
    for target in targets:
        path = realpath(target)
        if path in taken:
            raise OptionError(f"{target}: this would overwrite a page or another output; choose another place")
        taken.add(path)


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


def message(source: Source, error: InputError) -> str:
    """An error with the name of its page. Errors of reading a source contain the name already."""
    return f"{source.name}: {error}" if isinstance(error, PageTooLarge | PageTooSlow | RenderError) else str(error)


def use_utf8_output() -> None:
    """Write UTF-8 in any locale: pages contain all kinds of characters."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:
        reconfigure(encoding="utf-8", errors="replace")
