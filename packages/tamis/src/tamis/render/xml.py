"""The content tree as XML, with the names that corpus tools know from trafilatura, and as TEI P5.

    <doc title author date source hostname sitename excerpt categories tags license language ...>
      <main>        head (rend="h2"), p, list and item, quote, table, row and cell (role="head"), code, graphic, note
      <comments>    p, each with its author and date where the page tells them

In a paragraph: hi (rend="#b", "#i", "#u", "#t", "#sub", "#sup"), ref (target), del, q, code, formula (notation="TeX"),
graphic, lb. No paragraph is in a paragraph. TEI has the same names in a paragraph, and around it:

    teiHeader   title, authors, site, licence, dates and address; language, tags and description; tamis and its version
    text/body   div and head, p, list and item (label and item of a list of terms), table, row and cell (role="label"),
                quote, figure, graphic, formula (notation="TeX"), ab (type="code"), floatingText (callouts, details),
                div (type="comments")
    text/back   the footnotes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Protocol
from urllib.parse import quote

from tamis import __version__
from tamis.document import tags
from tamis.render.content import Child, Node, inlines, is_block, list_items

# Other characters are not allowed in XML, not even as references.
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}")
_SPAN = re.compile(r"0{0,9}([1-9][0-9]{0,3})")
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_NAMESPACE = "http://www.tei-c.org/ns/1.0"
_HOME = "https://github.com/tamis-extract/tamis"

_DATE = re.compile(r"(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+){0,2}")
_NO_URI = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.|[^:]*/")
_HEADING = re.compile(r"h[1-6]")

_PHRASES = {
    name: (written, {"rend": rend} if rend else {})
    for names, written, rend in (
        ("b strong", "hi", "#b"), ("i em cite dfn var", "hi", "#i"), ("u ins", "hi", "#u"), ("kbd samp", "hi", "#t"),
        ("sub", "hi", "#sub"), ("sup", "hi", "#sup"), ("mark", "hi", "mark"), ("s del", "del", "overstrike"),
        ("q", "q", ""),
    )
    for name in names.split()
}  # fmt: skip

# The facts of a page, by name; some have several values.
Facts = Mapping[str, str | tuple[str, ...]]


class Remark(Protocol):
    """What is written of a reader's comment."""

    @property
    def text(self) -> str:
        """What it says."""

    @property
    def author(self) -> str | None:
        """Who wrote it."""

    @property
    def date(self) -> str | None:
        """When it was written."""


def to_xml(content: Sequence[Child], facts: Facts, comments: Iterable[Remark] = ()) -> str:
    """The document; `facts` are its attributes. Several authors, tags or categories are one attribute."""
    flow = _Flow(content)
    main = Node("main", {}, [*flow.blocks(content), *flow.notes.values()])
    joined = {
        name: value if isinstance(value, str) else ("; " if name == "author" else ";").join(value)
        for name, value in facts.items()
    }
    written = {name: value for name, value in joined.items() if value}
    readers: list[Child] = [
        Node("p", {name: value for name in ("author", "date") if (value := getattr(each, name))}, [each.text])
        for each in comments
    ]
    return _serialized(Node("doc", written, [main, Node("comments", {}, readers)]))


class _Flow:
    """Turns nodes of the content into elements of XML."""

    head_of_cells = "head"  # the role of a cell that is a header
    id_of_notes = "id"
    place_of_notes: Mapping[str, str] = {}

    def __init__(self, content: Sequence[Child]) -> None:
        self.notes: dict[str, Node] = {}  # by their names; they come last
        self._names = _note_names(content)

    def blocks(self, children: Sequence[Child]) -> list[Child]:
        """Elements that are blocks; inline nodes between two of them are a paragraph."""
        found: list[Child] = []
        for are_blocks, nodes in groupby(children, is_block):
            if are_blocks:
                found += [each for node in nodes if isinstance(node, Node) for each in self.block(node)]
            else:
                found += self.paragraph([*nodes])
        return found

    def paragraph(self, nodes: Sequence[Child]) -> list[Child]:
        """Inline nodes as a paragraph; none if they are blank."""
        content = self.inline(nodes)
        return [Node("p", {}, content)] if content else []

    def mixed(self, children: Sequence[Child]) -> list[Child]:
        """The content of an item, a cell or a quotation: text, or blocks if it has any."""
        return self.blocks(children) if any(map(is_block, children)) else self.inline(children)

    def block(self, node: Node) -> list[Child]:
        if node.name in _METHODS:
            found: list[Child] = getattr(self, _METHODS[node.name])(node)
            return [_with_language(each, node) for each in found]
        if node.name in tags.HEADINGS:
            content = self.inline(list(inlines(node.children)))
            return [Node("head", {"rend": node.name}, content)] if content else []
        if node.name == "formula":
            return [Node("p", {}, [self.formula(node)])]
        return self.blocks(node.children)

    def code(self, node: Node) -> list[Child]:
        named = {"lang": node.attributes["language"]} if "language" in node.attributes else {}
        text = node.text().strip("\n")
        return [Node("code", named, [text])] if text.strip() else []

    def items(self, node: Node) -> list[Child]:
        """A list; a task has the rend "done" or "todo"."""
        items: list[Child] = []
        for child in list_items(node, ("li",)):
            done = child.attributes.get("checked")
            rend = {"rend": "done" if done == "true" else "todo"} if done else {}
            if content := self.mixed(child.children):
                items.append(_with_language(Node("item", rend, content), child))
        return [Node("list", {"rend": node.name}, items)] if items else []

    def definitions(self, node: Node) -> list[Child]:
        """A list of terms and definitions, which are numbered by pairs."""
        items: list[Child] = []
        number, before = 0, "dd"
        for child in list_items(node, ("dt", "dd")):
            name = "dt" if child.name == "dt" else "dd"
            number += before == "dd" and name == "dt"
            before = name
            if content := self.mixed(child.children):
                items.append(Node("item", {"rend": f"{name}-{max(number, 1)}"}, content))
        return [Node("list", {"rend": "dl"}, items)] if items else []

    def table(self, node: Node) -> list[Child]:
        rows: list[Child] = []
        before: list[Child] = []
        for child in node.children:
            inner = child.children if isinstance(child, Node) and child.name in ("thead", "tbody", "tfoot") else [child]
            for row in inner:
                if isinstance(row, Node) and row.name == "tr":
                    rows.append(Node("row", {}, self._cells(row)))
                elif isinstance(row, Node) and row.name == "caption":
                    before += self.caption(self.inline(list(inlines(row.children))))
                elif isinstance(row, Node) or row.strip():
                    rows.append(Node("row", {}, [Node("cell", {}, self.mixed([row]))]))
        return [Node("table", {}, before + rows)] if rows else before

    def caption(self, content: list[Child]) -> list[Child]:
        return [Node("head", {}, content)] if content else []

    def _cells(self, row: Node) -> list[Child]:
        cells: list[Child] = []
        for cell in row.children:
            if isinstance(cell, Node):
                role = {"role": self.head_of_cells} if cell.name == "th" else {}
                spans = (("cols", cell.attributes.get("colspan")), ("rows", cell.attributes.get("rowspan")))
                wide = {key: found[1] for key, value in spans if value and (found := _SPAN.fullmatch(value))}
                inside = cell.children if cell.name in ("td", "th") else [cell]
                cells.append(_with_language(Node("cell", role | wide, self.mixed(inside)), cell))
        return cells or [Node("cell")]

    def quotation(self, node: Node) -> list[Child]:
        content = self.mixed(node.children)
        return [Node("quote", {}, content)] if content else []

    def callout(self, node: Node) -> list[Child]:
        """A callout: a quotation with its kind."""
        title = node.attributes.get("title")
        head = [Node("p", {}, [Node("hi", {"rend": "#b"}, [title])])] if title else []
        content = [*head, *self.blocks(node.children)]
        return [Node("quote", {"rend": f"callout-{node.attributes['kind']}"}, content)] if content else []

    def content(self, node: Node) -> list[Child]:
        """The content of an element that XML does not name."""
        return self.blocks(node.children)

    details = figure = figcaption = content

    def rule(self, node: Node) -> list[Child]:
        return []

    def note(self, node: Node) -> list[Child]:
        """A footnote, which comes last."""
        name, content = self._names[node.attributes["id"]], self.mixed(node.children)
        if content:
            named = {self.id_of_notes: name, "n": node.attributes["id"], **self.place_of_notes}
            self.notes.setdefault(name, Node("note", named, content))
        return []

    def inline(self, nodes: Sequence[Child]) -> list[Child]:
        """Inline nodes, without white space at both ends."""
        found: list[Child] = []
        for node in nodes:
            for child in [node] if isinstance(node, str) else self.phrase(node):
                if isinstance(child, str) and found and isinstance(found[-1], str):
                    found[-1] += child
                else:
                    found.append(child)
        if found and isinstance(found[0], str):
            found[0] = found[0].lstrip()
        if found and isinstance(found[-1], str):
            found[-1] = found[-1].rstrip()
        return [child for child in found if child != ""]

    def phrase(self, node: Node) -> list[Child]:
        name = node.name
        if name in ("br", "img", "formula"):
            return [Node("lb") if name == "br" else self.image(node) if name == "img" else self.formula(node)]
        if name == "code":
            return [Node("code", {}, [node.text()])] if node.text().strip() else [" "]
        if name == "embed":
            target, title = node.attributes.get("href") or node.attributes["src"], node.attributes.get("title")
            return [Node("ref", {"target": target, "type": node.attributes["kind"]}, [title or target])]
        if name == "note-reference":
            mark, known = node.text().strip("[]() ") or node.attributes["id"], self._names.get(node.attributes["id"])
            linked = {"target": f"#{known}", "type": "note"}
            return [Node("ref", linked, [mark]) if known else Node("hi", {"rend": "#sup"}, [mark])]
        inner: list[Child] = [
            each for child in node.children for each in ([child] if isinstance(child, str) else self.phrase(child))
        ]
        if name in ("rt", "rp"):
            text = node.text().strip()
            return [f"({text})"] if name == "rt" and text else []
        if name == "a" and node.attributes.get("href"):
            named: dict[str, str] = {"target": node.attributes["href"]}
            return [Node("ref", named, inner)] if inner else []
        if name not in _PHRASES:
            return inner
        written, attributes = _PHRASES[name]
        return [_with_language(Node(written, dict(attributes), inner), node)] if inner else []

    def image(self, node: Node) -> Node:
        return Node("graphic", {name: value for name in ("src", "alt") if (value := node.attributes.get(name))})

    def formula(self, node: Node) -> Node:
        display = {"rend": "display"} if "display" in node.attributes else {}
        return Node("formula", {"notation": "TeX", **display}, [node.attributes.get("tex", "").strip()])


# What writes a block; headings and formulas aside, others are only their content.
_METHODS = dict(
    pair.split("=")
    for pair in "pre=code ul=items ol=items dl=definitions table=table blockquote=quotation callout=callout hr=rule "
    "details=details figure=figure figcaption=figcaption note=note".split()
)


def _note_names(content: Sequence[Child]) -> dict[str, str]:
    """From the id of each note to its name in XML."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for node in Node("root", {}, list(content)).walk():
        if node.name == "note" and node.attributes["id"] not in names:
            plain = f"fn-{_NO_NAME.sub('_', node.attributes['id'])[:100]}"
            names[node.attributes["id"]] = plain if plain not in taken else f"{plain}.{len(names)}"
            taken.add(names[node.attributes["id"]])
    return names


def _with_language(child: Child, source: Node) -> Child:
    language = source.attributes.get("lang", "")
    if isinstance(child, Node) and _LANGUAGE.fullmatch(language):
        child.attributes["xml:lang"] = language
    return child


# A body of TEI has at least one of these.
_COMMON = frozenset({"p", "ab", "list", "table", "quote", "floatingText", "div"})


def to_tei(content: Sequence[Child], facts: Facts, comments: Iterable[Remark] = ()) -> str:
    """The document. `facts` are named as in `to_xml`; several authors, tags or categories are several elements."""
    flow = _TeiFlow(content)
    body = flow.body(content)
    if readers := [_comment_of_tei(each) for each in comments]:
        body.children.append(Node("div", {"type": "comments"}, [*readers]))
    text: list[Child] = [body]
    if flow.notes:
        text.append(Node("back", {}, [Node("div", {"type": "notes"}, [*flow.notes.values()])]))
    return _serialized(Node("TEI", {"xmlns": _NAMESPACE}, [_header(facts), Node("text", {}, text)]))


def _header(facts: Facts) -> Node:
    def values(fact: str) -> tuple[str, ...]:
        value = facts.get(fact, ())
        return tuple(filter(None, (value,) if isinstance(value, str) else value))

    def written(name: str, fact: str, **attributes: str) -> list[Child]:
        return [Node(name, attributes, [value]) for value in values(fact)]

    title = Node("title", {"type": "main"}, list(values("title")) or [""])
    authors = written("author", "author")
    publisher = written("publisher", "sitename") or written("publisher", "hostname")
    source: list[Child] = [title, *authors, *publisher, *map(_date, values("date"))]
    source += [_date(day, type="modified") for day in values("date_modified")]
    source += [Node("ptr", {"target": _uri(address)}) for address in values("source")]
    licences = [
        Node("licence", {"target": _uri(text)} if re.match("https?://", text) else {}, [text])
        for text in values("license")
    ]
    available: list[Child] = [Node("availability", {}, [*licences])] if licences else []
    file: list[Child] = [
        Node("titleStmt", {}, [title, *authors]),
        # A publisher is followed by its terms of use; without a publisher, TEI only allows prose here.
        Node("publicationStmt", {}, [*publisher, *available] if publisher else written("p", "license") or [Node("p")]),
        Node("sourceDesc", {}, [Node("bibl", {}, source)]),
    ]
    version = found[0] if (found := _VERSION.match(__version__)) else "0"
    tool: list[Child] = [Node("label", {}, ["tamis"]), Node("ptr", {"target": _HOME})]
    application = Node("application", {"version": version, "ident": "tamis"}, tool)
    profile: list[Child] = [Node("abstract", {}, [each]) for each in written("p", "excerpt")]
    for tag in filter(_LANGUAGE.fullmatch, values("language")):
        profile.append(Node("langUsage", {}, [Node("language", {"ident": tag}, [tag])]))
    keywords = [*written("term", "section", type="section"), *written("term", "categories", type="category")]
    keywords += [*written("term", "tags", type="tag"), *written("term", "pagetype", type="pagetype")]
    if keywords:
        profile.append(Node("textClass", {}, [Node("keywords", {}, keywords)]))
    parts = [Node("fileDesc", {}, file), Node("encodingDesc", {}, [Node("appInfo", {}, [application])])]
    return Node("teiHeader", {}, [*parts, Node("profileDesc", {}, profile)] if profile else [*parts])


def _comment_of_tei(comment: Remark) -> Node:
    """A comment: who wrote it and when, and its paragraphs."""
    byline: list[Child] = [Node("name", {}, [comment.author])] if comment.author else []
    if comment.date:
        byline += [", ", _date(comment.date)] if byline else [_date(comment.date)]
    paragraphs = [Node("p", {}, [" ".join(part.split())]) for part in comment.text.split("\n\n") if part.strip()]
    head = [Node("byline", {}, byline)] if byline else []
    return Node("div", {"type": "comment"}, [*head, *(paragraphs or [Node("p")])])


def _date(day: str, **attributes: str) -> Node:
    """A date; one that is a day, a month or a year says so to programs."""
    return Node("date", attributes | ({"when": day} if _DATE.fullmatch(day) else {}), [day])


def _uri(address: str) -> str:
    """An address as a URI: browsers read some characters in it that the standard does not allow."""
    path, mark, fragment = address.partition("#")
    encoded = [_NO_URI.sub(lambda found: quote(found[0], safe=""), part) for part in (path, fragment)]
    if ":" in path and not _SCHEME.match(path):
        encoded[0] = f"./{encoded[0]}"
    return mark.join(encoded)


class _TeiFlow(_Flow):
    """Turns nodes of the content into elements of TEI."""

    head_of_cells = "label"
    id_of_notes = "xml:id"
    place_of_notes: Mapping[str, str] = {"place": "end"}

    def body(self, children: Sequence[Child], head: Sequence[Child] = ()) -> Node:
        """A body, in which each heading begins a division."""
        body = Node("body", {}, list(head))
        opened = [(0, body)]
        for block in self.blocks(children):
            rend = block.attributes.get("rend", "") if isinstance(block, Node) and block.name == "head" else ""
            if _HEADING.fullmatch(rend):
                level = int(rend[1])
                while opened[-1][0] >= level:
                    opened.pop()
                division = Node("div", {}, [block])
                opened[-1][1].children.append(division)
                opened.append((level, division))
            else:
                opened[-1][1].children.append(_without_head(block))
        if not any(isinstance(child, Node) and child.name in _COMMON for child in body.children):
            body.children.append(Node("p"))
        return body

    def mixed(self, children: Sequence[Child]) -> list[Child]:
        """The content of an item, a cell or a quotation, which hold no division."""
        return [_without_head(child) for child in super().mixed(children)]

    def code(self, node: Node) -> list[Child]:
        return [Node("ab", {"type": "code"}, [code]) for code in super().code(node)]

    def definitions(self, node: Node) -> list[Child]:
        """A list of terms and definitions, in pairs of a label and an item."""
        pairs: list[Child] = []
        label: list[Child] | None = None
        for part in list_items(node, ("dt", "dd")):
            if part.name == "dt":
                term = self.inline(list(inlines(part.children)))
                label = term if label is None else [*label, Node("lb"), *term]
                continue
            pairs += [Node("label", {}, label), Node("item", {}, self.mixed(part.children))]
            label = None
        if label is not None:
            pairs += [Node("label", {}, label), Node("item")]
        return [Node("list", {"type": "gloss"}, pairs)] if pairs else []

    def callout(self, node: Node) -> list[Child]:
        """A callout: a text of its own."""
        kind = node.attributes["kind"]
        return self._floating(node.children, [node.attributes.get("title", "")], {"type": "callout", "subtype": kind})

    def details(self, node: Node) -> list[Child]:
        """What a reader opens: a text of its own below its title."""
        titles = [child for child in node.children if isinstance(child, Node) and child.name == "summary"]
        title = self.inline(list(inlines([inner for each in titles for inner in each.children])))
        content = [child for child in node.children if isinstance(child, str) or child.name != "summary"]
        return self._floating(content, title, {"type": "details"})

    def _floating(self, children: Sequence[Child], title: Sequence[Child], named: dict[str, str]) -> list[Child]:
        head = [Node("head", {}, list(title))] if any(title) else []
        return [Node("floatingText", named, [self.body(children, head)])]

    def figure(self, node: Node) -> list[Child]:
        """A figure: its images and other blocks, and its caption."""
        content: list[Child] = []
        for block in self.blocks(node.children):
            inner = block.children if isinstance(block, Node) and block.name == "p" else ["text"]
            are_images = all(isinstance(child, Node) and child.name == "graphic" for child in inner)
            content += inner if are_images else [block]
        return [Node("figure", {}, content)] if content else []

    def figcaption(self, node: Node) -> list[Child]:
        return self.caption(self.inline(list(inlines(node.children))))

    def rule(self, node: Node) -> list[Child]:
        return [Node("milestone", {"unit": "section", "rend": "rule"})]

    def phrase(self, node: Node) -> list[Child]:
        found = super().phrase(node)
        for child in found:
            if isinstance(child, Node) and "target" in child.attributes:
                child.attributes["target"] = _uri(child.attributes["target"])
        return found

    def image(self, node: Node) -> Node:
        alt = node.attributes.get("alt")
        return Node("graphic", {"url": _uri(node.attributes["src"])}, [Node("desc", {}, [alt])] if alt else [])


def _without_head(child: Child) -> Child:
    """A head outside of a division as a block of its own."""
    if not isinstance(child, Node) or child.name != "head":
        return child
    return Node("ab", {"type": "head", **child.attributes}, child.children)


# Each of these starts a line, unless it has text next to it.
_LINES = frozenset(
    """
    abstract appInfo application author availability back bibl body comments date desc div doc encodingDesc figure
    fileDesc floatingText head item keywords label langUsage language licence list main note p profileDesc
    publicationStmt publisher ab quote row sourceDesc table teiHeader term text textClass title titleStmt cell code
    ptr milestone
    """.split()
)


def _serialized(root: Node) -> str:
    """An XML document with each block on a line of its own."""
    return "".join(['<?xml version="1.0" encoding="UTF-8"?>\n', *_pieces(root)]) + "\n"


def _pieces(root: Node) -> Iterator[str]:
    todo: list[Child | tuple[str]] = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            yield escape(_NO_CHARACTER.sub("", node), quote=False)
            continue
        if isinstance(node, tuple):
            yield node[0]
            continue
        values = "".join(
            f' {key}="{escape(_NO_CHARACTER.sub("", " ".join(value.split())))}"'
            for key, value in node.attributes.items()
        )
        if not node.children:
            yield f"<{node.name}{values}/>"
            continue
        yield f"<{node.name}{values}>"
        todo.append((f"</{node.name}>",))
        apart = all(isinstance(child, Node) and child.name in _LINES for child in node.children)
        if apart:
            todo.append(("\n",))
        for child in reversed(node.children):
            todo.append(child)
            if apart:
                todo.append(("\n",))
