"""The loop over shards: shards that an earlier run has finished are not done again."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import Any, NamedTuple

from tamis import __version__, registry
from tamis.batch.inputs import Shard, fingerprint, fitting_shard_bytes, shards
from tamis.batch.outputs import DoneShard, Output
from tamis.batch.outputs.shard import ShardWriter
from tamis.batch.records import Answer, Tally
from tamis.batch.rows import BatchOptions
from tamis.batch.workers import PagePool, page_pool
from tamis.errors import InputError, OptionError


@dataclass
class Summary:
    """How a run ended. `total` counts everything in the output, `run` what this run has done."""

    total: Tally = field(default_factory=Tally)
    run: Tally = field(default_factory=Tally)
    shards: int = 0
    shards_done_before: int = 0
    failed: dict[str, str] = field(default_factory=dict)  # inputs of shards that could not be read to their end
    seconds: float = 0.0  # of wall-clock time

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "version": __version__,
            "shards": self.shards,
            "shards_done_before": self.shards_done_before,
            "failed": self.failed,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(self.run.pages / self.seconds, 1) if self.seconds else 0.0,
            "run": self.run.as_dict(),
            "total": self.total.as_dict(),
        }


@dataclass(frozen=True)
class Plan:
    """The shards that are left to do, and those that are done, by name."""

    todo: list[Shard]
    done: dict[str, DoneShard]


class Step(NamedTuple):
    """A piece of progress on one shard."""

    shard: Shard
    new: Sequence[Answer] | Tally  # the next answers, or the counts of all answers of the shard
    tally: Tally | None  # of the whole shard, when it is done
    failed: str = ""  # why it can't be done
    read: int = 0  # about how many bytes of the shard have been read


Watcher = Callable[[Step], None]  # for a progress bar
# Does these shards, with this number of workers.
Engine = Callable[[Sequence[Shard], Output, BatchOptions, int | None], Generator[Step, None, None]]


def run(
    patterns: Sequence[str],
    output: Output,
    options: BatchOptions,
    *,
    workers: int | None = None,
    shard_bytes: int | None = None,
    begin: Callable[[Plan], Watcher] | None = None,
    engine: AbstractContextManager[Engine] | None = None,
) -> Summary:
    """Extract all pages of the inputs into the output; resumes an earlier run that was stopped.

    `begin` gets the plan and returns a watcher, which is called with each step. A shard whose input can't be read to
    its end is left undone, named in the summary, and tried again by the next run. `engine` does the shards, by default
    on this machine; it is entered once the options and inputs are checked. Raises InputError, OptionError,
    MissingExtra, BrowserMissing and WeightsError; on this machine before anything is written.
    """
    start = time.monotonic()
    page_pool(options, workers=workers)  # Validates the options here; starts no process.
    fitting = fitting_shard_bytes(patterns)  # also checks that there are inputs, and packages to read them
    asked = settings(options) | ({} if shard_bytes is None else {"shard_bytes": shard_bytes})
    follow = {"shard_bytes": fitting} if shard_bytes is None else {}
    followed = output.check(asked, follow)
    found = shards(patterns, shard_bytes=shard_bytes or followed["shard_bytes"])  # a folder may have no page
    with engine or _local_engine(options, workers) as do, output.opened(asked, follow):
        plan = make_plan(found, output)
        watch = begin(plan) if begin else lambda step: None
        summary = Summary(shards=len(plan.todo) + len(plan.done), shards_done_before=len(plan.done))
        for done in plan.done.values():
            summary.total.merge(done.tally)
        with closing(do(plan.todo, output, options, workers)) as steps:
            for step in steps:
                if step.failed:
                    summary.failed[_printable(step.shard.path)] = _printable(_reason_of(step.shard, step.failed))
                if step.tally is not None:
                    summary.run.merge(step.tally)
                watch(step)
        summary.total.merge(summary.run)
        summary.seconds = time.monotonic() - start
        output.write_summary(summary.as_dict())
    return summary


def do_shard(shard: Shard, output: Output, pool: PagePool, columns: Sequence[str]) -> Tally:
    """Do one shard, from input to marker; for engines that distribute shards themselves.

    Raises InputError if it can't be read to its end; then none of its files are written.
    """
    with output.writer(shard, columns) as writer:
        for part in pool.answers([shard]):
            if part.failed:
                raise InputError(f"{shard.path}: {_reason_of(shard, part.failed)}")
            writer.add(part.answers)
        return writer.commit()


def settings(options: BatchOptions) -> dict[str, Any]:
    """The options that must be the same in every run into one folder, as plain data."""
    plain = {each.name: getattr(options, each.name) for each in fields(options)}
    wanted = {
        name: sorted(value) if isinstance(value, Collection) else value
        for name, value in asdict(plain.pop("filters")).items()
    }
    extractor = options.extractor
    if isinstance(extractor, str):
        named = registry.identity(extractor)
    else:
        named = f"{type(extractor).__module__}.{options.extractor_name}"
    return plain | wanted | {"extractor": named, "version": __version__}


def make_plan(inputs: Iterable[Shard], output: Output) -> Plan:
    """The shards that are left to do. Raises OptionError if the output holds rows of other inputs."""
    found = {shard.name: shard for shard in inputs}
    done = output.done()
    for name, (shard, _, before) in done.items():
        if name not in found:
            raise OptionError(f"{output.place}: it holds rows of {shard.path}, which is not an input of this run")
        now = found[name]  # its path may be spelled differently
        if replace(now, path=shard.path) != shard or fingerprint(now) != before:
            raise OptionError(
                f"{shard.path}: it has changed since its rows were written to {output.place}; choose another folder"
            )
    return Plan([shard for name, shard in found.items() if name not in done], done)


@contextmanager
def _local_engine(options: BatchOptions, workers: int | None) -> Iterator[Engine]:
    """The engine of this machine. Its first worker is started here, so a missing extractor raises here."""
    with page_pool(options, workers=workers) as pool:
        list(pool.answers([()]))  # starts a worker without giving it a record
        yield partial(_do_locally, pool)


def _do_locally(
    pool: PagePool, todo: Sequence[Shard], output: Output, options: BatchOptions, workers: int | None
) -> Generator[Step, None, None]:
    writers: dict[int, ShardWriter] = {}
    try:
        for part in pool.answers(todo):
            shard = todo[part.work]
            if part.work not in writers:
                writers[part.work] = output.writer(shard, options.columns)
            writers[part.work].add(part.answers)
            tally, failed = None, part.failed
            if part.finished:
                try:
                    tally = writers[part.work].commit()
                except InputError as error:  # a store can't tell whether the input has changed
                    failed = str(error)
            if part.finished or failed:
                writers.pop(part.work).abandon()
            yield Step(shard, part.answers, tally, failed, part.place)
    finally:
        for writer in writers.values():
            writer.abandon()


def _reason_of(shard: Shard, failed: str) -> str:
    """The reason without the name of the input, with which some errors begin."""
    return failed.removeprefix(f"{shard.path}: ")


def _printable(text: str) -> str:
    """Text that every output can hold: bytes of a path that are not UTF-8 become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()
