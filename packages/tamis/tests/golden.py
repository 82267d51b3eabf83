"""The golden pages: one file each in tests/pages, the page between a head and what it should become.

    <!--
    about = "what the page is and what makes it hard"     in TOML
    url = "https://site.example/a"
    [metadata]
    title = "Of sieves"                                   "" or [] for a field that must not be answered
    -->
    <!doctype html> ...                                   the page
    <!-- expected markdown -->
    ...                                                   and so on with text and html

A section ends before the line break in front of the next mark; an empty line there says that the page ends with a line
break. The file is UTF-8: the page's own bytes, if they are others, are named by `encoding`. The folders differ in
which text of a page is its content:

    pages/whole              what a reader would call it, by the CSS selectors `keep` and `drop`
    pages/structure/GROUP    all of it: a few lines, one way of the web to write formulas, code, notes and so on
    pages/posts              threads and comments: their posts are in the head, as tables `post`; `comments` are
                             selectors of comments, `type` is the page's type if it is no forum
    pages/metadata/FAMILY    what the default extractor finds: one way to tell, hide or garble title, author, date ...
    pages/state/STATE        none: the page is in that state; a head may have its HTTP `status` and `headers`

Metadata and state pages are short because parts.toml has what they share. A part that has no language is English:

    {{paragraphs:de}}   running text, three or four paragraphs; `bread` and `garden` are English too
    {{menu:de}}         a header with the navigation
    {{footer:de}}       a footer with a copyright notice of 2025
    {{teasers:de}}      teasers of other articles, with names and dates of their own
    {{comments:de}}     comments of readers, with names and dates of their own
    {{sidebar}}         a column with recent posts and an archive, both with dates
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tamis
from tamis import Document, Labels, Page

PAGES = Path(__file__).parent / "pages"
URL = "https://site.example/page"  # of a page that has no address of its own
_SECTION = re.compile(r"\n<!-- expected (markdown|text|html) -->\n")
_WITH_PARTS = {"metadata", "state"}
_PART = re.compile(r"\{\{(\w+)(?::(\w+))?\}\}")


class GoldenFile(NamedTuple):
    """The parts of a file as they are written there."""

    head: str
    html: str
    expected: dict[str, str]  # by the name of the output

    @classmethod
    def read(cls, file: Path) -> GoldenFile:
        head, _, rest = file.read_bytes().decode().removesuffix("\n").removeprefix("<!--\n").partition("\n-->\n")
        html, *sections = _SECTION.split(rest)
        return cls(head, html, dict(zip(sections[::2], sections[1::2], strict=True)))

    def write(self, file: Path) -> None:
        sections = "".join(f"\n<!-- expected {name} -->\n{text}" for name, text in self.expected.items())
        file.write_bytes(f"<!--\n{self.head}\n-->\n{self.html}{sections}\n".encode())


@dataclass(frozen=True)
class GoldenPage:
    file: Path
    head: dict[str, Any]
    html: str
    expected: dict[str, str]

    @classmethod
    def read(cls, file: Path) -> GoldenPage:
        head, html, expected = GoldenFile.read(file)
        whole = _PART.sub(_part, html) if _WITH_PARTS & set(file.parts) else html
        return cls(file, tomllib.loads(head), whole, expected)

    @property
    def name(self) -> str:
        return self.file.stem

    @property
    def group(self) -> str:
        return self.file.parent.name

    @property
    def source(self) -> bytes:
        return self.html.encode(self.head.get("encoding", "utf-8"))

    @property
    def url(self) -> str | None:
        return self.head.get("url", URL) or None

    @property
    def text(self) -> str:
        return self.expected["text"]

    @property
    def markdown(self) -> str:
        return self.expected["markdown"]

    def document(self) -> Document:
        return Document.from_html(self.source, url=self.url)

    def gold(self, document: Document) -> Labels:
        """The labels of a reader, from the page's selectors."""
        wanted = document.inside(*self.head["keep"]) & ~document.inside(*self.head["drop"])
        wanted &= document.leaves.visible
        return Labels(wanted.astype(np.float64), wanted)

    def perfect(self) -> Page:
        """The page as a perfect extractor would return it."""
        document = self.document()
        return Page(document, self.gold(document), "gold", document)

    def extracted(self) -> Page:
        """The page that has what is expected."""
        if "keep" in self.head:
            return self.perfect()
        return tamis.extract(self.html, extractor="keep-all" if self.expected else "tamis", url=self.url)


def golden_page(name: str) -> GoldenPage:
    """A whole page."""
    return GoldenPage.read(PAGES / "whole" / f"{name}.html")


def golden_pages() -> list[GoldenPage]:
    """The whole pages."""
    return _pages("whole")


def structure_pages() -> list[GoldenPage]:
    return _pages("structure")


def metadata_pages() -> list[GoldenPage]:
    return _pages("metadata")


def state_pages() -> list[GoldenPage]:
    return _pages("state")


def post_pages() -> list[GoldenPage]:
    return _pages("posts")


def _pages(folder: str) -> list[GoldenPage]:
    return list(map(GoldenPage.read, sorted((PAGES / folder).rglob("*.html"), key=lambda file: file.with_suffix(""))))


def part(name: str, language: str = "en") -> str:
    """The HTML of a part of metadata pages."""
    given: Any = _parts()[name][language]
    if name == "paragraphs":
        return "\n".join(f"<p>{text}</p>" for text in given)
    if name == "menu":
        items = "".join(f'<li><a href="/{number}">{text}</a></li>' for number, text in enumerate(given))
        return f'<header class="site-header"><nav class="main-menu"><ul>{items}</ul></nav></header>'
    if name == "footer":
        return f'<footer class="site-footer"><p>{given}</p></footer>'
    return str(given).strip()


def _part(match: re.Match[str]) -> str:
    return part(match[1], match[2] or "en")


@cache
def _parts() -> dict[str, Any]:
    return tomllib.loads((PAGES / "metadata" / "parts.toml").read_text(encoding="utf-8"))
