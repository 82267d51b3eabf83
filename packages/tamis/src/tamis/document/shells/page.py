"""Makes one small page of texts that are plain or HTML."""

from __future__ import annotations

import re
from collections import Counter
from html import escape, unescape

from tamis.document import parse
from tamis.document.decode import clean_text
from tamis.document.shells.prose import is_continuation, is_cut_off, is_markup, plain
from tamis.document.titles import fold

# Code, other pages, and elements that would swallow or change the rest of the page.
_DROPPED = "script, style, template, iframe, object, embed, base, meta, link, title, plaintext, noframes, svg, math"

# If one of these is left open, the standard opens it again in each later paragraph. A thousand of them before as many
# paragraphs are a million elements; no text leaves more than a few open.
_FORMATTING = re.compile(r"<(/?)(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE)
_MOST_OPEN = 30


def page(title: str, texts: list[str]) -> str:
    """A page made of a heading and of texts, each a paragraph a line, or HTML; pieces of one sentence are joined."""
    title = unescape(title.strip())
    folded_title = fold(title)
    body: list[str] = []
    line = ""
    for text in texts:
        if line and (is_markup(text) or not (is_continuation(text) or is_cut_off(line))):
            body.append(_paragraphs(line))
            line = ""
        if is_markup(text):
            body.append(_clean(text))
        elif fold(text) != folded_title:
            line += unescape(text)
    heading = f"<h1>{escape(title)}</h1>" if title else ""
    article = "".join((heading, *body, _paragraphs(line)))
    return clean_text(f"<!doctype html><title>{escape(title)}</title><article>{article}</article>")


def _paragraphs(text: str) -> str:
    """Each line of a plain text as a paragraph."""
    lines = filter(None, map(str.strip, text.split("\n")))
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in lines)


def _clean(markup: str) -> str:
    """HTML that is closed in itself and has no scripts."""
    if _is_tangled(markup):
        return _paragraphs(plain(markup))
    tree = parse.parse(markup)
    for node in parse.select(tree, _DROPPED):
        node.decompose()
    return "".join(f"<div>{node.inner_html}</div>" for node in parse.select(tree, "body"))


def _is_tangled(markup: str) -> bool:
    """Does markup leave so many elements open that parsing it would not end in time?"""
    opened: Counter[str] = Counter()
    for found in _FORMATTING.finditer(markup):
        tag = found[2].lower()
        if not found[1]:
            opened[tag] += 1
        elif opened[tag]:
            opened[tag] -= 1
        if opened.total() > _MOST_OPEN:  # of 14 tags at most
            return True
    return False
