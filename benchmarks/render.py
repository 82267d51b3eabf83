"""How long a page takes to become a picture.

    python -m benchmarks.render [--pages N]

Pages of WCXB dev, offline and without scripts, one after the other in one browser. The start of the
browser is told apart; a page that fails is counted, and its time is not.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from benchmarks.pages import wcxb_pages
from tamis.lab.browser import Browser, RenderError


def main() -> None:
    """Print the median and the 95th percentile of the seconds a page, and what failed."""
    parser = argparse.ArgumentParser(description="How long a page takes to become a picture.")
    parser.add_argument("--pages", type=int, default=100, metavar="N")
    pages = wcxb_pages(parser.parse_args().pages)
    times: list[float] = []
    failed: Counter[str] = Counter()
    with Browser() as browser:
        start = time.perf_counter()
        browser.screenshot("<p>a first page, for all that is lazy")
        print(f"start     {time.perf_counter() - start:6.2f} s")
        for html in pages:
            start = time.perf_counter()
            try:
                browser.screenshot(html)
            except RenderError as error:
                failed[error.kind] += 1
            else:
                times.append(time.perf_counter() - start)
    times.sort()
    if times:
        print(f"median    {times[len(times) // 2]:6.2f} s a page")
        print(f"95 %      {times[int(len(times) * 0.95)]:6.2f} s")
    print(f"rendered  {len(times)} of {len(pages)} pages", *(f"{count} {kind}" for kind, count in failed.items()))


if __name__ == "__main__":
    main()
