"""The time of all metadata after an extraction, part by part, relative to the time from bytes to text.

    python -m benchmarks.metadata [--pages N] [--rounds N] [--peers]

Every page goes to every part in turn, in several rounds, so that a slow moment of the machine affects all parts. For
each page the best round of each part counts, by the time of the processor. A source is asked for all fields of a page
that others have not read. With --peers the same pages go to trafilatura and htmldate, which parse them anew.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from statistics import median

import tamis
from benchmarks.pages import wcxb_pages
from tamis.metadata import FIELDS
from tamis.metadata.decide import SOURCES
from tamis.metadata.view import MetadataSource, View

PEERS = {"trafilatura.extract_metadata": ("trafilatura", "extract_metadata"), "htmldate": ("htmldate", "find_date")}


class Times:
    """The best time of each part on each page."""

    def __init__(self) -> None:
        self.best: dict[str, dict[int, float]] = {}

    def measure(self, part: str, page: int, run: Callable[[], object]) -> None:
        """Run a part on a page once."""
        start = time.process_time()
        run()
        taken = (time.process_time() - start) * 1000
        times = self.best.setdefault(part, {})
        times[page] = min(times.get(page, taken), taken)

    def mean(self, part: str) -> float:
        """The milliseconds per page."""
        return sum(self.best[part].values()) / len(self.best[part])


def ask(source: MetadataSource) -> list[object]:
    """All candidates of a source."""
    return [candidate for field in FIELDS for candidate in source.candidates(field)]


def main() -> None:
    """Print the milliseconds per page of each part and their ratio to text."""
    parser = argparse.ArgumentParser(description="The time of metadata after an extraction.")
    parser.add_argument("--pages", type=int, default=200, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    pages, times = wcxb_pages(options.pages), Times()
    peers = {name: found for name, found in PEERS.items() if options.peers and find_spec(found[0])}
    for _ in range(options.rounds):
        for number, html in enumerate(pages):
            times.measure("text", number, lambda html=html: tamis.extract(html).text)  # type: ignore[misc]
            page = tamis.extract(html)
            times.measure("all metadata", number, lambda page=page: page.metadata)  # type: ignore[misc]
            times.measure("  META and LINK", number, lambda page=page: View(page.original).head)  # type: ignore[misc]
            for kind in SOURCES:
                view = View(page.original, page.own_labels)
                _ = (view.head, view.base, view.host, view.language)
                times.measure(f"  {kind.__name__}", number, lambda kind=kind, view=view: ask(kind(view)))  # type: ignore[misc]
            for name, (module, function) in peers.items():
                run, text = getattr(import_module(module), function), page.original.html
                times.measure(name, number, lambda run=run, text=text: run(text))  # type: ignore[misc]
    print(f"{len(pages)} pages of WCXB dev, {sum(map(len, pages)) / len(pages) / 1000:.0f} kB on average")
    print(f"{'':30s} {'mean':>8s} {'median':>8s}   ms per page")
    for part in times.best:
        share = times.mean(part) / times.mean("text")
        print(f"{part:30s} {times.mean(part):8.3f} {median(times.best[part].values()):8.3f}   {share:5.3f} x text")


if __name__ == "__main__":
    main()
