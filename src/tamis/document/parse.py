"""The only file that knows the HTML parser, turbohtml.

It turns markup into plain columns (`walk`), and answers the few later questions that need the
tree again: attributes, selectors, embedded metadata, serialisation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date

import turbohtml
from turbohtml.detect import Detection, detect
from turbohtml.extract import DateExtraction, dates

from tamis.document.tags import CODE, MEDIA

Node = turbohtml.Node
Element = turbohtml.Element
Tree = turbohtml.Document
_TEXT, _CDATA, _ELEMENT, _FRAGMENT = turbohtml.Text, turbohtml.CData, turbohtml.Element, turbohtml.DocumentFragment

# Elements that may be hidden by an attribute of their own. One native query finds the few
# candidates, so that the walk below reads no attribute of the many others.
_MAYBE_HIDDEN = '[hidden], [style*="display" i], [style*="visibility" i]'
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)

_MARKDOWN = turbohtml.Markdown(tables=turbohtml.Markdown.Tables(cell_blocks="text"))

# A fixed end of the window, so that a page has the same date tomorrow.
_DATES = DateExtraction(original=True, max_date=date(2100, 1, 1))

# Detection reads frequencies; more than this adds time and no certainty.
_DETECTION_WINDOW = 262_144


@dataclass(slots=True)
class RawTables:
    """The columns that one walk over the tree fills, in document order."""

    # one row an element
    nodes: list[Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)  # rows hidden by their own attribute
    # one row a leaf
    texts: list[str] = field(default_factory=list)
    elements: list[int] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    is_media: list[bool] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)


def parse(html: str) -> Tree:
    """Parse a page as a browser without scripting does. Never fails on bad markup."""
    tree = turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)
    return _without_frames(tree) if _has_frameset(tree) else tree


def walk(tree: Tree) -> RawTables:
    """Fill the tables in one pass over the nodes in document order, without recursion.

    Each open element knows how many children are still to come, so the walk needs no look at
    a node's parent: when none is left, the element ends.
    """
    # Names that a loop reads a thousand times a page are local: it halves the cost of the walk.
    Text, CData, Element, Fragment = _TEXT, _CDATA, _ELEMENT, _FRAGMENT  # noqa: N806
    media, code = MEDIA, CODE
    raw = RawTables()
    nodes, tags, parents, ends = raw.nodes, raw.tags, raw.parents, raw.ends
    texts, elements, opened = raw.texts, raw.elements, raw.opened
    is_media, gaps = raw.is_media, raw.gaps
    candidates = iter(tree.select(_MAYBE_HIDDEN))
    candidate = next(candidates, None)
    outside: list[tuple[int, int]] = []  # (element, children left) of what is open around `element`
    element, left = -1, -1  # the document itself; -1 never counts down to 0
    blank = ""
    source = False
    medium = -1  # the last media leaf: while it is open, media inside it are part of it

    for node in tree.descendants:
        while left == 0:
            ends[element] = len(tags)
            element, left = outside.pop()
        left -= 1
        kind = type(node)
        if kind is Text or kind is CData:
            if source:
                source = False
                continue
            text: str = node.data  # type: ignore[attr-defined]
            if text.isspace():
                blank += text
                continue
            texts.append(text)
            elements.append(element)
            opened.append(len(tags) - 1)
            is_media.append(False)
            gaps.append(blank)
            blank = ""
        elif kind is Element:
            row = len(tags)
            tag: str = node.tag  # type: ignore[attr-defined]
            tags.append(tag)
            parents.append(element)
            nodes.append(node)  # type: ignore[arg-type]
            if node is candidate:
                if _is_hidden(candidate):
                    raw.hidden.append(row)
                candidate = next(candidates, None)
            if tag in code:
                source = True  # the text that follows is code: not a leaf, and not worth copying
            elif tag in media and (medium < 0 or ends[medium]):
                medium = row
                texts.append("")
                elements.append(row)
                opened.append(row)
                is_media.append(True)
                gaps.append(blank)
                blank = ""
            children = len(node)
            if children:
                outside.append((element, left))
                element, left = row, children
                ends.append(0)  # set when it closes
            else:
                ends.append(row + 1)
        elif kind is Fragment and (children := len(node)):
            # What a <template> holds hangs below a fragment; to the tables it hangs below the template.
            outside.append((element, left))
            left = children
    while outside:
        ends[element] = len(tags)
        element, left = outside.pop()
    return raw


def text_ordinals(tree: Tree) -> list[int]:
    """For each text leaf in the order of `walk`: which text child of its element it is, from 1."""
    ordinals: list[int] = []
    seen: dict[Node | None, int] = {}
    for node in tree.descendants:
        if isinstance(node, turbohtml.Text | turbohtml.CData):
            seen[node.parent] = seen.get(node.parent, 0) + 1
            if _is_leaf(node):
                ordinals.append(seen[node.parent])
    return ordinals


def select(tree: Tree, selector: str) -> list[Element]:
    """The elements that a CSS selector matches, in document order."""
    return tree.select(selector)


def attributes(node: Element) -> Iterator[tuple[str, str]]:
    """The attributes of an element; one without a value has an empty one."""
    for name in node.attrs:
        yield name, node.attr(name) or ""


def visible_date(html: str) -> str | None:
    """The publication date that a page shows in a <time>, in its address or in its text, as ISO."""
    found = dates(html, _DATES)
    return found.date if found else None


def json_ld(tree: Tree) -> list[object]:
    """The JSON-LD scripts of a page, decoded; broken ones are left out."""
    return list(tree.json_ld())


def opengraph(tree: Tree) -> dict[str, str]:
    """The og: properties without their prefix."""
    return dict(tree.opengraph())


def microdata(tree: Tree) -> list[tuple[str, dict[str, list[object]]]]:
    """The microdata items of a page: type, and properties as text or as {"name": ...}."""

    def plain(value: object) -> object:
        if not isinstance(value, turbohtml.MicrodataItem):
            return value
        return {"name": next((name for name in value.get_all("name") if isinstance(name, str)), None)}

    return [
        (item.type or "", {key: [plain(value) for value in values] for key, values in item.properties.items()})
        for item in tree.microdata()
    ]


def known_encoding(label: str) -> str | None:
    """The WHATWG name of an encoding label in lower case, or None if nobody knows the label."""
    try:
        name = turbohtml.parse(b"", encoding=label.strip().replace("latin-1", "latin1")).encoding
    except LookupError:
        return None
    # "replacement" stands for encodings that browsers refuse; decoding with it loses the page.
    return name.lower() if name and name != "replacement" else None


def meta_encoding(head: bytes) -> str | None:
    """The encoding that a ``<meta>`` in the first bytes of a page declares, in lower case."""
    tree = turbohtml.parse(head, positions=False)
    certain = tree.encoding_confidence == "certain" and tree.encoding != "replacement"
    return tree.encoding.lower() if certain and tree.encoding else None


def detect_encoding(data: bytes) -> str:
    """The most likely encoding of bytes that are known not to be UTF-8, in lower case."""
    # The page's own <meta> was not believed; the detector would ask it first.
    sample = re.sub(rb"charset", b"-------", data[:_DETECTION_WINDOW], flags=re.IGNORECASE)
    match = detect(sample, Detection(excluded=frozenset({"UTF-8", "UTF-8-SIG"})))
    return (match.encoding or "windows-1252").lower()


def decode_as(data: bytes, encoding: str) -> str:
    """Decode as browsers do (ISO-8859-1 is windows-1252, and so on); errors become U+FFFD."""
    return data.decode(f"whatwg-{encoding}", "replace")


def marked_copy(html: str, css_class: Callable[[int], str | None], *, head: str) -> str:
    """The page with the leaves that `css_class` names in a <mark>, and without what runs.

    `css_class` gets the number of a leaf as `walk` counts them and returns a class or None.
    `head` is put in front of the page's own head.
    """
    tree = parse(html)
    raw = walk(tree)
    texts = iter([node for node in tree.descendants if _is_leaf(node)])
    leaves = [raw.nodes[row] if medium else next(texts) for row, medium in zip(raw.elements, raw.is_media, strict=True)]
    for number, leaf in enumerate(leaves):
        if (name := css_class(number)) is not None:
            leaf.wrap(Element("mark", {"class": name}))
    for node in tree.select("script, meta[http-equiv]"):
        node.decompose()
    for node in raw.nodes:
        for name in [name for name in node.attrs if name.startswith("on") or _runs_script(node.attr(name))]:
            del node.attrs[name]
    first = tree.select_one("head")
    if first is not None:
        first.insert_adjacent_html("afterbegin", head)
    return "<!doctype html>" + (tree.root.html if tree.root is not None else "")


def _runs_script(value: str | None) -> bool:
    return bool(value) and re.sub(r"[\x00-\x20]", "", value[:64]).lower().startswith(("javascript:", "vbscript:"))


def markdown(html: str) -> str:
    """A clean HTML fragment as GitHub-flavoured Markdown."""
    return turbohtml.parse_fragment(html, positions=False).to_markdown(_MARKDOWN)


def _is_leaf(node: Node) -> bool:
    """Is this a text that `walk` makes a leaf?"""
    if not isinstance(node, turbohtml.Text | turbohtml.CData) or node.data.isspace():
        return False
    return not (isinstance(node.parent, Element) and node.parent.tag in CODE)


def _is_hidden(node: Element) -> bool:
    hidden = node.attr("hidden")
    # "until-found" folds content away like a closed <details>: it is there to be read.
    if hidden is not None and hidden.strip().lower() != "until-found":
        return True
    return ("hidden" in node.attrs and hidden is None) or bool(_HIDING_STYLE.search(node.attr("style") or ""))


def _has_frameset(tree: Tree) -> bool:
    """A frameset stands where a page has its body."""
    return tree.root is not None and any(isinstance(node, Element) and node.tag == "frameset" for node in tree.root)


def _without_frames(tree: Tree) -> Tree:
    """A frameset page shows other pages; its own words are what it tells browsers without frames.

    The standard reads <noframes> as raw text, so that text is parsed here as the page's body.
    """
    notes = [node.text for node in tree.select("frameset noframes, frameset ~ noframes")]
    if not notes:
        return tree
    head = "".join(node.html for node in tree.select("head > *"))
    return turbohtml.parse(head + "".join(notes), positions=False, allow_declarative_shadow_roots=False)
