"""Kept leaves to the content tree: the structure of the page without scripts, styles and what was not kept."""

from __future__ import annotations

import numpy as np

from tamis.arrays import Ints, places
from tamis.deadline import checked
from tamis.document import Document, tags
from tamis.labels import Labels
from tamis.render.content import Child, HtmlOptions, Node
from tamis.render.content.code import code_blocks
from tamis.render.content.formulas import formulas
from tamis.render.content.media import embeds, medium_node, noscript_copies, same_image, size_in
from tamis.render.content.notes import notes, tidy_notes
from tamis.render.content.source import Marks, PageSource, Recogniser, find_marks, folded
from tamis.render.content.structures import anchors, callouts, role_tables, task_lists
from tamis.render.layout import data_tables, follows_other, shown_codes
from tamis.render.safe import safe_url

# The first that knows a row wins.
RECOGNISERS: tuple[Recogniser, ...] = (
    formulas, notes, callouts, anchors, code_blocks, role_tables, task_lists, embeds, noscript_copies,
)  # fmt: skip

# Tags with a meaning for the text in them. Other block-level tags become a div, all others are left out.
KEPT_TAGS = frozenset(
    """
    a abbr address article aside b bdi bdo blockquote br caption cite code dd del details dfn div dl dt
    em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark nav ol p pre q
    rp rt ruby s samp section small strong sub summary sup table tbody td tfoot th thead time tr u ul var
    """.split()
)
_RENAMED = {"strike": "s", "tt": "code", "menu": "ul", "dir": "ul", "xmp": "pre", "listing": "pre", "plaintext": "pre"}
_UNWRAPPED = frozenset({"html", "body", "head"})
_NAMES = dict.fromkeys(tags.BLOCK - _UNWRAPPED, "div") | {tag: tag for tag in KEPT_TAGS} | _RENAMED
_TABLE_TAGS = frozenset({"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"})

_HOLLOW = frozenset({"div", "p", "section", "header", "footer", "figure", "figcaption"})  # nothing without content

_KEPT_ATTRIBUTES = {
    "abbr": ("title",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan", "scope"),
    "ol": ("start", "type", "reversed"),
    "li": ("value",),
    "time": ("datetime",),
    "details": ("open",),
}

# Writers recurse over the tree. Of elements that are nested deeper only the content is written.
_DEEPEST = 100

_IS_TABLE = tags.lookup("table")
_IS_FORMULA = tags.lookup("math", "script")


def content_tree(document: Document, labels: Labels, options: HtmlOptions) -> Node:
    """The main content as a tree whose root is named "root"."""
    keep, leaves = labels.keep, document.leaves
    if not options.images:
        keep = keep & ~(leaves.is_media & ~_IS_FORMULA.take(document.elements.code.take(leaves.element)))
    source = PageSource(document, keep)
    root = _TreeBuilder(source, find_marks(source, RECOGNISERS), options).build()
    clean(root, options)
    return root


def clean(root: Node, options: HtmlOptions) -> None:
    """Clean all texts and attributes in a tree, if the options say how."""
    if options.cleaned is None:
        return
    for node in root.walk():
        node.attributes = {name: options.cleaned(value) for name, value in node.attributes.items()}
        node.children = [options.cleaned(child) if isinstance(child, str) else child for child in node.children]


class _TreeBuilder:
    """Adds needed elements and kept leaves in document order."""

    def __init__(self, source: PageSource, found: Marks, options: HtmlOptions) -> None:
        self.source, self.marks, self.options = source, found, options
        self.document, self.elements, self.nodes = source.document, source.elements, source.nodes
        self.parent, self.end = self.elements.parent.tolist(), self.elements.end.tolist()
        self.root = Node("root")
        self.into: list[Child] = self.root.children  # the content of the innermost open element
        self.open: list[tuple[int, int, list[Child]]] = []  # its row, its end and the content around it
        self.written = range(0)  # the rows that a replaced or skipped element holds
        self.last_medium: Node | None = None  # the one before, if no text was in between

    def build(self) -> Node:
        """The tree."""
        leaves, kept = self.document.leaves, self.source.kept
        holders, opened, is_medium = (
            column.take(kept).tolist() for column in (leaves.element, leaves.opened, leaves.is_media)
        )
        after_text, trimmed = follows_other(self.document, kept).tolist(), self.marks.trimmed
        self.layout_tables = self._layout_tables(kept)
        shown = shown_codes(self.document, leaves.element.take(kept))
        changed = places(shown != self.elements.code) if shown is not self.elements.code else ()
        self.other_names = {int(row): "" if shown[row] == tags.OTHER else "div" for row in changed}
        pending = iter(self.nodes)
        row, none = next(pending, len(self.end)), len(self.end)
        for number, leaf in enumerate(checked(kept.tolist())):
            gap = bool(leaves.gap[leaf]) or after_text[number]
            last, holder = opened[number], holders[number]
            if row <= last and gap and row not in self.written:
                # White space goes before the elements that open here, not into them.
                self._close(self.parent[row])
                self._add(" ")
                gap = False
            while row <= last:
                self._start(row)
                row = next(pending, none)
            if holder in self.written:
                continue
            self._close(holder)
            if gap:
                self._add(" ")
            if is_medium[number]:
                self._add_medium(holder)
            elif leaf in self.marks.split:
                for part in self.marks.split[leaf]:
                    if isinstance(part, str):
                        self._add(folded(part))
                    else:
                        self.into.append(part)
                self.last_medium = None
            else:
                self._add(folded(trimmed.get(leaf, leaves.text[leaf]) if trimmed else leaves.text[leaf]))
                self.last_medium = None
        while row < none:  # the empty cells after the last kept leaf
            self._start(row)
            row = next(pending, none)
        self._close(-1)
        tidy_notes(self.root, self.marks)
        return self.root

    def _add(self, text: str) -> None:
        into = self.into
        if into and type(into[-1]) is str:
            into[-1] += text[1:] if text[:1] == " " and into[-1][-1:] == " " else text
        else:
            into.append(text)

    def _start(self, row: int) -> None:
        if row in self.written:
            return
        self._close(self.parent[row])
        if row in self.marks.skipped:
            self.written = range(row, self.end[row])
            return
        if (node := self.marks.replaced.get(row)) is not None:
            self.into += [node] if node.name else node.children
            self.written = range(row, self.end[row])
            return
        tag = self.nodes[row].tag
        if tag in tags.MEDIA or len(self.open) > _DEEPEST:
            return
        if (found := self.marks.named.get(row)) is not None:
            if not found.name:
                return
            node = Node(found.name, found.attributes, row=row)
        elif name := self._name(row, tag):
            node = Node(name, self._attributes(row, name), row=row)
        else:
            return
        if node.name == "pre":
            self.into.append(Node("pre", {}, ["\n".join(self.source.text(row).splitlines()).strip("\n")], row))
            self.written = range(row, self.end[row])
            return
        into = self._last_item() if node.name in ("ul", "ol") else self.into
        into.append(node)
        if tag not in ("br", "hr"):
            self.open.append((row, self.end[row], self.into))
            self.into = node.children

    def _last_item(self) -> list[Child]:
        """Where a list is written: in a list without an item around it, in the item before."""
        if self.open and self.nodes[self.open[-1][0]].tag in ("ul", "ol"):
            last = next((node for node in reversed(self.into) if isinstance(node, Node)), None)
            if last is not None and last.name == "li":
                return last.children
        return self.into

    def _close(self, holder: int) -> None:
        """Close the open elements that do not contain the element `holder`."""
        while self.open:
            row, end, around = self.open[-1]
            if row <= holder < end:
                return
            # A list may be in the item before it and not here.
            if not self.into and isinstance(last := around[-1], Node) and last.name in _HOLLOW:
                around.pop()  # all that was in it is skipped
            self.into = around
            self.open.pop()

    def _name(self, row: int, tag: str) -> str:
        """The name that is written for an element; empty if only its content is written."""
        if tag in _TABLE_TAGS and (not self.layout_tables or self.layout_tables[row]):
            return "div"
        name = self.other_names[row] if row in self.other_names else _NAMES.get(tag, "")
        if name == "a" and not (self.options.links and self._address(row, "href")):
            return ""
        return name

    def _attributes(self, row: int, name: str) -> dict[str, str]:
        attribute = self.nodes[row].attr
        values = {key: value for key in _KEPT_ATTRIBUTES.get(name, ()) if (value := attribute(key)) is not None}
        if name == "a":
            values["href"] = self._address(row, "href") or ""
        elif name in ("blockquote", "q") and (cited := self._address(row, "cite")):
            values["cite"] = cited
        for key in ("lang", "dir"):
            if value := attribute(key):
                values[key] = value
        return values

    def _address(self, row: int, name: str) -> str | None:
        return safe_url(self.nodes[row].attr(name), self.source.base)

    def _layout_tables(self, kept: Ints) -> list[bool]:
        """For each element: is the nearest table around it one that only arranges the page?"""
        is_table = _IS_TABLE.take(self.elements.code)
        if not is_table.any():
            return []
        around = self.elements.nearest(is_table, np.arange(len(self.elements)))
        if not self.options.tables:
            return [True] * len(around)
        texts = kept[~self.document.leaves.is_media.take(kept)]
        is_data = np.append(data_tables(self.document, texts, self.elements.code), False)
        found: list[bool] = (~is_data.take(around)).tolist()
        return found

    def _add_medium(self, row: int) -> None:
        node = medium_node(self.elements, row, self.source.base)
        if node is None:
            return
        if (last := self.last_medium) and same_image(node.attributes["src"], last.attributes["src"]):
            # An image is often followed by a copy of another size.
            if size_in(node.attributes["src"]) > size_in(last.attributes["src"]):
                last.attributes["src"] = node.attributes["src"]
            return
        self.last_medium = node
        self.into.append(node)
