"""Corpora in whose pages annotators marked the texts: Canola, GoogleTrends-2017 and L3S-GN1.

Removing an annotation merges text nodes, so nodes here do not match leaves after reparsing. Therefore each text gets
a private-use character in front that tells its label; the page is written, read as a Document as
everybody reads it, and the characters found in each leaf tell its labels. The clean page is the
same markup without the characters, hence has the same leaves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tamis.cached import cached_property
from tamis.document import Document, parse
from tamis.document.tags import CODE, MEDIA
from tamis.labels import Labels
from tamis.render.text import to_text
from tamis_lab.corpora.files import CorpusError
from tamis_lab.corpora.reader import CorpusEntry, CorpusPage, Reader

_DOCTYPE = re.compile(r"<!doctype[^>]{0,1000}>", re.IGNORECASE)
_ATTRIBUTE = "data-tamis-mark"  # holds the label of a medium
_FIRST = 0xF0000  # of the private-use plane that web pages use least
_LAST = 0xFFFFD
_PRIVATE = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")
_TEXTS = (parse.Text, parse.CData)


class Annotation(NamedTuple):
    """The label of an annotated element, and the attributes that it keeps."""

    label: str | None  # None: as the element around it
    attributes: dict[str, str] | None  # None removes the element and keeps its content


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
    read: Callable[[str, dict[str, str]], Annotation],
    *,
    clean_text: Callable[[str], str] = str,
) -> MarkedPage:
    """Take annotations out of a page and give their labels to its leaves.

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


# The corpora

# Each text was judged by several annotators and is in a <kw> with their vote, which may be a tie. A <kw> without a
# class was not judged.
_CANOLA_LABELS = {"krdwrd-tag-1": "bad", "krdwrd-tag-2": "unsure", "krdwrd-tag-3": "good", "krdwrd-tag-mrgtie": "tie"}

# Only what the vote is sure of; callers that want "unsure" too have the labels.
CANOLA_CONTENT = frozenset({"good"})
_CANOLA_UNCLEAR = frozenset({"", "unsure", "tie"})


class Canola(Reader):
    """Canola of the krdwrd project: merged.20100908.plan.canola/N, pages of 2008 without a file suffix.

    Every text has a label: bad, unsure, good or tie.
    """

    folder = "merged.20100908.plan.canola"

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and take the annotation elements out."""
        marked = take_out(
            self.markup(f"{self.folder}/{entry.id}"),
            "kw",
            lambda _, attributes: Annotation(_CANOLA_LABELS.get(attributes.get("class", "")), None),
        )
        return replace(marked.fill(self.page(entry, marked.html), CANOLA_CONTENT), unclear_labels=_CANOLA_UNCLEAR)


# What BoilerNet does not count as content. Comparing raw_html with prepared_html, in which each
# text has its __boilernet_label: every label is content but this one (of the texts that can be
# matched: 784 of 784 comments are not, 96 % of "main" and practically all of the rest are).
NOT_CONTENT = frozenset({"", "comment"})

# Slips of the annotators' keyboards; each of them occurs once. BoilerNet took "commen" for content.
_SLIPS = {"commen": "comment", "substitle": "subtitle", 'title"': "title", "´head": "head"}


class GoogleTrends(Reader):
    """GoogleTrends-2017, BoilerNet's set: raw_html/NAME.html, 50-30-100-split/{train,dev,test}_set.txt.

    Labels are in attributes: main, title, author, date, comment, caption ... `prepared_html/` is not read: some of its
    pages lost characters.
    """

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages as the splits name them: gt_N is the N-th page, sorted by name, from 1."""
        splits = {}
        for split in self.info.splits:
            for name in self.files.read(f"50-30-100-split/{split}_set.txt").decode("utf-8", "replace").split():
                splits[name.removesuffix(".html")] = split
        for page in self._pages:
            if page not in splits:
                raise CorpusError(f"{self.files.where}: no file of 50-30-100-split names {page}")
            yield CorpusEntry(page, splits.pop(page))
        if splits:
            raise CorpusError(f"{self.files.where}: raw_html has no page for {next(iter(splits))}")

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and take its labels out."""
        marked = take_out(self.markup(self._pages[entry.id]), "[__label]", _googletrends_mark)
        page = marked.fill(self.page(entry, marked.html), frozenset(marked.labels) - NOT_CONTENT)
        return replace(page, title=marked.text({"title"}) or None, comments=marked.text({"comment"}) or None)

    @cached_property
    def _pages(self) -> dict[str, str]:
        return {f"gt_{number}": name for number, name in enumerate(self.files.below("raw_html", ".html"), 1)}


def _googletrends_mark(_: str, attributes: dict[str, str]) -> Annotation:
    label = attributes.pop("__label").strip().lower()
    return Annotation(_SLIPS.get(label, label) or None, attributes)


# By the number in x-nc-selN, as the readme names them. By their share of the words (0.6 and 8.9 %)
# Table 1 of the paper has the last two the other way round. The texts show that the readme is right:
# 4 is short and two thirds links, 5 is running text, mostly on pages that speak of comments.
# `tamis reproduce boilerpipe` shows the figures.
L3S_LABELS = ("not-content", "headline", "fulltext", "supplemental", "related", "comments")

# Section 4.3.1: "for the purpose of boilerplate detection we treat comments as main content".
# Related content (links to other articles) is neither in the two-class nor the four-class problem.
L3S_CONTENT = frozenset({"headline", "fulltext", "supplemental", "comments"})

_CLASS = re.compile(r"x-nc-sel([0-5])")
_LITERAL = re.compile(r"""(?:<|&lt;)(?:span class="?x-nc-sel[0-5]"?|/span)(?:>|&gt;)""", re.IGNORECASE)
_STYLE_MARK = ".x-nc-sel0"
_MAPPING = "url-mapping.txt"


class L3S(Reader):
    """L3S-GN1, the GoogleNews set of the boilerpipe paper: annotated/UUID.html, url-mapping.txt.

    Every text has a label; a leaf without one counts as not content. Pages are read from `annotated/`, not `original/`:
    the annotations are in the pages, and the two differ in more than these.
    """

    folder, suffix = "annotated", ".html"

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read an annotated page and take the annotations out."""
        annotated = _without_style(self.markup(f"annotated/{entry.id}.html"))
        marked = take_out(annotated, '[class*="x-nc-"]', _l3s_mark, clean_text=_without_literals)
        page = marked.fill(self.page(entry, marked.html), L3S_CONTENT)
        return replace(page, url=self._urls.get(entry.id), comments=marked.text({"comments"}) or None)

    @cached_property
    def _urls(self) -> dict[str, str]:
        lines = self.files.read(_MAPPING).decode("utf-8", "replace").splitlines()
        urls = dict(line.split("\t", 1) for line in lines if "\t" in line)
        if not urls:
            raise CorpusError(f"{self.files.where}: {_MAPPING} is damaged: no line of a page and its URL")
        return {page.removeprefix("<urn:uuid:").removesuffix(">"): url.strip() for page, url in urls.items()}


def _l3s_mark(tag: str, attributes: dict[str, str]) -> Annotation:
    """Annotators put spans round texts, and their tool put classes on elements of the page."""
    classes = attributes.pop("class").split()
    numbers = [found[1] for name in classes if (found := _CLASS.fullmatch(name))]
    label = L3S_LABELS[int(numbers[-1])] if numbers else None
    others = [name for name in classes if not name.startswith("x-nc-")]
    if tag == "span" and numbers and not others and not attributes:
        return Annotation(label, None)
    return Annotation(label, attributes | ({"class": " ".join(others)} if others else {}))


def _without_literals(text: str) -> str:
    return _LITERAL.sub("", text) if "x-nc-sel" in text else text


def _without_style(html: str) -> str:
    """The page without the annotation tool's style sheets, which make all hidden text visible."""
    pieces = []
    done = 0
    while (found := html.find(_STYLE_MARK, done)) >= 0:
        start = html.rfind("<style", done, found)
        end = html.find("</style>", found)
        if start < 0 or end < 0:
            break
        pieces.append(html[done:start])
        done = end + len("</style>")
    return "".join([*pieces, html[done:]])
