"""`tamis corpora`: what to measure on and train with, and what of it is here."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tamis.cli.exits import Exit

_HEAD = ("name", "pages", "year", "splits", "training", "here", "licence")


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser("corpora", help="list the public corpora, and which of them are here")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="where to look (default: $TAMIS_DATA, ./data, ../shared/data)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> Exit:
    """Print a line of facts a corpus, and below it where it was found or where to get it."""
    # Imported here: the other verbs start without it.
    from tamis.corpora.catalogue import CATALOGUE, data_folder, find_corpus

    places = {name: find_corpus(name, options.data) for name in CATALOGUE}
    rows = [
        (
            info.name,
            f"{info.pages:,}",
            str(info.year or "-"),
            " ".join(info.splits),
            info.may_train,
            "yes" if places[info.name] else "no",
            info.licence,
        )
        for info in CATALOGUE.values()
    ]
    widths = [max(len(row[column]) for row in (_HEAD, *rows)) for column in range(len(_HEAD))]
    print(_line(_HEAD, widths))
    for row, info in zip(rows, CATALOGUE.values(), strict=True):
        print(_line(row, widths))
        print(f"  {info.title}: {places[info.name] or info.source}")
    print(f"\nlooked in {data_folder(options.data)}; 'training' says if weights that are given away may use it")
    return Exit.FINE


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = [
        cell.rjust(width) if name == "pages" else cell.ljust(width)
        for name, cell, width in zip(_HEAD, cells, widths, strict=True)
    ]
    return "  ".join(padded).rstrip()
