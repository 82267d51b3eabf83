"""Writes the tables of real pages to a file, for the fuzzer to damage: `python kernel/fuzz/corpus.py FILE`.

The pages are the golden ones (tests/pages), hostile ones of a few thousand characters (tests/hostile) and generated
ones (tests/fuzz). A page is a sequence of parts in the order of corpus.c; before each part stands its size in bytes.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for the tests

from tamis import Document, TamisError
from tamis.extractor.runs import PageRuns
from tests.fuzz.pages import page as generated
from tests.golden import golden_pages
from tests.hostile.pages import HOSTILE

CHARACTERS = 2_000  # of a hostile page
GENERATED = 300
ROW = ctypes.sizeof(ctypes.c_ssize_t)


def pages() -> Iterator[str | bytes]:
    """All pages."""
    for golden in golden_pages():
        yield golden.source
    for make in HOSTILE.values():
        yield make(CHARACTERS)
    for seed in range(GENERATED):
        yield generated(seed)


def parts(runs: PageRuns, source: bytes) -> list[bytes]:
    """The tables of a page, in the order of corpus.c."""
    page, given = runs.page, runs.given
    elements, leaves = page.elements, page.leaves
    texts = (
        given.title,
        given.og_title,
        given.body,
        given.description,
        given.meta,
        given.review,
        given.parts,
        given.names,
    )
    return [
        _memory(page.code, elements),
        *(_memory(place, ROW * elements) for place in (page.parent, page.end)),
        *(_memory(place, ROW * leaves) for place in (page.element, page.opened)),
        *(_memory(place, leaves) for place in (page.is_media, page.visible, page.folded)),
        *map(_text, (page.texts, *texts, given.openings)),
        _memory(given.page, runs.declared.page.nbytes),
        _text(given.sections),
        _memory(given.marked_rows, ROW * given.marked),
        _text(given.marks),
        source,
    ]


def _memory(place: int | None, size: int) -> bytes:
    return ctypes.string_at(place, size) if place and size else b""


def _text(text: Any) -> bytes:
    # A field of the type c_char_p ends at its first NUL; the address of its bytes is what counts.
    place = ctypes.c_void_p.from_buffer(text).value
    return _memory(place, text.size)


def write(to: IO[bytes]) -> int:
    """Write all pages; returns how many."""
    count = 0
    for page in pages():
        try:
            runs = PageRuns(Document.from_html(page))
        except TamisError:
            continue  # it is too large
        source = page if isinstance(page, bytes) else page.encode("utf-8", "replace")
        for part in parts(runs, source):
            to.write(struct.pack("=q", len(part)) + part)
        count += 1
    return count


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        print(f"{write(file)} pages in {target}")
