"""The progress bar of a run, and its report at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tamis.batch.inputs import Shard
from tamis.batch.outputs import Output
from tamis.batch.records import Tally
from tamis.batch.run import Plan, Step, Summary, Watcher


class Progress:
    """Counts the bytes of input that are done, including those in unfinished shards."""

    def __init__(self, plan: Plan) -> None:
        self.total = sum(shard.size for shard in plan.todo)
        self.tally = Tally()
        self._done = 0
        self._begun: dict[Shard, int] = {}

    @property
    def done(self) -> int:
        """Bytes of input."""
        return self._done + sum(self._begun.values())

    def step(self, step: Step) -> None:
        """Count a step of the run."""
        if isinstance(step.new, Tally):
            self.tally.merge(step.new)
        else:
            self.tally.add(step.new)
        if step.tally is not None or step.failed:
            self._begun.pop(step.shard, None)
            self._done += step.shard.size
        else:  # a reader may look ahead and go back
            self._begun[step.shard] = max(step.read, self._begun.get(step.shard, 0))

    def words(self) -> str:
        """The number of pages, and of errors by kind."""
        errors = {"empty": self.tally.empty, **self.tally.letters}
        told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(errors.items()) if count)
        return _pages(self.tally.pages) + (f" ({told})" if told else "")


@contextmanager
def shown(plan: Plan, stream: TextIO | None = None) -> Iterator[Watcher]:
    """A bar with bytes of input, pages a second, errors by kind and time left, if the stream is a terminal."""
    progress = Progress(plan)
    stream = stream or sys.stderr
    if stream is None or not stream.isatty():  # None in a process that was started without it
        yield progress.step
        return
    try:
        from rich import progress as bars
        from rich.console import Console
    except ImportError:
        print("tamis: for a progress bar: pip install 'tamis[cli]'", file=stream)
        yield progress.step
        return
    columns = (
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        bars.DownloadColumn(),
        bars.TextColumn("{task.fields[rate]} pages/s, {task.description}"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(file=stream), redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("starting", total=progress.total or 1, rate="0")

        def draw(step: Step) -> None:
            progress.step(step)
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = f"{progress.tally.pages / elapsed:,.0f}" if elapsed else "0"
            bar.update(task, completed=progress.done, description=progress.words(), rate=rate)

        yield draw


def report(summary: Summary, output: Output) -> str:
    """The end of a run in a few lines."""
    total, run = summary.total, summary.run
    rate = run.pages / summary.seconds if summary.seconds else 0.0
    lines = [f"{_pages(run.pages)} in {summary.seconds:,.1f} s ({rate:,.1f} pages/s)"]
    if summary.shards_done_before:
        lines[0] += f"; {summary.shards_done_before:,} of {summary.shards:,} shards were done before"
    lines.append(f"rows          {total.rows:,}, of them {total.empty:,} empty; see {output.place}")
    if total.letters:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(total.letters.items()))
        lines.append(f"dead letters  {kinds}; see {output.place}/_dead")
    lines += [f"refused       {count:,} by {name.replace('_', ' ')}" for name, count in sorted(total.refused.items())]
    lines += [f"not finished  {path}: {why}" for path, why in sorted(summary.failed.items())]
    return "\n".join(lines)


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count:,} pages"
