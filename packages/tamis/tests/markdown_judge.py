"""Judges Markdown by what other projects' parsers make of it, with raw HTML and every address let through."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt

from tests.attacks import is_safe_address

# The allow list of SECURITY.md: what Markdown means, and what the HTML of tables and of `details` is made of.
_TEXT = ("lang", "dir")
_CELL = ("colspan", "rowspan", "scope", "align", "style")
ALLOWED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        "p h1 h2 h3 h4 h5 h6 em strong del pre blockquote ul br hr table thead tbody tfoot tr caption details summary "
        "div section article aside header footer hgroup main nav address figure figcaption dl dt dd b i u s sup sub "
        "ins kbd samp var mark small cite dfn bdi bdo ruby rt rp".split(),
        (),
    ),
    "abbr": ("title",), "time": ("datetime",), "q": ("cite",), "blockquote": ("cite",), "details": ("open",),
    "a": ("href",), "img": ("src", "alt"), "code": ("class",), "ol": ("start", "type", "reversed"),
    "li": ("value", "id"), "td": _CELL, "th": _CELL, "input": ("type", "checked", "disabled"),
}  # fmt: skip
_MADE_BY_READERS = {
    "a": tuple("title class id aria-label data-footnote-ref data-footnote-backref data-footnote-backref-idx".split()),
    "sup": ("class",), "section": ("class", "data-footnotes", "role"), "ol": ("role",), "li": ("id",),
}  # fmt: skip
_BARE = re.compile(r"[\w.+-]*(?:mailto|xmpp):[\w.+-]+@[\w.-]+")  # GitHub's readers make links of texts that end so
_ALIGNED = frozenset({"text-align:left", "text-align:right", "text-align:center"})

_COMMONMARK = MarkdownIt("commonmark", {"html": True})
_COMMONMARK.validateLink = lambda url: True  # type: ignore[method-assign]
_UNSAFE = Options.CMARK_OPT_UNSAFE
_GITHUB = ["table", "strikethrough", "autolink", "tasklist"]
READERS: dict[str, Callable[[str], str]] = {
    "markdown-it": _COMMONMARK.render,
    "cmark": lambda text: cmarkgfm.markdown_to_html(text, options=_UNSAFE),
    "cmark-gfm": lambda text: cmarkgfm.markdown_to_html_with_extensions(text, options=_UNSAFE, extensions=_GITHUB),
    "cmark-gfm with notes": lambda text: cmarkgfm.markdown_to_html_with_extensions(
        text, options=_UNSAFE | Options.CMARK_OPT_FOOTNOTES, extensions=_GITHUB
    ),
}


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.harm: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ALLOWED:
            self.harm.append(f"<{tag}>")
        names = {*ALLOWED.get(tag, ()), *_MADE_BY_READERS.get(tag, ()), *_TEXT}
        for name, value in attrs:
            is_safe = name in names
            if name in ("href", "src", "cite"):
                is_safe = is_safe and (is_safe_address(value or "") or bool(_BARE.match(value or "")))
            elif name == "style":
                is_safe = is_safe and value in _ALIGNED
            if not is_safe:
                self.harm.append(f"<{tag} {name}={value!r}>")

    handle_startendtag = handle_starttag

    def handle_comment(self, data: str) -> None:
        self.harm.append("a comment")

    def handle_decl(self, decl: str) -> None:
        self.harm.append("a declaration")

    def unknown_decl(self, data: str) -> None:
        self.harm.append("a section")

    def handle_pi(self, data: str) -> None:
        self.harm.append("an instruction")


def harm(markdown: str) -> list[str]:
    """What is not on the allow list, by whatever reader."""
    found: list[str] = []
    clean = markdown.encode("utf-8", "replace").decode()
    for name, read in READERS.items():
        elements = _Elements()
        elements.feed(read(clean))
        elements.close()
        found += [f"{name}: {each}" for each in elements.harm]
    return found
