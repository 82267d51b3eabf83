"""Looks for anything that could run in an output, with a parser that tamis does not use."""

from __future__ import annotations

import re
from html.parser import HTMLParser

# What an output may hold of the things that load or run something. Frames and players are content of a page.
_RUNNING = set("script object embed applet base meta link style template noscript xmp frame".split())
_ADDRESSES = set("href src srcset action formaction data poster cite background xlink:href ping".split())
_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0\ufeff]")
_DANGEROUS = re.compile(
    r"(?:javascript|vbscript|livescript|blob|file|view-source):|data:(?!image/(?:png|gif|jpe?g|webp|avif)[;,])",
    re.IGNORECASE,
)


class Unsafe(AssertionError):
    """An output holds something that a browser would run."""


class _Judge(HTMLParser):
    def __init__(self, output: str, refused: set[str]) -> None:
        super().__init__()
        self.output, self.refused = output, refused

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.refused:
            raise Unsafe(f"{self.output} holds <{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in ("srcdoc", "style"):
                raise Unsafe(f"{self.output} holds the attribute {name}")
            if name in _ADDRESSES:
                for address in (value or "").split(",") if name == "srcset" else [value or ""]:
                    require_harmless(address, self.output)

    handle_startendtag = handle_starttag


def require_harmless(address: str, output: str) -> None:
    """Raise Unsafe if a browser would run an address. It drops blanks and control characters before it looks."""
    if _DANGEROUS.match(_BLANKS.sub("", address)):
        raise Unsafe(f"{output} holds a dangerous address")


def require_harmless_html(html: str, output: str, *, allowed: frozenset[str] = frozenset()) -> None:
    """Raise Unsafe if HTML holds an element, a handler or an address that runs something."""
    judge = _Judge(output, _RUNNING - allowed)
    judge.feed(html)
    judge.close()
