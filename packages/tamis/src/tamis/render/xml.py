"""The content tree as XML, with the names that corpus tools know from trafilatura.

    <doc title author date source hostname sitename excerpt categories tags license language ...>
      <main>        head (rend="h2"), p, list and item, quote, table, row and cell (role="head"), code, graphic, note
      <comments>    p, each with its author and date where the page tells them

In a paragraph: hi (rend="#b", "#i", "#u", "#t", "#sub", "#sup"), ref (target), del, q, code, formula (notation="TeX"),
graphic, lb. No paragraph is in a paragraph. `tei.py` writes the same content as TEI.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from tamis.document import tags
from tamis.render.comments import Comment
from tamis.render.content.node import Child, Node, inlines, is_block, parts

# XML has no other characters, not even as references.
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}")
_SPAN = re.compile(r"0{0,9}([1-9][0-9]{0,3})")
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]")

_PHRASES = {
    **dict.fromkeys(("b", "strong"), ("hi", {"rend": "#b"})),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), ("hi", {"rend": "#i"})),
    **dict.fromkeys(("u", "ins"), ("hi", {"rend": "#u"})),
    **dict.fromkeys(("kbd", "samp"), ("hi", {"rend": "#t"})),
    **dict.fromkeys(("s", "del"), ("del", {"rend": "overstrike"})),
    "sub": ("hi", {"rend": "#sub"}),
    "sup": ("hi", {"rend": "#sup"}),
    "mark": ("hi", {"rend": "mark"}),
    "q": ("q", {}),
}


# What is known about a page; some have several values.
Facts = Mapping[str, str | tuple[str, ...]]


def to_xml(content: Sequence[Child], facts: Facts, comments: Iterable[Comment] = ()) -> str:
    """The document; `facts` are its attributes. Several authors, tags or categories are one attribute."""
    flow = Flow(content)
    main = Node("main", {}, [*flow.blocks(content), *flow.notes.values()])
    joined = {
        name: value if isinstance(value, str) else ("; " if name == "author" else ";").join(value)
        for name, value in facts.items()
    }
    written = {name: value for name, value in joined.items() if value}
    return serialized(Node("doc", written, [main, Node("comments", {}, [*map(_comment, comments)])]))


def _comment(comment: Comment) -> Node:
    named = {"author": comment.author, "date": comment.date}
    return Node("p", {name: value for name, value in named.items() if value}, [comment.text])


class Flow:
    """Turns nodes of the content into elements of XML."""

    def __init__(self, content: Sequence[Child]) -> None:
        self.notes: dict[str, Node] = {}  # by their names; they come last
        self._names = _note_names(content)

    def blocks(self, children: Sequence[Child]) -> list[Child]:
        """Elements that are blocks; inline nodes between two of them are a paragraph."""
        found: list[Child] = []
        line: list[Child] = []
        for child in children:
            if isinstance(child, str) or not is_block(child):
                line.append(child)
                continue
            found += self.paragraph(line)
            line = []
            found += self.block(child)
        return found + self.paragraph(line)

    def paragraph(self, nodes: Sequence[Child]) -> list[Child]:
        """Inline nodes as a paragraph; none if they are blank."""
        content = self.inline(nodes)
        return [Node("p", {}, content)] if content else []

    def mixed(self, children: Sequence[Child]) -> list[Child]:
        """What is in an item, a cell or a quotation: text, or blocks if it has any."""
        if any(map(is_block, children)):
            return self.blocks(children)
        return self.inline(children)

    def block(self, node: Node) -> list[Child]:
        """A block of the content."""
        if node.name in _METHODS:
            found: list[Child] = getattr(self, _METHODS[node.name])(node)
            return [_with_language(each, node) for each in found]
        if node.name in tags.HEADINGS:
            return self.heading(node, self.inline(list(inlines(node.children))))
        if node.name == "formula":
            return [Node("p", {}, [self.formula(node)])]
        return self.blocks(node.children)

    def heading(self, node: Node, content: list[Child]) -> list[Child]:
        """A heading."""
        return [Node("head", {"rend": node.name}, content)] if content else []

    def code(self, node: Node) -> list[Child]:
        """A block of code."""
        named = {"lang": node.attributes["language"]} if "language" in node.attributes else {}
        text = node.text().strip("\n")
        return [Node("code", named, [text])] if text.strip() else []

    def items(self, node: Node) -> list[Child]:
        """A list; a task has the rend "done" or "todo"."""
        items: list[Child] = []
        for child in parts(node, ("li",)):
            done = child.attributes.get("checked")
            rend = {"rend": "done" if done == "true" else "todo"} if done else {}
            if content := self.mixed(child.children):
                items.append(_with_language(Node("item", rend, content), child))
        return [Node("list", {"rend": node.name}, items)] if items else []

    def definitions(self, node: Node) -> list[Child]:
        """A list of terms and definitions, which are numbered by pairs."""
        items: list[Child] = []
        number, before = 0, "dd"
        for child in parts(node, ("dt", "dd")):
            name = "dt" if child.name == "dt" else "dd"
            number += before == "dd" and name == "dt"
            before = name
            if content := self.mixed(child.children):
                items.append(Node("item", {"rend": f"{name}-{max(number, 1)}"}, content))
        return [Node("list", {"rend": "dl"}, items)] if items else []

    def table(self, node: Node) -> list[Child]:
        """A table with its caption and its rows."""
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
        """The caption of a table or figure."""
        return [Node("head", {}, content)] if content else []

    head_of_cells = "head"  # the role of a cell that is a header

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
        """A quotation."""
        content = self.mixed(node.children)
        return [Node("quote", {}, content)] if content else []

    def callout(self, node: Node) -> list[Child]:
        """A callout: a quotation with its kind."""
        title = node.attributes.get("title")
        head = [Node("p", {}, [Node("hi", {"rend": "#b"}, [title])])] if title else []
        content = [*head, *self.blocks(node.children)]
        return [Node("quote", {"rend": f"callout-{node.attributes['kind']}"}, content)] if content else []

    def content(self, node: Node) -> list[Child]:
        """What is in an element that has no name of its own."""
        return self.blocks(node.children)

    details = figure = figcaption = content

    def rule(self, node: Node) -> list[Child]:
        """A line between two parts."""
        return []

    def note(self, node: Node) -> list[Child]:
        """A footnote, which comes last."""
        name, content = self._names[node.attributes["id"]], self.mixed(node.children)
        if content:
            self.notes.setdefault(name, self.footnote(name, node.attributes["id"], content))
        return []

    def footnote(self, name: str, mark: str, content: list[Child]) -> Node:
        """The text of a footnote."""
        return Node("note", {"id": name, "n": mark}, content)

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
        """An inline node."""
        name = node.name
        if name == "br":
            return [Node("lb")]
        if name == "img":
            return [self.image(node)]
        if name == "formula":
            return [self.formula(node)]
        if name == "code":
            return [Node("code", {}, [node.text()])] if node.text().strip() else [" "]
        if name == "embed":
            target, title = node.attributes.get("href") or node.attributes["src"], node.attributes.get("title")
            return [Node("ref", {"target": target, "type": node.attributes["kind"]}, [title or target])]
        if name == "note-reference":
            mark, known = node.text().strip("[]() ") or node.attributes["id"], self._names.get(node.attributes["id"])
            raised, linked = {"rend": "#sup"}, {"target": f"#{known}", "type": "note"}
            return [Node("ref", linked, [mark]) if known else Node("hi", raised, [mark])]
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
        """An image."""
        return Node("graphic", {name: value for name in ("src", "alt") if (value := node.attributes.get(name))})

    def formula(self, node: Node) -> Node:
        """A formula."""
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
    if isinstance(child, Node) and LANGUAGE.fullmatch(language):
        child.attributes["xml:lang"] = language
    return child


# Each of these begins a line, if it has no text beside it.
_LINES = frozenset(
    """
    abstract appInfo application author availability back bibl body comments date desc div doc encodingDesc figure
    fileDesc floatingText head item keywords label langUsage language licence list main note p profileDesc
    publicationStmt publisher ab quote row sourceDesc table teiHeader term text textClass title titleStmt cell code
    ptr milestone
    """.split()
)


def serialized(root: Node) -> str:
    """An XML document. Blocks stand on lines of their own."""
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
