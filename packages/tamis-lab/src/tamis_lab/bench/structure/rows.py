"""HTML to text with the place of every element in it, without any code that tamis renders pages by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tamis.document import parse
from tamis_lab.bench.structure import code, formulas
from tamis_lab.bench.structure.elements import address

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table "
    "tbody td tfoot th thead tr ul".split()
)
_EMBEDS = frozenset("iframe object embed video audio".split())
_UNREAD = _EMBEDS | frozenset("script style template head svg select textarea canvas".split())
_VIDEO = re.compile(r"youtube(?:-nocookie)?\.com/embed/([\w-]+)|player\.vimeo\.com/video/(\d+)")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_BREAK = "  "  # a line break within a paragraph
NOWHERE = "https://page.example/"  # the address of a page without one


@dataclass(slots=True)
class Row:
    """An element that is shown: the rows up to `last` are inside it."""

    node: parse.Element
    tag: str
    parent: int
    start: int = 0  # its place in the text
    end: int = 0
    last: int = 0
    code: str | None = None  # of a code block
    tex: str | None = None  # of a formula; empty if it is one without TeX

    def attribute(self, name: str) -> str:
        """An attribute, empty if there is none."""
        return self.node.attr(name) or ""

    @property
    def classes(self) -> list[str]:
        """The class names in lower case."""
        return self.attribute("class").lower().split()

    @property
    def is_block(self) -> bool:
        """Does it begin a line of its own?"""
        return self.tag in _BLOCKS


@dataclass
class Rows:
    """The text of a page, a line for each block, and the elements in document order."""

    base: str
    text: str = ""
    rows: list[Row] = field(default_factory=list)
    unscripted: dict[int, list[parse.Element]] = field(default_factory=dict)  # images in noscript, by the row around
    embedded: set[str] = field(default_factory=set)  # addresses of frames, videos and sounds

    def inside(self, number: int) -> Iterator[Row]:
        """The rows inside one."""
        return iter(self.rows[number + 1 : self.rows[number].last])

    def blank(self, start: int, end: int) -> None:
        """Leave out a part of the text; what is behind it stays in its place."""
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]

    def around(self, number: int) -> Iterator[int]:
        """The numbers of the rows around one, from the inside."""
        while (number := self.rows[number].parent) >= 0:
            yield number


def read_rows(html: str, url: str | None, *, with_hidden: bool = False) -> Rows:
    """Read a page or a fragment of one, if asked with what is not shown."""
    tree = parse.parse(html)
    base = url or NOWHERE
    if declared := parse.select(tree, "base[href]"):
        base = _joined(base, declared[0].attr("href") or "")
    found = Rows(base)
    has_sources = bool(parse.select(tree, "script[type^='math/tex']"))
    parts: list[str] = [""]
    size = 0

    def put(text: str) -> None:
        nonlocal size
        parts.append(text)
        size += len(text)

    def new_line() -> None:
        if not parts[-1].endswith("\n"):
            put("\n")

    rows, parent = found.rows, -1
    todo: list[parse.Node | int] = list(reversed(tree.children))
    while todo:
        node = todo.pop()
        if isinstance(node, int):
            row = rows[node]
            row.end, row.last, parent = size, len(rows), row.parent
            if row.is_block:
                new_line()
        elif isinstance(node, parse.Text | parse.CData):
            if parts[-1] != _BREAK or not node.data.isspace():
                put(_SPACE.sub(" ", node.data))
        elif isinstance(node, parse.Element):
            tag = node.tag.lower()
            tex = formulas.tex_of(node, tag, has_sources)
            if tex is formulas.DRAWN:
                continue
            hidden = not with_hidden and (tag == "noscript" or _is_hidden(node))
            if tex is None and (tag in _UNREAD or hidden):
                if tag == "noscript":
                    found.unscripted.setdefault(parent, []).extend(node.select("img"))
                elif tag in _EMBEDS:
                    found.embedded.update(_embedded(node, base))
                continue
            row = Row(node, tag, parent, tex=tex)
            if row.is_block:
                new_line()
            elif tag == "br":  # two of them end a paragraph
                if parts[-1] == _BREAK:
                    new_line()
                else:
                    put(_BREAK)
            row.start = row.end = size
            row.last = len(rows) + 1
            rows.append(row)
            if tex is not None:
                put(" ")
            elif code.is_block(node, tag):
                row.code = code.source(node)
                new_line()
                put(_SPACE.sub(" ", row.code))
                row.end = size
                new_line()
            else:
                parent = len(rows) - 1
                todo.append(parent)
                todo.extend(reversed(node.children))
    found.text = "".join(parts)
    return found


def _embedded(node: parse.Element, base: str) -> Iterator[str]:
    """The addresses of what is embedded, with those at which YouTube and Vimeo show it to people."""
    for each in (node, *node.select("source")):
        for name in ("src", "data-src", "data", "data-lazy-src"):
            if value := each.attr(name):
                yield (where := address(value, base))
                if match := _VIDEO.search(where):
                    yield f"www.youtube.com/watch?v={match[1]}" if match[1] else f"vimeo.com/{match[2]}"


def _is_hidden(node: parse.Element) -> bool:
    attributes = node.attrs
    style = attributes.get("style") if "style" in attributes else None
    return "hidden" in attributes or (isinstance(style, str) and bool(_HIDING.search(style)))


def _joined(base: str, declared: str) -> str:
    whole = address(declared, base)
    return f"https://{whole}" if whole else base
