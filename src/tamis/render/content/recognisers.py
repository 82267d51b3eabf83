"""All recognisers, and what they find together."""

from __future__ import annotations

from collections.abc import Callable

from tamis.document import Document, parse
from tamis.render.content.anchors import anchors
from tamis.render.content.callouts import callouts
from tamis.render.content.code import code_blocks
from tamis.render.content.marks import Marks
from tamis.render.content.notes import notes
from tamis.render.content.source import Source

# Without one of these elements nothing changes in plain text. The parser finds the elements of a tag at once.
_CUES = (
    "sup", "sub", "q", "rt", "math", "mjx-container", "pre", "label.sidenote-number",
    "aside.footnote", "table.footnote", "dl.footnote", "a[href^='#footnote'],a[href^='#_ftn']",
    "td.gutter,td.code,td.blob-code,td.hljs-ln-code,td.lines-code", "span.lineno", "code br",
    "h1 a[href^='#'],h2 a[href^='#'],h3 a[href^='#'],h4 a[href^='#']", "dt a.headerlink", "span.mw-editsection",
)  # fmt: skip

# Each looks at its cues first: most pages have none of them. The first that knows a row wins.
RECOGNISERS: tuple[Callable[[Source], Marks | None], ...] = (notes, callouts, anchors, code_blocks)


def has_cues(document: Document) -> bool:
    """May the recognisers find anything that plain text shows otherwise?"""
    return any(parse.select(document.tree, tag) for tag in _CUES)


def marks(source: Source) -> Marks:
    """What all recognisers find."""
    found = Marks()
    for recognise in RECOGNISERS:
        if more := recognise(source):
            found |= more
    return found
