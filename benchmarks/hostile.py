"""Pages that are built to be slow or large: each runs in its own process, with its time and peak memory.

    python -m benchmarks.hostile                  the default extractor, as text
    python -m benchmarks.hostile --formats        the extractor keep-all, in every format
    python -m benchmarks.hostile --all 1000000    some 800 pages of so many characters, in every format
    python -m benchmarks.hostile --doubling       time and memory of each output of a dozen shapes as pages double

The limits are 5 seconds and 1 GB for an extraction and for each output. Each must give a result or a clear error.
"""

from __future__ import annotations

import math
import multiprocessing
import resource
import sys
import time
from multiprocessing.connection import Connection

import tamis
from tests.hostile import HOSTILE
from tests.hostile.run import watched

MAX_SECONDS = 5.0
MAX_MEGABYTES = 1000

# For --doubling: shapes and sizes. The exponent is that of the last doubling: 1 is linear, 2 quadratic.
SHAPES = """
<p> left open;<li> left open;<a> closed;<div> left open;rows of two cells;one row of cells;spans;breaks;texts in pre;
gaps in pre;pictures;captions;words in a paragraph;Han in a paragraph;spaces in the title;spaces in JSON-LD;deep inline;
items that double;declared text;metas
""".replace("\n", "").split(";")
SIZES = (125_000, 250_000, 500_000, 1_000_000)

# The sizes at which parsers were compared: 200,000 tags or attributes, attributes of 20 MB.
SIZE = 200_000

PARAGRAPH = "<p>Some <b>words</b> of a <a href='/x'>page</a> that goes on and on and on.</p>\n"
LARGE = {
    "50 MB page": lambda: (PARAGRAPH * (50_000_000 // len(PARAGRAPH))).encode(),
    "19 MB page": lambda: (PARAGRAPH * (19_000_000 // len(PARAGRAPH))).encode(),
    "50 MB of tags": lambda: b"<b>a" * 12_500_000,
    "1 million tags": lambda: b"<p>word" * 1_000_000,
    "50 MB of text": lambda: b"word " * 10_000_000,
    "19 MB of text": lambda: b"word " * 3_800_000,
    "38 MB of Cyrillic": lambda: "слово ".encode() * 3_300_000,
    "50 MB of noise": lambda: bytes(range(256)) * 195_000,
}


def attempt(name: str, formats: bool, answer: Connection) -> None:
    """Extract one page and send back its time, its memory and the result."""
    html = HOSTILE[name](SIZE) if name in HOSTILE else LARGE[name]()
    start = time.perf_counter()
    try:
        page = tamis.extract(html, extractor="keep-all") if formats else tamis.extract(html)
        ending = f"{len(page.text):,} characters of text"
        if formats:
            ending += f", {len(page.html):,} HTML, {len(page.markdown):,} Markdown, {len(page.json):,} JSON"
    except tamis.TamisError as error:
        ending = f"error: {error}"
    seconds = time.perf_counter() - start
    answer.send((seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, ending))


def every(size: int) -> None:
    """Try all pages of `tests.hostile.pages` and print which exceed a limit."""
    failures = 0
    for told in watched(size):
        bad = "lost" in told or max(told["seconds"].values()) > MAX_SECONDS or told["megabytes"] > MAX_MEGABYTES
        failures += bad
        if bad or told["errors"]:
            print(f"{'OVER ' if bad else '     '}{told}", flush=True)
    sys.exit(f"{failures} pages exceed the limits" if failures else 0)


def doubling() -> None:
    """Print seconds, megabytes and the exponent of each output."""
    for name in SHAPES:
        rows = [next(watched(size, [name])) for size in SIZES]
        if lost := [row for row in rows if "lost" in row]:
            print(f"{name:22s} {lost}", flush=True)
            continue
        for output in rows[-1]["seconds"]:
            times = [row["seconds"].get(output, 0.0) for row in rows]
            exponent = math.log2(max(times[-1], 0.001) / max(times[-2], 0.001))
            error = rows[-1]["errors"].get(output, "")
            shown = " ".join(f"{seconds:7.3f}" for seconds in times)
            print(f"{name:22s} {output:12s} {shown} s   exponent {exponent:5.2f}   {error}", flush=True)
        peaks = " ".join(f"{row['megabytes']:7.0f}" for row in rows)
        print(f"{name:22s} {'peak':12s} {peaks} MB", flush=True)


def main() -> None:
    """Try every page and print which exceed a limit."""
    if sys.argv[1:2] == ["--all"]:
        every(int(sys.argv[2]))
        return
    if sys.argv[1:] == ["--doubling"]:
        doubling()
        return
    context = multiprocessing.get_context("spawn")
    failures = 0
    formats = sys.argv[1:] == ["--formats"]
    for name in HOSTILE if formats else [*HOSTILE, *LARGE]:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=attempt, args=(name, formats, sender))
        process.start()
        sender.close()
        try:
            seconds, megabytes, ending = receiver.recv() if receiver.poll(60) else (60.0, 0.0, "HANGS")
        except EOFError:
            seconds, megabytes, ending = 0.0, 0.0, "CRASHES"
        process.kill()
        process.join()
        bad = seconds > MAX_SECONDS or megabytes > MAX_MEGABYTES or ending in ("HANGS", "CRASHES")
        failures += bad
        print(f"{'OVER ' if bad else '     '}{name:24s} {seconds:6.2f} s {megabytes:7.0f} MB   {ending}", flush=True)
    sys.exit(f"{failures} pages exceed the limits" if failures else 0)


if __name__ == "__main__":
    main()
