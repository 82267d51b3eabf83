"""Kept leaves to clean HTML: the original structure, without anything that runs or decorates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from tamis.document import Document, Elements, tags
from tamis.labels import Labels
from tamis.render.layout import data_tables
from tamis.render.links import image_source, safe_url

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

# Tags that say something about the text in them; the others are written as a div or not at all.
_KEPT_TAGS = frozenset(
    """
    a abbr address article aside b bdi bdo blockquote br caption cite code dd del details dfn div dl dt
    em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q
    rt ruby s samp section small strong sub summary sup table tbody td tfoot th thead time tr u ul var
    math mi mn mo ms mtext mrow mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd
    """.split()
)
_RENAMED = {"strike": "s", "tt": "code", "menu": "ul", "dir": "ul", "xmp": "pre", "listing": "pre", "plaintext": "pre"}
_UNWRAPPED = frozenset({"html", "body", "head"})
_TABLE_TAGS = frozenset({"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"})

_KEPT_ATTRIBUTES = {
    "abbr": ("title",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan", "scope"),
    "ol": ("start", "type", "reversed"),
    "li": ("value",),
    "time": ("datetime",),
    "details": ("open",),
}
_LANGUAGE_PREFIXES = ("language-", "lang-", "highlight-source-", "highlight-", "brush:")
# How many elements above a <pre> or <code> highlighters put the language on.
_LANGUAGE_LEVELS = 3

# In a cell of one line other tags are left out.
_INLINE_IN_CELL = frozenset(
    "a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp strong sub sup u var".split()
)

_IS_BR = tags.lookup("br")
_IS_HR = tags.lookup("hr")
_IS_CELL = tags.lookup("td", "th")
_IS_ROW = tags.lookup("tr")


@dataclass(frozen=True)
class HtmlOptions:
    """What is written beside the text. None of it changes which text is kept."""

    links: bool = True
    images: bool = True
    tables: bool = True
    plain_tables: bool = False  # cells of one line, no spans, no caption: what Markdown can say


def to_html(document: Document, labels: Labels, options: HtmlOptions | None = None) -> str:
    """The main content as an HTML fragment."""
    return "".join(_Writer(document, labels, options or HtmlOptions()).write())


class _Writer:
    """Writes needed elements and kept leaves in document order, closing what has ended."""

    def __init__(self, document: Document, labels: Labels, options: HtmlOptions) -> None:
        self.document = document
        self.elements = document.elements
        self.options = options
        self.base = base_url(document)
        keep = labels.keep if options.images else labels.keep & ~document.leaves.is_media
        self.kept: Ints = np.flatnonzero(keep).astype(np.int32)
        self.data_tables = data_tables(document) if options.tables else np.zeros(len(self.elements), np.bool_)
        self.table_of = self.elements.nearest(tags.lookup("table")[self.elements.code])
        self.open: list[tuple[int, str]] = []  # (row, name it was written under or "")
        self.in_pre = 0
        self.grid = _Grid()

    def write(self) -> Iterator[str]:
        leaves = self.document.leaves
        rows = iter(np.flatnonzero(_needed(self.document, self.kept)).tolist())
        row = next(rows, None)
        last = -1
        for leaf in self.kept.tolist():
            holder = int(leaves.element[leaf])
            # Elements opened before the leaf come first; the gap stands before the first of them.
            gap = leaves.gap[leaf] or (" " if last >= 0 and leaf != last + 1 else "")
            while row is not None and row <= leaves.opened[leaf]:
                yield from self._close_until(int(self.elements.parent[row]))
                yield from self._gap(gap)
                gap = ""
                yield from self._start(row)
                row = next(rows, None)
            yield from self._close_until(holder)
            yield from self._gap(gap)
            yield self._medium(holder) if leaves.is_media[leaf] else escape(leaves.text[leaf], quote=False)
            last = leaf
        # What opens after the last kept leaf are the empty cells that end its row.
        while row is not None:
            yield from self._close_until(int(self.elements.parent[row]))
            yield from self._start(row)
            row = next(rows, None)
        yield from self._close_until(-1)

    def _gap(self, gap: str) -> Iterator[str]:
        if gap:
            yield gap if self.in_pre else " "

    def _start(self, row: int) -> Iterator[str]:
        tag = self.elements.tag[row]
        if tag in tags.MEDIA and tag != "math":
            return
        name = self._name(row, tag)
        if self.options.plain_tables and name not in _INLINE_IN_CELL and self._in_cell():
            name = ""
            if tag == "br" or tag in tags.BLOCK:
                yield " "
        if name in ("br", "hr"):
            yield f"<{name}>"
            return
        if self.options.plain_tables and name in ("table", "tr", "td", "th"):
            yield self.grid.start(name, lambda key: self.elements.attribute(row, key))
        self.open.append((row, name))
        self.in_pre += name == "pre"
        if name:
            yield f"<{name}{self._attributes(row, name)}>"

    def _close_until(self, holder: int) -> Iterator[str]:
        """Close the open elements that do not hold the element `holder`; -1 closes all."""
        while self.open and not (holder >= 0 and self.open[-1][0] <= holder < self.elements.end[self.open[-1][0]]):
            _, name = self.open.pop()
            self.in_pre -= name == "pre"
            if self.options.plain_tables and name == "tr":
                yield self.grid.fill(to_the_end=True)
            if name:
                yield f"</{name}>"
            if self.options.plain_tables and name in ("td", "th"):
                yield self.grid.end_cell()

    def _in_cell(self) -> bool:
        return any(name in ("td", "th") for _, name in self.open)

    def _name(self, row: int, tag: str) -> str:
        """The tag an element is written under, empty for one that is left out."""
        tag = _RENAMED.get(tag, tag)
        if tag in _TABLE_TAGS and not (self.table_of[row] >= 0 and self.data_tables[self.table_of[row]]):
            return "div"
        if self.options.plain_tables and tag == "caption":
            return "div"  # a parser moves it in front of the table
        if self.options.plain_tables and tag in ("thead", "tbody", "tfoot"):
            return ""
        if tag == "a" and not (self.options.links and safe_url(self.elements.attribute(row, "href"), self.base)):
            return ""
        if tag in _KEPT_TAGS:
            return tag
        return "div" if tag in tags.BLOCK and tag not in _UNWRAPPED else ""

    def _attributes(self, row: int, name: str) -> str:
        attribute = self.elements.attribute
        kept = () if name in ("td", "th") and self.options.plain_tables else _KEPT_ATTRIBUTES.get(name, ())
        values = {key: value for key in kept if (value := attribute(row, key)) is not None}
        if name == "a":
            values["href"] = safe_url(attribute(row, "href"), self.base) or ""
        elif name in ("blockquote", "q") and (source := safe_url(attribute(row, "cite"), self.base)):
            values["cite"] = source
        elif name in ("code", "pre") and (language := self._language(row)):
            values["class"] = f"language-{language}"
        for key in ("lang", "dir"):
            if value := attribute(row, key):
                values[key] = value
        return _written(values)

    def _language(self, row: int) -> str | None:
        """The programming language of a code element, from its class or one close above."""
        for candidate in islice(self.elements.ancestors(row), _LANGUAGE_LEVELS + 1):
            for word in (self.elements.attribute(candidate, "class") or "").lower().split():
                for prefix in _LANGUAGE_PREFIXES:
                    if word.startswith(prefix) and (language := word[len(prefix) :].strip(";")):
                        return language
            if named := self.elements.attribute(candidate, "data-lang"):
                return named.lower()
        return None

    def _medium(self, row: int) -> str:
        tag = self.elements.tag[row]
        own = dict(self.elements.attributes(row))
        if tag in ("img", "picture"):
            images = [dict(self.elements.attributes(inner)) for inner in _below(self.elements, row, "img", "source")]
            every = [own, *images] if tag == "img" else [*images[::-1], own]
            source = next((url for image in every if (url := image_source(image, self.base))), None)
            alt = next((image["alt"] for image in every if image.get("alt")), "")
            return f"<img{_written({'src': source, 'alt': alt})}>" if source else ""
        if tag in ("video", "audio"):
            inner = [dict(self.elements.attributes(source)) for source in _below(self.elements, row, "source")]
            source = next((url for each in [own, *inner] if (url := safe_url(each.get("src"), self.base))), None)
            return f"<{tag}{_written({'src': source})} controls></{tag}>" if source else ""
        source = safe_url(own.get("src") or own.get("data-src"), self.base)
        if tag == "iframe" and source:
            return f"<iframe{_written({'src': source, 'title': own.get('title', '')})} sandbox></iframe>"
        return ""  # svg, canvas, object and embed can run code; the formula's text follows as leaves


class _Grid:
    """Stands empty cells in for those that a colspan or rowspan covers."""

    def __init__(self) -> None:
        self.column = 0
        self.wide = 1
        self.covered: dict[int, int] = {}  # column: rows that a cell above still covers

    def start(self, name: str, attribute: Callable[[str], str | None]) -> str:
        """What to write before a table, row or cell."""
        if name == "table":
            self.covered = {}
        if name in ("table", "tr"):
            self.column = 0
            return ""
        filler = self.fill()
        self.wide = _span(attribute("colspan"))
        for column in range(self.column, self.column + self.wide):
            self.covered[column] = _span(attribute("rowspan")) - 1
        self.column += self.wide
        return filler

    def fill(self, *, to_the_end: bool = False) -> str:
        """Empty cells for the next columns that a cell above covers; at the end of a row for all."""
        filler = 0
        while self.covered.get(self.column, 0) > 0 or (to_the_end and self.column <= max(self.covered, default=-1)):
            filler += self.covered[self.column] > 0
            self.covered[self.column] = max(0, self.covered[self.column] - 1)
            self.column += 1
        return "<td></td>" * filler

    def end_cell(self) -> str:
        """What to write after a cell."""
        return "<td></td>" * (self.wide - 1)


def _span(value: str | None) -> int:
    """The value of a colspan or rowspan; what no table of data needs counts as 1."""
    return int(value) if value and value.isascii() and value.isdigit() and 1 <= int(value[:4]) <= 100 else 1


def base_url(document: Document) -> str | None:
    """What relative links are relative to: the page's <base>, itself relative to its URL."""
    if "base" in document.elements.tag:
        row = document.elements.tag.index("base")
        return safe_url(document.elements.attribute(row, "href"), document.url) or document.url
    return document.url


def _needed(document: Document, kept: Ints) -> Bools:
    """The elements that are written: those that hold a kept leaf, and the void ones between leaves."""
    elements, leaves = document.elements, document.leaves
    held = np.concatenate([[0], np.cumsum(np.bincount(leaves.element[kept], minlength=len(elements)))])
    needed: Bools = held[elements.end] > held[:-1]
    # An empty cell keeps the ones after it in their columns.
    cells = np.flatnonzero(_IS_CELL[elements.code])
    in_row = _IS_ROW[elements.code[elements.parent[cells]]] & needed[elements.parent[cells]]
    needed[cells[in_row]] = True
    # A line break or rule stands between two leaves that are both kept.
    readable = leaves.visible_text
    is_kept = np.zeros(len(leaves), dtype=np.bool_)
    is_kept[kept] = True
    voids = np.flatnonzero(_IS_BR[elements.code] | _IS_HR[elements.code])
    if voids.size and readable.size:
        after = np.searchsorted(leaves.opened[readable], voids)
        inner = (after > 0) & (after < len(readable))
        before_kept = is_kept[readable[np.maximum(after - 1, 0)]]
        after_kept = is_kept[readable[np.minimum(after, len(readable) - 1)]]
        needed[voids[inner & before_kept & after_kept]] = True
    return needed


def _below(elements: Elements, row: int, *names: str) -> list[int]:
    return [inner for inner in range(row + 1, int(elements.end[row])) if elements.tag[inner] in names]


def _written(values: dict[str, str | None]) -> str:
    return "".join(f' {key}="{escape(value)}"' for key, value in values.items() if value is not None)
