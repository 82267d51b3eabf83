"""The time of extraction relative to parsing alone, on the same pages in the same run.

    python -m benchmarks.speed            200 pages of WCXB dev; prints the ratios
    python -m benchmarks.speed --linear   synthetic pages of doubling size; prints the growth
    python -m benchmarks.speed --startup  the command line, from a cold start, compared with an idle interpreter

Every page is given to every contestant in turn, in several rounds, so that a slow moment of the machine affects all
contestants. For each page the best round of each contestant counts.
"""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import turbohtml

import tamis
from benchmarks.pages import wcxb_pages
from tamis_lab.bench.contestants import unavailable_reasons

ROUNDS = 7
STARTS = 41


def best_times(contestants: dict[str, Callable[[bytes], object]], pages: Sequence[bytes]) -> dict[str, float]:
    """The milliseconds per page of each contestant: the mean over pages of the best round."""
    best = {name: [float("inf")] * len(pages) for name in contestants}
    for _ in range(ROUNDS):
        for number, page in enumerate(pages):
            for name, run in contestants.items():
                start = time.perf_counter()
                run(page)
                best[name][number] = min(best[name][number], time.perf_counter() - start)
    return {name: sum(times) / len(pages) * 1000 for name, times in best.items()}


def against_parse() -> None:
    """Compare every extractor, from bytes to text, with the parser alone."""
    pages = wcxb_pages(200)
    contestants: dict[str, Callable[[bytes], object]] = {"turbohtml.parse": turbohtml.parse}
    contestants["Document.from_html"] = tamis.Document.from_html
    # One that draws pictures takes seconds a page: benchmarks.render.
    names = [name for name, entry in tamis.extractors().items() if not entry.draws]
    missing = unavailable_reasons(names)
    for name, reason in missing.items():
        print(f"without {name}: {reason}")
    for name in (name for name in names if name not in missing):
        contestants[name] = lambda page, name=name: tamis.extract(page, extractor=name).text  # type: ignore[misc]
    times = best_times(contestants, pages)
    print(f"{len(pages)} pages of WCXB dev, {sum(map(len, pages)) / len(pages) / 1000:.0f} kB on average")
    for name, milliseconds in times.items():
        print(f"{name:24s} {milliseconds:7.3f} ms per page   {milliseconds / times['turbohtml.parse']:5.2f} x parse")


def linear() -> None:
    """Print how much more time twice the page takes, for an extraction and for the parser.

    If both take more than twice the time, the page no longer fits into a cache of the machine.
    """
    section = b"<section><h2>Heading</h2><p>Some <b>words</b> and a <a href=x>link</a> in a row.</p><ul><li>a<li>b</ul>"
    shapes = {"flat": section + b"</section>", "nested": section, "text": b"word " * 40, "links": b"<a href=x>y</a> "}
    for name, unit in shapes.items():
        before: dict[str, float] = {}
        for count in (4_000, 8_000, 16_000, 32_000):  # 8 elements each, and 300,000 are the limit of a page
            page = unit * count
            contestants: dict[str, Callable[[bytes], object]] = {
                "extract": lambda page: tamis.extract(page, extractor="boilerpipe-words").text,
                "parse": turbohtml.parse,
            }
            times = best_times(contestants, [page])
            for contestant, milliseconds in times.items():
                growth = f"   {milliseconds / before[contestant]:.2f} x half the page" if before else ""
                print(f"{name:8s} {len(page) / 1e6:6.2f} MB {contestant:8s} {milliseconds:9.1f} ms{growth}")
            before = times


def startup() -> None:
    """Print the time of commands from a cold start: the median over many rounds, by the clock and of the processor.

    The command is the one beside the interpreter, if it is installed there. Modules are compiled before, as an
    installation does: without that, half of the time is the compiler's.
    """
    compileall.compile_dir(Path(tamis.__file__).parent, quiet=1)
    beside = Path(sys.executable).with_name("tamis")
    program = [str(beside)] if beside.exists() else [sys.executable, "-m", "tamis"]
    idle = "python -c pass"
    commands = {
        idle: [sys.executable, "-c", "pass"],
        "tamis --help": [*program, "--help"],
        "tamis extractors": [*program, "extractors"],
        "tamis extract page": [*program, "extract", "examples/harbour.html"],
    }
    clock: dict[str, list[float]] = {name: [] for name in commands}
    processor: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, command in commands.items():
            start, before = time.perf_counter(), os.times()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            after = os.times()
            clock[name].append((time.perf_counter() - start) * 1000)
            used = after.children_user + after.children_system - before.children_user - before.children_system
            processor[name].append(used * 1000)
    print(f"{STARTS} rounds of {' '.join(program)}; goals: help at most 80 ms more than idle, a page at most 250 ms")
    for name in commands:
        took, used = median(clock[name]), median(processor[name])
        more = f"(+{took - median(clock[idle]):.0f} and +{used - median(processor[idle]):.0f})"
        print(f"{name:20s} {took:6.0f} ms by the clock, {used:5.0f} ms of the processor {more}")


def main() -> None:
    """Run the chosen measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--linear", action="store_true")
    parser.add_argument("--startup", action="store_true")
    options = parser.parse_args()
    if options.linear:
        linear()
    elif options.startup:
        startup()
    else:
        against_parse()


if __name__ == "__main__":
    main()
