"""`tamis batch`: archives and tables of pages in, rows out."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis.cli.choice import add_choice
from tamis.cli.exits import Exit
from tamis.cli.extract import seconds

if TYPE_CHECKING:
    from tamis.batch.rows import BatchOptions
    from tamis.batch.run import Engine

_DEADLINE = 30.0  # as tamis.batch.rows has it, which is too heavy to import for a help text
_MEMORY = 2_048
_FORMATS = ("parquet", "jsonl")
_ENGINES = ("local", "ray")

_DESCRIPTION = """\
Extract the main content of all pages of a crawl, in worker processes.

An INPUT is a WARC file (plain, .gz or .zst), JSONL or Parquet with an html column, a folder of pages,
or a glob of such. OUT becomes a folder of Parquet or JSONL files, one a shard of the input. A page that
hangs, crashes its worker or eats memory ends in OUT/_dead with its reason and place. A run that was
stopped at any moment goes on where it was when the same command is given again.
"""

_EPILOG = """\
examples:
  tamis batch crawl.warc.gz -o out
  tamis batch 'crawl/*.warc.gz' -o out --workers 8 --language en --language de
  tamis batch pages.jsonl -o out --format jsonl --markdown
  tamis batch 'crawl/*.warc.gz' -o /shared/out --engine ray --address head:6379

exit codes: 0 fine, 1 nothing extracted, 2 wrong use, 3 an input could not be read to its end
"""


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "batch",
        help="extract whole crawls: WARC, JSONL, Parquet or folders in, Parquet or JSONL out",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="file, folder or glob")
    output = parser.add_argument_group("output")
    output.add_argument("-o", "--output", type=Path, required=True, metavar="OUT", help="folder to write to")
    output.add_argument("-f", "--format", choices=_FORMATS, default="parquet", help="default: parquet")
    output.add_argument("--markdown", action="store_true", help="also the content as Markdown")
    output.add_argument("--no-title", action="store_true", help="leave the title out, which costs time")
    output.add_argument("--no-page-type", action="store_true", help="leave the page type out, which costs time")
    output.add_argument("--json", action="store_true", help="the summary as JSON; it is in OUT/_summary.json, too")
    add_choice(parser)
    wanted = parser.add_argument_group("which pages (repeat an option to allow more)")
    wanted.add_argument("--status", action="append", metavar="N", help="HTTP status, or any (default 200)")
    wanted.add_argument("--content-type", action="append", metavar="TYPE", help="or any (default HTML and XHTML)")
    wanted.add_argument("--min-bytes", type=_count, default=0, metavar="N", help="of the page, decoded")
    wanted.add_argument("--max-bytes", type=_positive, metavar="N", help="of the page, decoded")
    wanted.add_argument("--language", action="append", metavar="CODE", help="of the content: en, de ...")
    how = parser.add_argument_group("how")
    how.add_argument("--workers", type=_positive, metavar="N", help="processes (default: one a core)")
    how.add_argument("--engine", choices=_ENGINES, default="local", help="this machine or a Ray cluster")
    how.add_argument("--address", metavar="HOST:PORT", help="of the cluster (default: RAY_ADDRESS, or a new one here)")
    how.add_argument("--deadline", type=seconds, default=_DEADLINE, metavar="S", help="seconds a page (default 30)")
    how.add_argument("--memory", type=_count, metavar="MB", help=f"a page; 0 is no limit (default {_MEMORY} on Linux)")
    how.add_argument("--shard-size", type=_positive, metavar="MB", help="input that is done as one (default: fitting)")
    parser.set_defaults(run=run)


def _positive(word: str) -> int:
    return _at_least(1, word)


def _count(word: str) -> int:
    return _at_least(0, word)


def _at_least(least: int, word: str) -> int:
    try:
        value = int(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no whole number") from None
    if value < least:
        raise argparse.ArgumentTypeError(f"the least is {least}")
    return value


def run(options: argparse.Namespace) -> Exit:
    """Run, show, sum up."""
    from tamis.batch.outputs import Output
    from tamis.batch.progress import report, shown
    from tamis.batch.run import Plan, Watcher
    from tamis.batch.run import run as run_batch

    with ExitStack() as stack:
        begin: Callable[[Plan], Watcher] = lambda plan: stack.enter_context(shown(plan))  # noqa: E731
        summary = run_batch(
            options.inputs,
            Output(options.output, options.format),
            _batch_options(options),
            workers=options.workers,
            shard_bytes=options.shard_size and options.shard_size << 20,
            begin=begin,
            engine=_engine(options),
        )
    print(json.dumps(summary.as_dict(), ensure_ascii=False, indent=2) if options.json else report(summary))
    if summary.failed:
        return Exit.UNREADABLE
    return Exit.FINE if summary.total.rows > summary.total.empty else Exit.NOTHING


def _engine(options: argparse.Namespace) -> AbstractContextManager[Engine] | None:
    """The engine that was asked for; None is this machine."""
    from tamis.errors import OptionError

    if options.engine == "ray":
        from tamis.integrations.ray import cluster

        return cluster(options.address)
    if options.address:
        raise OptionError("--address is for --engine ray")
    return None


def _batch_options(options: argparse.Namespace) -> BatchOptions:
    from tamis.batch.filters import GOOD_STATUS, HTML_TYPES, Filters
    from tamis.batch.rows import MEMORY, BatchOptions
    from tamis.errors import OptionError

    status: frozenset[int] | None = GOOD_STATUS
    if options.status:
        try:
            status = None if "any" in options.status else frozenset(map(int, options.status))
        except ValueError:
            raise OptionError(f"{' '.join(options.status)}: a status is a number or any") from None
    types: frozenset[str] | None = HTML_TYPES
    if options.content_type:
        named = frozenset(word.strip().lower() for word in options.content_type)
        types = None if "any" in named else named
    return BatchOptions(
        extractor=options.extractor,
        favor_precision=options.precision,
        favor_recall=options.recall,
        markdown=options.markdown,
        title=not options.no_title,
        page_type=not options.no_page_type,
        filters=Filters(
            status=status,
            content_types=types,
            min_bytes=options.min_bytes,
            max_bytes=options.max_bytes,
            languages=frozenset(word.lower() for word in options.language) if options.language else None,
        ),
        deadline=options.deadline,
        memory=MEMORY if options.memory is None else options.memory or None,
    )
