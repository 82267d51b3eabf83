"""Writes what the fuzzer starts from: `python kernel/fuzz/corpus.py FOLDER` makes FOLDER/seeds and FOLDER/words.

Seeds are the golden pages (tests/pages), hostile ones of a few thousand characters (tests/hostile) and generated ones
(tests/fuzz), each as markup for the guard and as tables in the form of pages.c, some with damage; and weights. Words
are those that the kernel knows, and tags, in libFuzzer's form.
"""

from __future__ import annotations

import ctypes
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))  # for the tests of all packages
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # and of this one

from tamis import Document, TamisError
from tamis.document.tags import CODES
from tamis.extractor.runs import PageRuns
from tests.fuzz.pages import page as generated
from tests.golden import golden_pages
from tests.hostile.pages import HOSTILE

CHARACTERS = 2_000  # of a hostile page
GENERATED = 200
WORDS = Path(__file__).resolve().parents[2] / "src" / "tamis" / "extractor"

# As in pages.c.
_OPEN, _CLOSE, _LEAF, _DECLARE, _MARK, _LINK, _DAMAGE = (bytes([number]) for number in range(1, 8))
_TEXTS = ("title", "og_title", "body", "description", "meta", "review", "parts", "names", "openings", "sections")
# The end of a title with more parts than the kernel looks at.
_PARTED = b" | one - two: three | four \xc2\xb7 five / six | seven \xe2\x80\x94 eight | nine"
_CONTROL = re.compile(b"[\0-\x08]")


def pages() -> Iterator[str | bytes]:
    """All pages."""
    for golden in golden_pages():
        yield golden.source
    for make in HOSTILE.values():
        yield make(CHARACTERS)
    for seed in range(GENERATED):
        yield generated(seed)


def tables(document: Document, seed: int) -> bytes:
    """The tables of a page in the form of pages.c."""
    runs = PageRuns(document)
    out = [seed.to_bytes(2, "big")]
    for number, name in enumerate(_TEXTS):
        texts = _bytes(getattr(runs.given, name)).split(b"\0")
        out += (_DECLARE + bytes([number]) + _plain(text) for text in texts if text)
    marks = _bytes(runs.given.marks).split(b"\0")
    about = {
        row: _MARK + _plain(marks[2 * place]) + b"\t" + _plain(marks[2 * place + 1])
        for place, row in enumerate(document.elements.notable.tolist())
    }
    for row, later in document.fragments.later.items():
        places = later, document.fragments.earlier[row] + 1
        about[row] = about.get(row, b"") + _LINK + bytes([seed % 32]) + b"".join(_two(place) for place in places)
    return b"".join([*out, *_rows(document, about)])


def _rows(document: Document, about: dict[int, bytes]) -> Iterator[bytes]:
    """The elements with their facts, and the leaves, in document order."""
    elements, leaves = document.elements, document.leaves
    code, end = elements.code.tolist(), elements.end.tolist()
    texts = leaves.utf8.split(b"\0")
    flags = (leaves.is_media + 2 * ~leaves.visible + 4 * leaves.folded.astype(int)).tolist()
    open_rows, row = [0], 0  # the root is open from the start
    for leaf, (element, opened) in enumerate(zip(leaves.element.tolist(), leaves.opened.tolist(), strict=True)):
        while row < opened:
            row += 1
            while end[open_rows[-1]] <= row:
                open_rows.pop()
                yield _CLOSE
            open_rows.append(row)
            yield _OPEN + bytes([code[row]]) + about.get(row, b"")
        while open_rows[-1] != element:
            open_rows.pop()
            yield _CLOSE
        yield _LEAF + bytes([flags[leaf]]) + _plain(texts[leaf])


def _bytes(text: object) -> bytes:
    # A field of the type c_char_p ends at its first NUL; the address of its bytes is what counts.
    place, size = ctypes.c_void_p.from_buffer(text).value, text.size  # type: ignore[arg-type, attr-defined]
    return ctypes.string_at(place, size) if place else b""


def _plain(text: bytes) -> bytes:
    return _CONTROL.sub(b"?", text)


def _two(number: int) -> bytes:
    return (number % 65536).to_bytes(2, "big")


def words() -> list[bytes]:
    """The words that the kernel knows, and the tags."""
    conventions, noise = (json.loads((WORDS / f"{name}.json").read_text()) for name in ("conventions", "noise"))
    known = [word for kind in ("names", "roles", "properties") for some in conventions[kind].values() for word in some]
    known += [
        *noise["counters"],
        *(word for kind in ("lines", "labels") for some in noise[kind].values() for word in some),
    ]
    return [word.encode() for word in known] + [f"<{tag}".encode() for tag in CODES]


def write(folder: Path) -> int:
    """Write seeds and words; returns how many seeds."""
    seeds = folder / "seeds"
    seeds.mkdir(parents=True, exist_ok=True)
    count = 0

    def add(kind: bytes, data: bytes) -> None:
        nonlocal count
        (seeds / f"{count:04}").write_bytes(kind + data)
        count += 1

    for number, page in enumerate(pages()):
        add(b"G", page if isinstance(page, bytes) else page.encode("utf-8", "replace"))
        try:
            found = tables(Document.from_html(page), number)
        except TamisError:
            continue  # it is too large
        add(b"P", found)
        more = b"".join((_PARTED[number % len(_PARTED) :], _DAMAGE, bytes([number % 30, 0, number % 256, number % 8])))
        add(b"P", found + _DECLARE + b"\0" + more)
    for seed in range(100):
        add(b"W", bytes([seed, seed, seed // 7, 2, 4, 8 + seed, seed // 9, *(5 * (seed % 4) * [seed])]))
    escaped = ("".join(f"\\x{byte:02X}" for byte in word) for word in words())
    (folder / "words").write_text("".join(f'"{word}"\n' for word in escaped))
    return count


if __name__ == "__main__":
    print(f"{write(Path(sys.argv[1]))} seeds in {sys.argv[1]}")
