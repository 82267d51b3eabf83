"""The golden pages: folders in tests/pages, each with a source and what it should become."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamis import Document, Labels, Page

PAGES = Path(__file__).parent / "pages"


@dataclass(frozen=True)
class GoldenPage:
    name: str
    source: bytes
    facts: dict[str, Any]
    folder: Path

    @classmethod
    def read(cls, folder: Path) -> GoldenPage:
        facts = tomllib.loads((folder / "page.toml").read_text(encoding="utf-8"))
        return cls(folder.name, (folder / "source.html").read_bytes(), facts, folder)

    @property
    def text(self) -> str:
        return (self.folder / "expected.txt").read_text(encoding="utf-8").removesuffix("\n")

    @property
    def markdown(self) -> str:
        return (self.folder / "expected.md").read_text(encoding="utf-8").removesuffix("\n")

    def document(self) -> Document:
        return Document.from_html(self.source, url=self.facts["url"], encoding=self.facts.get("charset"))

    def gold(self, document: Document) -> Labels:
        """The labels of a reader, from the page's selectors."""
        wanted = document.inside(*self.facts["keep"]) & ~document.inside(*self.facts["drop"])
        wanted &= document.leaves.visible
        return Labels(wanted.astype(np.float64), wanted)

    def perfect(self) -> Page:
        """The page as a perfect extractor would return it."""
        document = self.document()
        return Page(document, self.gold(document), "gold", document)


def golden_pages() -> list[GoldenPage]:
    return [GoldenPage.read(folder) for folder in sorted(PAGES.iterdir())]
