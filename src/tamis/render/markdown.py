"""The content tree as GitHub-flavoured Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamis.deadline import check
from tamis.document import Document, tags
from tamis.labels import Labels
from tamis.render import html
from tamis.render.content.node import Child, Node
from tamis.render.content.tree import content_tree
from tamis.render.inline import inline, longest_run
from tamis.render.length import Room
from tamis.render.markdown_table import table_blocks
from tamis.render.math.mathml import without_tags
from tamis.render.options import HtmlOptions

_BLOCKS = frozenset(
    """
    address article aside blockquote callout caption dd details div dl dt embed figcaption figure footer h1 h2 h3 h4 h5
    h6 header hgroup hr li main nav note notes ol p pre section summary table tbody td tfoot th thead tr ul
    """.split()
)
_NOT_IN_A_LINE = frozenset({"blockquote", "callout", "details", "dl", "hr", "note", "ol", "pre", "table", "ul"})
_NOT_DIVIDED = _BLOCKS | {"a", "formula"}
_NO_PARAGRAPH = re.compile(r"\||---|>|#{1,6} |\$\$|<(?:table|details)")
_ORDINAL = re.compile(r"[0-9]{1,8}")  # Markdown takes nine digits


@dataclass(slots=True)
class Block:
    """A paragraph, a list, a table and so on."""

    text: str
    kind: str = ""  # ul, ol or code: these need no blank line before them in an item
    marker: str = ""  # of a list
    row: int = -1  # of the element that it is or stands in


def markdown_blocks(document: Document, labels: Labels, options: HtmlOptions | None = None) -> list[Block]:
    """The blocks of the Markdown, which has a blank line between them. Raises PageTooLarge if they are too long."""
    options = options or HtmlOptions()
    children = content_tree(document, labels, options).children
    if options.title:
        children = [Node("h1", {}, [options.title]), *children]
    check()
    blocks = _written(children)
    Room(document).take(sum(len(block.text) + 2 for block in blocks))
    return blocks


def _written(children: Sequence[Child]) -> list[Block]:
    writer = _Writer()
    return [*writer.blocks(children), *writer.notes]


def _together(blocks: Sequence[Block]) -> str:
    return "\n\n".join([block.text for block in blocks])


class _Writer:
    """Writes blocks, and collects the notes that come last."""

    def __init__(self) -> None:
        self.notes: list[Block] = []
        self.link: Node | None = None  # one around blocks that is still to be written
        self.heading: Node | None = None  # the one in it that is to be linked

    def blocks(self, children: Sequence[Child]) -> list[Block]:
        """The blocks of some nodes; inline nodes between two blocks are a paragraph."""
        found: list[Block] = []
        inlines: list[Child] = []
        for node in _unwrapped(children):
            if isinstance(node, str) or not _holds_block(node):
                inlines.append(node)
                continue
            if inlines:
                found += self._paragraph(inlines)
                inlines = []
            for block in self._block(node, found[-1] if found else None):
                if block.row < 0:
                    block.row = node.row
                found.append(block)
        if inlines:
            found += self._paragraph(inlines)
        return found

    def _paragraph(self, nodes: list[Child]) -> list[Block]:
        if len(nodes) == 1 and isinstance(nodes[0], str) and nodes[0].isspace():
            return []
        texts = [inline(self._linked(part)) for part in _paragraphs(nodes)]
        return [Block(text) for text in texts if text]

    def _linked(self, nodes: list[Child], heading: Node | None = None) -> list[Child]:
        """The nodes in the link around them, if it has not been written yet."""
        link = self.link
        if link is None or self.heading is not heading:
            return nodes
        if not any(isinstance(node, Node) or node.strip() for node in nodes):
            return nodes
        self.link = self.heading = None
        return [Node("a", link.attributes, nodes)]

    def _block(self, node: Node, before: Block | None) -> list[Block]:
        name = node.name
        if name in ("p", "div", "section"):
            return self.blocks(node.children)
        if name in tags.HEADINGS:
            return self._heading(node)
        if name in ("ul", "ol"):
            return self._list(node, before)
        if name == "pre":
            return _code_block(node)
        if name == "table":
            texts = table_blocks(node)
            return self.blocks(node.children) if texts is None else [Block(text) for text in texts]
        if name == "blockquote":
            return self._quotation(node)
        if name == "callout":
            return self._callout(node)
        if name == "formula":
            tex = without_tags(node.attributes["tex"].strip())
            return [Block(f"$$\n{tex}\n$$")]
        if name == "dl":
            return self._definitions(node)
        if name == "details":
            return self._details(node)
        if name == "note":
            return self._note(node)
        if name == "hr":
            return [Block("---")]
        if name == "embed":
            return self._paragraph([node])
        if name == "a" and self.link is None:
            return self._link_around(node)
        return self.blocks(node.children)

    def _heading(self, node: Node) -> list[Block]:
        if any(each.name in _NOT_IN_A_LINE for each in node.walk()):
            return self.blocks(node.children)
        children = list(_inlines(node.children)) if any(map(_is_block, node.children)) else node.children
        text = inline(self._linked(children, node if self.heading is node else None), one_line=True)
        bare = text.rstrip("#")
        if len(bare) < len(text) and (not bare or bare.endswith(" ")):
            text = f"{bare}\\{text[len(bare) :]}"  # else they would be read as the end of the heading
        return [Block(f"{'#' * int(node.name[1])} {text}")] if text else []

    def _link_around(self, node: Node) -> list[Block]:
        """A link around blocks: Markdown links the first heading in it, or else the first paragraph."""
        self.link = node
        self.heading = next((each for each in node.walk() if each.name in tags.HEADINGS), None)
        found = self.blocks(node.children)
        self.link = self.heading = None
        return found

    def _quotation(self, node: Node) -> list[Block]:
        text = _together(self.blocks(node.children))
        return [Block(_prefixed(text, "> ", "> "))] if text else []

    def _callout(self, node: Node) -> list[Block]:
        inner = self.blocks(node.children)
        if title := node.attributes.get("title"):
            inner = [Block(f"**{inline([title], one_line=True)}**"), *inner]
        text = _together(inner)
        return [Block(_prefixed(f"[!{node.attributes['kind'].upper()}]\n{text}", "> ", "> "))] if text else []

    def _details(self, node: Node) -> list[Block]:
        """As GitHub's readers write it: the tags in HTML, what is inside in Markdown."""
        summary = next((each for each in node.children if isinstance(each, Node) and each.name == "summary"), None)
        content = self.blocks([each for each in node.children if each is not summary])
        if summary is None:
            return content
        if any(each.name in tags.HEADINGS for each in summary.walk()):
            return [*self.blocks(summary.children), *content]
        parts = [_in_html(part) for part in _inlines(summary.children)]
        title = " ".join("".join(html.written(parts)).split())
        head = f"<details>\n<summary>{title}</summary>" if title else "<details>"
        return [Block(head), *content, Block("</details>")] if content or title else []

    def _note(self, node: Node) -> list[Block]:
        text = _together(self.blocks(node.children))
        if text:
            self.notes.append(Block(_prefixed(text, f"[^{node.attributes['id']}]: ", "    ")))
        return []

    def _list(self, node: Node, before: Block | None) -> list[Block]:
        """A list. Directly after another list it takes another marker, or both would be one list."""
        kind = node.name
        usual, other = ("-", "*") if kind == "ul" else (".", ")")
        marker = other if before and before.kind == kind and before.marker == usual else usual
        items = [(item, blocks) for item in _items(node) if (blocks := self.blocks(item.children))]
        if not items:
            return []
        is_tight = all(sum(not block.kind for block in blocks) <= 1 for _, blocks in items)
        number = _ordinal(node.attributes.get("start")) if kind == "ol" else 0
        lines: list[str] = []
        for item, blocks in items:
            if kind == "ol":
                number = _ordinal(item.attributes["value"]) if "value" in item.attributes else number
                sign, number = f"{number}{marker} ", number + 1
            else:
                sign = f"{marker} "
            box = {"true": "[x] ", "false": "[ ] "}.get(item.attributes.get("checked", ""), "")
            lines.append(_prefixed(box + _item_text(blocks, is_tight=is_tight), sign, " " * len(sign)))
        return [Block(("\n" if is_tight else "\n\n").join(lines), kind, marker)]

    def _definitions(self, node: Node) -> list[Block]:
        """A definition list as a list: the term in bold, its definitions below."""
        items: list[str] = []
        for terms, definitions in _defined(node):
            names = [text for term in terms if (text := inline(term.children, one_line=True))]
            head = "  \n".join(name if name.startswith("**") else f"**{name}**" for name in names)
            blocks = [block for each in definitions for block in self.blocks(each.children)]
            is_one = len(blocks) == 1 and not blocks[0].kind and "\n\n" not in blocks[0].text
            apart = "  \n" if is_one and not _NO_PARAGRAPH.match(blocks[0].text) else "\n\n"
            text = apart.join(filter(None, [head, _together(blocks)]))
            if text:
                items.append(_prefixed(text, "- ", "  "))
        return [Block("\n".join(items), "ul", "-")] if items else []


def _unwrapped(children: Sequence[Child]) -> Iterator[Child]:
    """The nodes, with inline elements around blocks divided: they are put around what is inline in them."""
    for node in children:
        if isinstance(node, str) or node.name in _NOT_DIVIDED or not _holds_block(node):
            yield node
            continue
        for child in _unwrapped(node.children):
            is_block = isinstance(child, Node) and _holds_block(child)
            yield child if is_block else Node(node.name, node.attributes, [child])


def _inlines(children: Sequence[Child]) -> Iterator[Child]:
    """What is inline in some nodes, with spaces for the blocks around it."""
    for node in children:
        if _is_block(node):
            yield " "
            yield from _inlines(node.children)  # type: ignore[union-attr]
            yield " "
        else:
            yield node


def _in_html(node: Child) -> Child:
    """A node as a line of HTML in Markdown has it: what HTML can't say there, in Markdown."""
    is_other = isinstance(node, Node) and node.name in ("formula", "note-reference", "embed")
    return inline([node], one_line=True) if is_other else node


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


def _is_block(node: Child) -> bool:
    return isinstance(node, Node) and _holds_block(node)


def _holds_block(node: Node) -> bool:
    """Is it a block, or an inline element around one?"""
    if node.name in _BLOCKS:
        return True
    if node.name == "formula":
        return "display" in node.attributes
    return any(isinstance(child, Node) and _holds_block(child) for child in node.children)


def _code_block(node: Node) -> list[Block]:
    code = node.text()
    if not code.strip():
        return []
    fence = "`" * max(3, longest_run(code, "`") + 1)
    return [Block(f"{fence}{node.attributes.get('language', '')}\n{code}\n{fence}", "code")]


def _prefixed(text: str, first: str, others: str) -> str:
    """A text with a prefix for its first line and one for the others."""
    if "\n" not in text:
        return first + text
    line, *lines = text.split("\n")
    blank = others.rstrip()
    return "\n".join([first + line, *[others + each if each else blank for each in lines]])


def _ordinal(value: str | None) -> int:
    """The number that a `start` or `value` says; 1 if Markdown can't."""
    return int(value) if value and _ORDINAL.fullmatch(value) else 1


def _items(node: Node) -> list[Node]:
    """The items of a list; what stands between two items goes with the one before."""
    items: list[Node] = []
    for child in node.children:
        if isinstance(child, Node) and child.name == "li":
            items.append(Node("li", child.attributes, list(child.children)))
        elif items:
            items[-1].children += [" ", child]
        elif isinstance(child, Node) or child.strip():
            items.append(Node("li", {}, [child]))
    return items


def _item_text(blocks: list[Block], *, is_tight: bool) -> str:
    first = blocks[0].text
    parts = ["___" if first == "---" else first]  # the marks of lists and a line of hyphens would be one line
    for block in blocks[1:]:
        # A numbered list that does not begin with 1 needs a blank line before it.
        follows = is_tight and block.kind and not (block.kind == "ol" and not block.text.startswith(("1. ", "1) ")))
        parts += ["\n" if follows else "\n\n", block.text]
    return "".join(parts)


def _defined(node: Node) -> list[tuple[list[Node], list[Node]]]:
    """The terms and definitions of a list, in groups."""
    parts: list[Node] = []
    for child in node.children:
        inner = [child] if isinstance(child, str) or child.name != "div" else child.children
        if not any(isinstance(each, Node) and each.name in ("dt", "dd") for each in inner):
            inner = [child]
        for each in inner:
            if isinstance(each, Node) and each.name in ("dt", "dd"):
                parts.append(each)
            elif isinstance(each, Node) or each.strip():
                parts.append(Node("dd", {}, [each]))
    groups: list[tuple[list[Node], list[Node]]] = []
    for part in parts:
        if part.name == "dt":
            if not groups or groups[-1][1]:
                groups.append(([], []))
            groups[-1][0].append(part)
        else:
            if not groups:
                groups.append(([], []))
            groups[-1][1].append(part)
    return groups
