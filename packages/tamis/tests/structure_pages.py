"""The golden structure pages: one small page for each way in which the web writes formulas, code, notes and so on.

tests/structures has a file a group. Each page tells its HTML, and the Markdown, text and clean HTML that it should
become.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import tamis

FOLDER = Path(__file__).parent / "structures"
URL = "https://site.example/page"


@dataclass(frozen=True)
class StructurePage:
    group: str
    name: str
    about: str
    html: str
    markdown: str
    text: str
    clean: str

    def extracted(self) -> tamis.Page:
        return tamis.extract(self.html, extractor="keep-all", url=URL)


def structure_pages() -> list[StructurePage]:
    return [
        StructurePage(file.stem, name, **{key: value.strip("\n") for key, value in page.items()})
        for file in sorted(FOLDER.glob("*.toml"))
        for name, page in tomllib.loads(file.read_text(encoding="utf-8")).items()
    ]
