"""`tamis`: parse the arguments, run a verb, turn errors into one line and an exit code."""

from __future__ import annotations

import os
import sys

from tamis.cli.exits import Exit
from tamis.cli.outputs import complain, use_utf8_output
from tamis.cli.parser import build_parser
from tamis.cli.verbs import missing
from tamis.errors import BrowserMissing, MissingExtra, OptionError, PluginError, TamisError, WeightsError

TYPE_CHECKING = False  # typing alone takes a tenth of the time of a help text
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    use_utf8_output()
    try:
        options = _parsed(sys.argv[1:] if arguments is None else arguments)
        code: Exit = options.run(options)
        if sys.stdout:
            sys.stdout.flush()
    except (OptionError, MissingExtra, BrowserMissing, PluginError, WeightsError) as error:
        return _report(error, Exit.WRONG_USE)
    except TamisError as error:
        return _report(error, Exit.UNREADABLE)
    except BrokenPipeError:
        _discard_output()  # the reader has gone
        return Exit.FINE
    except OSError as error:
        # Errors of inputs are TamisErrors, so this is the output: a full disk, a closed terminal.
        complain(f"the output can't be written: {error.strerror or error}")
        _discard_output()
        return Exit.WRONG_USE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return code


def _parsed(arguments: Sequence[str]) -> Namespace:
    """The options of the verb, from the command line, then from a file of settings."""
    verb = next((word for word in arguments if not word.startswith("-")), "")
    parser, verbs = build_parser(verb)
    if verb not in verbs:
        if words := missing(verb):
            raise OptionError(words)
        return parser.parse_args(arguments)
    from tamis.cli.settings import parse_with_settings  # a help text needs none

    return parse_with_settings(parser, verbs[verb], verb, arguments)


def _discard_output() -> None:
    """Keep Python from reporting the same error again when it closes standard output."""
    if sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(error: TamisError, code: Exit) -> int:
    complain(str(error))
    return code
