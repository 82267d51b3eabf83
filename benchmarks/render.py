"""How long it takes to draw a page as a picture.

    python -m benchmarks.render [--pages N]

The pages are those of WCXB dev, drawn offline and without scripts, one after the other in one browser. The start of the
browser is printed separately. A page that fails is counted, but its time is not.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from benchmarks.pages import wcxb_pages
from tamis.web.browser import Browser, RenderError


def main() -> None:
    """Print the median and the 95th percentile of the seconds per page, and the number of failures."""
    parser = argparse.ArgumentParser(description="How long it takes to draw a page as a picture.")
    parser.add_argument("--pages", type=int, default=100, metavar="N")
    pages = wcxb_pages(parser.parse_args().pages)
    times: list[float] = []
    failed: Counter[str] = Counter()
    with Browser() as browser:
        start = time.perf_counter()
        browser.screenshot("<p>a first page, because the browser loads some parts late")
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
        print(f"median    {times[len(times) // 2]:6.2f} s per page")
        print(f"95 %      {times[int(len(times) * 0.95)]:6.2f} s")
    print(f"rendered  {len(times)} of {len(pages)} pages", *(f"{count} {kind}" for kind, count in failed.items()))


if __name__ == "__main__":
    main()
