"""`tamis render`: pages in, pictures of them out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tamis.cli.arguments import add_allow_private, add_verb, seconds
from tamis.cli.exits import Exit
from tamis.cli.outputs import (
    add_output,
    complain,
    files_of,
    is_folder,
    message,
    refuse_to_overwrite,
    save,
    standard_output,
)
from tamis.cli.sources import Source, expand, read
from tamis.errors import InputError, OptionError
from tamis.web import is_url

if TYPE_CHECKING:
    from tamis.web.browser import Browser

_IMAGES: dict[str, Literal["png", "jpeg"]] = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg"}

_DESCRIPTION = """\
Draw web pages with headless Chromium, as a picture of the top of each page.

A SOURCE is a file, a folder (every page below it), an http(s) URL, or - for standard input.
Without --network only a URL itself is fetched, so style sheets and images that are not in the page
are missing.
"""

_EPILOG = """\
examples:
  tamis render page.html -o page.png
  tamis render https://example.org/ -o page.jpg --network --scripts
  tamis render archive/ -o pictures/                  a .png for each page
"""


def add_parser(verbs: Any) -> None:
    """Add `render` to the command line."""
    parser = add_verb(verbs, "render", run, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="file, folder, URL or -")
    output = parser.add_argument_group("output")
    where = "a .png, .jpg or .jpeg; for several pages, or with a slash at the end, a folder; - for standard output"
    add_output(output, required=True, help=where)
    output.add_argument("--width", type=int, default=1024, metavar="N", help="pixels (default 1024)")
    output.add_argument("--height", type=int, default=6144, metavar="N", help="pixels (default 6144)")
    loading = parser.add_argument_group("loading")
    loading.add_argument("--timeout", type=seconds, default=15.0, metavar="S", help="for each page (default 15)")
    loading.add_argument("--network", action="store_true", help="load style sheets, images ... from the web")
    loading.add_argument("--scripts", action="store_true", help="run the page's scripts")
    loading.add_argument("--url", help="address of the page")
    add_allow_private(loading)


def run(options: argparse.Namespace) -> Exit:
    """Draw every source; a page that can't be read or drawn does not stop the others."""
    from tamis.web.browser import Browser

    pages = expand(options.sources)
    files = _files(pages, options)
    refuse_to_overwrite(pages, filter(None, files))
    drawn = 0
    with Browser(
        width=options.width,
        height=options.height,
        timeout=options.timeout,
        network=options.network,
        scripts=options.scripts,
    ) as browser:
        for source, file in zip(pages, files, strict=True):
            try:
                picture = _draw(browser, source, _IMAGES[file.suffix.lower()] if file else "png", options)
            except InputError as error:
                complain(message(source, error))
            else:
                if file:
                    save(file, picture)
                else:
                    standard_output().buffer.write(picture)
                drawn += 1
    if len(pages) > 1:
        complain(f"rendered {drawn} of {len(pages)} pages")
    return Exit.FINE if drawn == len(pages) else Exit.UNREADABLE


def _draw(browser: Browser, source: Source, image: Literal["png", "jpeg"], options: argparse.Namespace) -> bytes:
    if options.network and is_url(source.name):
        return browser.screenshot_of(source.name, image=image)
    raw = read(source, url=options.url, allow_private=options.allow_private)
    return browser.screenshot(raw.data, url=raw.url, charset=raw.charset, image=image)


def _files(pages: Sequence[Source], options: argparse.Namespace) -> list[Path | None]:
    """The file of each picture; None is standard output. Raises OptionError."""
    if options.output == "-":
        if len(pages) > 1:
            raise OptionError(f"standard output takes one picture, and these are {len(pages)} pages")
        return [None]
    folder = is_folder(options.output, options.sources, pages, _IMAGES)
    if not folder and Path(options.output).suffix.lower() not in _IMAGES:
        raise OptionError(f"{options.output}: the name of a picture ends in {', '.join(_IMAGES)}")
    return [*files_of(options.output, folder, pages, ".png")]
