"""The loop: shards in, files out, and what was done already is not done again."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tamis import __version__
from tamis.batch.inputs import Shard, fitting_shard_bytes, shards
from tamis.batch.outputs import Output
from tamis.batch.outputs.shard import ShardWriter
from tamis.batch.records import Answer
from tamis.batch.rows import BatchOptions
from tamis.batch.tally import Tally
from tamis.batch.workers import Crew, isolated
from tamis.errors import InputError, OptionError

# Called with a shard, its next answers (or all of them, counted), and whether it is done: for a progress bar.
Watcher = Callable[[Shard, Sequence[Answer] | Tally, bool], None]


@dataclass
class Summary:
    """How a run ended. `total` counts all that is in the output, `run` what this run has done."""

    total: Tally = field(default_factory=Tally)
    run: Tally = field(default_factory=Tally)
    shards: int = 0
    shards_done_before: int = 0
    failed: dict[str, str] = field(default_factory=dict)  # inputs of shards that could not be read to their end
    seconds: float = 0.0  # by the clock

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
    """What a run has to do: made once, then done here or on many machines."""

    todo: list[Shard]
    done: dict[str, tuple[Shard, Tally]]


# Does shards with so many workers, tells the watcher, and fills in what was done and what failed.
Engine = Callable[[Sequence[Shard], Output, BatchOptions, int | None, Watcher, Summary], None]


def run(
    patterns: Sequence[str],
    output: Output,
    options: BatchOptions,
    *,
    workers: int | None = None,
    shard_bytes: int | None = None,
    begin: Callable[[Plan], Watcher] | None = None,
    engine: Engine | None = None,
) -> Summary:
    """Extract all pages of the inputs into the output; goes on where an earlier run was stopped.

    `begin` is told the plan and gives back what is called with each step. A shard whose input
    can't be read to its end is left undone, named in the summary, and tried again by the next run.
    `engine` does the shards; by default it is this machine.
    Raises InputError, OptionError and MissingExtra before anything is written, and WeightsError.
    """
    start = time.monotonic()
    fitting = fitting_shard_bytes(patterns)  # also shows that there are inputs, before a folder is made
    asked = {} if shard_bytes is None else {"shard_bytes": shard_bytes}
    with output.opened(settings(options) | asked, {} if asked else {"shard_bytes": fitting}) as followed:
        plan = make_plan(patterns, output, shard_bytes or followed["shard_bytes"])
        watch = begin(plan) if begin else _unwatched
        summary = Summary(shards=len(plan.todo) + len(plan.done), shards_done_before=len(plan.done))
        for _, tally in plan.done.values():
            summary.total.merge(tally)
        (engine or _do_here)(plan.todo, output, options, workers, watch, summary)
        summary.total.merge(summary.run)
        summary.seconds = time.monotonic() - start
        output.write_summary(summary.as_dict())
    return summary


def do_shard(shard: Shard, output: Output, crew: Crew) -> Tally:
    """One shard from input to marker, for engines that hand out shards themselves.

    Raises InputError where it can't be read to its end; then nothing of it is written.
    """
    with output.writer(shard) as writer:
        for answers in crew.answers([shard]):
            if answers.failed:
                raise InputError(f"{shard.path}: {answers.failed}")
            writer.add(answers.answers)
        return writer.commit()


def settings(options: BatchOptions) -> dict[str, Any]:
    """What has to be the same in every run into one folder, as plain data."""
    plain = {each.name: getattr(options, each.name) for each in fields(options)}
    wanted = {
        name: sorted(value) if isinstance(value, Collection) else value
        for name, value in asdict(plain.pop("filters")).items()
    }
    extractor = options.extractor
    named = extractor if isinstance(extractor, str) else f"{type(extractor).__module__}.{options.extractor_name}"
    return plain | wanted | {"extractor": named, "version": __version__}


def make_plan(patterns: Sequence[str], output: Output, shard_bytes: int) -> Plan:
    """Which shards are left to do. Raises OptionError where the output holds rows of other inputs."""
    found = {shard.name: shard for shard in shards(patterns, shard_bytes=shard_bytes)}
    done = output.done()
    for name, (shard, _) in done.items():
        if name not in found:
            raise OptionError(f"{output.folder}: it holds rows of {shard.path}, which is no input of this run")
        if found[name] != shard:
            raise OptionError(f"{shard.path}: it has changed since its rows were written to {output.folder}")
    return Plan([shard for name, shard in found.items() if name not in done], done)


def _do_here(
    todo: Sequence[Shard],
    output: Output,
    options: BatchOptions,
    workers: int | None,
    watch: Watcher,
    summary: Summary,
) -> None:
    writers: dict[int, ShardWriter] = {}
    try:
        for answers in isolated(todo, options, workers=workers):
            shard = todo[answers.work]
            if answers.work not in writers:
                writers[answers.work] = output.writer(shard)
            writers[answers.work].add(answers.answers)
            if answers.finished:
                summary.run.merge(writers.pop(answers.work).commit())
            elif answers.failed:
                writers.pop(answers.work).abandon()
                summary.failed[shard.path] = answers.failed
            watch(shard, answers.answers, answers.finished or bool(answers.failed))
    finally:
        for writer in writers.values():
            writer.abandon()


def _unwatched(shard: Shard, answers: Sequence[Answer] | Tally, done: bool) -> None:
    """Nobody looks."""
