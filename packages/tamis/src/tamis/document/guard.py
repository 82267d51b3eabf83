"""Guards the parser: pages that would harm it are rewritten first.

Three things harm the parser, turbohtml 1.15:

- It has room for 512 open elements. It forgets a row or a cell of a table that opens beyond that. The end tag of the
  table, body or row then empties its stack, and the process crashes soon after.
- It reopens formatting elements after the end of a block around them, so a small page can become millions of elements.
- It takes quadratic time for many <html> or <body> tags, whose attributes it gathers, and for many <selectedcontent>.

Rows and cells close the open elements of earlier ones, so they are at most three elements deeper than their table.
Almost every page is far from harm: without a table, or with few tags before the last one, and with few formatting
elements. The kernel (`kernel/guard.c`) counts them in one pass. For the other pages it reads the tags and keeps its own
stack. An element leaves that stack only by its own end tag and only from the top, or where the parser is sure to close
it too. The parser closes elements in many more ways, so its stack holds only elements of ours, and a few that it adds.

Pages are bytes in an encoding that contains ASCII. Everything here takes time linear in the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tamis.kernel import library

# Limits on open elements, and on open formatting elements, in a rewritten page.
_DEEPEST = 150
_MOST_FORMATTING = 12

_SPACE = r"\t\n\f\r "
# Attributes as the standard reads them: they end at a ">" or with the page. The usual form comes first.
_ATTRIBUTES = (
    rf"(?: [a-z-]++=\"[^\"]*+\")*+(?:[{_SPACE}/]++|[^{_SPACE}/>][^{_SPACE}/>=]*+"
    rf"(?:[{_SPACE}]*+=[{_SPACE}]*+(?:\"[^\"]*+\"|'[^']*+'|[^{_SPACE}>\"'][^{_SPACE}>]*+)?+)?+)*+"
)
# Elements with raw text up to their end tag.
_RAW = ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
_RAW_ELEMENT = "|".join(
    rf"{name}(?=[{_SPACE}/>]){_ATTRIBUTES}>[^<]*+(?:<(?!/{name}[{_SPACE}/>])[^<]*+)*+" for name in _RAW
)
# A tag, a comment or a declaration. The group is the name of a tag, with the "/" of an end tag; the whole tag of a
# drawing that may close itself; or a whole raw element but for its end tag, which then counts as an attribute. CDATA is
# a tag here where it ends in one place as HTML and in another as SVG.
_CLOSED_DRAWING = rf"svg(?=[{_SPACE}/]){_ATTRIBUTES}(?<=/)(?=>)"
_UNCLEAR_CDATA = r"!\[CDATA\[(?![^\]>]*+\]\]>)"
_COMMENT = r"!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
_TOKEN = re.compile(
    rf"<(?:((?=[sStTxXiInN])(?i:{_RAW_ELEMENT}|{_CLOSED_DRAWING})|/?[a-zA-Z][^{_SPACE}/>]*+|{_UNCLEAR_CDATA})"
    rf"{_ATTRIBUTES}(?:>|\Z)|{_COMMENT}|[!?/][^>]*+)".encode()
)
_START_TAG = re.compile(rf"<([a-zA-Z][^{_SPACE}/>]*+){_ATTRIBUTES}>".encode())


def _name_set(words: str) -> frozenset[bytes]:
    return frozenset(words.encode().split())


_REPEATED = _name_set("html body selectedcontent")
_CELLS = _name_set("td th")
_VOID = _name_set("area base br col embed hr img input link meta param source track wbr")
# These are known by their end tags.
_FORMATTING = _name_set("/a /b /big /code /em /font /i /nobr /s /small /strike /strong /tt /u")
_UNCLEAR = _name_set("plaintext ![cdata[") | _name_set(" ".join(_RAW))  # the text after them can be read in two ways
# The start tags that imply an end tag if that is the next one to come.
_IMPLIED = {
    b"/p": _name_set(
        "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer "
        "form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary ul"
    ),
    b"/li": _name_set("li"),
    b"/dd": _name_set("dd dt"),
    b"/dt": _name_set("dd dt"),
    b"/option": _name_set("option"),
    b"/td": _CELLS,
    b"/th": _CELLS,
}
# An end tag closes nothing outside its own cell, except for those that end cells.
_BARRIERS = _name_set("/td /th /caption /template /object")
_ENDS_CELLS = _name_set("/table /tr /tbody /thead /tfoot /body /html") | _BARRIERS


def guarded(data: bytes) -> bytes:
    """The page itself if it can't harm the parser, else a rewritten page."""
    return data if library().tamis_guard(data, len(data)) else b"".join(_rewritten(data))


def _rewritten(data: bytes) -> Iterator[bytes]:
    """The page without comments, with every element closed by its own end tag, and with few elements open at once."""
    stack: list[bytes] = []  # the end tags to come
    left_out: Counter[bytes] = Counter()  # the end tags of elements that are left out
    seen: Counter[bytes] = Counter()
    formatting = at = 0
    for match in _TOKEN.finditer(data):
        yield _as_text(data[at : match.start()])
        at = match.end()
        name = (match[1] or b"").lower()
        if name.startswith(b"svg") and name.endswith(b"/"):
            name = b"svg"
        if name in _REPEATED:
            seen[name] += 1
        if not name or name in _UNCLEAR or seen[name] > 1:
            continue
        if b">" in name:  # a raw element
            if start := _START_TAG.match(data, match.start()):
                yield start[0] + _as_text(data[start.end() : match.end(1)]) + b"</" + start[1] + b">"
        elif name.startswith(b"/"):
            if left_out[name]:
                left_out[name] -= 1
            elif name in _within_reach(stack, name):
                ended = b""
                while ended != name:
                    ended = stack.pop()
                    formatting -= ended in _FORMATTING
                    yield b"<" + ended + b">"
        else:
            while stack and name in _IMPLIED.get(stack[-1], ()):
                yield b"<" + stack.pop() + b">"
            is_foreign = b"/svg" in stack or b"/math" in stack
            end = b"/" + name
            # Void elements and those that close themselves are written so that HTML and SVG read them alike.
            if name in _VOID:
                yield match[0].rstrip(b"/>") + b" />"
            elif is_foreign and match[0].endswith(b"/>"):
                yield match[0] + b"<" + end + b">"
            elif len(stack) >= _DEEPEST or (end in _FORMATTING and formatting >= _MOST_FORMATTING):
                left_out[end] += 1
            else:
                formatting += end in _FORMATTING
                stack.append(end)
                yield match[0]
    yield _as_text(data[at:])


def _as_text(data: bytes) -> bytes:
    """A text with each "<" escaped: it could start a tag with the following text once something between is removed."""
    return data.replace(b"<", b"&lt;")


def _within_reach(stack: list[bytes], name: bytes) -> list[bytes]:
    """The open elements that an end tag may close."""
    if name in _ENDS_CELLS:
        return stack
    barrier = next((place for place in range(len(stack) - 1, -1, -1) if stack[place] in _BARRIERS), 0)
    return stack[barrier:]
