"""Options of HTML and Markdown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HtmlOptions:
    """What HTML and Markdown show beside the kept text, which is the same with all options."""

    links: bool = True
    images: bool = True
    tables: bool = True
    title: str = ""  # written as a heading above the content
    # Write only what Markdown can express: cells of one line without spans, captions before their
    # table, links inside headings and not around them, embedded media as links.
    for_markdown: bool = False
