"""What the default extractor costs, beside the two tools it is held against, and where its time goes.

    python -m benchmarks.tamis             500 pages of WCXB dev, bytes to text on one core
    python -m benchmarks.tamis --parts     the same pages, part by part
    python -m benchmarks.tamis --memory    the peak memory of each, each in a process of its own
    python -m benchmarks.tamis --startup   from nothing to the text of a first page

The bar: at most 1/8 of trafilatura's time and 1.6 times that of resiliparse, which parses, detects the encoding
and extracts its main content. Every page is given to each in turn, in several rounds there and back, so that a slow
moment of the machine hits all of them; for each page the best round counts. What is measured is the time that the
processor worked, which other programs on the machine disturb less than the clock on the wall.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy wakes its threads up
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from statistics import fmean, median

from benchmarks.pages import wcxb_pages

PAGES = 500
ROUNDS = 4
MOST_OF_TRAFILATURA = 1 / 8
MOST_OF_RESILIPARSE = 1.6
STARTUP_LIMIT = 250  # milliseconds beyond an idle interpreter

Contestant = Callable[[bytes], object]


def tamis_text() -> Contestant:
    """The default extractor."""
    import tamis

    return lambda page: tamis.extract(page).text


def trafilatura_text() -> Contestant:
    """As trafilatura comes."""
    import trafilatura

    return trafilatura.extract


def resiliparse_text() -> Contestant:
    """Encoding, parse and main content."""
    from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-untyped]
    from resiliparse.parse.encoding import detect_encoding  # type: ignore[import-untyped]
    from resiliparse.parse.html import HTMLTree  # type: ignore[import-untyped]

    def extract(page: bytes) -> object:
        return extract_plain_text(HTMLTree.parse_from_bytes(page, detect_encoding(page)), main_content=True)

    return extract


# Loaded by themselves, and not as in `tamis bench`: the memory of the others is not to hold tamis.
CONTESTANTS: dict[str, Callable[[], Contestant]] = {
    "tamis": tamis_text,
    "resiliparse": resiliparse_text,
    "trafilatura": trafilatura_text,
}


def compare(pages: Sequence[bytes], rounds: int) -> None:
    """Each contestant on each page, and how they stand to the bar."""
    contestants = {name: make() for name, make in CONTESTANTS.items()}
    best = {name: [float("inf")] * len(pages) for name in contestants}
    names = list(contestants)
    for turn in range(rounds):
        # Whoever comes after the largest finds the least of its own in the processor's caches: each comes after each.
        order = names[::-1] if turn % 2 else names
        for number, page in enumerate(pages):
            for name in order:
                start = time.process_time()
                contestants[name](page)
                best[name][number] = min(best[name][number], time.process_time() - start)
    own = best["tamis"]
    print(f"{len(pages)} pages of WCXB dev, {fmean(map(len, pages)) / 1000:.0f} kB on average, one core")
    for name, times in best.items():
        each = median(one / other for one, other in zip(own, times, strict=True))
        print(
            f"{name:12s} {fmean(times) * 1000:8.3f} ms a page   median {median(times) * 1000:7.3f} ms   "
            f"tamis takes {sum(own) / sum(times):6.3f} of it, {each:6.3f} on the median page"
        )
    for name, most in (("trafilatura", MOST_OF_TRAFILATURA), ("resiliparse", MOST_OF_RESILIPARSE)):
        ratio = sum(own) / sum(best[name])
        print(f"{ratio:.3f} of {name}, allowed {most:.3f}: {'holds' if ratio <= most else 'FAILS'}")


def parts(pages: Sequence[bytes], rounds: int) -> None:
    """The mean time a page of each part, the best of the rounds on each page."""
    best: list[dict[str, float]] = [{} for _ in pages]
    for _ in range(rounds):
        for number, page in enumerate(pages):
            for part, seconds in _laps(page).items():
                best[number][part] = min(best[number].get(part, float("inf")), seconds)
    means = {part: sum(each.get(part, 0.0) for each in best) / len(pages) * 1000 for part in best[0]}
    for part, milliseconds in means.items():
        print(f"{part:18s} {milliseconds:7.3f} ms   {milliseconds / sum(means.values()):5.1%}")
    print(f"{'all parts':18s} {sum(means.values()):7.3f} ms")


def _laps(page: bytes) -> dict[str, float]:
    """How long each part of an extraction takes, in their order."""
    from tamis.document import Document, parse, table
    from tamis.document.decode import decode
    from tamis.extractor.runs import PageRuns
    from tamis.extractor.tamis import tamis as extractor
    from tamis.render.text import to_text

    laps: dict[str, float] = {}
    start = time.process_time()

    def lap(part: str) -> None:
        nonlocal start
        laps[part] = time.process_time() - start
        start = time.process_time()

    def tables() -> Document:
        elements = table._element_table(raw, tree)
        return Document(text, encoding, None, elements, table._leaf_table(raw, elements), tree)

    text, encoding = decode(page)
    lap("decode")
    tree = parse.parse(text)
    lap("parse")
    raw = parse.walk(tree)
    lap("walk")
    document = tables()
    lap("tables")
    document = extractor.read(document)
    lap("embedded check")
    rows = PageRuns(document)
    lap("rows")
    _ = rows._text
    lap("text counts")
    _ = rows._tree, rows._node_columns, rows._above
    lap("nodes")
    values, codes = rows.values, rows.tags
    lap("columns")
    if len(rows):
        extractor.network.run(values, codes)
    lap("network")
    # What `label` takes beyond all that it was given above.
    before = sum(laps[part] for part in ("rows", "text counts", "nodes", "columns", "network"))
    again = extractor.read(tables())  # which remembers nothing of them
    start = time.process_time()
    labels = extractor.label(again)
    laps["labels and roles"] = max(0.0, time.process_time() - start - before)
    start = time.process_time()
    to_text(document, labels)
    lap("text rendering")
    return laps


def memory(count: int) -> None:
    """The highest memory of a process that reads all pages with one contestant."""
    peaks = {}
    for name in ("nothing", *CONTESTANTS):
        command = [sys.executable, "-m", "benchmarks.tamis", "--peak", name, "--pages", str(count)]
        peaks[name] = int(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
    for name, kilobytes in peaks.items():
        beyond = f"   +{(kilobytes - peaks['nothing']) / 1024:.0f} MB" if name != "nothing" else "   (the pages alone)"
        print(f"{name:12s} {kilobytes / 1024:7.0f} MB{beyond}")


def peak(name: str, pages: Sequence[bytes]) -> None:
    """Print the highest memory of this process, in kilobytes, after all pages."""
    if name in CONTESTANTS:
        run = CONTESTANTS[name]()
        for page in pages:
            run(page)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def startup() -> None:
    """A process that extracts one small page, against one that does nothing."""
    programs = {
        "idle": "pass",
        "import numpy": "import numpy",
        "first text": "import tamis; tamis.extract('<p>hi').text",
    }
    best = dict.fromkeys(programs, float("inf"))
    for _ in range(10):
        for name, program in programs.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", program], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best[name] = min(best[name], seconds * 1000)
    for name, milliseconds in best.items():
        print(f"{name:14s} {milliseconds:6.1f} ms   +{milliseconds - best['idle']:.1f} ms")
    holds = best["first text"] - best["idle"] <= STARTUP_LIMIT
    print(f"allowed +{STARTUP_LIMIT} ms: {'holds' if holds else 'FAILS'}")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--startup", action="store_true")
    parser.add_argument("--peak", metavar="NAME", help=argparse.SUPPRESS)  # a process of --memory
    parser.add_argument("--pages", type=int, default=PAGES, metavar="N", help=f"how many pages (default {PAGES})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"how many rounds (default {ROUNDS})")
    options = parser.parse_args()
    if options.startup:
        startup()
    elif options.memory:
        memory(options.pages)
    elif options.peak:
        peak(options.peak, wcxb_pages(options.pages))
    elif options.parts:
        parts(wcxb_pages(options.pages), options.rounds)
    else:
        compare(wcxb_pages(options.pages), options.rounds)


if __name__ == "__main__":
    main()
