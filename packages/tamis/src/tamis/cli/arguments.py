"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

from tamis.cli.exits import Exit
from tamis.cli.verbs import summary
from tamis.errors import OptionError
from tamis.registry import DEFAULT

_LONGEST_TIME = 86_400.0  # a day, in seconds
CHUNK_TOKENS = 512  # the default of Page.chunks


def add_verb(
    verbs: Any,
    name: str,
    run: Callable[[argparse.Namespace], Exit],
    *,
    description: str | None = None,
    epilog: str | None = None,
) -> argparse.ArgumentParser:
    """Add a verb to the command line and return its parser; description and epilog are shown as they are.

    The description is by default the verb's line in the help.
    """
    words = summary(name)
    parser: argparse.ArgumentParser = verbs.add_parser(
        name,
        help=words,
        description=description or f"{words[0].upper()}{words[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run, configured=frozenset())  # see cli.settings
    return parser


def add_extractor(group: argparse._ActionsContainer) -> None:
    """Add the option that chooses the extractor."""
    help = f"see tamis extractors (default: {DEFAULT}); NAME=FOLDER: with weights of yours; or just their path"
    group.add_argument("-e", "--extractor", default=DEFAULT, metavar="NAME", help=help)


def add_choice(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options that decide what is kept; return their group, to which a verb can add its own."""
    choice = parser.add_argument_group("what is kept")
    add_extractor(choice)
    balance = choice.add_mutually_exclusive_group()
    balance.add_argument("--precision", action="store_true", help="only what is surely content")
    balance.add_argument("--recall", action="store_true", help="also what may be content")
    choice.add_argument("--visible-only", action="store_true", help="nothing that is folded: closed tabs, details")
    return choice


def add_chunks(group: argparse._ActionsContainer) -> None:
    """Add the options about chunks."""
    size = f"tokens of a chunk, at most (default {CHUNK_TOKENS})"
    group.add_argument("--chunk-tokens", type=at_least(16), default=CHUNK_TOKENS, metavar="N", help=size)
    shared = "tokens repeated from the previous chunk (default 0)"
    group.add_argument("--chunk-overlap", type=at_least(0), default=0, metavar="N", help=shared)


def check_chunks(options: argparse.Namespace) -> None:
    """Raise OptionError for chunks that would repeat more than they add."""
    if options.chunk_tokens < 2 * options.chunk_overlap:
        raise OptionError("--chunk-overlap is at most half of --chunk-tokens")


def add_reading(group: argparse._ActionsContainer) -> None:
    """Add the options about the origin of a page."""
    group.add_argument("--url", type=address, help="address of the page; makes links absolute")
    group.add_argument("--encoding", help="charset of the page, in place of what a server named")
    add_allow_private(group)


def add_allow_private(group: argparse._ActionsContainer) -> None:
    """Add the option that lets a URL lead to this machine or the local network."""
    help = "fetch a URL also from this machine or the local network, such as http://localhost:8000/"
    group.add_argument("--allow-private", action="store_true", help=help)


def is_given(options: argparse.Namespace, name: str, default: object = False) -> bool:
    """Does the command line, not a file of settings, give this option another value than its default?"""
    return getattr(options, name) != default and name not in options.configured


def api_key(file: str | None) -> str | None:
    """The API key of a server: from the file, or else from TAMIS_API_KEY; None if there is none. Raises OptionError."""
    if file is None:
        return os.environ.get("TAMIS_API_KEY")
    try:
        with open(file, encoding="utf-8") as lines:  # noqa: PTH123
            key = lines.read().strip()
    except (OSError, ValueError) as error:
        raise OptionError(f"{file}: the key can't be read: {error}") from None
    if not key:
        raise OptionError(f"{file} is empty")
    return key


def address(word: str) -> str:
    """Parse the address of a page."""
    if not word.lower().startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"{word!r} does not begin with https:// or http://")
    return word


def seconds(word: str) -> float:
    """Parse a time limit."""
    try:
        value = float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not a number of seconds") from None
    if not 0 < value <= _LONGEST_TIME:
        raise argparse.ArgumentTypeError(f"{word} is not above 0 seconds and at most a day")
    return value


def at_least(least: int) -> Callable[[str], int]:
    """A function that parses whole numbers of at least `least`."""

    def parse(word: str) -> int:
        try:
            value = int(word)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{word!r} is not a whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    return parse
