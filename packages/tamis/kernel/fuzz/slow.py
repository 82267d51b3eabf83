"""Times the kernel on pages that are built to be slow: `python kernel/fuzz/slow.py [ELEMENTS [NAME]]`.

Each page comes in two sizes. The larger one has four times the elements, so it may take four times as long; what takes
more than eight times as long is marked, and the command then fails. Seconds are those of the larger page.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from typing import Any

import numpy as np

from tamis.document import Document
from tamis.document.table import MAX_ELEMENTS
from tamis.extractor.network import RunNetwork, tensors_of
from tamis.extractor.runs import PageRuns
from tamis.extractor.tamis import Tamis, read_tensors
from tamis.kernel import address, byref, library

GROWTH, MOST_GROWTH = 4, 8
LEAST_SECONDS = 0.5  # below this, it is the caches of the machine that are measured
PROSE = "The old bridge was closed for two years, and now it carries traffic again."
DEEP = 500  # HTML parsers stop about there


def declaring(title: str = "", body: str = "") -> str:
    """The head of a page that declares a title and the text of an article."""
    article = json.dumps({"@type": "Article", "articleBody": body})
    return f"<title>{title}</title><script type=application/ld+json>{article}</script>"


def repeated(*units: str, before: str = "") -> Callable[[int], str]:
    """A page with `count` of these, by turns."""
    return lambda count: before + "".join(islice(cycle(units), count))


def numbered(unit: str, before: str = "") -> Callable[[int], str]:
    """A page whose parts differ by a number."""
    return lambda count: before + "".join(unit.format(number, "a" * (26 + number % 9)) for number in range(count))


def all_lengths(count: int) -> str:
    """Each length is searched by itself, so there are as many of them as fit into 20 million characters."""
    longest = min(int((count * 132) ** 0.5), 5_000)
    return declaring("ab" * 5_000) + "".join("<p>" + "a" * length for length in range(1, longest))


def colliding_texts(count: int) -> str:
    """Texts of 16 letters that have one hash (quick_hash in columns.c) if its seed is 0, in paragraphs and links.

    Who knows the hash of the kernel, but not its seed, can write such texts.
    """
    before = "and seven words that are always the same"
    return "".join(f"<p>{PROSE}<a>{before} {text}</a><p>{text}" for text in islice(_colliding(), count // 60))


def _colliding() -> Iterator[str]:
    factor, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    wanted = 0x123456789ABCDEF0 * pow(factor, -1, 1 << 64) & mask
    for number in range(1 << 32):
        first = b"%08x" % number
        state = (16 ^ int.from_bytes(first, "little")) * factor & mask
        second = (state ^ state >> 29 ^ wanted).to_bytes(8, "little")
        if second.isalnum():
            yield (first + second).decode()


def colliding_keys(count: int) -> str:
    """Keys of Han characters and of those 2 to the power of 20 behind them.

    The last 20 bits of a sum of products (hash_points in search.c) are the same, whatever the factor.
    """
    texts = ["".join("\U00104e00" if n >> bit % 20 & 1 else "\u4e00" for bit in range(40)) for n in range(count // 15)]
    return declaring(body="".join(texts[:1_300])) + "".join(f"<p>{text}" for text in texts)


PAGES: dict[str, Callable[[int], str]] = {
    "equal texts": repeated(f"<p>{PROSE}", before=declaring(body=PROSE * 2_700)),
    "equal short texts": repeated("<p>w</p>", "<h1>w</h1>", before=declaring("w - " * 2_500)),
    "distinct texts": numbered("<h1>{} words of a text</h1>", declaring("12 words of a text" * 500)),
    "equal prefixes": numbered("<p>{1}{0:06}", declaring(body="a" * 200_000)),
    "all lengths": all_lengths,
    "one long text": lambda count: declaring("a-Σ " * 2_000) + "<p>" + "a-Σ " * 13 * count,
    "one long run": repeated("<br>w", "<a>w</a>", "<a>w</a>", before=declaring("w " * 500) + "<h1>"),
    "runs of one block": repeated("w<li>x</li>", before="<table><td>"),
    "table of cells": repeated(f"<tr><td>a<td>{PROSE}", "<td>a", before="<table>"),
    "many tables": lambda count: ("<table>" + "<tr><td>a<td>a" * 3 + "</table>") * (count // 11),
    "nested tables": lambda count: "<table><tr><td>a" * (count // 4),
    "nested lists": repeated(f"<ul>{PROSE}", f"<li>{PROSE}"),
    "only media": repeated("<img src=a>"),
    "media between texts": repeated(f"<p>{PROSE}", "<img src=a>"),
    "noise": repeated("<p>3 comments | 4 min read | share"),
    "deep copies": repeated(f"<p>{PROSE}</p>", before="<ul><li>" * (DEEP // 2)),
    "deep notes": repeated("<p>-</p>", before="<noscript>" + "<div>" * DEEP),
    "deep media": repeated("<img src=a>", before=f"<p>{PROSE}</p>" + "<div>" * DEEP),
    "colliding texts": colliding_texts,
    "colliding keys": colliding_keys,
}
_DRAWING = "<p></p>" * 1_000 + "<table><td><svg>" + "<path>" * 490 + "<g><path>"  # with few tags, nothing is looked at
# What comes first and last, and between them again and again.
GUARDED = {
    "drawing": (_DRAWING, "<table><tr>", "</g>"),
    "quotes": ("<table><b>", "<td>", "<b a=\"b' c='d\" "),
    "formatting": ("<table>" * 400, "<td>", "<b></b><p>"),
    "comments": ("<table>" * 400, "<td>", "<!--<!-"),
    "scripts": ("<table>" * 400, "<td>", "<script><!--"),
    "ends of scripts": ("<table>" * 400, "<td>", "<script></scrip"),
    "openings": ("<table>" * 400, "<td>", "<"),
}


def time_page(make: Callable[[int], str], network: RunNetwork, elements: int) -> dict[str, float]:
    """The seconds of each step."""
    document, seconds = Document.from_html(make(elements)), dict[str, float]()
    page, leaves = byref(document.kernel_page), len(document.leaves)

    def timed(step: str, call: Callable[..., Any], *arguments: object) -> Any:
        begin = time.process_time()
        found = call(*arguments)
        seconds[step] = time.process_time() - begin
        return found

    timed("check", library().tamis_check, page)
    runs = timed("columns", partial(PageRuns, width=network.model.width), document)
    timed("label", runs.label, network.model)
    timed("decide", runs.decide, np.array([[3, -3, -3]] * len(runs)), np.ones(network.model.types), 0.0)
    labels = timed("label_all", runs.label_all)
    media, breaks, rows = np.empty(leaves, np.uint8), np.empty(leaves, np.int8), np.arange(leaves)
    memory = np.ones(library().tamis_layout_memory(page), np.uint8)
    timed("media", library().tamis_surrounded_media, page, address(labels.keep), address(media))
    places = map(address, (memory, breaks, media))
    timed("layout", library().tamis_layout, page, document.kernel_page.code, address(rows), leaves, *places)
    return seconds


def time_guard(before: str, after: str, unit: str, size: int) -> dict[str, float]:
    """The seconds of what runs before the parser."""
    page = (before + unit * (20 * size // len(unit)) + after).encode()
    begin = time.process_time()
    library().tamis_guard(page, len(page))
    return {"guard": time.process_time() - begin}


def main(elements: int, only: str) -> int:
    """Time all pages; 1 if one of them is slow."""
    network = RunNetwork.from_tensors(tensors_of(read_tensors(Tamis().weights), "modern"))
    timers = {name: partial(time_page, make, network) for name, make in PAGES.items()}
    timers |= {f"guard: {name}": partial(time_guard, *parts) for name, parts in GUARDED.items()}
    is_slow = False
    for name, timer in timers.items():
        if only not in name:
            continue
        # The parser adds some, and some of the units have two.
        small, large = timer(elements // GROWTH // 3), timer(elements // 3)
        steep = {step for step in large if large[step] > max(LEAST_SECONDS, MOST_GROWTH * small[step])}
        times = (f"{step} {taken:.3f}{'!' if step in steep else ''}" for step, taken in large.items())
        print(f"{name:24}", *times, flush=True)
        is_slow |= bool(steep)
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else MAX_ELEMENTS, "".join(sys.argv[2:3])))
