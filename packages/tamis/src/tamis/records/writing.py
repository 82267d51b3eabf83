"""Posts as Markdown and HTML: the content tree of the page, divided into posts, each below who wrote it and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tamis.cached import cached_property
from tamis.document import Document
from tamis.document.paths import Paths
from tamis.labels import Labels
from tamis.records.reading import Reader
from tamis.render.content import BLOCKS, Child, HtmlOptions, Node
from tamis.render.content.tree import content_tree

# Where the tree has a smaller share of the characters of a post, it does not write the post's element; the lines of the
# post are then written as paragraphs.
_LEAST_OF_TEXT = 0.8


class PostContent:
    """The content of the posts of a page, as nodes. They are built when first asked for."""

    def __init__(self, document: Document, labels: Labels, reader: Reader) -> None:
        self._document, self._labels, self.reader = document, labels, reader

    def of(self, number: int, text: str) -> list[Child]:
        """The nodes of one record, with its quotations."""
        nodes = self._nodes.get(number, [])
        size = sum(len(node.text() if isinstance(node, Node) else node) for node in nodes)
        return nodes if size >= _LEAST_OF_TEXT * len(text) else paragraphs(text)

    def xpath(self, number: int) -> str:
        """The XPath of the element of one record, or of the first of them."""
        return self._paths.element_xpath(self.reader.spans[number].start)

    @cached_property
    def _paths(self) -> Paths:
        return Paths(self._document)

    @cached_property
    def _nodes(self) -> dict[int, list[Child]]:
        reader, quotes = self.reader, set(self.reader.quoted.tolist())
        owner = {row: number for number, rows in enumerate(reader.bodies) for row in rows}
        ends = {row: int(reader.elements.end[row]) for row in owner}
        root = content_tree(self._document, replace(self._labels, keep=self._keep()), HtmlOptions())
        found: dict[int, list[Child]] = {}
        todo: list[Child] = [root]
        place = iter(sorted(owner))
        body = next(place, None)
        while todo:
            node = todo.pop()
            if isinstance(node, str):
                continue
            while body is not None and node.row >= ends[body]:
                body = next(place, None)
            if body is not None and body <= node.row:
                inside = node.children if node.row == body else [node]
                found.setdefault(owner[body], []).extend(_quoting(inside, quotes))
            else:
                todo.extend(reversed(node.children))
        return found

    def _keep(self) -> np.ndarray:
        """The leaves that are written: the texts of posts, and the kept media among them."""
        texts, leaves = self.reader.texts, self._document.leaves
        in_body = np.zeros(len(texts.elements), dtype=np.bool_)
        for rows in self.reader.bodies:
            for row in rows:
                in_body[row : texts.elements.end[row]] = True
        keep = leaves.is_media & self._labels.keep & in_body.take(leaves.element)
        keep[texts.leaves.take([at for own in self.reader.said for at in own])] = True
        return keep


def _quoting(nodes: Sequence[Child], quotes: set[int]) -> list[Child]:
    """The nodes with each quotation as one, whatever markup says so."""
    found: list[Child] = []
    for node in nodes:
        if isinstance(node, str) or node.row < 0:
            found.append(node)
        elif node.row in quotes and node.name != "blockquote":
            found.append(Node("blockquote", {}, node.children, node.row))
        elif node.row in quotes or not any(each.row in quotes for each in node.walk()):
            found.append(node)
        else:
            found.append(Node(node.name, node.attributes, _quoting(node.children, quotes), node.row))
    return found


def paragraphs(text: str) -> list[Child]:
    """A plain text as nodes."""
    return [Node("p", {}, list(_lines(part))) for part in text.split("\n\n") if part.strip()]


def _lines(text: str) -> Iterable[Child]:
    for number, line in enumerate(text.split("\n")):
        if number:
            yield Node("br")
        yield line


def in_a_block(nodes: list[Child]) -> list[Child]:
    """The nodes, in a paragraph if all of them are inline."""
    if any(isinstance(node, Node) and node.name in BLOCKS for node in nodes):
        return nodes
    return [Node("p", {}, nodes)] if nodes else []
