"""`tamis extractors`: the extractors by family and year."""

from __future__ import annotations

import argparse
from typing import Any

from tamis import registry
from tamis.cli.arguments import add_verb
from tamis.cli.exits import Exit
from tamis.cli.outputs import show
from tamis.registry import DEFAULT, Entry, Family, Paper, extractors, papers

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
    groups = ["\n".join(("this project", *(_line(entry, width) for entry in registry.PRODUCT)))]
    for family in Family:
        members = sorted((paper for paper in papers().values() if paper.family is family), key=lambda paper: paper.year)
        if members:
            groups.append("\n".join((f"by {family}", *(_lines(paper, width) for paper in members))))
    show("\n\n".join(groups))
    return Exit.FINE


def _lines(paper: Paper, width: int) -> str:
    return "\n".join((f"  {paper.extractors[0].paper}", *(_line(entry, width) for entry in paper.extractors)))


def _line(entry: Entry, width: int) -> str:
    return f"    {entry.name:<{width}}  {entry.summary}{' (default)' if entry.name == DEFAULT else ''}"
