"""`tamis reproduce`: a paper's tables, measured here beside the paper's own figures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tamis.cli.arguments import add_verb
from tamis.cli.exits import Exit
from tamis.errors import MissingExtra
from tamis.lab.cli.arguments import add_data


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = add_verb(verbs, "reproduce", run, help="run a paper's experiments and compare with its figures")
    parser.add_argument(
        "paper", help="a paper such as boilerpipe, or tamis for our own figures; an unknown name lists all"
    )
    add_data(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: build/PAPER.html")


def run(options: argparse.Namespace) -> Exit:
    """Write the page and print each figure that was asked for."""
    try:
        from tamis.lab.reproduce import reproduce

        page = reproduce(options.paper, options.data)
    except ModuleNotFoundError as error:
        extra = "train" if error.name in ("torch", "onnx") else "bench"
        raise MissingExtra(f"reproducing a paper ({error.name})", extra) from None
    output: Path = options.output or Path("build") / f"{options.paper}.html"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page.html(), encoding="utf-8")
    for figure in page.figures:
        if figure.met is not None:
            verdict = "ok    " if figure.met else "MISSED"
            paper = "" if figure.paper is None else f"paper {figure.paper:,.6g}, "
            print(f"{verdict} {figure.name}: {paper}here {figure.ours:,.6g}")
    print(f"wrote {output}")
    return Exit.FINE
