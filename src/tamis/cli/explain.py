"""`tamis explain`: why each block of a page was kept or dropped."""

from __future__ import annotations

import argparse
import sys
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis.cli.exits import Exit
from tamis.cli.outputs import paths_read, save, use_utf8_output
from tamis.errors import InputError, OptionError, PageTooLarge
from tamis.fetch import MAX_BYTES, TIMEOUT
from tamis.registry import DEFAULT, entry_of

if TYPE_CHECKING:
    from tamis.cli.sources import Source
    from tamis.explain import Explanation

# So many blocks with the words of --text are told; who asks about one paragraph wants no more.
_MOST_TOLD = 20

_DESCRIPTION = """\
Say why a paragraph went missing: write a page that shows every block of a web page, coloured by its
score, with its role and what decided. Or ask about one paragraph by some of its words.

SOURCE is a file, an http(s) URL, or - for standard input. Reasons are given for the extractor tamis;
of every other there are scores, verdicts and roles.
"""

_EPILOG = """\
examples:
  tamis explain page.html                             writes page-explained.html
  tamis explain page.html --text "sign up for our"    prints why, for the blocks with these words
  curl -s https://example.org/ | tamis explain - -o why.html

exit codes: 0 fine, 1 the page shows no text or none with these words, 2 wrong use, 3 input could not be read
"""


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "explain",
        help="show why each block of a page was kept or dropped",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="SOURCE", help="file, URL or -")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="default: NAME-explained.html in this folder; - for standard output"
    )
    parser.add_argument(
        "--text", metavar="WORDS", help="print the blocks with these words; a page is written only with -o"
    )
    parser.add_argument("-e", "--extractor", default=DEFAULT, metavar="NAME", help=f"default: {DEFAULT}")
    parser.add_argument("--url", help="address the page came from")
    parser.add_argument("--encoding", help="charset that the server named, for files and stdin")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> Exit:
    """Explain one page, to a file or to the terminal."""
    from tamis.cli import sources

    entry_of(options.extractor)
    if options.text is not None and not options.text.strip():
        raise OptionError("--text takes some words")
    if options.text is not None and options.output == "-":
        raise OptionError("--text and the page can't both go to standard output")
    pages = sources.expand([options.source])
    if len(pages) > 1:
        raise OptionError(f"explain takes one page, and {options.source} holds {len(pages)}")
    source = pages[0]
    target = _target(source, options)
    if target and realpath(target) in paths_read(pages):
        raise OptionError(f"{target}: this would overwrite the page; choose another place")
    use_utf8_output()
    explanation = _explain(source, options)
    if options.output == "-":
        print(explanation.html, end="")
    elif target:
        save(target, explanation.html)
        print(f"tamis: wrote {target}", file=sys.stderr)
    if options.text is not None:
        return _tell(explanation, source, options.text)
    if not explanation.blocks:
        print(f"tamis: {source.name}: the page shows no text", file=sys.stderr)
    return Exit.FINE if explanation.blocks else Exit.NOTHING


def _target(source: Source, options: argparse.Namespace) -> Path | None:
    """The file to write, None where there is none."""
    if options.output == "-" or (options.text is not None and options.output is None):
        return None
    return Path(options.output or f"{source.output_name.name}-explained.html")


def _explain(source: Source, options: argparse.Namespace) -> Explanation:
    from tamis.cli import sources
    from tamis.document.parse import known_encoding
    from tamis.explain import explain

    if options.encoding and not known_encoding(options.encoding):
        raise OptionError(f"no encoding is called {options.encoding!r}")
    raw = sources.read(source, timeout=TIMEOUT, max_bytes=MAX_BYTES)
    try:
        return explain(
            raw.data, url=options.url or raw.url, encoding=options.encoding or raw.charset, extractor=options.extractor
        )
    except PageTooLarge as error:
        raise InputError(f"{source.name}: {error}") from None


def _tell(explanation: Explanation, source: Source, words: str) -> Exit:
    """Print the blocks with these words."""
    from tamis.explain.terminal import to_lines

    found = explanation.find(words)
    for block in found[:_MOST_TOLD]:
        print("\n".join(to_lines(block)) + "\n")
    if len(found) > _MOST_TOLD:
        more = len(found) - _MOST_TOLD
        print(f"and {more:,} more block{'s' * (more > 1)} with these words")
    if found:
        if explanation.remark:
            print(f"tamis: {explanation.remark}", file=sys.stderr)
        return Exit.FINE
    print(f"tamis: {source.name}: no block holds the words {words!r}", file=sys.stderr)
    for xpath in explanation.hidden(words)[:_MOST_TOLD]:
        print(f"tamis: a browser does not show the text with them at {xpath}", file=sys.stderr)
    return Exit.NOTHING
