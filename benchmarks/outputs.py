"""The time from bytes to each output relative to the time from bytes to text, on the same pages in the same run.

    python -m benchmarks.outputs [--pages N] [--rounds N]

Every page goes to every output in turn, in several rounds, so that a slow moment of the machine affects all outputs.
For each page the best round of each output counts, by the time of the processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from operator import attrgetter

import tamis
from benchmarks.pages import wcxb_pages

OUTPUTS: dict[str, Callable[[tamis.Page], object]] = {
    "nothing": lambda page: page.labels,
    "text": lambda page: page.text,
    "metadata": lambda page: page.metadata,
    "markdown": lambda page: page.markdown,
    "html": lambda page: page.html,
    "json": lambda page: page.json,
    "xml": lambda page: page.xml,
    "tei": lambda page: page.tei,
    "chunks": lambda page: page.chunks(),
    **{name: attrgetter(name) for name in ("state", "confidence", "posts", "items", "facts", "links")},
}


def main() -> None:
    """Print the milliseconds per page of each output and their ratio to text."""
    parser = argparse.ArgumentParser(description="The time from bytes to each output relative to text.")
    parser.add_argument("--pages", type=int, default=200, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    options = parser.parse_args()
    pages = wcxb_pages(options.pages)
    best = {name: [float("inf")] * len(pages) for name in OUTPUTS}
    for _ in range(options.rounds):
        for number, html in enumerate(pages):
            for name, render in OUTPUTS.items():
                start = time.process_time()
                render(tamis.extract(html))
                best[name][number] = min(best[name][number], time.process_time() - start)
    means = {name: sum(times) / len(pages) * 1000 for name, times in best.items()}
    alone = {name: mean - means["nothing"] for name, mean in means.items()}
    print(f"{len(pages)} pages of WCXB dev, {sum(map(len, pages)) / len(pages) / 1000:.0f} kB on average")
    for name, milliseconds in means.items():
        ratio, share = milliseconds / means["text"], alone[name] / means["text"]
        print(f"{name:12s} {milliseconds:7.3f} ms per page   {ratio:5.2f} x text   {share:5.2f} without the extraction")


if __name__ == "__main__":
    main()
