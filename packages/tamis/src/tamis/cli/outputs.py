"""Writing files, standard output and error messages."""

from __future__ import annotations

import sys
from contextlib import suppress
from errno import EBADF
from os import sep, strerror
from os.path import realpath

from tamis.errors import InputError, OptionError, PageTooLarge, PageTooSlow, RenderError

TYPE_CHECKING = False  # a help text needs neither typing nor the rest
if TYPE_CHECKING:
    from argparse import _ActionsContainer
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path
    from typing import TextIO

    from tamis.cli.sources import Source

# A terminal obeys control characters: those of C0 but tab and newline, DEL and C1.
_CONTROLS = dict.fromkeys({*range(32), *range(127, 160)} - {9, 10}, "\ufffd")


def show(content: str, *, end: str = "\n") -> None:
    """Print to standard output. A terminal gets U+FFFD for each control character, a file or pipe the character.

    Raises OSError.
    """
    stdout = standard_output()
    print(content.translate(_CONTROLS) if stdout.isatty() else content, end=end)


def standard_output() -> TextIO:
    """Standard output. Raises OSError in a process that was started without it."""
    stdout: TextIO | None = sys.stdout
    if stdout is None:
        raise OSError(EBADF, strerror(EBADF))
    return stdout


def complain(words: str) -> None:
    """Print one line to standard error, where there is one."""
    stderr: TextIO | None = sys.stderr
    with suppress(OSError):  # standard error is closed, too
        if stderr is not None:
            print(one_line(f"tamis: {words}"), file=stderr)


def one_line(words: str) -> str:
    """A message as one line without control characters, which names of files and pages may contain."""
    return words.translate(_CONTROLS | {10: "\ufffd"})


def add_output(group: _ActionsContainer, *, help: str, required: bool = False) -> None:
    """Add the options that say where output goes; `output` is a path, one that ends in a slash for a folder, or -."""
    place = group.add_mutually_exclusive_group(required=required)
    place.add_argument("-o", "--output", type=place_name, metavar="OUT", help=help)
    place.add_argument(
        "--output-dir",
        dest="output",
        type=lambda name: f"{place_name(name)}/",
        metavar="DIR",
        help="a folder: the same as -o DIR/",
    )


def place_name(name: str) -> str:
    """The name of an output. Raises ArgumentTypeError for an empty one, as an unset variable of a shell gives."""
    if not name:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError("the name of the output is empty")
    return name


def is_folder(output: str, names: Sequence[str], pages: Sequence[Source], suffixes: Collection[str] = ()) -> bool:
    """Is OUT a folder? Yes for several pages, if it ends in a slash, and if it is one already.

    `names` are the arguments that `pages` come from: a folder counts as several pages, however many it holds. Raises
    OptionError if OUT must be a folder and is a file, or has a suffix of files and no slash.
    """
    from pathlib import Path

    path, several = Path(output), [page.name for page in pages] != [*names]
    if path.is_dir():
        return True
    if not (several or len(pages) > 1 or output.endswith(("/", sep))):
        return False
    if path.exists():
        raise OptionError(f"{path}: this is a file; several pages, or a slash at the end of the name, need a folder")
    if path.suffix.lower() in suffixes and not output.endswith(("/", sep)):
        raise OptionError(f"{path}: several pages need a folder: write {path.stem}/, or {path}/ for one of this name")
    return True


def files_of(output: str, folder: bool, pages: Sequence[Source], suffix: str) -> list[Path]:
    """The file of each page: OUT, or in OUT the name of the page with this suffix."""
    from pathlib import Path

    return [page.output_in(Path(output), suffix) for page in pages] if folder else [Path(output)]


def refuse_to_overwrite(pages: Iterable[Source], targets: Iterable[Path]) -> None:
    """Raise OptionError for a target that is an input page, or that two outputs share."""
    targets = [*targets]
    if not targets:
        return
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
    words = f"{source.shown}: {error}" if isinstance(error, PageTooLarge | PageTooSlow | RenderError) else str(error)
    return words.replace(source.name, source.shown)  # a browser repeats the address with its credentials


def use_utf8_output() -> None:
    """Write UTF-8 in any locale: pages contain all kinds of characters."""
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(encoding="utf-8", errors="replace")
