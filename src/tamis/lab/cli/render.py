"""`tamis render`: pages in, pictures of them out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tamis.cli.arguments import add_allow_private, add_verb, seconds
from tamis.cli.exits import Exit
from tamis.cli.outputs import complain, message, refuse_to_overwrite, save
from tamis.cli.sources import Source, expand, read
from tamis.errors import InputError, OptionError
from tamis.fetch import is_url

if TYPE_CHECKING:
    from tamis.lab.browser import Browser

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
  tamis render archive/ --output-dir pictures
"""


def add_parser(verbs: Any) -> None:
    """Add `render` to the command line."""
    help = "draw pages as a browser shows them"
    parser = add_verb(verbs, "render", run, help=help, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="file, folder, URL or -")
    output = parser.add_argument_group("output")
    place = output.add_mutually_exclusive_group(required=True)
    place.add_argument("-o", "--output", type=Path, metavar="FILE", help="for one page: .png, .jpg or .jpeg")
    place.add_argument("--output-dir", type=Path, metavar="DIR", help="one .png a page")
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
    from tamis.lab.browser import Browser

    if options.output and options.output.suffix.lower() not in _IMAGES:
        raise OptionError(f"{options.output}: the name of a picture ends in {', '.join(_IMAGES)}")
    pages = expand(options.sources)
    if options.output and len(pages) > 1:
        raise OptionError(f"-o takes one page, and these are {len(pages)}; use --output-dir")
    refuse_to_overwrite(pages, [_target(source, options) for source in pages])
    drawn = 0
    with Browser(
        width=options.width,
        height=options.height,
        timeout=options.timeout,
        network=options.network,
        scripts=options.scripts,
    ) as browser:
        for source in pages:
            try:
                picture = _draw(browser, source, options)
            except InputError as error:
                complain(message(source, error))
            else:
                save(_target(source, options), picture)
                drawn += 1
    if len(pages) > 1:
        print(f"rendered {drawn} of {len(pages)} pages", file=sys.stderr)
    return Exit.FINE if drawn == len(pages) else Exit.UNREADABLE


def _draw(browser: Browser, source: Source, options: argparse.Namespace) -> bytes:
    image = _IMAGES[_target(source, options).suffix.lower()]
    if options.network and is_url(source.name):
        return browser.screenshot_of(source.name, image=image)
    raw = read(source, url=options.url, allow_private=options.allow_private)
    return browser.screenshot(raw.data, url=raw.url, charset=raw.charset, image=image)


def _target(source: Source, options: argparse.Namespace) -> Path:
    """The file of a picture."""
    path: Path = options.output or source.output_in(options.output_dir, ".png")
    return path
