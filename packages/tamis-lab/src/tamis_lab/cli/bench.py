"""`tamis bench`: extractors and their peers over corpora, as figures."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tamis.cli.arguments import add_verb, at_least, seconds
from tamis.cli.exits import Exit
from tamis.errors import OptionError
from tamis.registry import extractors
from tamis_lab import needs
from tamis_lab.cli import add_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rich.table import Table

    from tamis_lab.bench.gate import Floor, Floors
    from tamis_lab.bench.metadata import MetadataSummary
    from tamis_lab.bench.runner import PageSource, Scored, Scorer, Selection
    from tamis_lab.bench.structure.scores import StructureSummary

Summary = TypeVar("Summary")

_DEFAULT = "tamis"  # the extractor that is measured for structure and metadata
_DEADLINE = 30.0  # as tamis_lab.bench.runner has it, which is too heavy to import for a help text
_SEED = 1  # as tamis_lab.corpora.catalogue has it
_STRUCTURED = "wcxb:dev"
_DESCRIBED = ("wcxb:dev", "news-2023:test")
_WIDTH = 150  # of tables that go to a file or a pipe

_DESCRIPTION = """\
Run extractors and their peers over corpora, each page in a worker process with a deadline.

Every result is a line of OUTPUT/results.jsonl; a run that was stopped goes on where it was.
"""

_EPILOG = """\
examples:
  tamis bench --corpus wcxb --limit 100
  tamis bench --corpus wcxb --corpus cleaneval:test --peer trafilatura --report
  tamis bench --corpus wcxb --extractor boilerpipe-density --no-peers --gate floors.toml
  tamis bench --corpus wcxb --extractor mymodule:extract    your own: bytes, url -> text
  tamis bench --corpus wcxb --extractor tamis --extractor tamis=build/tamis    with weights of your own
  tamis bench --corpus cleaneval:test --extractor tamis+comments --extractor tamis+title    comments or headline kept
  tamis bench --structure --limit 100 --report    what survives of headings, lists, tables, code, formulas, ...
  tamis bench --metadata --peer htmldate          how often title, authors and date are right
  tamis bench --confidence -e tamis=build/tamis   how true page.confidence is, by weights with folds out of fold

exit codes: 0 fine, 1 below a floor of the gate, 2 wrong use, 3 a corpus could not be read
"""


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = add_verb(verbs, "bench", run, description=_DESCRIPTION, epilog=_EPILOG)
    what = parser.add_argument_group("what is run")
    what.add_argument("--corpus", action="append", metavar="NAME[:SPLIT]", help="a corpus or one split; repeatable")
    what.add_argument(
        "-e",
        "--extractor",
        action="append",
        metavar="NAME",
        help="or module:callable, NAME=FOLDER, the path of weights, NAME+comments or NAME+title; repeatable; default: "
        "all without a browser",
    )
    peers = what.add_mutually_exclusive_group()
    peers.add_argument("--peer", action="append", metavar="NAME", help="repeatable; default: all that are installed")
    peers.add_argument("--no-peers", action="store_true", help="only extractors")
    what.add_argument(
        "--limit", type=at_least(1), metavar="N", help="N pages of each corpus, of each page type its share"
    )
    what.add_argument("--seed", type=int, default=_SEED, metavar="N", help=f"other pages for --limit (default {_SEED})")
    other = what.add_mutually_exclusive_group()
    other.add_argument(
        "--structure",
        action="store_true",
        help="count headings, lists, tables, code, formulas, notes, links, images and quotations that survive in "
        f"Markdown, on {_STRUCTURED} unless --corpus says otherwise, and on the golden structure pages",
    )
    other.add_argument(
        "--metadata",
        action="store_true",
        help="count right titles, authors and dates, answers where the gold has none, and how true confidences are, on "
        f"{' and '.join(_DESCRIBED)} unless --corpus says otherwise",
    )
    other.add_argument(
        "--confidence",
        action="store_true",
        help="compare the confidence of each extraction with its real token F1, on all corpora with whole texts as "
        "gold unless --corpus says otherwise",
    )
    add_data(what)
    how = parser.add_argument_group("how")
    how.add_argument("--workers", type=at_least(1), metavar="N", help="processes; default: one a core")
    how.add_argument(
        "--deadline", type=seconds, default=_DEADLINE, metavar="S", help=f"seconds a page (default {_DEADLINE:g})"
    )
    out = parser.add_argument_group("output")
    out.add_argument("-o", "--output", type=Path, default=Path("bench"), metavar="DIR", help="default: bench")
    out.add_argument(
        "--report", action="store_true", help="also write OUTPUT/report.html, or structure.html or metadata.html"
    )
    gate = parser.add_argument_group("gate")
    gate.add_argument("--gate", type=Path, metavar="FILE", help="fail below the floors of this file")
    gate.add_argument("--update-gate", action="store_true", help="raise its floors to what was reached")
    gate.add_argument("--lower-floors", action="store_true", help="with --update-gate: lower them, too")


def run(options: argparse.Namespace) -> Exit:
    """Measure, print, report, and judge. Corpora and names are checked before any extra is asked for."""
    if options.update_gate and not options.gate:
        raise OptionError("--update-gate needs --gate FILE")
    if options.lower_floors and not options.update_gate:
        raise OptionError("--lower-floors goes with --update-gate")
    if options.gate and options.limit and options.seed != _SEED:
        raise OptionError("--gate compares the same pages only: leave --seed out")
    if options.confidence:
        return _run_confidence(options)
    if options.structure or options.metadata:
        return _run_structure(options) if options.structure else _run_metadata(options)
    if not options.corpus:
        raise OptionError("--corpus is needed, or --structure, --metadata or --confidence")
    from tamis_lab.bench import contestants, gate, peers, text
    from tamis_lab.report import write_report

    floors = _requested_floors(options)
    selections = _selections_by_label(options)
    quick = [name for name, entry in extractors().items() if not entry.draws]
    names, left_out = _runnable_contestants(options, quick, peers.PEERS, contestants.contestant_version)
    results = _measured_results("results", [(text.TextScorer(), selections.values())], names, left_out, options)
    summaries = [
        text.summarise_text(label, selections[label].corpus.info.title, found) for label, found in results.items()
    ]
    _print_tables(table for summary in summaries for table in text.text_tables(summary))
    _write_report(options, "report", partial(write_report, workers=options.workers), summaries, selections, left_out)
    return _gate_exit(gate.TEXT, gate.measured_floors(summaries), floors, options) if options.gate else Exit.FINE


def _run_structure(options: argparse.Namespace) -> Exit:
    """Count what survives of the structure, print and report."""
    if options.gate:
        raise OptionError("--gate has no floors for --structure")
    from tamis_lab.bench import contestants, peers
    from tamis_lab.bench.structure import scores
    from tamis_lab.report import write_structure_report

    options.corpus = options.corpus or [_STRUCTURED]
    selections = _selections_by_label(options)
    names, left_out = _runnable_contestants(options, [_DEFAULT], peers.WRITERS, contestants.writer_version)
    runs: list[tuple[scores.StructureScorer, Iterable[PageSource]]] = [(scores.StructureScorer(), selections.values())]
    golden = scores.golden_pages(scores.GOLDEN_FOLDER)
    if golden.size:
        runs.append((scores.StructureScorer(golden=True), [golden]))
    else:
        print("tamis: without the golden structure pages: the tests are not next to the package", file=sys.stderr)
    results = _measured_results("structure", runs, names, left_out, options, fresh=True)
    summaries = [scores.summarise_structures(label, names, found) for label, found in results.items()]
    _print_tables(table for summary in summaries for table in scores.structure_tables(summary))
    _write_json(options, "structure", summaries)
    _write_report(options, "structure", write_structure_report, summaries, selections, left_out)
    return Exit.FINE


def _run_metadata(options: argparse.Namespace) -> Exit:
    """Count right answers, print, report, and judge."""
    from tamis_lab.bench import contestants, gate, metadata, peers
    from tamis_lab.report import write_metadata_report

    floors = _requested_floors(options)
    options.corpus = options.corpus or list(_DESCRIBED)
    selections = _selections_by_label(options)
    names, left_out = _runnable_contestants(options, [_DEFAULT], peers.FINDERS, contestants.finder_version)
    runs = [(metadata.MetadataScorer(), selections.values())]
    results = _measured_results("metadata", runs, names, left_out, options)
    summaries = [metadata.summarise_metadata(label, names, found) for label, found in results.items()]
    _print_tables(table for summary in summaries for table in metadata.metadata_tables(summary))
    _write_json(options, "metadata", summaries)
    _write_report(options, "metadata", write_metadata_report, summaries, selections, left_out)
    return _gate_exit(gate.METADATA, gate.measured_metadata(summaries), floors, options) if options.gate else Exit.FINE


def _run_confidence(options: argparse.Namespace) -> Exit:
    """Compare expected with real F1, and print tables for each extractor."""
    if options.gate or options.report:
        raise OptionError("--confidence has neither floors nor a report")
    with needs("train", "the measure of confidences"):
        import sklearn  # noqa: F401
    from tamis_lab.bench import confidence
    from tamis_lab.training.confidence import expected_f1

    print("tamis: without rs-trafilatura: its predictor of quality is not on PyPI", file=sys.stderr)
    for name in options.extractor or [_DEFAULT]:
        sources = options.corpus or [*confidence.LEARNED, *confidence.MEASURED]
        found = confidence.extractions_of_corpora(sources, name, options.data, options.workers or 2, options.limit)
        if not found:
            raise OptionError(f"{name} has no confidence on these pages")
        how, sure = expected_f1(found)
        print(
            "\n".join(
                [
                    f"{name}, {how}",
                    *confidence.confidence_table(found, sure),
                    "",
                    *confidence.confidence_curve(found, sure),
                    "",
                ]
            )
        )
    return Exit.FINE


def _measured_results(
    file: str,
    runs: Sequence[tuple[Scorer[Scored], Iterable[PageSource]]],
    names: Sequence[str],
    left_out: Mapping[str, str],
    options: argparse.Namespace,
    *,
    fresh: bool = False,
) -> dict[str, list[Scored]]:
    """The results by label; with `fresh`, those of earlier runs are deleted. Raises MissingExtra."""
    _rich_console()
    for name, reason in left_out.items():
        print(f"tamis: without {name}: {reason}", file=sys.stderr)
    from tamis_lab.bench import runner

    found: dict[str, list[Scored]] = {}
    lines = options.output / f"{file}.jsonl"
    if fresh:
        lines.unlink(missing_ok=True)
    for scorer, sources in runs:
        found |= runner.run_benchmark(
            scorer, list(sources), names, lines, workers=options.workers, deadline=options.deadline
        )
    return found


def _print_tables(tables: Iterable[Table]) -> None:
    console = _rich_console()
    for table in tables:
        console.print(table)


def _write_json(
    options: argparse.Namespace, name: str, summaries: Sequence[StructureSummary] | Sequence[MetadataSummary]
) -> None:
    values = json.dumps([each.as_json() for each in summaries], indent=1)
    (options.output / f"{name}.json").write_text(values + "\n", encoding="utf-8")


def _write_report(
    options: argparse.Namespace,
    name: str,
    write: Callable[[Path, Sequence[Summary], Mapping[str, Selection], Mapping[str, str]], None],
    summaries: Sequence[Summary],
    selections: Mapping[str, Selection],
    left_out: Mapping[str, str],
) -> None:
    """Write a report, if it is asked for, and say where it is."""
    if options.report:
        path = options.output / f"{name}.html"
        write(path, summaries, selections, left_out)
        print(f"tamis: the report is {path}", file=sys.stderr)


def _runnable_contestants(
    options: argparse.Namespace, extractors: Iterable[str], peers: Iterable[str], version: Callable[[str], str]
) -> tuple[list[str], dict[str, str]]:
    """The names to run, and those that are left out because they can't run here, each with the reason.

    A contestant asked for by name is not left out: the error that `version` raises ends the run.
    """
    from tamis_lab.bench.contestants import unavailable_reasons

    asked = [*(options.extractor or ()), *(options.peer or ())]
    default = [*(() if options.extractor else extractors), *(() if options.peer or options.no_peers else peers)]
    left_out = unavailable_reasons((name for name in default if name not in asked), version)
    chosen = [*(options.extractor or extractors), *(options.peer or (() if options.no_peers else peers))]
    names = [name for name in dict.fromkeys(chosen) if name not in left_out]
    for name in names:
        version(name)
    return names, left_out


def _requested_floors(options: argparse.Namespace) -> Floors:
    """The floors, which are read before the run, so that a broken file fails at once. Raises OptionError."""
    from tamis_lab.bench import gate

    if options.gate and (options.gate.exists() or not options.update_gate):
        return gate.read_floors(options.gate)
    return gate.Floors([])


def _rich_console() -> Any:
    """Where tables are printed. Raises MissingExtra."""
    with needs("bench", "the benchmark"):
        from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=_WIDTH)


def _gate_exit(kind: str, reached: list[Floor], floors: Floors, options: argparse.Namespace) -> Exit:
    """Compare with the floors of this kind."""
    from tamis_lab.bench import gate

    if options.update_gate:
        floors = gate.updated_floors(floors, reached, lower=options.lower_floors)
        gate.write_floors(options.gate, floors)
    own = floors._replace(floors=[floor for floor in floors.floors if floor.kind == kind])
    lines = gate.violations(own, reached)
    for line in lines:
        print(f"tamis: {line}", file=sys.stderr)
    return Exit.NOTHING if lines else Exit.FINE


def _selections_by_label(options: argparse.Namespace) -> dict[str, Selection]:
    from tamis_lab.bench.runner import Selection
    from tamis_lab.corpora.catalogue import CorpusSource, open_corpora

    sources = list(map(CorpusSource.parse, options.corpus))
    opened = open_corpora([source.name for source in sources], options.data)
    selections = {}
    for corpus, source in zip(opened, sources, strict=True):
        corpus.entries(source.split)  # raises for an unknown split
        selection = Selection(corpus, source.split, options.limit, options.seed)
        selections[selection.label] = selection
    return selections
