"""`tamis extractors`: the extractors by family and year."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from tamis import plugins
from tamis.cli.arguments import add_verb
from tamis.cli.exits import Exit
from tamis.cli.outputs import show
from tamis.registry import DEFAULT, Entry, extractors

_EPILOG = """\
examples:
  tamis extractors
  tamis extract page.html --extractor bte           one of them
"""


def add_parser(verbs: Any) -> None:
    """Add `extractors` to the command line."""
    add_verb(verbs, "extractors", run, epilog=_EPILOG)


def run(options: argparse.Namespace) -> Exit:
    """Print one line for each extractor, grouped by family, and the package with more of them."""
    del options
    width = max(map(len, extractors()))
    groups: list[str] = []
    for family, members in groupby(extractors().values(), lambda entry: entry.family):
        titles = _by_title(members, width)
        groups += ["\n".join((f"by {family}", *(f"  {title}" for title in titles)))] if family else titles
    if not plugins.is_installed(plugins.PAPERS):
        groups.append(f"not installed: {plugins.PAPERS.brings}\n    {plugins.install_command(plugins.PAPERS)}")
    show("\n\n".join(groups))
    return Exit.FINE


def _by_title(entries: Iterable[Entry], width: int) -> list[str]:
    """The title of each paper, with a line for each of its extractors below it."""
    return [
        "\n".join((title, *(_line(entry, width) for entry in of_title)))
        for title, of_title in groupby(entries, lambda entry: entry.paper)
    ]


def _line(entry: Entry, width: int) -> str:
    return f"    {entry.name:<{width}}  {entry.summary}{' (default)' if entry.name == DEFAULT else ''}"
