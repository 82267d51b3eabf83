"""`tamis extractors`: the extractors by paper."""

from __future__ import annotations

import argparse
from typing import Any

from tamis.cli.arguments import add_verb
from tamis.cli.exits import Exit
from tamis.cli.outputs import show
from tamis.registry import DEFAULT, extractors

_EPILOG = """\
examples:
  tamis extractors
  tamis extract page.html --extractor bte           one of them
"""


def add_parser(verbs: Any) -> None:
    """Add `extractors` to the command line."""
    add_verb(verbs, "extractors", run, epilog=_EPILOG)


def run(options: argparse.Namespace) -> Exit:
    """Print one line for each extractor, grouped by paper."""
    del options
    entries = extractors().values()
    width = max(len(entry.name) for entry in entries)
    papers: dict[str, list[str]] = {}
    for entry in entries:
        default = " (default)" if entry.name == DEFAULT else ""
        papers.setdefault(entry.paper, []).append(f"  {entry.name:<{width}}  {entry.summary}{default}")
    show("\n\n".join("\n".join((paper, *lines)) for paper, lines in papers.items()))
    return Exit.FINE
