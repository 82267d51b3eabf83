"""The pages that benchmarks run on, and how time is measured."""

from __future__ import annotations

import gzip
import os
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path


def wcxb_pages(count: int) -> list[bytes]:
    """Pages of WCXB dev, spread evenly over the corpus; ends the program if it isn't found."""
    folder = os.environ.get("TAMIS_DATA")
    if not folder:
        sys.exit("this benchmark needs WCXB dev: set TAMIS_DATA to the folder that holds wcxb-dev.zip")
    archive = Path(folder) / "wcxb-dev.zip"
    if not archive.exists():
        sys.exit(f"{archive} is not there: set TAMIS_DATA to the folder that holds wcxb-dev.zip")
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
