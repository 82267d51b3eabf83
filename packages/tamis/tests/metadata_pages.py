"""The golden metadata pages: one small page for each way in which pages tell, hide or garble title, author and date.

tests/metadata_pages has a file a family. Each page tells its HTML, its address where that matters, and what a careful
reader would write down of it: only the fields that matter, and "" or [] for a field that must not be answered.

The HTML is written with parts from parts.toml, so that it stays short. A part that has no language is English:

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
from pathlib import Path
from typing import Any

import tamis

FOLDER = Path(__file__).parent / "metadata_pages"
URL = "https://site.example/page"
_PARTS = tomllib.loads((FOLDER / "parts.toml").read_text(encoding="utf-8"))
_PART = re.compile(r"\{\{(\w+)(?::(\w+))?\}\}")


@dataclass(frozen=True)
class MetadataPage:
    family: str
    name: str
    about: str
    html: str
    expected: dict[str, Any]
    url: str = URL  # empty if it is not known

    def extracted(self) -> tamis.Page:
        return tamis.extract(self.html, url=self.url or None)


def metadata_pages() -> list[MetadataPage]:
    return [
        MetadataPage(file.stem, name, **page | {"html": _PART.sub(_part, page["html"])})
        for file in sorted(FOLDER.glob("*.toml"))
        if file.stem != "parts"
        for name, page in tomllib.loads(file.read_text(encoding="utf-8")).items()
    ]


def part(name: str, language: str = "en") -> str:
    """The HTML of a part."""
    given: Any = _PARTS[name][language]
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
