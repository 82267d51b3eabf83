"""The content tree as TEI P5: a header with the metadata, and the text in divisions by its headings.

    teiHeader   title, authors, site, licence, dates and address; language, tags and description; tamis and its version
    text/body   div and head, p, list and item (label and item of a list of terms), table, row and cell (role="label"),
                quote, figure, graphic, formula (notation="TeX"), ab (type="code"), floatingText (callouts, details),
                div (type="comments")
    text/back   the footnotes

In a paragraph the names are those of `xml.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from tamis import __version__
from tamis.render.comments import Comment
from tamis.render.content.node import Child, Node, inlines, parts
from tamis.render.xml import LANGUAGE, Facts, Flow, serialized

_NAMESPACE = "http://www.tei-c.org/ns/1.0"
_HOME = "https://github.com/tamis-extract/tamis"

_DATE = re.compile(r"(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+){0,2}")
_NO_URI = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.|[^:]*/")
_HEADING = re.compile(r"h[1-6]")

# A body has at least one of these.
_COMMON = frozenset({"p", "ab", "list", "table", "quote", "floatingText", "div"})


def to_tei(content: Sequence[Child], facts: Facts, comments: Iterable[Comment] = ()) -> str:
    """The document. `facts` are named as in `to_xml`; several authors, tags or categories are several elements."""
    flow = _TeiFlow(content)
    body = flow.body(content)
    if readers := [_comment(each) for each in comments]:
        body.children.append(Node("div", {"type": "comments"}, [*readers]))
    text: list[Child] = [body]
    if flow.notes:
        text.append(Node("back", {}, [Node("div", {"type": "notes"}, [*flow.notes.values()])]))
    return serialized(Node("TEI", {"xmlns": _NAMESPACE}, [_header(facts), Node("text", {}, text)]))


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
    source += [Node("date", {"type": "modified", **_when(day)}, [day]) for day in values("date_modified")]
    source += [Node("ptr", {"target": _uri(address)}) for address in values("source")]
    licences = [Node("licence", _target(text), [text]) for text in values("license")]
    available: list[Child] = [Node("availability", {}, [*licences])] if licences else []
    file: list[Child] = [
        Node("titleStmt", {}, [title, *authors]),
        # What a publisher makes available stands behind its name; without one, only prose may stand here.
        Node("publicationStmt", {}, [*publisher, *available] if publisher else written("p", "license") or [Node("p")]),
        Node("sourceDesc", {}, [Node("bibl", {}, source)]),
    ]
    version = found[0] if (found := _VERSION.match(__version__)) else "0"
    tool: list[Child] = [Node("label", {}, ["tamis"]), Node("ptr", {"target": _HOME})]
    application = Node("application", {"version": version, "ident": "tamis"}, tool)
    profile: list[Child] = [Node("abstract", {}, [each]) for each in written("p", "excerpt")]
    for tag in filter(LANGUAGE.fullmatch, values("language")):
        profile.append(Node("langUsage", {}, [Node("language", {"ident": tag}, [tag])]))
    keywords = [*written("term", "section", type="section"), *written("term", "categories", type="category")]
    keywords += [*written("term", "tags", type="tag"), *written("term", "pagetype", type="pagetype")]
    if keywords:
        profile.append(Node("textClass", {}, [Node("keywords", {}, keywords)]))
    parts = [Node("fileDesc", {}, file), Node("encodingDesc", {}, [Node("appInfo", {}, [application])])]
    return Node("teiHeader", {}, [*parts, Node("profileDesc", {}, profile)] if profile else [*parts])


def _comment(comment: Comment) -> Node:
    """A comment: who wrote it and when, and its paragraphs."""
    byline: list[Child] = [Node("name", {}, [comment.author])] if comment.author else []
    if comment.date:
        byline += [", ", _date(comment.date)] if byline else [_date(comment.date)]
    paragraphs = [Node("p", {}, [" ".join(part.split())]) for part in comment.text.split("\n\n") if part.strip()]
    head = [Node("byline", {}, byline)] if byline else []
    return Node("div", {"type": "comment"}, [*head, *(paragraphs or [Node("p")])])


def _date(day: str) -> Node:
    return Node("date", _when(day), [day])


def _when(day: str) -> dict[str, str]:
    """The attribute of a date that is a day, a month or a year."""
    return {"when": day} if _DATE.fullmatch(day) else {}


def _target(licence: str) -> dict[str, str]:
    """The attribute of a licence that is an address."""
    return {"target": _uri(licence)} if licence.startswith(("http://", "https://")) else {}


def _uri(address: str) -> str:
    """An address as a URI: browsers read some characters in it that the standard does not allow."""
    path, mark, fragment = address.partition("#")
    encoded = [_NO_URI.sub(lambda found: quote(found[0], safe=""), part) for part in (path, fragment)]
    if ":" in path and not _SCHEME.match(path):
        encoded[0] = f"./{encoded[0]}"
    return mark.join(encoded)


class _TeiFlow(Flow):
    """Turns nodes of the content into elements of TEI."""

    head_of_cells = "label"

    def body(self, children: Sequence[Child], head: Sequence[Child] = ()) -> Node:
        """A body, in which each heading begins a division."""
        body = Node("body", {}, list(head))
        opened = [(0, body)]
        for block in self.blocks(children):
            if (
                isinstance(block, Node)
                and block.name == "head"
                and _HEADING.fullmatch(block.attributes.get("rend", ""))
            ):
                level = int(block.attributes["rend"][1])
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
        """What is in an item, a cell or a quotation, where no division is."""
        return [_without_head(child) for child in super().mixed(children)]

    def code(self, node: Node) -> list[Child]:
        """A block of code."""
        return [Node("ab", {"type": "code"}, [code]) for code in super().code(node)]

    def definitions(self, node: Node) -> list[Child]:
        """A list of terms and definitions, in pairs of a label and an item."""
        pairs: list[Child] = []
        label: list[Child] | None = None
        for part in parts(node, ("dt", "dd")):
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
            images = isinstance(block, Node) and block.name == "p" and _are_images(block.children)
            content += block.children if isinstance(block, Node) and images else [block]
        return [Node("figure", {}, content)] if content else []

    def figcaption(self, node: Node) -> list[Child]:
        """A caption."""
        return self.caption(self.inline(list(inlines(node.children))))

    def rule(self, node: Node) -> list[Child]:
        """A line between two parts."""
        return [Node("milestone", {"unit": "section", "rend": "rule"})]

    def footnote(self, name: str, mark: str, content: list[Child]) -> Node:
        """The text of a footnote."""
        return Node("note", {"xml:id": name, "n": mark, "place": "end"}, content)

    def phrase(self, node: Node) -> list[Child]:
        """An inline node."""
        found = super().phrase(node)
        for child in found:
            if isinstance(child, Node) and "target" in child.attributes:
                child.attributes["target"] = _uri(child.attributes["target"])
        return found

    def image(self, node: Node) -> Node:
        """An image."""
        alt = node.attributes.get("alt")
        return Node("graphic", {"url": _uri(node.attributes["src"])}, [Node("desc", {}, [alt])] if alt else [])


def _without_head(child: Child) -> Child:
    """A head where there is no division is a block of its own."""
    if not isinstance(child, Node) or child.name != "head":
        return child
    return Node("ab", {"type": "head", **child.attributes}, child.children)


def _are_images(children: Sequence[Child]) -> bool:
    return all(isinstance(child, Node) and child.name == "graphic" for child in children)
