"""Kept leaves to clean HTML: the original structure without scripts and styles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np

from tamis.arrays import Bools, Ints
from tamis.document import Document, tags
from tamis.labels import Labels
from tamis.render import safe
from tamis.render.layout import data_tables
from tamis.render.length import bounded
from tamis.render.media import medium_html, medium_source
from tamis.render.options import HtmlOptions
from tamis.render.safe import safe_url
from tamis.render.spans import Grid

# Tags with a meaning for the text in them. Other block-level tags become a div, all others are left out.
_KEPT_TAGS = frozenset(
    """
    a abbr address article aside b bdi bdo blockquote br caption cite code dd del details dfn div dl dt
    em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q
    rp rt ruby s samp section small strong sub summary sup table tbody td tfoot th thead time tr u ul var
    math mi mn mo ms mtext mrow mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd
    """.split()
)
_RENAMED = {"strike": "s", "tt": "code", "menu": "ul", "dir": "ul", "xmp": "pre", "listing": "pre", "plaintext": "pre"}
_UNWRAPPED = frozenset({"html", "body", "head"})
_TABLE_TAGS = frozenset({"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"})
_CELL_TAGS = ("td", "th")

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
# The target of a link around several headings is repeated for each; a longer one would multiply.
_LONGEST_REPEATED = 2_000
# How many elements above a <pre> or <code> are searched for its language.
_LANGUAGE_LEVELS = 3
# Others would end the line of a code block in Markdown, and with it the block.
_LANGUAGE = re.compile(r"[a-z0-9_+#.\-]{1,40}")

# A number of ten digits is none of a list in Markdown.
_ORDINAL = re.compile(r"[0-9]{1,6}")

# The tags that stay in the cells of Markdown tables, which have one line.
_INLINE_IN_CELL = frozenset(
    "a abbr b bdi bdo cite code del dfn em i ins kbd mark q rp rt ruby s samp strong sub sup u var".split()
)

# Markdown writes these with tildes. Three at the begin of a line would open a block of code.
_TILDES = frozenset({"s", "del", "sub"})

_IS_TABLE = tags.lookup("table")
_IS_PRE = tags.lookup("pre", "listing", "xmp", "plaintext")
_IS_VOID = tags.lookup("br", "hr")
_IS_CELL = tags.lookup("td", "th")
_IS_ROW = tags.lookup("tr")
_IS_BLOCK = tags.lookup(*tags.BLOCK)
_IS_LINK = tags.lookup("a")

_WHITE_SPACE = re.compile(r"\s+")

# Characters: the base's, times the elements that could hold a link.
_MOST_REPEATED = 20_000_000


def to_html(document: Document, labels: Labels, options: HtmlOptions | None = None) -> str:
    """The main content as an HTML fragment. Raises PageTooLarge if it is too long."""
    options = options or HtmlOptions()
    pieces = _Writer(document, labels, options).write()
    content = "".join(bounded(pieces, document)).strip()
    return f"<h1>{safe.text(options.title)}</h1>{content}" if options.title else content


@dataclass(frozen=True)
class _Open:
    """An element that has been opened and not yet closed."""

    row: int
    name: str  # the tag that was written; empty if only the content is
    closing: str


class _Writer:
    """Writes needed elements and kept leaves in document order."""

    def __init__(self, document: Document, labels: Labels, options: HtmlOptions) -> None:
        self.document = document
        self.elements = document.elements
        self.options = options
        self.base = base_url(document)
        keep = labels.keep if options.images else labels.keep & ~document.leaves.is_media
        self.kept: Ints = np.flatnonzero(keep)
        self.parent, self.end = self.elements.parent.tolist(), self.elements.end.tolist()
        every = np.arange(len(self.elements))
        self.table_of = self.elements.nearest(_IS_TABLE[self.elements.code], every)
        self.is_data = np.zeros(len(self.elements), np.bool_)
        if options.tables:
            self.is_data = data_tables(document, self.kept[~document.leaves.is_media[self.kept]])
        self.after_text = _after_text(document, self.kept)
        self.block_links = _around(document, _IS_BLOCK, _IS_LINK) if options.for_markdown else frozenset()
        self.around_code = _around(document, _IS_PRE) if options.for_markdown else frozenset()
        self.pending: list[int] = np.flatnonzero(_needed(document, self.kept))[::-1].tolist()  # the next one is last
        self.open: list[_Open] = []
        self.in_pre = self.in_cell = self.in_link = 0  # how many <pre>, cells and links are open
        self.around: list[int] = []  # the open ones of `block_links`
        self.targets: dict[int, str] = {}  # of those that had a heading in them
        self.grid = Grid()
        self.last_source: str | None = None  # of the medium before, if no text was in between
        self.after_br = False
        self.languages: dict[int, str | None] = {}  # by row; many elements of code share those above them

    def write(self) -> Iterator[str]:
        """The pieces of the fragment in their order."""
        leaves = self.document.leaves
        is_medium, holders, opened = (
            column[self.kept].tolist() for column in (leaves.is_media, leaves.element, leaves.opened)
        )
        for number, leaf in enumerate(self.kept.tolist()):
            gap = leaves.gap[leaf] or (" " if self.after_text[number] else "")
            if self.pending and self.pending[-1] <= opened[number] and not self.in_pre:
                # White space goes before the elements that open here, not into them.
                row = self.pending[-1]
                yield from self._close_until(self.parent[row])
                if gap and self.elements.tag[row] not in tags.PREFORMATTED and not self.in_pre:
                    yield " "
                    gap = ""
            yield from self._start_up_to(opened[number])
            yield from self._close_until(holders[number])
            if self.in_pre:
                yield leaves.gap[leaf]
            elif gap:
                yield " "
            if is_medium[number]:
                yield self._medium(holders[number])
            else:
                yield self._text(leaves.text[leaf])
                self.last_source = None
            self.after_br = False
        yield from self._start_up_to(len(self.elements))  # the empty cells after the last kept leaf
        yield from self._close_until(-1)

    def _text(self, text: str) -> str:
        return safe.text(text if self.in_pre else _WHITE_SPACE.sub(" ", text))

    def _start_up_to(self, last: int) -> Iterator[str]:
        """Start the pending elements up to row `last`."""
        while self.pending and self.pending[-1] <= last:
            row = self.pending.pop()
            yield from self._close_until(self.parent[row])
            yield from self._start(row)

    def _start(self, row: int) -> Iterator[str]:
        tag = self.elements.tag[row]
        if tag in tags.MEDIA and tag != "math":
            return
        name = self._name(row, tag)
        if self.options.for_markdown and name not in _INLINE_IN_CELL and self.in_cell:
            if tag == "br" or tag in tags.BLOCK:
                yield " "
            name = ""
        if name in ("br", "hr"):
            yield "<p></p>" if name == "br" and self.after_br and self.options.for_markdown else f"<{name}>"
            self.after_br = True
            return
        if self.options.for_markdown and name == "table":
            self.grid.start_table(self._table_width(row))
        elif self.options.for_markdown and name in _CELL_TAGS:
            spans = (self.elements.attribute(row, key) for key in ("colspan", "rowspan"))
            yield self.grid.start_cell(*spans)
        opening, closing = (f"<{name}{self._attributes(row, name)}>", f"</{name}>") if name else ("", "")
        if name in tags.HEADINGS and (link := self._link_around(row)):
            opening, closing = f"{opening}<a{safe.attributes({'href': link})}>", f"</a>{closing}"
        self.open.append(_Open(row, name, closing))
        self.in_pre += name == "pre"
        self.in_link += closing.startswith("</a>")
        self.in_cell += name in _CELL_TAGS
        if row in self.block_links:
            self.around.append(row)
        yield opening

    def _close_until(self, holder: int) -> Iterator[str]:
        """Close the open elements that do not contain the element `holder`; -1 closes all."""
        while self.open and not self.open[-1].row <= holder < self.end[self.open[-1].row]:
            ended = self.open.pop()
            self.in_pre -= ended.name == "pre"
            self.in_link -= ended.closing.startswith("</a>")
            self.in_cell -= ended.name in _CELL_TAGS
            if ended.row in self.block_links:
                self.around.pop()
            if self.options.for_markdown and ended.name == "tr":
                yield self.grid.end_row()
            yield ended.closing
            if self.options.for_markdown and ended.name in _CELL_TAGS:
                yield self.grid.end_cell()

    def _lists_have_items(self) -> bool:
        """Is each open list followed by its item? Else Markdown indents what is inside so far that no fence is one."""
        names = [each.name for each in self.open if each.name]
        return all(after == "li" for name, after in pairwise([*names, ""]) if name in ("ul", "ol"))

    def _name(self, row: int, tag: str) -> str:
        """The tag that is written for an element; empty if only its content is written."""
        tag = _RENAMED.get(tag, tag)
        if tag in _TABLE_TAGS and not self.is_data[self.table_of[row]]:
            return "div"
        if self.options.for_markdown and tag == "caption":
            return "div"  # HTML parsers move it in front of the table
        if self.options.for_markdown and tag in ("thead", "tbody", "tfoot"):
            return ""
        if tag == "a" and (not self.options.links or row in self.block_links or not self._href(row)):
            return ""
        if self.options.for_markdown:
            # A mark beside the fence of a block of code would make it none, and its content markup.
            if row in self.around_code and tag not in tags.BLOCK:
                return ""
            if tag == "q" and _IS_BLOCK[self.elements.code[row : self.elements.end[row]]].any():
                return ""
            if tag == "a" and self.in_link:
                return ""  # Markdown has no link in a link: the outer one would be none
            if tag in _TILDES and any(each.name in _TILDES for each in self.open):
                return ""
            if tag == "pre" and not self._lists_have_items():
                return "div"
        if tag in _KEPT_TAGS:
            return tag
        return "div" if tag in tags.BLOCK and tag not in _UNWRAPPED else ""

    def _href(self, row: int) -> str | None:
        return safe_url(self.elements.attribute(row, "href"), self.base)

    def _link_around(self, row: int) -> str | None:
        """The target of a link that was left out because it contains this heading."""
        if not self.options.links or not self.around or row >= self.end[self.around[-1]]:
            return None
        around = self.around[-1]
        if around not in self.targets:
            target = self._href(around) or ""
            self.targets[around] = target if len(target) <= _LONGEST_REPEATED else ""
        return self.targets[around]

    def _table_width(self, row: int) -> int:
        """The largest number of cells in one row of a table."""
        cells = np.flatnonzero(_IS_CELL[self.elements.code[row : self.elements.end[row]]]) + row
        return int(np.bincount(self.elements.parent[cells] - row).max()) if cells.size else 0

    def _attributes(self, row: int, name: str) -> str:
        attribute = self.elements.attribute
        kept = () if name in _CELL_TAGS and self.options.for_markdown else _KEPT_ATTRIBUTES.get(name, ())
        values = {key: value for key in kept if (value := attribute(row, key)) is not None}
        if name in ("ol", "li") and self.options.for_markdown:
            values = {key: value for key, value in values.items() if _ORDINAL.fullmatch(value)}
        if name == "a":
            values["href"] = self._href(row) or ""
        elif name in ("blockquote", "q"):
            values["cite"] = attribute(row, "cite") or ""
        elif name in ("code", "pre") and (language := self._language(row)):
            values["class"] = f"language-{language}"
        for key in ("lang", "dir"):
            if value := attribute(row, key):
                values[key] = value
        return safe.attributes(values, self.base)

    def _language(self, row: int) -> str | None:
        """The programming language of a code element, by its own class or that of an element close above."""
        for candidate in islice(self.elements.ancestors(row), _LANGUAGE_LEVELS + 1):
            if candidate not in self.languages:
                self.languages[candidate] = self._own_language(candidate)
            if language := self.languages[candidate]:
                return language
        return None

    def _own_language(self, row: int) -> str | None:
        words = (self.elements.attribute(row, "class") or "").lower().split()
        names = (word.removeprefix(prefix).strip(";") for word in words for prefix in _LANGUAGE_PREFIXES
                 if word.startswith(prefix))  # fmt: skip
        named = next(filter(None, names), None) or (self.elements.attribute(row, "data-lang") or "").lower()
        return named if _LANGUAGE.fullmatch(named) else None

    def _medium(self, row: int) -> str:
        source = medium_source(self.elements, row, self.base)
        if not source or source == self.last_source:
            # A lazily loaded image is often followed by its copy in a <noscript>.
            return ""
        self.last_source = source
        return medium_html(self.elements, row, source, as_link=self.options.for_markdown)


def base_url(document: Document) -> str | None:
    """The base of relative links: the page's <base>, which is itself relative to its URL, or else its URL.

    None if it is so long that the links of this page would fill the memory; then they stay relative.
    """
    rows = (row for row, tag in enumerate(document.elements.tag) if tag == "base")
    urls = (safe_url(document.elements.attribute(row, "href"), document.url) for row in rows)
    base = next(filter(None, urls), document.url)
    return base if base and len(base) * len(document.elements) <= _MOST_REPEATED else None


def _around(document: Document, inner: Bools, outer: Bools | None = None) -> frozenset[int]:
    """The elements around one whose tag is in `inner`; only those whose tag is in `outer`, if it is given."""
    code = document.elements.code
    if not inner[code].any():
        return frozenset()
    around = document.elements.sums(inner[code]) > 0
    return frozenset(np.flatnonzero(around & outer[code] if outer is not None else around).tolist())


def _after_text(document: Document, kept: Ints) -> list[bool]:
    """For each kept leaf: is there visible text between it and the kept leaf before that is not kept?"""
    readable = document.leaves.visible_text
    after = np.zeros(len(kept), dtype=np.bool_)
    after[1:] = readable.searchsorted(kept[1:]) > readable.searchsorted(kept[:-1], side="right")
    return after.tolist()


def _needed(document: Document, kept: Ints) -> Bools:
    """The elements to write: those with a kept leaf, empty cells, and <br> and <hr> between kept leaves."""
    elements, leaves = document.elements, document.leaves
    needed: Bools = elements.sums(np.bincount(leaves.element[kept], minlength=len(elements))) > 0
    # Empty cells stay, so that those after them stay in their columns.
    cells = np.flatnonzero(_IS_CELL[elements.code])
    in_row = _IS_ROW[elements.code[elements.parent[cells]]] & needed[elements.parent[cells]]
    needed[cells[in_row]] = True
    # A <br> or <hr> stays if the shown leaves before and after it are kept.
    is_kept = np.zeros(len(leaves) + 2, dtype=np.bool_)  # the outer two: before the first and after the last leaf
    is_kept[kept + 1] = True
    shown = np.flatnonzero((leaves.visible & ~leaves.is_media) | is_kept[1:-1])
    shown_kept = np.zeros(len(shown) + 2, dtype=np.bool_)
    shown_kept[1:-1] = is_kept[shown + 1]
    voids = np.flatnonzero(_IS_VOID[elements.code])
    after = leaves.opened[shown].searchsorted(voids)
    needed[voids[shown_kept[after] & shown_kept[after + 1]]] = True
    return needed
