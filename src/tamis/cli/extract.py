"""`tamis extract`: pages in, main content out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from tamis.cli.choice import add_choice
from tamis.cli.exits import Exit
from tamis.cli.outputs import paths_read, save, use_utf8_output
from tamis.errors import InputError, OptionError, PageTooLarge
from tamis.fetch import MAX_BYTES, TIMEOUT
from tamis.registry import entry_of

if TYPE_CHECKING:
    from tamis.cli.sources import Source
    from tamis.page import Page

_SUFFIXES = {"text": ".txt", "markdown": ".md", "html": ".html", "json": ".json"}

_LONGEST_WAIT = 86_400.0  # a day, in seconds

_DESCRIPTION = """\
Extract the main content of web pages.

A SOURCE is a file, a folder (every page below it), an http(s) URL, or - for standard input.
"""

_EPILOG = """\
examples:
  tamis extract page.html
  tamis extract page.html --format markdown --with-metadata
  tamis extract page.html --highlight seen.html     see what was kept, in a browser
  tamis extract https://example.org/post --precision
  tamis extract archive/ --output-dir out --format json
"""


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "extract",
        help="extract the main content of pages",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="file, folder, URL or -")
    output = parser.add_argument_group("output")
    output.add_argument(
        "-f", "--format", "--output-format", dest="format", choices=_SUFFIXES, default="text", help="default: text"
    )
    output.add_argument("-o", "--output-dir", type=Path, metavar="DIR", help="one file a page instead of stdout")
    output.add_argument("--with-metadata", action="store_true", help="title, author, date ... above the content")
    output.add_argument("--highlight", type=Path, metavar="FILE", help="also write the page with its content marked")
    output.add_argument("--no-links", action="store_true", help="link texts without their targets")
    output.add_argument("--no-images", action="store_true", help="leave images out of markdown and html")
    output.add_argument("--no-tables", action="store_true", help="write tables as plain lines")
    choice = add_choice(parser)
    choice.add_argument("--comments", action="store_true", help="also what readers said below the content")
    reading = parser.add_argument_group("reading")
    reading.add_argument("--url", help="address the page came from, to make links absolute")
    reading.add_argument("--encoding", help="charset that the server named, for files and stdin")
    reading.add_argument(
        "--timeout", type=seconds, default=TIMEOUT, metavar="S", help=f"for a URL (default {TIMEOUT:g})"
    )
    reading.add_argument(
        "--max-bytes", type=_positive, default=MAX_BYTES, metavar="N", help=f"for a URL (default {MAX_BYTES:,})"
    )
    parser.set_defaults(run=run)


def seconds(word: str) -> float:
    """A time to wait; its name is what argparse complains with."""
    value = float(word)
    if not 0 < value <= _LONGEST_WAIT:
        raise ValueError
    return value


def _positive(word: str) -> int:
    value = int(word)
    if value < 1:
        raise argparse.ArgumentTypeError("a number of bytes is at least 1")
    return value


def run(options: argparse.Namespace) -> Exit:
    """Extract every source; a page that can't be read does not stop the others."""
    from tamis.cli import sources

    entry_of(options.extractor)
    pages = sources.expand(options.sources)
    if options.highlight and len(pages) > 1:
        raise OptionError("--highlight takes one page")
    _refuse_to_overwrite(pages, options)
    use_utf8_output()
    unreadable = extracted = 0
    with _progress(pages) as tracked:
        for source in tracked:
            try:
                page = _extract(source, options)
            except PageTooLarge as error:
                print(f"tamis: {source.name}: {error}", file=sys.stderr)
                unreadable += 1
                continue
            except InputError as error:
                print(f"tamis: {error}", file=sys.stderr)
                unreadable += 1
                continue
            extracted += bool(page.text)
            if not page.text:
                print(f"tamis: {source.name}: no main content found", file=sys.stderr)
            _write(page, source, options, many=len(pages) > 1)
    if unreadable:
        return Exit.UNREADABLE
    return Exit.FINE if extracted else Exit.NOTHING


def _extract(source: Source, options: argparse.Namespace) -> Page:
    from tamis.api import extract
    from tamis.cli import sources
    from tamis.document.parse import known_encoding

    if options.encoding and not known_encoding(options.encoding):
        raise OptionError(f"no encoding is called {options.encoding!r}")
    raw = sources.read(source, timeout=options.timeout, max_bytes=options.max_bytes)
    return extract(
        raw.data,
        url=options.url or raw.url,
        encoding=options.encoding or raw.charset,
        extractor=options.extractor,
        favor_precision=options.precision,
        favor_recall=options.recall,
        include_comments=options.comments,
        include_links=not options.no_links,
        include_images=not options.no_images,
        include_tables=not options.no_tables,
    )


def _write(page: Page, source: Source, options: argparse.Namespace, *, many: bool) -> None:
    if options.highlight:
        save(options.highlight, page.highlighted)
    if options.output_dir:
        save(_target(source, options), _rendered(page, options, compact=False) + "\n")
    elif many and options.format != "json":
        print(f"==> {source.name} <==\n{_rendered(page, options, compact=False)}\n")
    else:
        content = _rendered(page, options, compact=many)
        if content:
            print(content)


def _target(source: Source, options: argparse.Namespace) -> Path:
    """The file that a page is written to."""
    folder: Path = options.output_dir
    return folder / source.output_name.with_name(source.output_name.name + _SUFFIXES[options.format])


def _refuse_to_overwrite(pages: list[Source], options: argparse.Namespace) -> None:
    """No output may take the place of a page that is read, or of another output."""
    taken = paths_read(pages)
    written = [_target(source, options) for source in pages] if options.output_dir else []
    written += [options.highlight] if options.highlight else []
    for target in written:
        if realpath(target) in taken:
            raise OptionError(f"{target}: this would overwrite a page or another output; choose another place")
        taken.add(realpath(target))


def _rendered(page: Page, options: argparse.Namespace, *, compact: bool) -> str:
    if options.format == "json":
        return json.dumps(page.as_dict(), ensure_ascii=False) if compact else page.json
    content: str = getattr(page, options.format)  # text, markdown or html
    if not options.with_metadata:
        return content
    known = {key: value for key, value in page.metadata.as_dict().items() if value and key != "sources"}
    if options.format == "html":
        from html import escape

        shown = {key: ", ".join(value) if isinstance(value, list) else str(value) for key, value in known.items()}
        return "".join(f'<meta name="{key}" content="{escape(value)}">\n' for key, value in shown.items()) + content
    # A JSON value is a YAML value, so this is front matter that every tool reads.
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in known.items()]
    return "\n".join(["---", *lines, "---", "", content])


@contextmanager
def _progress(pages: list[Source]) -> Iterator[Iterable[Source]]:
    """Show a progress bar for several pages on a terminal."""
    stderr: TextIO | None = sys.stderr  # which a process can be started without
    if len(pages) < 2 or stderr is None or not stderr.isatty():
        yield pages
        return
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        print("tamis: for a progress bar: pip install 'tamis[cli]'", file=sys.stderr)
        yield pages
        return
    # What is printed meanwhile goes where it was meant to go, not through the bar.
    with Progress(console=Console(stderr=True), redirect_stdout=False, redirect_stderr=False) as bar:
        yield bar.track(pages, description="extracting")
