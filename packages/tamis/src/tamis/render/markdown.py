"""The content tree as GitHub-flavoured Markdown, and the facts of a page as front matter above it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tamis.deadline import check
from tamis.document import Document, tags
from tamis.labels import Labels
from tamis.render import html
from tamis.render.content import BLOCKS, Child, HtmlOptions, Node, inlines, is_block, list_items
from tamis.render.content.formula_text import neutral
from tamis.render.content.tree import content_tree
from tamis.render.inline import address, fence, inline
from tamis.render.markdown_table import grid, html_table, in_html, lines_of_cell, piped
from tamis.render.pen import MARKDOWN, PLAIN, UNSEEN, Pen
from tamis.render.safe import Room

_BLOCKS = BLOCKS | {"embed"}
_NOT_IN_A_LINE = frozenset({"blockquote", "callout", "details", "dl", "hr", "note", "ol", "pre", "table", "ul"})
_NOT_DIVIDED = _BLOCKS | {"a", "formula"}
_NO_PARAGRAPH = re.compile(r"\||---|>|#{1,6} |\$\$|<(?:table|details)")
# How many paragraphs of a list's item a block counts for; with more than one the list is loose.
_APART = {"ul": 0, "ol": 0, "code": 0, "details": 2}
# A line of a formula that would be a block of Markdown, and the first word of a note that could be an address.
_LOOKS_LIKE_A_BLOCK = re.compile(
    r"\A(?:\#{1,6}(?: |$)|[-+*](?: |$)|>|[-=][-=:| ]*$|~~~|[:|][:| ]*-[-:| ]*$|[0-9]{1,9}[.)](?: |$)|[*_ ]{3,}$)"
)
_STARTS_WITH_RAW_BLOCK = re.compile(r"(?:\x00[^\x00]*\x00\d+\x00)*+(?:```|~~~|<details>|<table)")  # after marks of cuts
_ADDRESS_ALONE = re.compile(r"[A-Za-z][^\s:]*:\S*[^\S\n]*(?:\n|\Z|[\"'(])")
_SAFE_ALONE = re.compile(r"<?(?:https?|ftp|mailto|tel):", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\[\s{0,9}([0-9]{1,9})\s{0,9}\]")
_ORDINAL = re.compile(r"[0-9]{1,8}")  # Markdown takes nine digits


@dataclass(slots=True)
class MarkdownBlock:
    """A block of Markdown: a paragraph, a list, a table and so on."""

    text: str
    source: list[Child] | Callable[[_BlockWriter], str]  # the nodes of a paragraph, or what writes another block
    around: tuple[Node | None, Node | None] = (None, None)  # the link around it, and the heading that it is put into
    kind: str = ""  # ul, ol, code, details, ...: what it is, if not a paragraph
    marker: str = ""  # of a list
    row: int = -1  # of the element that it is, or is in
    level: int = 0  # of a heading

    def rewritten(self, pen: Pen) -> str:
        """Its text, written with another pen."""
        return (
            inline(self.source, pen) if isinstance(self.source, list) else self.source(_BlockWriter(pen, *self.around))
        )

    @property
    def plain(self) -> str:
        """Its plain text."""
        return self.rewritten(PLAIN).replace(UNSEEN, "")


def markdown_blocks(
    document: Document, labels: Labels, options: HtmlOptions | None = None, content: list[Child] | None = None
) -> list[MarkdownBlock]:
    """The blocks of the Markdown, which has a blank line between them. Raises PageTooLarge if they are too long.

    `content` is shown in place of the tree of what is kept.
    """
    options = options or HtmlOptions()
    children = content_tree(document, labels, options).children if content is None else content
    if options.title:
        children = [Node("h1", {}, [options.title]), *children]
    check()
    numbers = _number_links(children) if options.as_references else {}
    blocks = blocks_of(children)
    if numbers:
        blocks += _BlockWriter(MARKDOWN)._written_block(
            lambda writer: _reference_list(numbers, writer.pen), "references"
        )
    if blocks and blocks[0].text == "---":
        blocks[0].text = "***"  # hyphens would begin front matter
    Room(document).take(sum(len(block.text) + 2 for block in blocks))
    return blocks


def blocks_of(children: Sequence[Child]) -> list[MarkdownBlock]:
    """The blocks of some nodes, and the notes in them last."""
    writer = _BlockWriter(MARKDOWN)
    return [*writer.blocks(children), *writer.notes]


def nodes_markdown(content: Sequence[Child]) -> str:
    """Nodes as Markdown."""
    return "\n\n".join([block.text for block in _BlockWriter(MARKDOWN).blocks(content)])


def _number_links(children: Sequence[Child]) -> dict[str, int]:
    """Give each link the number of its address; links that show their address have none.

    The numbers follow those that are in brackets on the page, which would be references, too.
    """
    root = Node("main", {}, list(children))
    first = 1 + max((int(found[1]) for found in _IN_BRACKETS.finditer(root.text())), default=0)
    numbers: dict[str, int] = {}
    for node in root.walk():
        if node.name == "a" and (href := node.attributes.get("href")) and node.text().strip() not in ("", href):
            node.attributes["reference"] = str(numbers.setdefault(href, first + len(numbers)))
    return numbers


def _reference_list(numbers: Mapping[str, int], pen: Pen) -> str:
    """The address of each number, as definitions of Markdown."""
    if pen.is_plain:
        return pen.join("\n", [f"[{number}] {href}" for href, number in numbers.items()])
    return pen.join("\n", [f"[{number}]: {address(href)}" for href, number in numbers.items()])


class _BlockWriter:
    """Writes blocks with a pen, and collects the notes that come last."""

    def __init__(self, pen: Pen, link: Node | None = None, heading: Node | None = None) -> None:
        self.pen = pen
        self.notes: list[MarkdownBlock] = []
        self.link = link  # one around blocks that is still to be written
        self.heading = heading  # the one in it that is to be linked

    def blocks(self, children: Sequence[Child]) -> list[MarkdownBlock]:
        """The blocks of some nodes; inline nodes between two blocks are a paragraph."""
        found: list[MarkdownBlock] = []
        inlines: list[Child] = []
        for node in children:
            if isinstance(node, str) or (node.name not in _BLOCKS and not is_block(node, _BLOCKS)):
                inlines.append(node)
                continue
            for each in (node,) if node.name in _NOT_DIVIDED else _unwrapped(node):
                if each is not node and not is_block(each, _BLOCKS):
                    inlines.append(each)
                    continue
                if inlines:
                    found += self._paragraph(inlines)
                    inlines = []
                for block in self._block(each, found[-1] if found else None):  # type: ignore[arg-type]
                    if block.row < 0:
                        block.row = each.row  # type: ignore[union-attr]
                    found.append(block)
        if inlines:
            found += self._paragraph(inlines)
        return found

    def _written_block(
        self, write: Callable[[_BlockWriter], str], kind: str = "", marker: str = "", level: int = 0
    ) -> list[MarkdownBlock]:
        around = self.link, self.heading
        text = write(self)
        return [MarkdownBlock(text, write, around, kind, marker, level=level)] if text else []

    def _paragraph(self, nodes: list[Child]) -> list[MarkdownBlock]:
        if len(nodes) == 1:
            return [] if isinstance(nodes[0], str) and nodes[0].isspace() else self._line(nodes)
        return [block for part in _paragraphs(nodes) for block in self._line(part)]

    def _line(self, nodes: list[Child]) -> list[MarkdownBlock]:
        linked = self._linked(nodes) if self.link else nodes
        text = inline(linked, self.pen)
        return [MarkdownBlock(text, linked)] if text else []

    def _linked(self, nodes: list[Child], heading: Node | None = None) -> list[Child]:
        """The nodes in the link around them, if it has not been written yet."""
        link = self.link
        if link is None or self.heading is not heading:
            return nodes
        if not any(isinstance(node, Node) or node.strip() for node in nodes):
            return nodes
        self.link = self.heading = None
        return [Node("a", link.attributes, nodes)]

    def _block(self, node: Node, before: MarkdownBlock | None) -> list[MarkdownBlock]:
        name = node.name
        if name in ("p", "div", "section"):
            return self.blocks(node.children)
        if name == "header":
            return self._header(node)
        if name in tags.HEADINGS:
            return self._heading(node)
        if name in ("ul", "ol"):
            return self._list(node, before)
        if name in _WRITERS:
            write, kind, marker = _WRITERS[name]
            return self._written_block(lambda writer: write(writer, node), kind, marker)
        if name == "table":
            return self._table(node)
        if name == "details":
            return self._details(node)
        if name == "note":
            self.notes += self._written_block(lambda writer: writer._note(node), "note")
            return []
        if name == "embed":
            return self._line([node])
        if name == "a" and self.link is None:
            return self._link_around(node)
        return self.blocks(node.children)

    def _header(self, node: Node) -> list[MarkdownBlock]:
        found = self.blocks(node.children)
        if len(found) == 1 and not found[0].kind:
            found[0].kind = "header"
        return found

    def _together(self, children: Sequence[Child]) -> str:
        return self.pen.join("\n\n", [block.text for block in self.blocks(children)])

    def _heading(self, node: Node) -> list[MarkdownBlock]:
        if any(each.name in _NOT_IN_A_LINE for each in node.walk()):
            return self.blocks(node.children)
        children = list(inlines(node.children)) if any(map(is_block, node.children)) else node.children
        linked, level = self._linked(children, node if self.heading is node else None), int(node.name[1])
        return self._written_block(lambda writer: _heading_line(linked, level, writer.pen), level=level)

    def _link_around(self, node: Node) -> list[MarkdownBlock]:
        """A link around blocks: Markdown links the first heading in it, or else the first paragraph."""
        self.link = node
        self.heading = next((each for each in node.walk() if each.name in tags.HEADINGS), None)
        found = self.blocks(node.children)
        self.link = self.heading = None
        return found

    def _table(self, node: Node) -> list[MarkdownBlock]:
        found = grid(node)
        if not found.rows:
            return self.blocks(node.children)
        if not found.is_inline or any(lines_of_cell(caption) is None for caption in found.captions):
            return self._written_block(lambda writer: html_table(node, writer.pen), "html")
        captions = [
            block for caption in found.captions for line in lines_of_cell(caption) or () for block in self._line(line)
        ]
        return captions + self._written_block(lambda writer: piped(found, writer.pen), "table")

    def _quotation(self, node: Node) -> str:
        """A quotation, or a callout, which has its kind and maybe a title above its content."""
        pen, title, kind = self.pen, node.attributes.get("title"), node.attributes.get("kind", "").upper()
        head = f"[!{kind}]\n" if kind else ""
        if kind and pen.is_plain:
            head = "" if title else f"{kind.capitalize()}\n\n"
        pen.open("> ", prefix="> ")
        pen.open(head)
        children = [Node("p", {}, [Node("b", {}, [title])]), *node.children] if title else node.children
        text = self._together(children)
        pen.close()
        pen.close()
        return pen.prefixed(head + text, "> ", "> ") if text else ""

    def _details(self, node: Node) -> list[MarkdownBlock]:
        """As GitHub's readers write it: the tags in HTML, their content in Markdown."""
        summary = next((each for each in node.children if isinstance(each, Node) and each.name == "summary"), None)
        content = [each for each in node.children if each is not summary]
        if summary is None:
            return self.blocks(content)
        if any(each.name in tags.HEADINGS for each in summary.walk()):
            return [*self.blocks(summary.children), *self.blocks(content)]
        return self._written_block(lambda writer: writer._unfolding(summary, content), "details")

    def _unfolding(self, summary: Node, content: list[Child]) -> str:
        pen = self.pen
        if pen.is_plain:
            title = inline(list(inlines(summary.children)), Pen(is_plain=True), one_line=True)
            head, end = title or UNSEEN, ""
        else:
            written = "".join(html.html_pieces([in_html(part) for part in inlines(summary.children)]))
            title = " ".join(written.split())
            head, end = f"<details>\n<summary>{title}</summary>" if title else "<details>", "</details>"
        pen.open(f"{head}\n\n", f"\n\n{end}")
        text = self._together(content)
        pen.close()
        return "\n\n".join(filter(None, [head, text, end])) if text or title else ""

    def _note(self, node: Node) -> str:
        name, pen = node.attributes["id"], self.pen
        text = self._together(node.children)
        if pen.is_plain:
            return f"[{name}] {text}" if text else ""
        # A single word would be the address of a link for readers who know no notes.
        hidden = "&#8203; " if _ADDRESS_ALONE.match(text) and not _SAFE_ALONE.match(text) else ""
        if _STARTS_WITH_RAW_BLOCK.match(text):  # they would read it as the address, and its lines as a paragraph
            hidden = "&#8203;\n\n"
        return pen.prefixed(hidden + text, f"[^{name}]: ", "    ") if text else ""

    def _list(self, node: Node, before: MarkdownBlock | None) -> list[MarkdownBlock]:
        """A list. Directly after another list it takes another marker, or both would be one list."""
        kind = node.name
        usual, other = ("-", "*") if kind == "ul" else (".", ")")
        marker = other if before and before.kind == kind and before.marker == usual else usual
        return self._written_block(lambda writer: writer._list_text(node, marker), kind, marker)

    def _list_text(self, node: Node, marker: str) -> str:
        pen, is_tight = self.pen, True
        number = _ordinal(node.attributes.get("start")) if node.name == "ol" else 0
        items: list[tuple[list[MarkdownBlock], str, str]] = []
        for item in _items(node):
            is_ol = node.name == "ol"
            value = _ordinal(item.attributes["value"]) if is_ol and "value" in item.attributes else number
            sign = "" if pen.is_plain else f"{value}{marker} " if is_ol else f"{marker} "
            pen.open(sign, prefix=" " * len(sign))
            blocks = self.blocks(item.children)
            if blocks:
                number = value + 1
                box = {"true": "[x] ", "false": "[ ] "}.get(item.attributes.get("checked", ""), "")
                is_tight = is_tight and sum(_APART.get(block.kind, 1) for block in blocks) <= 1
                items.append((blocks, sign, "" if pen.is_plain else box))
            pen.close()
        written: list[str] = []
        for blocks, sign, box in items:
            pen.open(sign, prefix=" " * len(sign))
            text = box + _item_text(blocks, pen, is_tight=is_tight)
            pen.close()
            written.append(pen.prefixed(text, sign, " " * len(sign)))
        return pen.join("\n" if is_tight or pen.is_plain else "\n\n", written)

    def _definitions(self, node: Node) -> str:
        """A definition list as a list: the term in bold, its definitions below."""
        pen, written = self.pen, []
        for terms, definitions in _defined(node):
            pen.open("" if pen.is_plain else "- ", prefix="" if pen.is_plain else "  ")
            names = [inline([Node("b", {}, term.children)], pen, one_line=True) for term in terms]
            head = ("\n" if pen.is_plain else "  \n").join(filter(None, names))
            blocks = [block for each in definitions for block in self.blocks(each.children)]
            is_one = len(blocks) == 1 and not blocks[0].kind and "\n\n" not in blocks[0].text
            apart = "  \n" if is_one and not _NO_PARAGRAPH.match(blocks[0].text) else "\n\n"
            text = pen.join("\n" if pen.is_plain else apart, [*filter(None, [head]), *[block.text for block in blocks]])
            pen.close()
            if text:
                written.append(pen.prefixed(text, "- ", "  "))
        return pen.join("\n", written)


def _unwrapped(node: Node) -> Iterator[Child]:
    """The content of an inline element around blocks; the element goes around the inline nodes in it."""
    for child in node.children:
        if not is_block(child, _BLOCKS):
            yield Node(node.name, node.attributes, [child])
        elif child.name in _NOT_DIVIDED:  # type: ignore[union-attr]
            yield child
        else:
            for each in _unwrapped(child):  # type: ignore[arg-type]
                yield each if is_block(each, _BLOCKS) else Node(node.name, node.attributes, [each])


def _paragraphs(nodes: list[Child]) -> list[list[Child]]:
    """Inline nodes, divided where two line breaks or more follow each other."""
    parts: list[list[Child]] = [[]]
    breaks = 0
    for node in nodes:
        if isinstance(node, Node) and node.name == "br":
            breaks += 1
        elif not (breaks and isinstance(node, str) and node.isspace()):
            if breaks > 1:
                parts.append([])
            elif breaks:
                parts[-1].append(Node("br"))
            breaks = 0
            parts[-1].append(node)
    return parts


def _code_block(writer: _BlockWriter, node: Node) -> str:
    pen = writer.pen
    code = node.text().replace("\0", "")
    if not code.strip():
        return ""
    edge = fence(code, 3)
    opening, closing = ("", "") if pen.is_plain else (f"{edge}{node.attributes.get('language', '')}\n", f"\n{edge}")
    pen.open(opening, closing)
    text = pen.join("\n", code.splitlines())
    pen.close()
    return f"{opening}{text}{closing}"


def _formula_block(writer: _BlockWriter, node: Node) -> str:
    """A formula on lines of its own, of which none looks like a block of Markdown."""
    pen = writer.pen
    found: list[str] = []
    for line in filter(None, map(str.strip, neutral(node.attributes["tex"]).splitlines())):
        if not _LOOKS_LIKE_A_BLOCK.match(line):
            found.append(line)
        elif found:
            found[-1] += f" {line}"
        else:
            found.append(f"{{}}{line}")
    if not found:
        return ""
    if pen.is_plain:
        return pen.join("", [node.text().strip() or UNSEEN, *[UNSEEN] * (len(found) - 1)])
    pen.open("$$\n", "\n$$")
    text = pen.join("\n", found)
    pen.close()
    return f"$$\n{text}\n$$"


# How a block is written, with its kind and marker.
_WRITERS: dict[str, tuple[Callable[[_BlockWriter, Node], str], str, str]] = {
    "pre": (_code_block, "code", ""),
    "blockquote": (_BlockWriter._quotation, "", ""),
    "callout": (_BlockWriter._quotation, "", ""),
    "formula": (_formula_block, "", ""),
    "dl": (_BlockWriter._definitions, "ul", "-"),
    "hr": (lambda writer, node: UNSEEN if writer.pen.is_plain else "---", "", ""),
}


def _heading_line(nodes: list[Child], level: int, pen: Pen) -> str:
    text = inline(nodes, pen, one_line=True)
    if pen.is_plain or not text:
        return text
    bare = text.rstrip("#")
    if len(bare) < len(text) and (not bare or bare.endswith(" ")):
        text = f"{bare}\\{text[len(bare) :]}"  # else they would be read as the end of the heading
    return f"{'#' * level} {text}"


def _ordinal(value: str | None) -> int:
    """The number of a `start` or `value`; 1 if Markdown can't have it."""
    return int(value) if value and _ORDINAL.fullmatch(value) else 1


def _items(node: Node) -> list[Node]:
    """The items of a list; text between two items goes with the first one."""
    items: list[Node] = []
    for child in node.children:
        if isinstance(child, Node) and child.name == "li":
            items.append(Node("li", child.attributes, list(child.children)))
        elif items:
            items[-1].children += [" ", child]
        elif isinstance(child, Node) or child.strip():
            items.append(Node("li", {}, [child]))
    return items


def _item_text(blocks: list[MarkdownBlock], pen: Pen, *, is_tight: bool) -> str:
    first = blocks[0].text
    parts = ["___" if first == "---" else first]  # the marks of lists and a line of hyphens would be one line
    for block in blocks[1:]:
        # A numbered list that does not begin with 1 needs a blank line before it.
        is_list = block.kind in ("ul", "code") or (block.kind == "ol" and block.text.startswith(("1. ", "1) ")))
        parts += [pen.cut("\n" if is_tight and is_list else "\n\n"), block.text]
    return "".join(parts)


def _defined(node: Node) -> list[tuple[list[Node], list[Node]]]:
    """The terms and definitions of a list, in groups."""
    groups: list[tuple[list[Node], list[Node]]] = []
    for part in list_items(node, ("dt", "dd")):
        if not groups or (part.name == "dt" and groups[-1][1]):
            groups.append(([], []))
        groups[-1][part.name != "dt"].append(part)
    return groups


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# What YAML does not take as it is, or takes as the end of a line; and what a renderer of Markdown that knows no front
# matter could read as markup.
_ESCAPED = re.compile("[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[<\\[`]")


def front_matter(facts: Mapping[str, object]) -> str:
    """The facts that have a value, between two lines of hyphens; several values of one are a list."""
    lines: list[str] = []
    for key, value in facts.items():
        if isinstance(value, Sequence) and not isinstance(value, str):
            lines += [f"{key}:", *(f"  - {_scalar(each)}" for each in value)] if value else []
        elif value not in (None, ""):
            lines.append(f"{key}: {_scalar(value)}")
    return "\n".join(["---", *lines, "---", ""])


def _scalar(value: object) -> str:
    if not isinstance(value, str):
        return str(value)
    if _DAY.fullmatch(value):
        return value
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
