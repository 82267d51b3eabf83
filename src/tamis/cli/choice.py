"""The options that say what is kept, alike in every verb that extracts."""

from __future__ import annotations

import argparse

from tamis.registry import DEFAULT


def add_choice(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the extractor and the balance of precision and recall; return their group, for more."""
    choice = parser.add_argument_group("what is kept")
    choice.add_argument("-e", "--extractor", default=DEFAULT, metavar="NAME", help=f"default: {DEFAULT}")
    balance = choice.add_mutually_exclusive_group()
    balance.add_argument("--precision", action="store_true", help="only what is surely content")
    balance.add_argument("--recall", action="store_true", help="also what may be content")
    return choice
