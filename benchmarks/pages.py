"""The pages that benchmarks run on, and how time is measured."""

from __future__ import annotations

import gzip
import os
import time
import zipfile
from collections.abc import Callable
from pathlib import Path


def wcxb_pages(count: int) -> list[bytes]:
    """Pages of WCXB dev, spread evenly over the corpus. Raises CorpusError if it isn't found."""
    archive = Path(os.environ.get("TAMIS_DATA") or "data") / "wcxb-dev.zip"
    if not archive.exists():
        # Not imported for the zip: `benchmarks.tamis --memory` measures processes without tamis.
        from tamis_lab.corpora.catalogue import open_corpus

        with open_corpus("wcxb") as unpacked:
            entries = unpacked.entries("dev")
            return [unpacked.read(entries[number * len(entries) // count]).html for number in range(count)]
    with zipfile.ZipFile(archive) as corpus:
        names = sorted(name for name in corpus.namelist() if name.endswith(".html.gz"))
        step = len(names) / count
        return [gzip.decompress(corpus.read(names[int(number * step)])) for number in range(count)]


def best(run: Callable[[], object], rounds: int) -> float:
    """The milliseconds of the fastest round."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) * 1000
