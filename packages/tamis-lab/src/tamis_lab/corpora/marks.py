"""Annotations inside a page: taken out of the markup, and moved to the leaves.

Removing an annotation merges text nodes, so nodes here do not match leaves after reparsing. Therefore each text gets
a private-use character in front that tells its label; the page is written, read as a Document as
everybody reads it, and the characters found in each leaf tell its labels. The clean page is the
same markup without the characters, hence has the same leaves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tamis.document import Document, parse
from tamis.document.tags import CODE, MEDIA
from tamis.labels import Labels
from tamis.render.text import to_text
from tamis_lab.corpora.page import CorpusPage

_DOCTYPE = re.compile(r"<!doctype[^>]{0,1000}>", re.IGNORECASE)
_ATTRIBUTE = "data-tamis-mark"  # tells the label of a medium, which has no text
_FIRST, _LAST = 0xF0000, 0xFFFFD  # the private-use plane that web pages use least
_PRIVATE = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")
_TEXTS = (parse.Text, parse.CData)


class Mark(NamedTuple):
    """What an annotated element says, and what stays of it."""

    label: str | None  # None: what is around it holds inside it, too
    attributes: dict[str, str] | None  # those that stay; None takes the element out but not its content


@dataclass(frozen=True)
class MarkedPage:
    """A page without its annotations, and the label of each leaf."""

    html: bytes
    labels: tuple[str, ...]  # one a leaf of Document.from_html(html); empty where nobody marked it
    _document: Document  # with the private-use characters
    _markers: str

    def text(self, content: Collection[str]) -> str:
        """The visible text of the leaves with one of these labels."""
        leaves = self._document.leaves
        wanted = np.fromiter((label in content for label in self.labels), np.bool_, len(self.labels))
        keep = wanted & leaves.visible
        text = to_text(self._document, Labels(keep.astype(np.float64), keep))
        return text.translate(dict.fromkeys(map(ord, self._markers)))

    def fill(self, page: CorpusPage, content: frozenset[str]) -> CorpusPage:
        """The page of a corpus with these marks; those in `content` mean content."""
        return replace(page, gold_text=self.text(content), leaf_labels=self.labels, content_labels=content)


def take_out(
    html: str,
    selector: str,
    read: Callable[[str, dict[str, str]], Mark],
    *,
    clean_text: Callable[[str], str] = str,
) -> MarkedPage:
    """Take annotations out of a page and move what they say to its leaves.

    `selector` finds the annotated elements; `read` is called with the tag and the attributes of
    each. The innermost label counts; in a leaf with several, the one with most characters.
    `clean_text` changes single texts: where a browser reads no markup (a title, an iframe), annotations
    that a tool wrote there are text.
    """
    tree = parse.parse(html)
    # A list: the tree must not change while it is walked.
    for text in [node for node in tree.descendants if isinstance(node, _TEXTS)]:
        if (cleaned := clean_text(text.data)) != text.data:
            text.data = cleaned
    marks = {node: read(node.tag, dict(parse.attributes(node))) for node in tree.select(selector)}
    texts, media = _labelled(tree, {node: mark.label for node, mark in marks.items() if mark.label is not None})
    for node, mark in marks.items():
        if mark.attributes is None:
            node.unwrap()
        else:
            for name in [name for name in node.attrs if name not in mark.attributes]:
                del node.attrs[name]
            for name, value in mark.attributes.items():
                node.attrs[name] = value
    doctype = _DOCTYPE.search(html)
    clean = _serialised(tree, doctype)

    labels = ["", *sorted({label for _, label in (*texts, *media)} - {""})]
    markers = _unused(clean, len(labels))
    marker = dict(zip(labels, markers, strict=True))
    for text, label in texts:
        # Behind the white space in front, which the parser may put elsewhere than the text.
        start = len(text.data) - len(text.data.lstrip())
        text.data = text.data[:start] + marker[label] + text.data[start:]
    for node, label in media:
        node.attrs[_ATTRIBUTE] = marker[label]
    document = Document.from_html(_serialised(tree, doctype))
    return MarkedPage(
        clean.encode(), _leaf_labels(document, dict(zip(markers, labels, strict=True))), document, markers
    )


def _labelled(
    tree: parse.Tree, marks: dict[parse.Element, str]
) -> tuple[list[tuple[parse.Text | parse.CData, str]], list[tuple[parse.Element, str]]]:
    """The texts and the media of a page, each with its innermost label, in one pass."""
    texts: list[tuple[parse.Text | parse.CData, str]] = []
    media: list[tuple[parse.Element, str]] = []
    around: list[tuple[int, str]] = []  # for each open element: children left, label
    left, label = -1, ""
    for node in tree.descendants:
        while not left:
            left, label = around.pop()
        left -= 1
        if isinstance(node, _TEXTS):
            is_code = isinstance(node.parent, parse.Element) and node.parent.tag in CODE
            if not is_code and not node.data.isspace():
                texts.append((node, label))
            continue
        inner = label
        if isinstance(node, parse.Element):
            inner = marks.get(node, label)
            if node.tag in MEDIA and inner:
                media.append((node, inner))
        if isinstance(node, parse.Element | parse.Fragment) and (children := len(node)):
            around.append((left, label))
            left, label = children, inner
    return texts, media


def _leaf_labels(document: Document, label_of: dict[str, str]) -> tuple[str, ...]:
    elements, leaves = document.elements, document.leaves
    pieces = re.compile(f"([{''.join(label_of)}])")
    labels = []
    for text, row, is_media in zip(leaves.text, leaves.element.tolist(), leaves.is_media.tolist(), strict=True):
        if is_media:
            labels.append(label_of.get(elements.attribute(row, _ATTRIBUTE) or "", ""))
            continue
        _, *parts = pieces.split(text)
        characters: dict[str, int] = {}
        for marker, part in zip(parts[::2], parts[1::2], strict=True):
            label = label_of[marker]
            characters[label] = characters.get(label, 0) + len(part.strip())
        labels.append(max(characters, key=characters.__getitem__, default=""))
    return tuple(labels)


def _serialised(tree: parse.Tree, doctype: re.Match[str] | None) -> str:
    """The page as markup, with its own doctype."""
    # The parser would write a modern one, and in pages that have one a table ends the paragraph around it.
    html = tree.html
    return _DOCTYPE.sub(lambda _: doctype[0], html, count=1) if doctype and html.startswith("<!DOCTYPE") else html


def _unused(html: str, count: int) -> str:
    """Private-use characters that the page does not have."""
    taken = set(_PRIVATE.findall(html))
    free = (chr(code) for code in range(_FIRST, _LAST) if chr(code) not in taken)
    return "".join(next(free) for _ in range(count))
