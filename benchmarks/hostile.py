"""Pages that are built to be slow or large: each runs in its own process, with its time and peak memory.

    python -m benchmarks.hostile                  the default extractor, as text
    python -m benchmarks.hostile --formats        the extractor keep-all, in every format

The limits are 5 seconds and 1.5 GB per page. Each page must give a result or a clear error.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from multiprocessing.connection import Connection

import tamis
from tests.hostile import HOSTILE

MAX_SECONDS = 5.0
MAX_MEGABYTES = 1500

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


def main() -> None:
    """Try every page and print which exceed a limit."""
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
