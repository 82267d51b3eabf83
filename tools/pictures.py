"""Shared by the tools that draw pictures for README.md and docs/: the example page, and a record of the picture.

A picture does not change when the weights do, so each tool also writes a JSON file with the digests of the page and of
its pictures, and the labels of the page. `tests/docs/test_pictures.py` compares these with the labels of the shipped
weights.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tamis

PROJECT = Path(__file__).resolve().parents[1]
IMAGES = PROJECT / "docs" / "images"
EXAMPLE = PROJECT / "examples" / "harbour.html"

# A record is only as exact as a picture: scores have two digits, and texts are cut.
DIGITS = 2
_LONGEST_TEXT = 60


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def labels_of(page: Path) -> list[dict[str, Any]]:
    """The blocks of a page with the labels of the shipped weights."""
    return [
        {
            "text": " ".join(block.text.split())[:_LONGEST_TEXT],
            "kept": block.keep,
            "role": str(block.role),
            "score": round(block.score, DIGITS),
        }
        for block in tamis.extract(page.read_bytes()).blocks
    ]


def write_record(name: str, pictures: list[Path], page: Path = EXAMPLE) -> None:
    """Write docs/images/NAME.json, the record of these pictures of a page."""
    record = {
        "page": page.relative_to(PROJECT).as_posix(),
        "page_sha256": digest(page),
        "pictures": {picture.name: digest(picture) for picture in pictures},
        "labels": labels_of(page),
    }
    (IMAGES / f"{name}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def save(screenshot: bytes, name: str) -> Path:
    """Write docs/images/NAME.png with a palette: a third of the bytes, and no visible difference."""
    from PIL import Image

    path = IMAGES / f"{name}.png"
    image = Image.open(io.BytesIO(screenshot)).convert("RGB")
    image.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(PROJECT)}: {path.stat().st_size / 1000:.0f} kB")
    return path


@contextmanager
def browser_page(html: str, *, width: int, height: int) -> Iterator[Any]:
    """A page of Playwright that shows this HTML, offline. Raises BrowserMissing."""
    from playwright.sync_api import sync_playwright

    from tamis.web.browser import program

    flags = [] if program.sandboxed() else ["--no-sandbox"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program.chromium(), args=flags)
        page = browser.new_page(viewport={"width": width, "height": height}, offline=True)
        page.set_content(html)
        yield page
        browser.close()
