"""`tamis extractors`: the extractors by family and year."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from tamis import registry
from tamis.cli.arguments import add_verb
from tamis.cli.exits import Exit
from tamis.cli.outputs import show
from tamis.registry import DEFAULT, Entry, Family, extractors, papers

_EPILOG = """\
examples:
  tamis extractors
  tamis extract page.html --extractor bte           one of them
"""


def add_parser(verbs: Any) -> None:
    """Add `extractors` to the command line."""
    add_verb(verbs, "extractors", run, epilog=_EPILOG)


def run(options: argparse.Namespace) -> Exit:
    """Print one line for each extractor: our own, then those of each family of papers, oldest first."""
    del options
    width = max(map(len, extractors()))
    groups = _by_title(registry.PRODUCT, width)
    for family in Family:
        members = sorted((paper for paper in papers().values() if paper.family is family), key=lambda paper: paper.year)
        lines = [f"  {title}" for paper in members for title in _by_title(paper.extractors, width)]
        groups += ["\n".join((f"by {family}", *lines))] if lines else []
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
