"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tamis.cli.exits import Exit
from tamis.cli.outputs import complain
from tamis.cli.verbs import summary
from tamis.errors import OptionError
from tamis.option_table import CHUNK_TOKENS, CONTENT, OPTIONS
from tamis.registry import DEFAULT

_LONGEST_TIME = 86_400.0  # a day, in seconds


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


class OldName(argparse.Action):
    """The old name of an option, which works with a warning. Its destination and default are those of the new name."""

    def __init__(self, option_strings: Sequence[str], dest: str, *, new: str, **more: Any) -> None:
        super().__init__(option_strings, dest, help=argparse.SUPPRESS, **more)
        self.new = new

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        """Set the value, with the warning."""
        self.warn(str(option_string))
        setattr(namespace, self.dest, values)

    def warn(self, name: str) -> None:
        """Warn that this name is deprecated."""
        complain(f"{name} is called {self.new} now")


def add_options(group: argparse._ActionsContainer, *names: str) -> None:
    """Add boolean options of `tamis.extract`, each as the flag that changes its default."""
    for name in names:
        option = OPTIONS[name]
        flag = f"--no-{option.flag}" if option.default else f"--{option.flag}"
        group.add_argument(flag, action="store_true", help=option.off if option.default else option.help)


def content_options(options: argparse.Namespace) -> dict[str, Any]:
    """The values of the flags, by the names of the options."""
    given: dict[str, Any] = {}
    for name in CONTENT:
        flag = OPTIONS[name].flag.replace("-", "_")
        if OPTIONS[name].default == ():
            given[name] = tuple(getattr(options, flag) or ())
            continue
        given[name] = not getattr(options, f"no_{flag}") if OPTIONS[name].default else getattr(options, flag)
    return given


def add_extractor(group: argparse._ActionsContainer) -> None:
    """Add the option that chooses the extractor."""
    help = f"{OPTIONS['extractor'].help} (default: {DEFAULT})"
    group.add_argument("-e", "--extractor", default=DEFAULT, metavar="NAME", help=help)


def add_choice(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options for what is kept; return their group, to which a verb can add its own."""
    choice = parser.add_argument_group("what is kept")
    add_extractor(choice)
    add_options(choice.add_mutually_exclusive_group(), "favor_precision", "favor_recall")
    add_options(choice, "visible_only", "include_comments")
    for name in ("prune", "keep"):
        choice.add_argument(f"--{name}", action="append", metavar="SELECTOR", help=f"{OPTIONS[name].help} (repeat it)")
    rules = "prune and keep by site: TOML or JSON with a table for each host"
    choice.add_argument("--rules", type=Path, metavar="FILE", help=rules)
    return choice


def add_written(group: argparse._ActionsContainer) -> None:
    """Add the options for how content is written, and for chunks."""
    add_options(group, "include_links", "include_images", "include_tables", "include_title", "links_as_references")
    for name, default, least in (("chunk_tokens", CHUNK_TOKENS, 16), ("chunk_overlap", 0, 0)):
        help = f"{OPTIONS[name].help} (default {default})"
        flag = f"--{name.replace('_', '-')}"
        group.add_argument(flag, type=at_least(least), default=default, metavar="N", help=help)


def add_limits(group: argparse._ActionsContainer, timeout: float, memory: int) -> None:
    """Add the limits of a page that has a process of its own."""
    usual = f"{OPTIONS['timeout'].help} (default {timeout:g})"
    group.add_argument("--timeout", type=seconds, default=timeout, metavar="S", help=usual)
    group.add_argument("--deadline", dest="timeout", action=OldName, new="--timeout", type=seconds, default=timeout)
    least = f"the most megabytes for a page; 0 for any number (default on Linux: {memory})"
    usual_memory = memory if sys.platform == "linux" else 0
    group.add_argument("--memory", type=at_least(0), default=usual_memory, metavar="MB", help=least)


def check_chunks(options: argparse.Namespace) -> None:
    """Raise OptionError for chunks that would repeat more than they add."""
    if options.chunk_tokens < 2 * options.chunk_overlap:
        raise OptionError("--chunk-overlap is at most half of --chunk-tokens")


def add_reading(group: argparse._ActionsContainer) -> None:
    """Add the options for where a page comes from."""
    group.add_argument("--url", type=address, help="address of the page; makes links absolute")
    group.add_argument("--encoding", help="charset of the page, in place of what a server named")
    add_allow_private(group)


def add_allow_private(group: argparse._ActionsContainer) -> None:
    """Add the option that lets a URL lead to this machine or the local network."""
    help = "fetch a URL also from this machine or the local network, such as http://localhost:8000/"
    group.add_argument("--allow-private", action="store_true", help=help)


def is_given(options: argparse.Namespace, name: str, default: object = False) -> bool:
    """Does the command line, not a file of settings, change this option from its default?"""
    return getattr(options, name) != default and name not in options.configured


def api_key(file: str | None) -> str | None:
    """The API key of a server, from the file or from TAMIS_API_KEY; None without a key. Raises OptionError."""
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


def share(word: str) -> float:
    """Parse a number between 0 and 1."""
    try:
        value = float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not a number") from None
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{word} is not between 0 and 1")
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
