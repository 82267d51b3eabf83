"""`tamis extract`: pages in, main content out."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from tamis.cli.arguments import (
    add_choice,
    add_reading,
    add_verb,
    add_written,
    at_least,
    check_chunks,
    content_options,
    is_given,
    seconds,
)
from tamis.cli.csv import csv_head, csv_row
from tamis.cli.exits import Exit
from tamis.cli.outputs import add_output, complain, files_of, is_folder, message, refuse_to_overwrite, save, show
from tamis.cli.sources import Source, expand, read
from tamis.errors import InputError, OptionError
from tamis.option_table import CHUNK_TOKENS
from tamis.registry import check
from tamis.web import MAX_BYTES, TIMEOUT

if TYPE_CHECKING:
    from tamis.page import Page
    from tamis.protocol import Extractor

_SUFFIXES = {
    "text": ".txt",
    "markdown": ".md",
    "html": ".html",
    "json": ".json",
    "xml": ".xml",
    "tei": ".xml",
    "chunks": ".jsonl",
    "csv": ".csv",
}
_FORMATS = {suffix: format for format, suffix in _SUFFIXES.items() if format != "tei"} | {
    ".htm": "html",
    ".markdown": "markdown",
    ".tei": "tei",
}

_LINES = ("posts", "items", "links")  # records of a page, a line each
_ONLY = ("metadata", "state", "facts", *_LINES)
_OF_STATE = ("state", "state_probability", "state_evidence", "confidence")

_DESCRIPTION = """\
Extract the main content of web pages.

A SOURCE is a file, a folder (every page below it), an http(s) URL, or - for standard input.
"""

_EPILOG = """\
examples:
  tamis extract page.html
  tamis extract page.html -o page.md                the suffix chooses the format
  tamis extract page.html --format markdown --front-matter
  tamis extract page.html --format chunks --chunk-tokens 400
  tamis extract page.html --only metadata           title, authors, date ... as JSON, with sources
  tamis extract thread.html --only posts            who says what and when, a line of JSON each
  tamis extract page.html --highlight seen.html     see what was kept, in a browser
  tamis extract https://example.org/post --precision
  tamis extract archive/ -o out/ --format json      a file for each page
  tamis extract news/42.html --site news/           what repeats on the site is left out

Each flag has an opposite, such as --no-comments and --links, which switches off what a file of settings switches on.

exit codes: 0 fine, 1 nothing extracted, 2 wrong use, 3 input could not be read
"""


def add_parser(verbs: Any) -> None:
    """Add `extract` to the command line."""
    parser = add_verb(verbs, "extract", run, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="file, folder, URL or -")
    output = parser.add_argument_group("output")
    formats = (
        "default: by the suffix of OUT, else text; chunks are JSON lines, csv has a row for each page, "
        "xml has the names of trafilatura's"
    )
    output.add_argument("-f", "--format", "--output-format", dest="format", choices=_SUFFIXES, help=formats)
    add_output(output, help="a file; for several pages, or with a slash at the end, a folder; default: standard output")
    above = "title, author, date ... above text and markdown (as YAML) and html"
    output.add_argument("--front-matter", "--with-metadata", dest="front_matter", action="store_true", help=above)
    output.add_argument("--blocks", action="store_true", help="json: also every block, kept or not, with its score")
    known = (
        "no text, but JSON: of title, authors, date ... with sources; of facts (recipe, product ...); of the state of "
        "the page and the confidence of the extraction; or a line for each post, entry or link"
    )
    output.add_argument("--only", choices=_ONLY, help=known)
    declared = "with --only metadata: also all that the page declares, such as a product or a recipe"
    output.add_argument("--structured-data", action="store_true", help=declared)
    output.add_argument("--highlight", type=Path, metavar="FILE", help="also write the page with its content marked")
    add_written(output)
    site = "other pages of the site, a folder or a file of Site.save: what repeats there is template"
    add_choice(parser).add_argument("--site", type=Path, metavar="PLACE", help=site)
    reading = parser.add_argument_group("reading")
    add_reading(reading)
    times, sizes = f"for a URL, and for the work on a page (default {TIMEOUT:g})", f"for a URL (default {MAX_BYTES:,})"
    reading.add_argument("--timeout", type=seconds, default=TIMEOUT, metavar="S", help=times)
    reading.add_argument("--max-bytes", type=at_least(1), default=MAX_BYTES, metavar="N", help=sizes)


def run(options: argparse.Namespace) -> Exit:
    """Extract every source; a page that can't be read does not stop the others."""
    # The threads of NumPy's linear algebra take a quarter of the processor time of a start, and one page needs none.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    check(options.extractor)
    _check(options)
    pages = expand(options.sources)
    if options.highlight and len(pages) > 1:
        raise OptionError("--highlight takes one page")
    place = None if options.output == "-" else options.output
    folder = place is not None and is_folder(place, options.sources, pages, _FORMATS)
    options.format = _format(options, "" if place is None or folder else Path(place).suffix)
    _check_format(options)
    files = [] if place is None else files_of(place, folder, pages, _SUFFIXES[options.format])
    refuse_to_overwrite(pages, [*files, options.highlight] if options.highlight else files)
    if options.rules is not None:
        from tamis.site.rules import read_rules

        options.rules = read_rules(options.rules)
    extractor: str | Extractor = options.extractor
    if options.site is not None:
        from tamis.cli.site import extractor_for_site

        extractor = extractor_for_site(options.extractor, options.site)
    if options.format == "csv" and not files and len(pages) > 1:
        show(csv_head())
    unreadable = extracted = 0
    with _progress(pages) as tracked:
        for source, file in zip_longest(tracked, files):
            try:
                page = _extract(source, options, extractor)
                found = _has(page, options.only)
                extracted += found
                if not found:
                    complain(f"{source.shown}: no {options.only or 'main content'} found{_reason(page)}")
                _write(page, source, file, options, many=len(pages) > 1)
            except InputError as error:  # outputs, too, may be too large or too slow
                complain(message(source, error))
                unreadable += 1
    if unreadable:
        return Exit.UNREADABLE
    return Exit.FINE if extracted else Exit.NOTHING


def _check(options: argparse.Namespace) -> None:
    """Raise OptionError for options that exclude each other."""
    if options.only and options.format not in (None, "json") and "format" not in options.configured:
        raise OptionError(f"--only {options.only} writes JSON, not {options.format}")
    if is_given(options, "structured_data") and options.only != "metadata":
        raise OptionError("--structured-data is for --only metadata")


def _check_format(options: argparse.Namespace) -> None:
    """Raise OptionError for options that the format does not use, unless they are set in a file of settings."""
    if is_given(options, "blocks") and (options.only or options.format != "json"):
        raise OptionError("--blocks is for --format json, without --only")
    if options.format == "chunks" and not options.only:
        check_chunks(options)
    elif is_given(options, "chunk_tokens", CHUNK_TOKENS):
        raise OptionError("--chunk-tokens is for --format chunks")
    elif is_given(options, "chunk_overlap"):
        raise OptionError("--chunk-overlap is for --format chunks")


def _format(options: argparse.Namespace, suffix: str) -> str:
    """The format: by the command line, the suffix of the output, or the file of settings, in this order."""
    if options.only:
        return "chunks" if options.only in _LINES else "json"
    known = _FORMATS.get(suffix.lower())
    if known and (options.format is None or "format" in options.configured):
        return known
    return options.format or "text"


def _extract(source: Source, options: argparse.Namespace, extractor: str | Extractor) -> Page:
    from tamis.api import extract
    from tamis.site.rules import with_rules

    raw = read(
        source,
        url=options.url,
        charset=options.encoding,
        timeout=options.timeout,
        max_bytes=options.max_bytes,
        allow_private=options.allow_private,
    )
    wanted = content_options(options)
    if options.rules:
        wanted |= with_rules(wanted, options.rules, raw.url)
    return extract(raw, extractor=extractor, timeout=options.timeout, **wanted)


def _has(page: Page, only: str | None) -> bool:
    """Does a page have what is asked for? Each has a state."""
    if only is None:
        return bool(page.text or page.labels.keep.any())
    if only == "metadata":
        return bool(page.metadata.values())
    if only == "facts":
        return any(vars(page.facts).values())
    return only == "state" or bool(getattr(page, only))


def _reason(page: Page) -> str:
    """What the page is, if it shows something in place of its content."""
    from tamis.page_data import STATES

    return "" if page.state == "content" else f": {STATES[page.state]}"


def _write(page: Page, source: Source, file: Path | None, options: argparse.Namespace, *, many: bool) -> None:
    if options.highlight:
        save(options.highlight, page.highlighted)
    if file:
        content = _rendered(page, source, options, compact=False)
        save(file, f"{content}\n" if content or options.format != "chunks" else "")
    elif many and options.format not in ("json", "chunks", "csv"):
        show(f"==> {source.shown} <==\n{_rendered(page, source, options, compact=False)}\n")
    else:
        content = _rendered(page, source, options, compact=many)
        if content:
            show(content)


def _rendered(page: Page, source: Source, options: argparse.Namespace, *, compact: bool) -> str:
    if options.only in _LINES:
        records: Any = _read(page, [options.only])[options.only]
        return "\n".join(json.dumps(_page_key(source) | each, ensure_ascii=False) for each in records)
    if options.format == "json":
        fields = _alone(page, options) if options.only else page.as_dict(blocks=options.blocks)
        return json.dumps(_page_key(source) | fields, ensure_ascii=False, indent=None if compact else 2)
    if options.format == "csv":
        return ("" if compact else f"{csv_head()}\n") + csv_row(page, source.shown)
    if options.format == "chunks":
        found = page.chunks(chunk_tokens=options.chunk_tokens, chunk_overlap=options.chunk_overlap)
        return "\n".join(json.dumps(_page_key(source) | chunk.as_dict(), ensure_ascii=False) for chunk in found)
    content: str = getattr(page, options.format)
    if not options.front_matter or options.format in ("xml", "tei"):  # these have the metadata anyway
        return content.removesuffix("\n")
    if options.format != "html":
        return f"{page.front_matter}\n{content}"
    return _meta_elements(page) + content


def _page_key(source: Source) -> dict[str, object]:
    """The first key of all JSON: the name of the page."""
    from tamis.document.decode import clean_text

    return {"page": clean_text(source.shown)}


def _read(page: Page, names: Iterable[str]) -> dict[str, object]:
    """Fields of a page as plain data."""
    from tamis.page_data import PAGE

    return PAGE.read(page, names)


def _alone(page: Page, options: argparse.Namespace) -> dict[str, object]:
    """What `--only` asks for as one object."""
    if options.only != "metadata":
        return _read(page, ("url", *(_OF_STATE if options.only == "state" else (options.only,))))
    from tamis.metadata import details

    declared = {"structured_data": page.structured_data} if options.structured_data else {}
    return {"url": page.url, **details(page.metadata), **declared}


def _meta_elements(page: Page) -> str:
    """The metadata as META elements, one for each author."""
    from html import escape

    pairs: list[tuple[str, str]] = []
    for name, value in page.metadata.values().items():
        if name == "authors":
            pairs += [("author", author) for author in page.metadata.authors]
        elif isinstance(value, bool):
            pairs.append((name, "yes" if value else "no"))
        else:
            pairs.append((name, value if isinstance(value, str) else ", ".join(value)))
    return "".join(f'<meta name="{name}" content="{escape(text)}">\n' for name, text in pairs)


@contextmanager
def _progress(pages: list[Source]) -> Iterator[Iterable[Source]]:
    """Show a progress bar for several pages on a terminal."""
    stderr: TextIO | None = sys.stderr  # None in a process that was started without it
    if len(pages) < 2 or stderr is None or not stderr.isatty():
        yield pages
        return
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        complain("for a progress bar: pip install 'tamis[cli]'")
        yield pages
        return
    # Without redirection, so that printed pages still go to standard output.
    with Progress(console=Console(stderr=True), redirect_stdout=False, redirect_stderr=False) as bar:
        yield bar.track(pages, description="extracting")
