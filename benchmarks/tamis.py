"""The time of the default extractor compared with two other tools, and the time of each step.

    python -m benchmarks.tamis             500 pages of WCXB dev, from bytes to text on one core
    python -m benchmarks.tamis --parts     the same pages, step by step
    python -m benchmarks.tamis --memory    the peak memory of each tool, in a process of its own
    python -m benchmarks.tamis --startup   from the start of the process to the text of a first page

The limits are 1/18 of trafilatura's time; 0.9 times that of resiliparse, which detects the encoding, parses and
extracts the main content, and on the median page 1.0 times; and 2.2 times that of the parser alone. Every page is given
to each tool in turn, in several rounds of alternating order, so that a slow moment of the machine affects all tools.
For each page the best round counts. CPU time is measured, because other programs affect it less than wall-clock time.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy starts its threads
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from operator import truediv
from statistics import fmean, median

from benchmarks.pages import wcxb_pages

PAGES = 500
ROUNDS = 4
LIMITS = {"trafilatura": 1 / 18, "resiliparse": 0.9, "parser": 2.2}  # of the means
MEDIAN_LIMITS = {"resiliparse": 1.0}  # of the median page
STARTUP_LIMIT = 250  # milliseconds more than an idle interpreter

Contestant = Callable[[bytes], object]


def tamis_text() -> Contestant:
    """The default extractor."""
    import tamis

    return lambda page: tamis.extract(page).text


def trafilatura_text() -> Contestant:
    """Trafilatura with its default options."""
    import trafilatura

    return trafilatura.extract


def resiliparse_text() -> Contestant:
    """Resiliparse: encoding, parse and main content."""
    from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-untyped]
    from resiliparse.parse.encoding import detect_encoding  # type: ignore[import-untyped]
    from resiliparse.parse.html import HTMLTree  # type: ignore[import-untyped]

    def extract(page: bytes) -> object:
        return extract_plain_text(HTMLTree.parse_from_bytes(page, detect_encoding(page)), main_content=True)

    return extract


def parser() -> Contestant:
    """The HTML parser that tamis uses, with its default options."""
    import turbohtml

    return turbohtml.parse


# Not loaded through `tamis bench`, because the memory of the other tools must not include tamis.
CONTESTANTS: dict[str, Callable[[], Contestant]] = {
    "tamis": tamis_text,
    "resiliparse": resiliparse_text,
    "trafilatura": trafilatura_text,
    "parser": parser,
}


def compare(pages: Sequence[bytes], rounds: int) -> None:
    """Run each contestant on each page, and compare the ratios with the limits."""
    contestants = {name: make() for name, make in CONTESTANTS.items()}
    best = {name: [float("inf")] * len(pages) for name in contestants}
    names = list(contestants)
    for turn in range(rounds):
        # A contestant that follows a large one finds the CPU caches empty, so the order alternates.
        order = names[::-1] if turn % 2 else names
        for number, page in enumerate(pages):
            for name in order:
                start = time.process_time()
                contestants[name](page)
                best[name][number] = min(best[name][number], time.process_time() - start)
    own = best["tamis"]
    print(f"{len(pages)} pages of WCXB dev, {fmean(map(len, pages)) / 1000:.0f} kB on average, one core")
    means = {name: sum(own) / sum(times) for name, times in best.items()}
    medians = {name: median(map(truediv, own, times)) for name, times in best.items()}
    for name, times in best.items():
        print(
            f"{name:12s} {fmean(times) * 1000:8.3f} ms per page   median {median(times) * 1000:7.3f} ms   "
            f"tamis takes {means[name]:6.3f} of it, {medians[name]:6.3f} on the median page"
        )
    for what, ratios, limits in (("", means, LIMITS), (" on the median page", medians, MEDIAN_LIMITS)):
        for name, most in limits.items():
            holds = "holds" if ratios[name] <= most else "FAILS"
            print(f"{ratios[name]:.3f} of {name}{what}, allowed {most:.3f}: {holds}")


def parts(pages: Sequence[bytes], rounds: int) -> None:
    """Print the mean time per page of each step; on each page the best round counts."""
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
    """The seconds of each step of an extraction, in order."""
    from tamis.document import Document, parse, table
    from tamis.document.decode import decode
    from tamis.document.linked_data import LinkedData
    from tamis.extractor.declared import Declared
    from tamis.extractor.runs import PageRuns
    from tamis.extractor.tamis import tamis as extractor
    from tamis.render.text import to_text

    laps: dict[str, float] = {}
    start = time.process_time()

    def lap(part: str) -> None:
        nonlocal start
        laps[part] = time.process_time() - start
        start = time.process_time()

    text, encoding = decode(page)
    lap("decode")
    utf8 = page if encoding == "utf-8" else None
    parse._harmless(text, utf8)
    lap("guard")
    tree = parse.parse(text, utf8)
    lap("parse")
    laps["parse"] = max(0.0, laps["parse"] - laps["guard"])  # which it includes
    raw = parse.walk(tree)
    lap("walk")
    elements, leaves = table._elements_and_leaves(raw, tree)
    document = Document(text, encoding, None, elements, leaves, tree, LinkedData(tree))
    lap("tables")
    document = extractor.read(document)
    lap("embedded check")
    declared = Declared.of(document)
    lap("declared")
    runs = PageRuns(document, declared, extractor.networks.width)
    lap("runs and columns")
    labels = runs.label(extractor.networks.of(runs).model)
    lap("labels")
    to_text(document, labels)
    lap("text")
    return laps


def memory(count: int) -> None:
    """Print the peak memory of a process that reads all pages, for each contestant."""
    peaks = {}
    for name in ("nothing", *CONTESTANTS):
        command = [sys.executable, "-m", "benchmarks.tamis", "--peak", name, "--pages", str(count)]
        peaks[name] = int(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
    for name, kilobytes in peaks.items():
        beyond = f"   +{(kilobytes - peaks['nothing']) / 1024:.0f} MB" if name != "nothing" else "   (only the pages)"
        print(f"{name:12s} {kilobytes / 1024:7.0f} MB{beyond}")


def peak(name: str, pages: Sequence[bytes]) -> None:
    """Extract all pages and print the peak memory of this process, in kilobytes."""
    if name in CONTESTANTS:
        run = CONTESTANTS[name]()
        for page in pages:
            run(page)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def startup() -> None:
    """Compare a process that extracts one small page with one that does nothing."""
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
    """Run the chosen measurement."""
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
