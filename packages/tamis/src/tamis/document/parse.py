"""The only file that knows the HTML parser, turbohtml.

It turns markup into plain columns (`walk`), and answers the few later questions that need the tree again: attributes,
selectors, embedded metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress, islice
from typing import NamedTuple

import numpy as np
import turbohtml
from turbohtml.detect import Detection, detect

from tamis.arrays import Bools, Bytes, Ints
from tamis.document import hiding
from tamis.document.guard import guarded_page
from tamis.document.tags import CODE, CODES, LAST_CODE, OTHER
from tamis.kernel import FORMULA, SHADOW_ROOT, walk_nodes

Node = turbohtml.Node
Element = turbohtml.Element
Tree = turbohtml.Document
Text = turbohtml.Text
CData = turbohtml.CData
Fragment = turbohtml.DocumentFragment
Namespace = turbohtml.Namespace

TABLE_ROLES = frozenset({"table", "grid", "treegrid"})
# Scripts that draw formulas or hold one.
_FORMULAS = (
    "script:is([src*=mathjax i], [src*=katex i], [src*='tex-mml' i], [type*=mathjax i], [type*='math/tex' i], "
    "[id*=mathjax i], [id*=katex i])"
)
# Few elements may be hidden or declare what they are. A query of the parser finds them faster than a loop here, and one
# query of alternatives takes half the time of several.
_DECLARING = "[role], [itemprop], [itemtype]"
_OF_A_KIND = ("script[type^='math/tex' i]", "template[shadowrootmode]")  # see `_notable_kind`; few pages have any
_NOTABLE = f":is({_DECLARING}, {hiding.SELECTOR}, {_FORMULAS}, {_OF_A_KIND[1]})"

# The parser's reader of RDFa copies the text of each element with a property. Hostile pages nest them.
_MOST_RDFA = 50_000_000

# Bytes for detection, which reads frequencies; more adds time and no certainty.
_DETECTION_WINDOW = 262_144


class Hidden(NamedTuple):
    """An element that is hidden by itself."""

    row: int
    node: Element
    way: hiding.Way


class RawTables(NamedTuple):
    """The columns that one walk over the tree fills, in document order."""

    # one row an element
    code: Bytes
    parent: Ints
    end: Ints
    nodes: list[Element]
    notable: Ints  # rows with a role, a property or a type
    notable_nodes: list[Element]  # the elements of these rows
    hidden: list[Hidden]
    styled: list[tuple[int, str]]  # rows of elements with a style, and that style
    of_formulas: list[Element]  # scripts that may draw or hold one
    has_role_table: bool  # is there an element with the role of a table?
    other_tags: frozenset[str]  # tags without a code
    # one row a leaf
    texts: list[str]  # empty for media
    gaps: list[str]
    element: Ints
    opened: Ints
    block: Ints
    is_media: Bools
    in_link: Bools
    shown: Bools  # by the tags around it
    utf8: bytes  # all texts, each followed by a NUL


def parse(html: str, utf8: bytes | None = None) -> Tree:
    """Parse a page as a browser without scripting does. Never fails on bad markup.

    `utf8` are the bytes of the page, if they are at hand.
    """
    passed = _parser_safe_page(html, utf8)
    return _without_frames(turbohtml.parse(passed, positions=False, allow_declarative_shadow_roots=False))


def walk_tree(tree: Tree, text_nodes: list[Node] | None = None) -> RawTables:
    """Fill the tables in one pass over the nodes in document order.

    The kernel walks: a loop in Python took longer than the parser. The nodes of text leaves are appended to
    `text_nodes` if it is given.
    """
    rules = hiding.hiding_rules([sheet.text for sheet in tree.select("style")])
    found = tree.select(", ".join((_NOTABLE, *rules)))
    kinds = bytes(map(_notable_kind, found)) if any(map(tree.select, _OF_A_KIND)) else bytes(len(found))
    codes, nodes, texts, gaps = dict(CODES), list[Element](), list[str](), list[str]()
    columns = walk_nodes(
        nodes=iter(tree.descendants),
        element_type=Element,
        text_type=Text,
        cdata_type=CData,
        fragment_type=Fragment,
        codes=codes,
        other=OTHER,
        notable=found,
        notable_kind=kinds,
        elements=nodes,
        texts=texts,
        gaps=gaps,
        text_nodes=text_nodes,
    )
    rows = np.frombuffer(columns.notable, np.int64)
    notable, styled, hidden = list[int](), list[tuple[int, str]](), list[Hidden]()
    has_role_table = False
    for row, node in zip(rows.tolist(), found, strict=True):
        style = node.attr("style")
        if node.matches(_DECLARING):
            notable.append(row)
            has_role_table = has_role_table or node.attr("role") in TABLE_ROLES
        if style is not None:
            styled.append((row, style))
        if way := hiding.way_of(node, style) or (rules and hiding.way_by_rules(node, rules)):
            hidden.append(Hidden(row, node, way))
    code = np.frombuffer(columns.code, np.uint8)
    return RawTables(
        code=code,
        parent=np.frombuffer(columns.parent, np.int64),
        end=np.frombuffer(columns.end, np.int64),
        nodes=nodes,
        notable=np.array(notable, np.int64),
        notable_nodes=[nodes[row] for row in notable],
        hidden=hidden,
        styled=styled,
        of_formulas=list(compress(found, (code.take(rows) <= LAST_CODE).tobytes())),
        has_role_table=has_role_table,
        other_tags=frozenset(codes.keys() - CODES.keys()),
        texts=texts,
        gaps=gaps,
        element=np.frombuffer(columns.element, np.int64),
        opened=np.frombuffer(columns.opened, np.int64),
        block=np.frombuffer(columns.block, np.int64),
        is_media=np.frombuffer(columns.is_media, np.bool_),
        in_link=np.frombuffer(columns.in_link, np.bool_),
        shown=np.frombuffer(columns.shown, np.bool_),
        utf8=columns.texts,
    )


def _notable_kind(node: Element) -> int:
    """The kind of a notable element for the walk: does it hold a formula, or a shadow root?"""
    if node.tag == "script":
        return FORMULA if is_formula(node) else 0
    # Browsers show the content of a declarative shadow root.
    return SHADOW_ROOT if node.tag == "template" and node.attr("shadowrootmode") is not None else 0


def is_formula(node: Element) -> bool:
    """Is it a script with a formula for MathJax? Such a script is a medium: the page shows the formula in its place."""
    return node.tag == "script" and (node.attr("type") or "").lower().startswith("math/tex")


def tree_elements(tree: Tree) -> list[Element]:
    """The elements of the tree in the order of `walk`."""
    return list(tree.iter_elements())


def content(node: Element) -> Iterator[tuple[int, Element | str]]:
    """The content of an element, with white space: elements with their rows, texts with the rows of their holders.

    Rows count from that of the element, which is 0, in the order of `walk`.
    """
    parents, outside = [-1], [-1]
    element, left = 0, len(node)
    for child in node.descendants:
        while not left:
            left, element = outside.pop(), parents[element]
        left -= 1
        if isinstance(child, Element):
            row = len(parents)
            parents.append(element)
            yield row, child
            if children := len(child):
                outside.append(left)
                element, left = row, children
        elif isinstance(child, Text | CData):
            yield element, child.data
        elif isinstance(child, Fragment):
            left += len(child)


def text_ordinals(node: Element) -> list[int]:
    """For each child of an element that is text and not blank: which of its texts it is, from 1."""
    texts = [child.data for child in node if isinstance(child, Text | CData)]
    return [1] if len(texts) == 1 else [ordinal for ordinal, text in enumerate(texts, 1) if not text.isspace()]


def all_text_ordinals(tree: Tree) -> list[int]:
    """For each text leaf in the order of `walk`: which text child of its element it is, from 1."""
    ordinals: list[int] = []
    seen: dict[Node | None, int] = {}
    for node in tree.descendants:
        if isinstance(node, Text | CData):
            holder = node.parent
            ordinal = seen[holder] = seen.get(holder, 0) + 1
            if not node.data.isspace() and not (isinstance(holder, Element) and holder.tag in CODE):
                ordinals.append(ordinal)
    return ordinals


def select(tree: Tree, selector: str) -> list[Element]:
    """The elements that a CSS selector matches, in document order."""
    return tree.select(selector)


def selector_error(selector: str) -> str:
    """Why this is not a CSS selector; empty if it is one."""
    try:
        turbohtml.parse("", positions=False).select(selector)
    except ValueError as error:
        return " ".join(str(error).rpartition('": ')[2].split())
    return ""


def xpath(tree: Tree, expression: str) -> list[Element]:
    """The elements that an XPath expression selects, in document order."""
    found = tree.xpath(expression)
    return [node for node in found if isinstance(node, Element)] if isinstance(found, list) else []


def xpath_error(expression: str) -> str:
    """Why this is not an XPath expression; empty if it is one."""
    try:
        # Some errors, such as an unknown function, only appear where there is an element to test.
        turbohtml.parse("<p>", positions=False).xpath(re.sub(r"^//[^[]*", "//*", expression))
    except (TypeError, ValueError) as error:
        return " ".join(str(error).removeprefix("xpath: ").split())
    return ""


def enclosing_elements(node: Element, most: int) -> Iterator[Element]:
    """The elements around one, the innermost first, at most `most`."""
    return islice((above for above in node.ancestors if isinstance(above, Element)), most)


def neighbours(node: Element) -> tuple[Element | None, Element | None]:
    """The elements directly before and after one."""
    before, after = node.previous_sibling, node.next_sibling
    while not (before is None or isinstance(before, Element)):
        before = before.previous_sibling
    while not (after is None or isinstance(after, Element)):
        after = after.next_sibling
    return before, after


def has_rdfa(tree: Tree, size: int) -> bool:
    """Does an element have an RDFa type? `size` bounds the characters that all elements hold, nested ones again."""
    if size > _MOST_RDFA:
        return bool(tree.select("[typeof]"))
    try:
        return bool(tree.rdfa())  # in a tenth of the time of a query
    except (AttributeError, RecursionError):
        return True


def root_attribute(tree: Tree, name: str) -> str | None:
    """One attribute of the root element."""
    return tree.root.attr(name) if tree.root is not None else None


def attributes(node: Element) -> Iterator[tuple[str, str]]:
    """The attributes of an element; the value may be empty."""
    for name, value in node.attrs.items():
        # A few attributes come as lists of names. Asking for all by name would take quadratic time.
        yield name, value if isinstance(value, str) else node.attr(name) or ""


def opengraph_properties(tree: Tree) -> dict[str, str]:
    """The og: properties without their prefix."""
    return dict(tree.opengraph())


@lru_cache(maxsize=256)  # every page of a site names the same
def known_encoding(label: str) -> str | None:
    """The WHATWG name of an encoding label in lower case, or None if the label is unknown."""
    try:
        # The standard has latin1 and l1; Python and people also write latin-1.
        name = turbohtml.parse(b"", encoding=label.strip().lower().replace("latin-1", "latin1")).encoding
    except (LookupError, ValueError):
        return None
    # "replacement" means an encoding that browsers refuse; decoding with it loses the page.
    return name.lower() if name and name != "replacement" else None


def meta_encoding(head: bytes) -> str | None:
    """The encoding that a ``<meta>`` in the first bytes of a page declares, in lower case."""
    # The guard reads ASCII; after an escape, the bytes of ISO-2022-JP are not.
    tree = turbohtml.parse(guarded_page(head.replace(b"\x1b", b" ")), positions=False)
    certain = tree.encoding_confidence == "certain" and tree.encoding != "replacement"
    return tree.encoding.lower() if certain and tree.encoding else None


def detect_encoding(data: bytes) -> str:
    """The most likely encoding of bytes that are known not to be UTF-8, in lower case."""
    # The detector would trust the page's own <meta>, which has proved wrong.
    sample = re.sub(rb"charset", b"-------", data[:_DETECTION_WINDOW], flags=re.IGNORECASE)
    match = detect(sample, Detection(excluded=frozenset({"UTF-8", "UTF-8-SIG"})))
    return (match.encoding or "windows-1252").lower()


def decode_as(data: bytes, encoding: str) -> str:
    """Decode as browsers do (ISO-8859-1 is windows-1252, and so on); errors become U+FFFD."""
    return data.decode(f"whatwg-{encoding}", "replace")


# The start of an element: its row in the order of `walk`, tag, namespace and attributes.
Start = tuple[int, str, Namespace, dict[str, str]]


def pieces(tree: Tree, wanted: frozenset[str]) -> Iterator[Start | str | None]:
    """The elements and texts of a page in document order; None ends the element that was started last.

    Elements have only the `wanted` attributes. Comments are left out.
    """
    text_node, cdata, element_node, fragment = Text, CData, Element, Fragment
    row = -1
    outside: list[int] = []  # for each element open around the last one: how many of its children are left
    left = -1  # of the document itself; -1 never counts down to 0
    for node in tree.descendants:
        while not left:
            left = outside.pop()
            yield None
        left -= 1
        kind = type(node)
        if kind is element_node:
            row += 1
            values = {
                name: value if type(value) is str else node.attr(name) or ""  # type: ignore[attr-defined]
                for name, value in node.attrs.items()  # type: ignore[attr-defined]
                if name in wanted
            }
            yield row, node.tag, node.namespace, values  # type: ignore[attr-defined]
            outside.append(left)
            left = len(node)
        elif kind is text_node or kind is cdata:
            yield node.data  # type: ignore[attr-defined]
        elif kind is fragment:
            left += len(node)  # the content of a <template>
    for _ in outside:
        yield None


def _parser_safe_page(html: str, utf8: bytes | None = None) -> str:
    """The page as the parser may see it."""
    data = html.encode("utf-8", "replace") if utf8 is None else utf8
    passed = guarded_page(data)
    return html if passed is data else passed.decode("utf-8-sig", "replace")


def _without_frames(tree: Tree) -> Tree:
    """A frameset page shows other pages; its own content is in <noframes>, for browsers without frames.

    The standard reads <noframes> as raw text, so that text is parsed here as the body of the page.
    """
    if tree.root is None or not any(isinstance(node, Element) and node.tag == "frameset" for node in tree.root):
        return tree
    notes = [node.text for node in tree.select("frameset noframes, frameset ~ noframes")]
    if not notes:
        return tree
    head = "".join(node.html for node in tree.select("head > *"))
    inner = _parser_safe_page(head + "".join(notes))
    return turbohtml.parse(inner, positions=False, allow_declarative_shadow_roots=False)


# Elements whose content is text by HTML's rules, whatever tags it has.
_SWALLOWING = frozenset("iframe noembed noframes script style textarea title xmp".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_NOSCRIPT = "<noscript"
_CLOSED = re.compile(r"<([A-Za-z][\w:-]*)((?:\s[^<>]*)?)/>")


def xml_as_html(source: str, tree: Tree, nodes: Sequence[Element]) -> str | None:
    """The page with an end tag for each element that closes itself, as in XML; None if it was not saved as XML.

    HTML takes `<iframe/>` for a start tag, and an iframe, a script or a title then swallows the rest of the page.

    The signs are a last element that closes itself, lacks an end tag, and swallowed other tags, or a NOSCRIPT that
    closes itself and would contain all that follows.
    """
    if not nodes:
        return None
    may_be_open = any(node.next_sibling is None for node in select(tree, "noscript"))  # reading the source takes longer
    if may_be_open and _has_open_noscript(source):
        return _with_void_tags_closed(source)
    # An element of the head swallows the start of the body, which is then empty.
    last = nodes[-2] if nodes[-1].tag == "body" and len(nodes) > 1 else nodes[-1]
    if last.tag not in _SWALLOWING or last.next_sibling is not None or "</" not in last.text:
        return None
    behind = source[source.lower().rfind(f"</{last.tag}") + 1 :]
    if not any(found[1].lower() == last.tag for found in _CLOSED.finditer(behind)):
        return None
    return _with_void_tags_closed(source)


def _has_open_noscript(source: str) -> bool:
    at = source.find(_NOSCRIPT)  # a pattern would take a hundred times as long
    while at >= 0 and not source.startswith(("/>", " />"), at + len(_NOSCRIPT)):
        at = source.find(_NOSCRIPT, at + 1)
    return at >= 0 and source.count("</noscript") < source.count(_NOSCRIPT)


def _with_void_tags_closed(source: str) -> str:
    return _CLOSED.sub(lambda tag: tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>", source)
