"""Kept leaves to Markdown, by way of the clean HTML."""

from __future__ import annotations

from dataclasses import replace

from tamis.deadline import check
from tamis.document import Document, parse
from tamis.labels import Labels
from tamis.render.html import to_html
from tamis.render.options import HtmlOptions


def to_markdown(document: Document, labels: Labels, options: HtmlOptions | None = None) -> str:
    """The main content as GitHub-flavoured Markdown."""
    options = replace(options or HtmlOptions(), for_markdown=True)
    html = to_html(document, labels, options)
    check()
    return parse.markdown(html).strip()
