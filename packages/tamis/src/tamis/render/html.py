"""The content tree as clean HTML, and copies of the page: with its kept content marked, or every block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tamis.document import Document, parse, tags
from tamis.document.parse import Namespace
from tamis.labels import Labels, Role
from tamis.render import safe
from tamis.render.content import Child, HtmlOptions, Node
from tamis.render.content.formulas import mathml_of
from tamis.render.content.mathml import PRESENTATION
from tamis.render.content.source import base_url
from tamis.render.content.tree import KEPT_TAGS, content_tree
from tamis.render.safe import bounded
from tamis.render.text import Block

_WITHOUT_END = frozenset({"br", "hr", "img"})


def to_html(
    document: Document, labels: Labels, options: HtmlOptions | None = None, nodes: list[Child] | None = None
) -> str:
    """The main content as an HTML fragment. Raises PageTooLarge if it is too long.

    `nodes` are shown in place of the tree of what is kept.
    """
    options = options or HtmlOptions()
    children = content_tree(document, labels, options).children if nodes is None else nodes
    content = "".join(bounded(html_pieces(children), document)).strip()
    return f"<h1>{safe.text(options.title)}</h1>{content}" if options.title else content


def html_pieces(children: list[Child]) -> Iterator[str]:
    """The HTML of some nodes, in pieces."""
    todo: list[Child | tuple[str]] = list(reversed(children))
    referred: set[str] = set()  # the notes that have been referred to
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            yield safe.text(node)
        elif isinstance(node, tuple):
            yield node[0]
        elif node.name == "note-reference":
            yield _note_reference(node, is_first=node.attributes["id"] not in referred)
            referred.add(node.attributes["id"])
        else:
            write = _WRITERS.get(node.name)
            opening, closing = write(node) if write else _element(node)
            yield opening
            if closing is not None:
                todo.append((closing,))
                todo.extend(reversed(node.children))


# The start tag and the end tag of an element; without an end tag, its content is not written.
_Ends = tuple[str, str | None]


def _paragraph(node: Node) -> _Ends:
    """A paragraph; around a block, which a style made, it would end there."""
    holds_block = any(isinstance(child, Node) and child.name in ("div", "p") for child in node.children)
    return _element(Node("div", node.attributes) if holds_block else node)


def _element(node: Node) -> _Ends:
    opening = f"<{node.name}{safe.attributes(node.attributes)}>" if node.attributes else f"<{node.name}>"
    return opening, None if node.name in _WITHOUT_END else f"</{node.name}>"


def _code_block(node: Node) -> _Ends:
    named = {"class": f"language-{name}"} if (name := node.attributes.get("language")) else {}
    return f"<pre><code{safe.attributes(named)}>", "</code></pre>"


def _item(node: Node) -> _Ends:
    checked = node.attributes.get("checked")
    others = {key: value for key, value in node.attributes.items() if key != "checked"}
    box = {"type": "checkbox", "disabled": "", **({"checked": ""} if checked == "true" else {})}
    return f"<li{safe.attributes(others)}>{f'<input{safe.attributes(box)}> ' if checked else ''}", "</li>"


def _callout(node: Node) -> _Ends:
    kind = node.attributes["kind"]
    title = node.attributes.get("title") or kind.capitalize()
    around = safe.attributes({"role": "note", "class": f"callout callout-{kind}"})
    return f'<div{around}><p class="callout-title">{safe.text(title)}</p>', "</div>"


def _note_reference(node: Node, *, is_first: bool) -> str:
    name = node.attributes["id"]
    values = {"href": f"#fn-{name}", **({"id": f"fnref-{name}"} if is_first else {}), "role": "doc-noteref"}
    return f"<sup><a{safe.attributes(values)}>{safe.text(name)}</a></sup>"


def _embed(node: Node) -> _Ends:
    source, title, kind = (node.attributes.get(key, "") for key in ("src", "title", "kind"))
    if kind in ("video", "audio"):
        return f"<{kind}{safe.attributes({'src': source, 'controls': ''})}></{kind}>", None
    return f"<iframe{safe.attributes({'src': source, 'title': title, 'sandbox': ''})}></iframe>", None


def _formula(node: Node) -> _Ends:
    display = ' display="block"' if "display" in node.attributes else ""
    tex = node.attributes.get("tex", "")
    content = "".join(html_pieces(mathml_of(node)))
    annotation = f'<annotation encoding="application/x-tex">{safe.text(tex)}</annotation>' if tex else ""
    return f"<math{display}><semantics>{content}{annotation}</semantics></math>", None


_WRITERS: dict[str, Callable[[Node], _Ends]] = {
    "p": _paragraph,
    "pre": _code_block,
    "li": _item,
    "callout": _callout,
    "embed": _embed,
    "formula": _formula,
    "notes": lambda node: ('<section role="doc-endnotes"><ol>', "</ol></section>"),
    "note": lambda node: (f"<li{safe.attributes({'id': 'fn-' + node.attributes['id']})}>", "</li>"),
}


_STYLE = """
mark.tamis { background: #ffe98a !important; color: #1a1a1a !important; }
mark.tamis-title { background: #a8dcff !important; }
mark.tamis-comment { background: #d9c8ff !important; }
mark.tamis-media { background: none !important; box-shadow: 0 0 0 4px #ffe98a; }
mark.tamis-media > img { display: inline-block; min-width: 3em; min-height: 1.5em; }
tspan.tamis { fill: #8a6100 !important; text-decoration: underline; }
"""

# The colour of a mark is its role, its strength how sure the verdict is, and its line whether it is kept. So no
# difference is one of colour alone. What shows the copy sets `data-chosen`.
_BLOCK_STYLE = """
mark.tamis { --w: 100%; color: #1a1a1a !important; cursor: pointer !important; text-shadow: none !important;
  background: color-mix(in oklab, var(--c) var(--w), #fff) !important; }
mark.tamis-kept { box-shadow: 0 2px 0 0 color-mix(in oklab, var(--c) 60%, #000); }
mark.tamis-dropped { text-decoration: underline dashed 1px #767676 !important; text-underline-offset: .25em; }
tspan.tamis { fill: color-mix(in oklab, var(--c) 40%, #000) !important; cursor: pointer !important; }
.tamis-text { --c: #ffd84d; } .tamis-title { --c: #7cc4ff; } .tamis-caption { --c: #8fdc9a; }
.tamis-note { --c: #7fd6d0; }
.tamis-comment { --c: #c9b0ff; } .tamis-related { --c: #ffb38a; } .tamis-boilerplate { --c: #c4c4c4; }
mark.tamis-1 { --w: 25%; } mark.tamis-2 { --w: 50%; } mark.tamis-3 { --w: 75%; }
mark.tamis:hover { outline: 1px solid #1a1a1a !important; }
.tamis[data-chosen] { outline: 3px solid #0b57d0 !important; outline-offset: 1px !important; }
"""
# Steps from a verdict at the threshold to one that is as sure as can be.
_STEPS = 4

# The elements that are written. All others become a span in HTML, a group in drawings, a row in formulas.
_HTML = KEPT_TAGS | set(
    "audio big button canvas center col colgroup dialog dir fieldset font form iframe img input label legend menu "
    "meter optgroup option output progress search select span strike tt video wbr".split()
)
_DRAWING = frozenset(
    """
    svg g path circle ellipse rect line polyline polygon text tspan defs linearGradient radialGradient stop symbol
    clipPath mask pattern marker use foreignObject
    """.split()
)
_FORMULA = PRESENTATION - {"none"} | {"math", "semantics"}
_RENAMED = {"xmp": "pre", "listing": "pre", "plaintext": "pre", "textarea": "pre"}
_VOID = frozenset({"br", "col", "hr", "img", "input", "wbr"})
# Only their content is written.
_UNWRAPPED = frozenset({"html", "head", "body", "noscript", "frameset", "template"})
# Left out with their content: code, elements that are never shown, and those that load something.
_LEFT_OUT = frozenset(
    """
    animate animateMotion animateTransform annotation annotation-xml area base basefont bgsound datalist desc embed
    filter frame image link meta metadata noembed noframes param script set source template track
    """.split()
)
# The attributes that are read; some names of drawings have capitals.
_READ = (safe.NAMES - {"sandbox"}) | set(
    "href xlink:href shadowrootmode gradientTransform gradientUnits patternUnits preserveAspectRatio viewBox".split()
)
_FALLBACKS = frozenset({"audio", "canvas", "iframe", "video"})  # their content is shown only where they are not

# The charset has to be declared in the first 1,024 bytes; before it are the attributes of <html>.
_LONGEST_ROOT = 500


def highlight(document: Document, labels: Labels) -> str:
    """The whole page as HTML, with kept texts and media in <mark class="tamis ...">.

    Nothing runs in the copy and nothing is loaded: it is written from the elements and attributes that are
    allowed. It keeps the style sheets that are in the page itself, and links.
    """
    marks = {}
    for leaf in labels.keep.nonzero()[0].tolist():
        role = labels.role(leaf)
        is_medium = document.leaves.is_media[leaf]
        more = " tamis-media" if is_medium else "" if role is Role.TEXT else f" tamis-{role.value}"
        marks[leaf] = f'class="tamis{more}"'
    return _PageCopy(document, marks, _STYLE, links=True).html()


def annotate(document: Document, labels: Labels, blocks: Sequence[Block]) -> str:
    """The whole page as HTML, with all visible text in <mark class="tamis ..." data-block="N">.

    N is an index into `blocks`, which are those of the page. The classes say the role, "tamis-kept" or
    "tamis-dropped", and "tamis-1" to "tamis-4", from a close call to a sure one. As in `highlight`, nothing runs and
    nothing is loaded; and no link leads anywhere, so that a click only chooses a block.
    """
    threshold = labels.threshold
    marks: dict[int, str] = {}
    for number, block in enumerate(blocks):
        room = 1 - threshold if block.keep else threshold
        sure = abs(block.score - threshold) / room if room else 1.0
        step, verdict = min(int(sure * _STEPS) + 1, _STEPS), "kept" if block.keep else "dropped"
        mark = f'class="tamis tamis-{block.role.value} tamis-{verdict} tamis-{step}" data-block="{number}"'
        marks |= dict.fromkeys(block.leaves, mark)
    return _PageCopy(document, marks, _BLOCK_STYLE, links=False).html()


# An element that has been started and not yet ended: its row, its end tag, where its texts go (None if they are left
# out), and whether it is in a drawing.
_Open = tuple[int, str, list[str] | None, bool]


class _PageCopy:
    """The parts of the copy. Texts are escaped, and no element but <style>, in the head, holds raw text.

    So a browser reads exactly the tags that were written, whatever tree it makes of them.
    """

    def __init__(self, document: Document, marks: Mapping[int, str], style: str, *, links: bool) -> None:
        """`marks` are the attributes of a mark around a leaf; without `links`, no link has an address."""
        leaves = document.leaves
        self.document, self.marks, self.style, self.links = document, marks, style, links
        self.base = base_url(document)
        self.leaf = 0  # the next one
        self.holders = [*leaves.element.tolist(), -2]
        self.is_media = [*leaves.is_media.tolist(), False]
        self.root = self.body = ""  # attributes
        self.title: list[str] = []
        self.styles: list[tuple[str, list[str]]] = []  # attributes and content
        self.content: list[str] = []
        self.open: list[_Open] = [(-1, "", self.content, False)]

    def html(self) -> str:
        """The whole copy."""
        for piece in parse.pieces(self.document.tree, _READ):
            if piece is None:
                self.content.append(self.open.pop()[1])
            elif not isinstance(piece, str):
                self._start(*piece)
            elif not piece.isspace():
                self._text(piece)
            elif self.open[-1][2] is self.content:
                self.content.append(piece)
        sheets = [(attributes, safe.style("".join(texts))) for attributes, texts in self.styles]
        styles = "".join(f"<style{attributes}>{sheet}</style>" for attributes, sheet in (*sheets, ("", self.style)))
        title = safe.text("".join(self.title))
        return (
            f"<!doctype html><html{self.root}><head>{safe.policy()}<title>{title}</title>{styles}</head>"
            f"<body{self.body}>{''.join(self.content)}</body></html>"
        )

    def _text(self, text: str) -> None:
        """Write a text, with its mark if it has one."""
        row, _, texts, in_drawing = self.open[-1]
        leaf = self.leaf
        is_leaf = self.holders[leaf] == row and self.document.leaves.text[leaf] == text
        self.leaf += is_leaf
        if texts is None:
            return
        if texts is self.content:
            text = safe.text(text)
            if is_leaf and leaf in self.marks:
                mark = "tspan" if in_drawing else "mark"
                text = f"<{mark} {self.marks[leaf]}>{text}</{mark}>"
        texts.append(text)

    def _start(self, row: int, tag: str, namespace: Namespace, values: dict[str, str]) -> None:
        """Open an element, or leave it out with all that is in it."""
        opening = closing = mark = ""
        if self.holders[self.leaf] == row and self.is_media[self.leaf]:
            mark = self.marks.get(self.leaf, "") if tag not in tags.CODE else ""
            self.leaf += 1
        texts: list[str] | None = self.content
        if self.open[-1][2] is not self.content:
            texts = None
        elif tag == "style":
            texts = []
            if values.get("type", "").strip().lower() in ("", "text/css"):
                media = {"media": values["media"]} if "media" in values else {}
                self.styles.append((safe.attributes(media), texts))
        elif tag == "title":
            texts = self.title if namespace is Namespace.HTML and not self.title else None
        elif tag in _LEFT_OUT and "shadowrootmode" not in values:
            texts = None
        elif tag == "html":
            values = {name: values[name] for name in ("lang", "dir", "class", "id") if name in values}
            written = safe.attributes(values)
            self.root = written if len(written) <= _LONGEST_ROOT else ""
        elif tag == "body":
            self.body = safe.attributes({name: value for name, value in values.items() if name != "href"})
        elif tag not in _UNWRAPPED:
            name, allowed = _named_element(tag, namespace, values)
            if not self.links and namespace is Namespace.HTML:
                allowed.pop("href", None)
            base = self.base if namespace is Namespace.HTML else None  # in a drawing, only to parts of itself
            opening = f"<{name}{safe.attributes(allowed, base)}>" if allowed else f"<{name}>"
            if name == "pre":
                opening += "\n"  # a parser drops the first one
            if name not in _VOID:
                closing = f"</{name}>"
            if name in _FALLBACKS:
                texts = None
        if mark:
            opening, closing = f"<mark {mark}>{opening}", f"{closing}</mark>"
        self.content.append(opening)
        self.open.append((row, closing, texts, namespace is Namespace.SVG and tag != "foreignObject"))


def _named_element(tag: str, namespace: Namespace, values: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The name and the attributes by which an element is written; a link is the only one with an address."""
    if namespace is Namespace.HTML:
        name = tag if tag in _HTML else _RENAMED.get(tag, "span")
        if name != "a":
            values.pop("href", None)
        return name, values | {"sandbox": ""} if name == "iframe" else values
    links = [values.pop(key, "") for key in ("href", "xlink:href")]
    values = {key.lower(): value for key, value in values.items()}
    if namespace is Namespace.SVG:
        name = tag if tag in _DRAWING else "g"
        local = next((link for link in links if link.startswith("#")), "")
        return name, values | {"href": local} if name == "use" else values
    return tag if tag in _FORMULA else "mrow", values
