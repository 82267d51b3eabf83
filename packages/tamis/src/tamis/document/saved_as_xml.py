"""Pages saved as XML, in which empty elements close themselves: `<iframe/>`.

HTML takes that for a start tag, and an iframe, a script or a title then swallows the rest of the page; a noscript
holds it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tamis.document.parse import Element, Tree, select

# Elements whose content is text by HTML's rules, whatever tags it has.
_SWALLOWING = frozenset("iframe noembed noframes script style textarea title xmp".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_NOSCRIPT = "<noscript"
_CLOSED = re.compile(r"<([A-Za-z][\w:-]*)((?:\s[^<>]*)?)/>")


def as_html(source: str, tree: Tree, nodes: Sequence[Element]) -> str | None:
    """The page with an end tag for each element that closes itself; None if it was not saved as XML.

    It was if its last element closes itself, has no end tag, and swallowed other tags, or if a NOSCRIPT closes itself,
    in which all that follows would be.
    """
    if not nodes:
        return None
    may_be_open = any(node.next_sibling is None for node in select(tree, "noscript"))  # to read the source takes longer
    if may_be_open and _has_open_noscript(source):
        return _closed(source)
    # An element of the head swallows the start of the body, which is then empty.
    last = nodes[-2] if nodes[-1].tag == "body" and len(nodes) > 1 else nodes[-1]
    if last.tag not in _SWALLOWING or last.next_sibling is not None or "</" not in last.text:
        return None
    behind = source[source.lower().rfind(f"</{last.tag}") + 1 :]
    if not any(found[1].lower() == last.tag for found in _CLOSED.finditer(behind)):
        return None
    return _closed(source)


def _has_open_noscript(source: str) -> bool:
    at = source.find(_NOSCRIPT)  # a pattern would take a hundred times as long
    while at >= 0 and not source.startswith(("/>", " />"), at + len(_NOSCRIPT)):
        at = source.find(_NOSCRIPT, at + 1)
    return at >= 0 and source.count("</noscript") < source.count(_NOSCRIPT)


def _closed(source: str) -> str:
    return _CLOSED.sub(lambda tag: tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>", source)
