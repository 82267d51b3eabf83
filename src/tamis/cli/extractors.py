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
    groups = [_group(paper, entries, width) for paper, entries in groupby(registry.PRODUCT, lambda entry: entry.paper)]
    for family in Family:
        members = sorted((paper for paper in papers().values() if paper.family is family), key=lambda paper: paper.year)
        lines = [_group(f"  {paper.extractors[0].paper}", paper.extractors, width) for paper in members]
        groups += ["\n".join((f"by {family}", *lines))] if lines else []
    show("\n\n".join(groups))
    return Exit.FINE


def _group(heading: str, entries: Iterable[Entry], width: int) -> str:
    lines = [
        f"    {entry.name:<{width}}  {entry.summary}{' (default)' if entry.name == DEFAULT else ''}"
        for entry in entries
    ]
    return "\n".join((heading, *lines))
