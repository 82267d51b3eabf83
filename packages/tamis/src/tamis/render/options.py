"""Options of the formats that are written from the content tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class HtmlOptions:
    """What HTML, Markdown and XML show beside the kept text, which is the same with all options."""

    links: bool = True
    images: bool = True
    tables: bool = True
    title: str = ""  # written as a heading above the content
    cleaned: Callable[[str], str] | None = None  # makes each text and each attribute of the page before it is written
