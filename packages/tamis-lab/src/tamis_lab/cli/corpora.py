"""`tamis corpora`: the corpora to measure on and train with, which are here, and how well their gold fits the pages."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tamis.cli.arguments import add_verb, at_least, is_given
from tamis.cli.exits import Exit
from tamis.errors import OptionError
from tamis_lab.cli import add_data

if TYPE_CHECKING:
    from tamis_lab.gold import AlignmentReport

_HEAD = ("name", "pages", "year", "splits", "training", "here", "licence")
_ALIGNMENT_HEAD = ("corpus", "pages", "gold words", "placed", "badly placed")
_NUMBERS = frozenset({"pages", "gold words", "placed", "badly placed"})

_EPILOG = """\
examples:
  tamis corpora
  tamis corpora --alignment                              every corpus that is here
  tamis corpora --alignment --corpus wcxb:dev --worst 10
"""


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = add_verb(verbs, "corpora", run, epilog=_EPILOG)
    add_data(parser)
    parser.add_argument(
        "--alignment", action="store_true", help="how much of the gold text is found on the pages, for each corpus here"
    )
    parser.add_argument(
        "--corpus", action="append", metavar="NAME[:SPLIT]", help="with --alignment: only this one; repeatable"
    )
    parser.add_argument(
        "--worst", type=at_least(1), metavar="N", help="with --alignment: name the N worst pages of each"
    )


def run(options: argparse.Namespace) -> Exit:
    """List the corpora, or measure how well their gold fits their pages."""
    if options.alignment:
        return _alignment(options)
    if is_given(options, "corpus", None) or is_given(options, "worst", None):
        raise OptionError("--corpus and --worst go with --alignment")
    return _listing(options)


def _listing(options: argparse.Namespace) -> Exit:
    """Print the facts about each corpus on a line, and below it where it was found or where to get it."""
    # Imported here: the other verbs start without it.
    from tamis_lab.corpora.catalogue import corpora, data_folder, find_corpus

    lines = [_HEAD]
    notes = [""]
    for info in corpora().values():
        place = find_corpus(info.name, options.data)
        year, here = str(info.year or "-"), "yes" if place else "no"
        lines.append((info.name, f"{info.pages:,}", year, " ".join(info.splits), info.may_train, here, info.licence))
        notes.append(f"\n  {info.title}: {place or info.source}")
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line, note in zip(lines, notes, strict=True):
        print(_line(_HEAD, line, widths) + note)
    found = [line for line in lines if line[_HEAD.index("here")] == "yes"]
    print(f"\n{len(found)} of {len(lines) - 1} are in {data_folder(options.data)}", end="")
    print("" if found else "; put them there as published, zipped or unpacked, or name another folder by TAMIS_DATA")
    print(
        "'training' says if published weights may be trained on it, 'validation only' that choices between models may "
        "be made on it"
    )
    return Exit.FINE


def _alignment(options: argparse.Namespace) -> Exit:
    """Print a line for each split as soon as it is measured; the widths are those of the longest possible."""
    from tamis_lab.bench.runner import progress
    from tamis_lab.corpora.catalogue import CorpusSource, corpora, data_folder, find_corpus, open_corpora
    from tamis_lab.gold import alignment_report

    names = options.corpus or [name for name in corpora() if find_corpus(name, options.data)]
    if not names:
        raise OptionError(f"no corpus is in {data_folder(options.data)}; `tamis corpora` says where to get them")
    sources = list(map(CorpusSource.parse, names))
    opened = open_corpora([name for name, _ in sources], options.data)
    widths = [max(map(len, names)) + len(":train"), *(len(title) + 2 for title in _ALIGNMENT_HEAD[1:])]
    print(_line(_ALIGNMENT_HEAD, _ALIGNMENT_HEAD, widths))
    for (name, split), corpus in zip(sources, opened, strict=True):
        with corpus:
            here = {entry.split for entry in corpus.entries()}
            for part in [split] if split else [each for each in corpus.info.splits if each in here]:
                label = f"{name}:{part}"
                with progress() as show:
                    found = alignment_report(label, show(corpus.pages(part), len(corpus.entries(part)), label))
                _print_placed(found, widths, options.worst or 0)
    print("\n'placed' is the share of gold words found on their page; on a page badly placed it is below 90 %")
    return Exit.FINE


def _print_placed(found: AlignmentReport, widths: list[int], worst: int) -> None:
    if not found.pages:
        print(f"{found.label}: no page of it has a gold text", flush=True)
        return
    placed = f"{100 * found.share:.2f} %"
    cells = (found.label, f"{len(found.pages):,}", f"{found.gold_words:,}", placed, f"{len(found.bad):,}")
    print(_line(_ALIGNMENT_HEAD, cells, widths), flush=True)
    for page in found.worst(worst):
        print(f"  {page.id}: {page.placed_words:,} of {page.gold_words:,} words, {100 * page.share:.1f} %")


def _line(head: tuple[str, ...], cells: tuple[str, ...], widths: list[int]) -> str:
    padded = [
        cell.rjust(width) if name in _NUMBERS else cell.ljust(width)
        for name, cell, width in zip(head, cells, widths, strict=True)
    ]
    return "  ".join(padded).rstrip()
