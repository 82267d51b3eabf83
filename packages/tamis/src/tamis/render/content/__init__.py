"""The content tree: what each part of a page is, whatever markup says so.

A recogniser is a function that knows one mechanism (formulas, code, notes, callouts, embeds). `tree.py` lists them and
builds the tree, from which HTML, Markdown, XML and chunks are written. The names of its nodes are those of HTML, with
HTML's meaning, and these:

| name | attributes | content |
| --- | --- | --- |
| formula | tex; display if it is on a line of its own | its plain text |
| pre | language, if it is known | the code, one text |
| note-reference | id | the mark as the page writes it |
| note | id | the text of a footnote |
| callout | kind: note, tip, important, warning or caution; title, if it differs from the kind | blocks |
| notes | | notes that follow each other |
| embed | src; title; kind: video, audio or frame; href: the page that shows it, if it is not src | |
| li | checked: true or false, of a task list | |

`img` has src and alt. Addresses are absolute where the page's address is known, and safe. Texts have their white space
folded, except in `pre`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

# Elements that start a paragraph of their own, as does a formula with `display`.
BLOCKS = frozenset(
    """
    address article aside blockquote callout caption dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6
    header hgroup hr li main nav note notes ol p pre section summary table tbody td tfoot th thead tr ul
    """.split()
)


class Node:
    """An element of the content."""

    __slots__ = ("attributes", "children", "name", "row")

    def __init__(
        self, name: str, attributes: dict[str, str] | None = None, children: list[Child] | None = None, row: int = -1
    ) -> None:
        self.name = name
        self.attributes = attributes or {}
        self.children = children or []
        self.row = row  # of the document's elements, -1 if there is none

    def __repr__(self) -> str:
        return f"Node({self.name!r}, {self.attributes!r}, {self.children!r})"

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in document order, without recursion."""
        todo: list[Child] = [self]
        while todo:
            node = todo.pop()
            if isinstance(node, Node):
                yield node
                todo.extend(reversed(node.children))

    def text(self) -> str:
        """All text below this node as it is."""
        parts: list[str] = []
        todo: list[Child] = [self]
        while todo:
            if isinstance(node := todo.pop(), str):
                parts.append(node)
            else:
                todo.extend(reversed(node.children))
        return "".join(parts)


Child = Node | str


def is_block(node: Child, names: Set[str] = BLOCKS) -> bool:
    """Is it a block, or an inline element around one?"""
    if isinstance(node, str):
        return False
    if node.name in names or (node.name == "formula" and "display" in node.attributes):
        return True
    for child in node.children:  # noqa: SIM110 - `any` takes longer
        if not isinstance(child, str) and is_block(child, names):
            return True
    return False


def inlines(children: Sequence[Child]) -> Iterator[Child]:
    """Nodes without the blocks around them, for places that hold no block."""
    for node in children:
        if isinstance(node, Node) and node.name != "formula" and is_block(node):
            yield " "
            yield from inlines(node.children)
            yield " "
        else:
            yield node


def list_items(node: Node, names: tuple[str, ...]) -> list[Node]:
    """The items of a list, also those in a div; other content becomes items."""
    found: list[Node] = []
    for child in node.children:
        if isinstance(child, Node) and child.name == "div":
            found += (list_items(child, names) if is_block(child) else []) or [child]
        elif isinstance(child, Node) and child.name in names:
            found.append(child)
        elif isinstance(child, Node) or child.strip():
            found.append(Node(names[-1], {}, [child]))
    return found


@dataclass(frozen=True)
class HtmlOptions:
    """What HTML, Markdown and XML show besides the kept text, which all options leave alone."""

    links: bool = True
    images: bool = True
    tables: bool = True
    title: str = ""  # written as a heading above the content
    cleaned: Callable[[str], str] | None = None  # makes each text and each attribute of the page before it is written
    as_references: bool = False  # Markdown has numbers for the addresses of links, which are in a list at its end
