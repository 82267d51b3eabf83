"""`tamis batch`: archives and tables of pages in, output rows out."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

from tamis.cli.arguments import (
    add_choice,
    add_limits,
    add_verb,
    add_written,
    at_least,
    check_chunks,
    content_options,
    is_given,
    share,
)
from tamis.cli.exits import Exit
from tamis.cli.outputs import complain, place_name, show
from tamis.errors import OptionError
from tamis.option_table import CHUNK_TOKENS, TIMEOUT

if TYPE_CHECKING:
    from tamis.batch.rows import BatchOptions
    from tamis.batch.run import Engine

_DESCRIPTION = """\
Extract the main content of all pages of a crawl, in worker processes.

An INPUT is a WARC file (plain, .gz or .zst), JSONL or Parquet with an html column, a folder of pages,
or a glob of these. OUT becomes a folder of Parquet or JSONL files, one for each shard of the input. Both may
be addresses: s3://, gs://, abfs:// ... Pages that hang, crash their worker or use too much memory are listed in
OUT/_dead, each with its reason and its place in the input. To continue a run that was stopped, give the same
command again.
"""

_EPILOG = """\
examples:
  tamis batch crawl.warc.gz -o out
  tamis batch 'crawl/*.warc.gz' -o out --workers 8 --language en --language de
  tamis batch pages.jsonl -o out --format jsonl --columns default,markdown,-tags
  tamis batch crawl.warc.gz -o out --columns url,metadata
  tamis batch --columns list                        all columns, one in a line
  tamis batch 's3://crawl/*.warc.gz' -o s3://corpus/text
  tamis batch crawl.warc.gz -o out --by-site
  tamis batch crawl.warc.gz -o out --min-confidence 0.7
  tamis batch 'crawl/*.warc.gz' -o /shared/out --engine ray --address head:6379

exit codes: 0 fine, 1 nothing extracted, 2 wrong use, 3 an input could not be read to its end
"""


def add_parser(verbs: Any) -> None:
    """Add `batch` to the command line."""
    parser = add_verb(verbs, "batch", run, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="file, folder, glob or address")
    output = parser.add_argument_group("output")
    place = "folder or address to write to"
    output.add_argument("-o", "--output", required=True, type=place_name, metavar="OUT", help=place)
    output.add_argument("-f", "--format", choices=("parquet", "jsonl"), default="parquet", help="default: parquet")
    columns = "such as default,markdown,-tags; list shows them all; one that is left out costs no time"
    output.add_argument("--columns", action=_Columns, default="default", metavar="NAMES", help=columns)
    add_written(output)
    output.add_argument("--json", action="store_true", help="print the summary as JSON, as in OUT/_summary.json")
    add_choice(parser)
    pages = parser.add_argument_group("which pages (repeat an option to allow more)")
    pages.add_argument("--status", action="append", metavar="N", help="HTTP status, or any (default 200)")
    pages.add_argument("--content-type", action="append", metavar="TYPE", help="or any (default HTML and XHTML)")
    pages.add_argument("--min-bytes", type=at_least(0), default=0, metavar="N", help="size of the decoded page")
    pages.add_argument("--max-bytes", type=at_least(1), metavar="N", help="size of the decoded page")
    sure = "from 0 to 1: pages that are probably extracted worse go to OUT/_dead, for a slower tool"
    pages.add_argument("--min-confidence", type=share, metavar="N", help=sure)
    pages.add_argument("--language", action="append", metavar="CODE", help="language of the content: en, de ...")
    how = parser.add_argument_group("how")
    how.add_argument("--workers", type=at_least(1), metavar="N", help="processes (default: one a core)")
    sites = "learn each site first: what repeats on its pages is template (reads the input twice)"
    how.add_argument("--by-site", action="store_true", help=sites)
    how.add_argument("--engine", choices=("local", "ray"), default="local", help="this machine or a Ray cluster")
    how.add_argument("--address", metavar="HOST:PORT", help="of the cluster (default: RAY_ADDRESS, or a new local one)")
    add_limits(how, TIMEOUT, 2_048)
    how.add_argument("--shard-size", type=at_least(1), metavar="MB", help="input of one shard (default: automatic)")


class _Columns(argparse.Action):
    """Takes names of columns; `list` shows all of them and ends the program, as --help does."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if values == "list":
            from tamis.batch.columns import listed

            show(listed())
            parser.exit()
        setattr(namespace, self.dest, values)


def run(options: argparse.Namespace) -> Exit:
    """Run the batch, show its progress, print its summary."""
    from tamis.batch.outputs import Output
    from tamis.batch.progress import report, shown
    from tamis.batch.run import Plan, Watcher
    from tamis.batch.run import run as run_batch
    from tamis.batch.sites import learned_sites

    output = Output(options.output, options.format)
    wanted = _batch_options(options)
    shard_bytes = options.shard_size and options.shard_size << 20
    try:
        with ExitStack() as stack:
            begin: Callable[[Plan], Watcher] = lambda plan: stack.enter_context(shown(plan))  # noqa: E731
            how: dict[str, Any] = {"workers": options.workers, "shard_bytes": shard_bytes, "begin": begin}
            if options.by_site:
                if options.engine != "local":
                    raise OptionError("--by-site is for --engine local")
                wanted = learned_sites(options.inputs, output, wanted, **how)
                stack.close()  # the progress of learning ends
            summary = run_batch(options.inputs, output, wanted, engine=_engine(options), **how)
    except KeyboardInterrupt:
        complain("interrupted; the same command goes on from here")
        raise
    show(json.dumps(summary.as_dict(), ensure_ascii=False, indent=2) if options.json else report(summary, output))
    if summary.failed:
        return Exit.UNREADABLE
    return Exit.FINE if summary.total.rows > summary.total.empty else Exit.NOTHING


def _engine(options: argparse.Namespace) -> AbstractContextManager[Engine] | None:
    """The engine that was asked for; None is this machine."""
    if options.engine == "ray":
        from tamis.integrations.ray import cluster

        return cluster(options.address)
    if options.address:
        raise OptionError("--address is for --engine ray")
    return None


def _batch_options(options: argparse.Namespace) -> BatchOptions:
    from tamis.batch.columns import chosen
    from tamis.batch.filters import GOOD_STATUS, HTML_TYPES, Filters
    from tamis.batch.rows import BatchOptions
    from tamis.site.rules import read_rules

    status: frozenset[int] | None = GOOD_STATUS
    if options.status:
        try:
            status = None if "any" in options.status else frozenset(map(int, options.status))
        except ValueError:
            raise OptionError(f"{' '.join(options.status)}: a status is a number or any") from None
    types: frozenset[str] | None = HTML_TYPES
    if options.content_type:
        names = frozenset(word.strip().lower() for word in options.content_type)
        types = None if "any" in names else names
    columns = chosen(options.columns)
    chunks = {}
    if "chunks" in columns:
        check_chunks(options)
        chunks = {"chunk_tokens": options.chunk_tokens, "chunk_overlap": options.chunk_overlap}
    elif is_given(options, "chunk_tokens", CHUNK_TOKENS) or is_given(options, "chunk_overlap"):
        raise OptionError("--chunk-tokens and --chunk-overlap are for the column chunks: --columns default,chunks")
    return BatchOptions(
        extractor=options.extractor,
        **content_options(options),
        columns=columns,
        **chunks,
        rules={} if options.rules is None else read_rules(options.rules),
        filters=Filters(
            status=status,
            content_types=types,
            min_bytes=options.min_bytes,
            max_bytes=options.max_bytes,
            languages=options.language,
        ),
        min_confidence=options.min_confidence,
        timeout=options.timeout,
        memory=options.memory or None,
    )
