"""`tamis`: parse the arguments, run a verb, turn errors into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from tamis import __version__
from tamis.cli.exits import Exit
from tamis.cli.outputs import complain, one_line
from tamis.errors import BrowserMissing, MissingExtra, OptionError, TamisError

# The module of each verb, in the order of the help. Modules of the laboratory are imported by name only.
_VERBS = (
    *(f"tamis.cli.{verb}" for verb in ("extract", "explain", "batch", "extractors")),
    *(f"tamis.lab.cli.{verb}" for verb in ("corpora", "bench", "reproduce", "train", "render")),
)

_EPILOG = """\
examples:
  tamis extract page.html                      the main content as text
  tamis extract https://example.org/ -f markdown
  curl -s https://example.org/ | tamis extract -
  tamis extract pages/ --output-dir out -f json
  tamis explain page.html                      why each block was kept or dropped
  tamis batch crawl.warc.gz -o out             a whole crawl, as Parquet
  tamis extractors                             what can be chosen with --extractor
  tamis render page.html -o page.png           how a browser shows the page
  tamis bench --corpus wcxb:dev --report       every extractor and peer, side by side

exit codes: 0 fine, 1 nothing extracted, 2 wrong use, 3 input could not be read
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose error messages are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(Exit.WRONG_USE, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(
        prog="tamis",
        description="Give it any web page, get back the main content and nothing else.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tamis {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=_Parser)
    for verb in _VERBS:
        import_module(verb).add_parser(verbs)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = build_parser().parse_args(arguments)
    try:
        code: Exit = options.run(options)
        if sys.stdout:
            sys.stdout.flush()
    except (OptionError, MissingExtra, BrowserMissing) as error:
        return _report(error, Exit.WRONG_USE)
    except TamisError as error:
        return _report(error, Exit.UNREADABLE)
    except BrokenPipeError:
        _discard_output()  # nobody reads it any more
        return Exit.FINE
    except OSError as error:
        # Errors of inputs are TamisErrors, so this is the output: a full disk, a closed terminal.
        complain(f"the output can't be written: {error.strerror or error}")
        _discard_output()
        return Exit.WRONG_USE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return code


def _discard_output() -> None:
    """Keep Python from reporting the same error again when it closes standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(error: TamisError, code: Exit) -> int:
    complain(str(error))
    return code
