"""What is written beside the text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HtmlOptions:
    """What HTML and Markdown show. None of it changes which text is kept."""

    links: bool = True
    images: bool = True
    tables: bool = True
    # Write only what Markdown can say: cells of one line without spans, captions before their
    # table, links inside headings and not around them, embedded media as links.
    for_markdown: bool = False
