"""Measure weights on all sets: `make scores`, or

    python -m tamis_lab.scores                                       build/tamis, else the shipped weights
    python -m tamis_lab.scores build/mine --set threads --set recipes
    python -m tamis_lab.scores build/mine --test                     the test sets, too: for a release, not for a choice
    python -m tamis_lab.scores --extractor trafilatura --store trafilatura

A folder with fold-0, fold-1, ... has a network for each fifth of the sites: a page of a set that the weights were
trained on is labelled by the network that has not seen its site. Other pages are labelled by the folder's own weights.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from tamis.errors import OptionError, TamisError
from tamis.registry import DEFAULT
from tamis_lab.scores import figures, gold, run, structures
from tamis_lab.scores.figures import figures_of
from tamis_lab.scores.figures import structure_counts as counted
from tamis_lab.scores.run import PageScores

FOLDER = Path("build/tamis")
CACHE = Path("build/scores-cache")
STORED = Path("benchmarks/scores.toml")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables. The exit code is 0, whatever the bars say, and 2 for wrong use."""
    options = _parser().parse_args(arguments)
    try:
        _run(options)
    except TamisError as error:
        print(f"tamis: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tamis_lab.scores", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, help="weights, with or without folds")
    parser.add_argument("-e", "--extractor", metavar="NAME", help="an extractor or a peer by its name, in their place")
    parser.add_argument("--test", action="store_true", help="also the test sets")
    parser.add_argument("--set", action="append", metavar="NAME", help="these sets only; repeatable")
    parser.add_argument("--limit", type=int, metavar="N", help="about N pages of each set")
    parser.add_argument("--pages", type=Path, metavar="FILE", help="write the scores of each page as JSON lines")
    parser.add_argument("--store", metavar="NAME", help=f"write the figures into {STORED} under this name")
    parser.add_argument("--workers", type=int, default=run.WORKERS, metavar="N", help=f"default: {run.WORKERS}")
    return parser


def _run(options: argparse.Namespace) -> None:
    if options.store and options.limit:
        raise OptionError("--store keeps figures of whole sets: leave --limit out")
    if options.folder and options.extractor:
        raise OptionError("a folder of weights or --extractor, not both")
    folder = options.folder or (FOLDER if FOLDER.is_dir() else None)
    system = options.extractor or (f"{DEFAULT}={folder}" if folder else DEFAULT)
    names = _set_names(options)
    start = time.perf_counter()
    found = run.measure(names, system, cache=CACHE, limit=options.limit, workers=options.workers)
    seconds = time.perf_counter() - start
    if options.pages:
        lines = [json.dumps(asdict(page), ensure_ascii=False) for pages in found.values() for page in pages]
        options.pages.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _print(system, found)
    print(f"\n{sum(map(len, found.values())):,} pages in {seconds:.0f} s")
    if options.store:
        measured = {name: figures_of(name, pages) for name, pages in found.items() if not run.is_fit(system, name)}
        figures.store(STORED, options.store, measured)


def _set_names(options: argparse.Namespace) -> list[str]:
    """The sets to measure. Those that are not here are left out, unless they were asked for."""
    if options.set:
        if not options.test and (test := [name for name in options.set if name in gold.TEST]):
            raise OptionError(f"{', '.join(test)}: a test set is not for choices; add --test for a release")
        return list(options.set)
    names = []
    for name in [*gold.VALIDATION, *(gold.TEST if options.test else ())]:
        if reason := run.missing(name):
            print(f"tamis: without {name}: {reason}", file=sys.stderr)
        else:
            names.append(name)
    return names


def _print(system: str, found: Mapping[str, Sequence[PageScores]]) -> None:
    stored = figures.read(STORED)
    notes = {name: _note(system, name) for name in found}
    for title, is_test in (("Validation", False), ("Test", True)):
        part = {name: figures_of(name, pages) for name, pages in found.items() if (name in gold.TEST) == is_test}
        if part:
            print(figures.figures_table(title, system, part, stored, notes), end="\n\n")
    for name, pages in found.items():
        if name in gold.BY_ELEMENT and (counts := counted(pages)):
            print(f"structures of {name}\n{structures.table(counts)}")


def _note(system: str, name: str) -> str:
    if run.in_folds(system, name):
        return "out of fold"
    return "trained on these pages: a fit" if run.is_fit(system, name) else ""


if __name__ == "__main__":
    sys.exit(main())
