"""A long life in one process: many threads give what one gives, and memory stays flat.

    python -m benchmarks.long_life threads --count 200000     16 threads beside one
    python -m benchmarks.long_life memory --count 1000000     resident memory every 10,000 pages, and its slope

The pages are those of tests/fuzz without the ones that it takes long to read: small, hostile, each another.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import tamis
from tests.fuzz.pages import page

_LONGEST = 3_000  # characters
_CHUNK = 500
_STEP = 10_000


def digest(seed: int) -> bytes:
    """What a page gives: its text, and one of the other outputs."""
    html = page(seed)[:_LONGEST]
    try:
        found = tamis.extract(html, url="https://a.example/")
        other = (found.markdown, found.html, found.json)[seed // 8 % 3] if seed % 8 == 0 else ""
        written = f"{found.text}\0{other}"
    except tamis.TamisError as error:
        written = f"{type(error).__name__}: {error}"
    return hashlib.blake2b(written.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def digests(seeds: range) -> bytes:
    """Those of some pages, one after the other."""
    return b"".join(map(digest, seeds))


def chunks(start: int, count: int) -> Iterator[range]:
    """The seeds in pieces."""
    for first in range(start, start + count, _CHUNK):
        yield range(first, min(first + _CHUNK, start + count))


def threads(start: int, count: int) -> int:
    """How many chunks of pages differ between 16 threads and one."""
    begun = time.monotonic()
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(digests, chunks(start, count)))
    middle = time.monotonic()
    alone = list(map(digests, chunks(start, count)))
    different = sum(one != other for one, other in zip(alone, together, strict=True))
    print(f"{count:,} pages from seed {start}: {different} of {len(alone)} chunks differ between 16 threads and one")
    print(f"16 threads {middle - begun:.0f} s, one {time.monotonic() - middle:.0f} s")
    return different


def resident() -> float:
    """The megabytes that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def memory(start: int, count: int) -> float:
    """The bytes a page by which resident memory grows, over the second half of the pages."""
    samples = []
    for seed in range(start, start + count):
        digest(seed)
        if (seed - start) % _STEP == _STEP - 1:
            samples.append(resident())
            if (seed - start) // _STEP % 10 == 9:
                print(f"{seed - start + 1:,} pages: {samples[-1]:.1f} MB", flush=True)
    half = np.array(samples[len(samples) // 2 :])
    slope = float(np.polyfit(np.arange(len(half)) * _STEP, half * 1e6, 1)[0]) if len(half) > 1 else 0.0
    print(f"{count:,} pages from seed {start}: {samples[0]:.1f} MB at first, {samples[-1]:.1f} MB at last, ", end="")
    print(f"{max(samples):.1f} MB at most; {slope:.2f} bytes a page over the second half")
    return slope


def main() -> None:
    """Run one of the two; the exit status says if it held."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.long_life")
    options.add_argument("measure", choices=("threads", "memory"))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=20_000)
    chosen = options.parse_args()
    if chosen.measure == "threads":
        sys.exit(1 if threads(chosen.seed, chosen.count) else 0)
    # A leak of one object a page is 50 bytes and more.
    sys.exit(1 if memory(chosen.seed, chosen.count) > 20 else 0)


if __name__ == "__main__":
    main()
