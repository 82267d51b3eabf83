"""The parser of the command line."""

from __future__ import annotations

import argparse
from importlib import import_module

from tamis import __version__
from tamis.cli.exits import Exit
from tamis.cli.outputs import one_line
from tamis.cli.verbs import PRODUCT, verbs
from tamis.errors import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, NoReturn

_EPILOG = """\
examples:
  tamis extract page.html                      the main content as text
  tamis extract page.html -o page.md           as Markdown, in a file
  tamis extract https://example.org/ -f markdown
  curl -s https://example.org/ | tamis extract -
  tamis extract pages/ -o out/ -f json         a file for each page
  tamis explain page.html                      why each block was kept or dropped
  tamis batch crawl.warc.gz -o out             a whole crawl, as Parquet
  tamis extractors                             what can be chosen with --extractor
  tamis render page.html -o page.png           how a browser shows the page
  tamis bench --corpus wcxb:dev --report       every extractor and peer, side by side

exit codes: 0 fine, 1 nothing extracted, 2 wrong use, 3 input could not be read
"""


def _with_suggestion(message: str, word: str, names: Iterable[str]) -> str:
    """A message about a word, with the most similar name, if there is one."""
    return "; ".join(filter(None, (message, did_you_mean(word, names))))


class Parser(argparse.ArgumentParser):
    """An argument parser whose error messages are one line."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            hinted = _with_suggestion(error.message, str(value), map(str, action.choices or ()))
            raise argparse.ArgumentError(action, hinted) from None

    def error(self, message: str) -> NoReturn:
        """Print the message and exit. A value that begins with a dash is taken for an option, which needs a hint."""
        if message.endswith("expected one argument"):
            names = message.removeprefix("argument ").partition(":")[0].split("/")
            message += f"; write {max(names, key=len)}=-x for one that begins with a dash"
        self.exit(Exit.WRONG_USE, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")


class _VerbParser(Parser):
    """The parser of a verb: the arguments of a list may also come between options."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """The options, and an empty rest: an unknown option is an error of this verb, not of tamis."""
        options, rest = super().parse_known_args(_with_references(args or ()), namespace)
        several = next((action for action in self._get_positional_actions() if action.nargs == "+"), None)
        end = rest.index("--") if several and "--" in rest else len(rest)
        rest, named = rest[:end], rest[end + 1 :]  # after -- come names, even with a dash
        unknown = [word for word in rest if not several or (word.startswith("-") and word != "-")]
        if unknown:
            words, first = " ".join(unknown), unknown[0].partition("=")[0]
            self.error(_with_suggestion(f"unrecognized arguments: {words}", first, self._option_string_actions))
        if several and (rest or named):
            setattr(options, several.dest, [*getattr(options, several.dest), *rest, *named])
        return options, []


def _with_references(words: Iterable[str]) -> list[str]:
    """`--links as-references` as one flag: `--links` alone is the opposite of `--no-links`."""
    found: list[str] = []
    for word in words:
        if (found[-1:], word) == (["--links"], "as-references"):
            found[-1] = "--links-as-references"
        else:
            found.append("--links-as-references" if word == "--links=as-references" else word)
    return found


def build_parser(only: str | None = None) -> tuple[Parser, Mapping[str, Parser]]:
    """The parser of the whole command line, and those of the verbs by name.

    With `only`, all other verbs are bare names, and their modules are not imported.
    """
    parser = Parser(
        prog="tamis",
        description="Give it any web page, get back the main content and nothing else.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tamis {__version__}")
    parsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=_VerbParser)
    for name, (module, help) in (PRODUCT if only in PRODUCT else verbs()).items():
        if only in (None, name):
            import_module(module).add_parser(parsers)
            _add_settings(parsers.choices[name])
        else:
            parsers.add_parser(name, help=help)
    return parser, parsers.choices


def _add_settings(parser: Parser) -> None:
    """Add the options for the configuration, and the opposite of each flag, which overrides one in the file."""
    from tamis.cli.settings import add_config, configurable

    if not configurable(parser):
        return
    for flag in [action for action in parser._actions if isinstance(action, argparse._StoreTrueAction)]:
        for name in flag.option_strings:
            opposite = f"--{name[5:]}" if name.startswith("--no-") else f"--no-{name[2:]}"
            if name.startswith("--") and opposite not in parser._option_string_actions:
                hidden = argparse.SUPPRESS
                parser.add_argument(opposite, dest=flag.dest, action="store_false", default=False, help=hidden)
    add_config(parser)
