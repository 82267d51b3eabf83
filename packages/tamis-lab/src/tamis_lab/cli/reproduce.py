"""`tamis reproduce`: a paper's tables, measured here beside the paper's own figures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tamis.cli.arguments import add_verb, at_least
from tamis.cli.exits import Exit
from tamis.errors import MissingExtra
from tamis_lab.cli import add_data

_EPILOG = """\
examples:
  tamis reproduce boilerpipe                        writes build/boilerpipe.html
  tamis reproduce tamis -o figures.html             our own figures
  tamis reproduce retrieval                         what cleaning does for search, in minutes
  tamis reproduce retrieval --extractor min-words   another system beside the default set

The corpora must be here: see tamis corpora. Each figure that has a goal is printed with ok or MISSED.
"""


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = add_verb(verbs, "reproduce", run, epilog=_EPILOG)
    parser.add_argument(
        "paper", help="a paper such as boilerpipe, tamis for our own figures, or retrieval; an unknown name lists all"
    )
    add_data(parser)
    parser.add_argument(
        "--extractor", action="append", metavar="NAME", help="for retrieval: one more, or a peer (can be repeated)"
    )
    parser.add_argument("--limit", type=at_least(1), metavar="N", help="for retrieval: pages of WCXB (default: 600)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: build/PAPER.html")


def run(options: argparse.Namespace) -> Exit:
    """Write the page and print each figure that was asked for."""
    try:
        from tamis_lab.reproduce import reproduce

        page = reproduce(options.paper, options.data, extractors=tuple(options.extractor or ()), limit=options.limit)
    except ModuleNotFoundError as error:
        extra = "train" if error.name in ("torch", "onnx") else "bench"
        raise MissingExtra(f"reproducing a paper ({error.name})", extra, "tamis-lab") from None
    output: Path = options.output or Path("build") / f"{options.paper}.html"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page.html(), encoding="utf-8")
    for line in page.summary:
        print(line)
    for figure in page.figures:
        if figure.met is not None:
            verdict = "ok    " if figure.met else "MISSED"
            paper = f"paper {figure.paper_text}, " if figure.paper_text else ""
            asked = f", asked for {figure.asked_text}" if figure.asked_text else ""
            print(f"{verdict} {figure.name}: {paper}here {figure.ours_text}{asked}")
    print(f"wrote {output}")
    return Exit.FINE
