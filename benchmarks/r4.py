"""The time of R4 without the parse, and how it grows with the page.

    python -m benchmarks.r4

Nodes are elements and texts. Each round gets a new document, so that no cached column is used again;
the best round counts. The paper needed 8.29 s for 7,321 nodes.
"""

from __future__ import annotations

import time

from tamis import Document
from tamis_papers.r4.extractor import r4

ROUNDS = 7
SIZES = (7_000, 12_500, 25_000, 50_000, 100_000)

_MENU = "<ul>" + "<li><a href=x>Section</a></li>" * 8 + "</ul>"
_STORY = "<h2>Heading</h2><p>Some <b>words</b> and a <a href=x>link</a> in a row.</p><p>More text.</p><img src=a.png>"
_PARTS = {
    "flat": f"<div><div class=story>{_STORY}</div>{_MENU}</div>",
    "nested": f"<div>{_STORY}",  # one level deeper with every part
    "cells": "<table><tr>" + "<td>cell</td>" * 10 + "</tr></table>",
    "links": "<a href=x>y</a> ",
}


def page_of(part: str, nodes: int) -> str:
    """A page of at least this many nodes, and not many more."""
    one, two = (_nodes(f"<div>{part * count}</div>") for count in (1, 2))
    return f"<div>{part * (nodes // (two - one) + 1)}</div>"


def _nodes(html: str) -> int:
    document = Document.from_html(html)
    return len(document.elements) + len(document.leaves) - int(document.leaves.is_media.sum())


def best_time(html: str) -> float:
    """The milliseconds of the best round."""
    best = float("inf")
    for _ in range(ROUNDS):
        document = Document.from_html(html)
        start = time.perf_counter()
        r4.label(document)
        best = min(best, time.perf_counter() - start)
    return best * 1000


def main() -> None:
    """Print time, time per node and growth for each shape of page."""
    for name, part in _PARTS.items():
        before = 0.0
        for size in SIZES:
            html = page_of(part, size)
            milliseconds = best_time(html)
            growth = f"   {milliseconds / before:.2f} x half the page" if before and size > SIZES[1] else ""
            nodes = _nodes(html)
            each = 1000 * milliseconds / nodes
            print(f"{name:8s} {nodes:8,d} nodes {milliseconds:8.2f} ms   {each:5.2f} us per node{growth}")
            before = milliseconds


if __name__ == "__main__":
    main()
