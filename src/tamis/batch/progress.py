"""The progress bar of a run, and its report at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from tamis.batch.inputs import Shard
from tamis.batch.records import Answer
from tamis.batch.run import Plan, Summary, Watcher
from tamis.batch.tally import Tally
from tamis.errors import MissingExtra

_OFFSETS_ARE_BYTES = ("warc", "jsonl")


class Progress:
    """Counts the bytes of input that are done, also in shards that are not finished."""

    def __init__(self, plan: Plan) -> None:
        self.total = sum(shard.size for shard in plan.todo)
        self.tally = Tally()
        self._done = 0
        self._begun: dict[Shard, int] = {}

    @property
    def done(self) -> int:
        """Bytes of input."""
        return self._done + sum(self._begun.values())

    def step(self, shard: Shard, answers: Sequence[Answer] | Tally, finished: bool) -> None:
        """Count a step of the run."""
        if isinstance(answers, Tally):
            self.tally.merge(answers)
        else:
            self.tally.add(answers)
        if finished:
            self._begun.pop(shard, None)
            self._done += shard.size
        elif not isinstance(answers, Tally) and answers and shard.format in _OFFSETS_ARE_BYTES:
            last = answers[-1]
            offset = last.get("offset") if isinstance(last, dict) else getattr(last, "offset", None)
            if isinstance(offset, int):
                self._begun[shard] = min(max(offset - shard.start, 0), shard.size)

    def words(self) -> str:
        """Pages, and errors by kind."""
        errors = {"empty": self.tally.empty, **self.tally.letters}
        told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(errors.items()) if count)
        return f"{self.tally.pages:,} pages" + (f" ({told})" if told else "")


@contextmanager
def shown(plan: Plan, stream: TextIO | None = None) -> Iterator[Watcher]:
    """A bar on a terminal with pages a second, errors by kind and the time left; nothing elsewhere."""
    progress = Progress(plan)
    stream = stream or sys.stderr
    if stream is None or not stream.isatty():  # None in a process that was started without it
        yield progress.step
        return
    try:
        from rich import progress as bars
        from rich.console import Console
    except ImportError:
        raise MissingExtra("a progress bar", "batch") from None
    columns = (
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        bars.TextColumn("{task.fields[rate]} pages/s, {task.description}"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(file=stream), redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("starting", total=progress.total or 1, rate="0")

        def step(shard: Shard, answers: Sequence[Answer] | Tally, finished: bool) -> None:
            progress.step(shard, answers, finished)
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = f"{progress.tally.pages / elapsed:,.0f}" if elapsed else "0"
            bar.update(task, completed=progress.done, description=progress.words(), rate=rate)

        yield step


def report(summary: Summary) -> str:
    """The end of a run in a few lines."""
    total, run = summary.total, summary.run
    rate = run.pages / summary.seconds if summary.seconds else 0.0
    lines = [f"{run.pages:,} pages in {summary.seconds:,.1f} s ({rate:,.1f} pages/s)"]
    if summary.shards_done_before:
        lines[0] += f"; {summary.shards_done_before:,} of {summary.shards:,} shards were done before"
    lines.append(f"rows          {total.rows:,}, of them {total.empty:,} empty")
    lines += [f"dead letters  {count:,} {kind}" for kind, count in sorted(total.letters.items())]
    lines += [f"refused       {count:,} by {name.replace('_', ' ')}" for name, count in sorted(total.refused.items())]
    lines += [f"not finished  {path}: {why}" for path, why in sorted(summary.failed.items())]
    return "\n".join(lines)
