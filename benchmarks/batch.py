"""The speed of `tamis batch` compared with `extract` in a loop, with one worker and with two, and its memory over time.

    python -m benchmarks.batch                     20,000 pages; 100,000 for the memory curve
    python -m benchmarks.batch --pages 1000 --curve 0
    python -m benchmarks.batch --metadata          with the columns of metadata, too

An archive of synthetic pages is written first (and kept in --folder for the next run). Page sizes are log-normal as
on the web: half of them below 60 kB, a mean of 100 kB. Rates are by wall-clock time, so other work on the machine
distorts them. The ratio by CPU time counts all processes, shard by shard in turn, and is hardly affected.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy starts its threads
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import gzip
import random
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import tamis
from tamis.batch.inputs import read, shards
from tamis.batch.outputs import Output
from tamis.batch.records import Record, Tally
from tamis.batch.rows import BatchOptions
from tamis.batch.run import Step, do_shard, run
from tamis.batch.workers import page_pool
from tamis.document.words import STOPWORDS
from tamis.registry import DEFAULT

MEDIAN, SPREAD = 60_000, 1.0  # bytes, and the standard deviation of their logarithm
LEAST, MOST = 2_000, 1_000_000
PAGES_VERSION = 2  # increase it when `pages` changes, so that old archives are not used

_SYLLABLES = "ta mi sel ro ka ven du lor pra ne shi bo gan ter fil ma quo rin des hal um".split()


def pages(count: int, seed: int = 1) -> Iterator[bytes]:
    """Pages of random words, in markup like that of a real site."""
    dice = random.Random(seed)
    words = ["".join(dice.choices(_SYLLABLES, k=dice.randint(1, 4))) for _ in range(4_000)]
    common = sorted(STOPWORDS)  # every second word of English text; without them no language would be detected

    def sentence() -> str:
        some = [dice.choice(common if dice.random() < 0.5 else words) for _ in range(dice.randint(5, 25))]
        return f"{' '.join(some).capitalize()}. "

    texts = ["".join(sentence() for _ in range(dice.randint(1, 6))) for _ in range(2_000)]
    menu = "".join(f'<li class="menu-item"><a href="/{word}/">{word}</a></li>' for word in words[:40])
    script = "".join(f"var {word}={{a:1,b:[{number}]}};" for number, word in enumerate(words))

    def part(number: int) -> str:
        kind, word = dice.random(), dice.choice(words)
        if kind < 0.25:
            return f'<p class="body-text">{dice.choice(texts)}<a href="/p/{number}">{word}</a></p>\n'
        if kind < 0.6:
            picture = f'<img class="lazy" data-src="/i/{word}-640x480.jpg" width=640 height=480 alt="">'
            label = (
                f'<a class="card__link" href="/{word}/{number}" data-track="{word}"><span>{word} {number}</span></a>'
            )
            return f'<div class="card card--wide" style="order:1"><div class="card__in">{picture}{label}</div></div>\n'
        if kind < 0.85:
            begin = dice.randrange(len(script) - 2_000)
            return f"<script>{script[begin : begin + 2_000]}</script>\n"
        links = "".join(f'<li class="item"><a href="/tag/{tag}">{tag}</a></li>' for tag in dice.choices(words, k=6))
        return f'<ul class="list list--inline">{links}</ul>\n'

    for number in range(count):
        size = min(max(int(dice.lognormvariate(0, SPREAD) * MEDIAN), LEAST), MOST)
        parts = [
            f"<!doctype html><html lang=en><head><title>{sentence()}</title><meta charset=utf-8>",
            f'<meta property="og:title" content="{sentence()}">',
            f"<script>{script[: size // 4]}</script></head>",
            f"<body><nav><ul>{menu}</ul></nav><main><article><h1>{sentence()}</h1>",
        ]
        length = sum(map(len, parts))
        while length < size:
            parts.append(part(number))
            length += len(parts[-1])
        parts.append(f"</article></main><footer><ul>{menu}</ul></footer></body></html>")
        yield "".join(parts).encode()


def write_archive(path: Path, count: int) -> None:
    """Write a WARC file of HTTP responses, each a gzip member."""
    with path.with_suffix(".part").open("wb") as file:
        for number, page in enumerate(pages(count)):
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
                f"WARC-Target-URI: https://example.org/{number}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + http + b"\r\n\r\n", compresslevel=5, mtime=0))
    path.with_suffix(".part").replace(path)


class Rate(NamedTuple):
    """Pages per second of wall-clock time, and per second of CPU time of all processes."""

    clock: float
    processor: float


def beside_loop(archive: Path, options: BatchOptions) -> tuple[Rate, Rate]:
    """The rates of `extract` in a loop over pages in memory, and of a batch of one worker over the same pages.

    Both do each shard in turn, so that other work on the machine affects both alike. The time of the batch includes the
    start of its worker. Reading the pages into memory counts for neither.
    """
    loop, batch = _Watch(), _Watch()
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        output = Output(Path(folder) / "out")
        with output.opened({}, {}):
            before = _processor_seconds(resource.RUSAGE_CHILDREN)
            with batch:
                pool = page_pool(options, workers=1)
            for turn, shard in enumerate(shards([str(archive)])):
                records = [item for item in read(shard) if isinstance(item, Record)]
                count += len(records)
                for side in (loop, batch)[:: 1 if turn % 2 else -1]:
                    with side:
                        if side is loop:
                            for record in records:
                                _ = tamis.extract(record.body, url=record.url, extractor=options.extractor).text
                        else:
                            tally = do_shard(shard, output, pool, options.columns)
                assert tally.rows == len(records)
            with batch:
                pool.close()
            batch.processor += _processor_seconds(resource.RUSAGE_CHILDREN) - before
    return Rate(count / loop.clock, count / loop.processor), Rate(count / batch.clock, count / batch.processor)


class _Watch:
    """Adds up the time of `with` blocks: wall-clock seconds, and CPU seconds of this process."""

    def __init__(self) -> None:
        self.clock = self.processor = 0.0

    def __enter__(self) -> None:
        self.clock -= time.perf_counter()
        self.processor -= time.process_time()

    def __exit__(self, *error: object) -> None:
        self.clock += time.perf_counter()
        self.processor += time.process_time()


def batch_rate(archive: Path, options: BatchOptions, workers: int) -> float:
    """Pages per second of wall-clock time in a whole run, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        summary = run([str(archive)], Output(Path(folder) / "out"), options, workers=workers)
    assert not summary.total.letters
    return summary.run.pages / summary.seconds


def _processor_seconds(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def memory_curve(inputs: Sequence[str], options: BatchOptions, total: int) -> list[float]:
    """The mean memory of all processes of a run in each quarter of its pages, in megabytes."""
    samples: list[tuple[int, float]] = []
    seen = 0
    over = threading.Event()

    def watch(step: Step) -> None:
        nonlocal seen
        seen += step.new.pages if isinstance(step.new, Tally) else len(step.new)

    def sample() -> None:
        while not over.wait(0.5):
            samples.append((seen, _memory(os.getpid())))

    sampler = threading.Thread(target=sample)
    sampler.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            run(inputs, Output(Path(folder) / "out"), options, begin=lambda plan: watch)
    finally:
        over.set()
        sampler.join()
    quarters = [[megabytes for at, megabytes in samples if at * 4 // (total + 1) == quarter] for quarter in range(4)]
    return [statistics.mean(quarter) if quarter else float("nan") for quarter in quarters]


def _memory(process: int) -> float:
    """The memory of a process and its children, in megabytes."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    total = 0
    for each in (str(process), *children):
        try:
            total += int(Path(f"/proc/{each}/statm").read_text().split()[1])
        except (OSError, IndexError):  # it has just ended
            continue
    return total * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--curve", type=int, default=100_000, metavar="N", help="pages of the memory curve; 0 for none")
    parser.add_argument("--extractor", default=DEFAULT)
    parser.add_argument("--metadata", action="store_true", help="measure metadata beside the text and alone, too")
    parser.add_argument("--rounds", type=int, default=1, help="of each measurement; the median of the ratios counts")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "tamis-batch")
    chosen = parser.parse_args()
    for package in ("fastwarc", "pyarrow"):  # missing ones are to be said before an archive is written
        import_module(package)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    archive: Path = chosen.folder / f"pages-v{PAGES_VERSION}-{chosen.pages}.warc.gz"
    if not archive.exists():
        write_archive(archive, chosen.pages)
    print(f"{chosen.pages:,} pages, {archive.stat().st_size / 1e6:,.0f} MB compressed, extractor {chosen.extractor}")
    full = BatchOptions(extractor=chosen.extractor)
    text_only = replace(full, columns="default,-metadata,-page_type,-page_type_confidence")
    measured = {"text only": text_only, "default columns": full}
    if chosen.metadata:
        measured["all metadata, too"] = replace(full, columns="default,metadata")
        measured["metadata only"] = replace(full, columns="default,metadata,-text,-characters")
    for name, options in measured.items():
        ratios = []
        for _ in range(chosen.rounds):
            loop, batch = beside_loop(archive, options)
            ratios.append(batch.processor / loop.processor)
            print(f"{name}: {loop.clock:.1f} pages/s in a loop of extract, {batch.clock:.1f} with one worker", end="")
            print(f": {batch.clock / loop.clock:.3f} by wall-clock time, {ratios[-1]:.3f} by CPU time", flush=True)
        print(f"{name}: {statistics.median(ratios):.3f} of the loop by CPU time")
        rates = [[batch_rate(archive, options, workers) for workers in (1, 2)] for _ in range(chosen.rounds)]
        one, two = map(max, zip(*rates, strict=True))
        print(f"{name}: {one:.1f} pages/s with one worker, {two:.1f} with two, {two / one:.2f} times", flush=True)
    if chosen.curve:
        copies = -(-chosen.curve // chosen.pages)
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
            for number in range(copies):
                (Path(folder) / f"{number:03}.warc.gz").symlink_to(archive)
            curve = memory_curve([f"{folder}/*.warc.gz"], text_only, copies * chosen.pages)
        print(f"memory by quarters of {copies * chosen.pages:,} pages: {', '.join(f'{each:.0f} MB' for each in curve)}")
        print(f"growth from the first quarter to the last {curve[-1] / curve[0] - 1:+.1%}")


if __name__ == "__main__":
    main()
