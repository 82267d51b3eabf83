"""A copy of the page with its kept content marked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tamis.document import Document, parse
from tamis.document.parse import Namespace, Start, Words
from tamis.labels import Labels, Role
from tamis.render import safe
from tamis.render.html import base_url

_STYLE = """
mark.tamis { background: #ffe98a !important; color: #1a1a1a !important; }
mark.tamis-title { background: #a8dcff !important; }
mark.tamis-comment { background: #d9c8ff !important; }
mark.tamis-media { background: none !important; box-shadow: 0 0 0 4px #ffe98a; }
mark.tamis-media > img { display: inline-block; min-width: 3em; min-height: 1.5em; }
tspan.tamis { fill: #8a6100 !important; text-decoration: underline; }
"""

# The elements that are written. Of all others in HTML a span stays, in drawings a group, in formulas a row.
_HTML = frozenset(
    """
    a abbr address article aside audio b bdi bdo big blockquote br button canvas caption center cite code col colgroup
    dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header
    hgroup hr i iframe img input ins kbd label legend li main mark menu meter nav ol optgroup option output p pre
    progress q rp rt ruby s samp search section select small span strike strong sub summary sup table tbody td tfoot th
    thead time tr tt u ul var video wbr
    """.split()
)
_DRAWING = frozenset(
    """
    svg g path circle ellipse rect line polyline polygon text tspan defs linearGradient radialGradient stop symbol
    clipPath mask pattern marker use foreignObject
    """.split()
)
_FORMULA = frozenset(
    """
    math mi mn mo ms mtext mrow mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd mspace
    mpadded mphantom mstyle mmultiscripts mprescripts menclose merror semantics
    """.split()
)
_RENAMED = {"xmp": "pre", "listing": "pre", "plaintext": "pre", "textarea": "pre"}
_VOID = frozenset({"br", "col", "hr", "img", "input", "wbr"})
# Only their content is written.
_UNWRAPPED = frozenset({"html", "head", "body", "noscript", "frameset"})
# Neither they nor their content are: code, what is never shown, and what else is loaded.
_LEFT_OUT = frozenset(
    """
    animate animateMotion animateTransform annotation annotation-xml area base basefont bgsound datalist desc embed
    filter frame image link meta metadata noembed noframes param script set source template track
    """.split()
)
_FALLBACKS = frozenset({"audio", "canvas", "iframe", "video"})  # their content is shown only where they are not

# In a style sheet this could be the begin of a tag. The escape means the same there.
_TAG_IN_STYLE = re.compile(r"<(?=[a-zA-Z/!?])")
# The charset has to be declared in the first 1,024 bytes; before it are the attributes of <html>.
_LONGEST_ROOT = 500


def highlight(document: Document, labels: Labels) -> str:
    """The whole page as HTML, with kept texts and media in <mark class="tamis ...">.

    Nothing runs in the copy and nothing is loaded: it is written anew from the elements and attributes that are
    allowed. It keeps the style sheets that are in the page itself, and links.
    """
    copy = _Copy(document, labels)
    for piece in parse.pieces(document.html):
        if piece is None:
            copy.end()
        elif isinstance(piece, Start):
            copy.start(piece)
        else:
            copy.text(piece)
    return copy.html()


@dataclass(slots=True)
class _Open:
    """An element that has been started and not yet ended."""

    closing: str
    is_left_out: bool
    texts: list[str]  # where its texts go
    in_drawing: bool = False


@dataclass(slots=True)
class _Copy:
    """The parts of the copy. Texts are escaped and there is no element of raw text but <style> in the head.

    So a browser reads exactly the tags that were written, whatever tree it makes of them.
    """

    document: Document
    labels: Labels
    base: str | None = field(init=False)
    root: str = ""  # attributes
    body: str = ""
    title: list[str] = field(default_factory=list)
    styles: list[tuple[str, list[str]]] = field(default_factory=list)  # attributes, content
    content: list[str] = field(default_factory=list)
    open: list[_Open] = field(init=False)

    def __post_init__(self) -> None:
        self.base = base_url(self.document)
        self.open = [_Open("", False, self.content)]

    def html(self) -> str:
        """The whole copy."""
        sheets = [(attributes, _TAG_IN_STYLE.sub(r"\\3c ", "".join(texts))) for attributes, texts in self.styles]
        styles = "".join(f"<style{attributes}>{sheet}</style>" for attributes, sheet in (*sheets, ("", _STYLE)))
        title = safe.text("".join(self.title))
        return (
            f"<!doctype html><html{self.root}><head>{safe.policy()}<title>{title}</title>{styles}</head>"
            f"<body{self.body}>{''.join(self.content)}</body></html>"
        )

    def start(self, piece: Start) -> None:
        """Open an element, or leave it out with all that is in it."""
        around, tag = self.open[-1], piece.tag
        values = dict(piece.attributes)
        if around.is_left_out or around.texts is not self.content:
            self.open.append(_Open("", True, []))
        elif tag == "style":
            texts: list[str] = []
            if values.get("type", "").strip().lower() in ("", "text/css"):
                media = {"media": values["media"]} if "media" in values else {}
                self.styles.append((safe.attributes(media), texts))
            self.open.append(_Open("", False, texts))
        elif tag == "title" and not self.title and piece.namespace is Namespace.HTML:
            self.open.append(_Open("", False, self.title))
        elif tag == "title" or (tag in _LEFT_OUT and not (tag == "template" and "shadowrootmode" in values)):
            self._mark_and_open("", "", piece, is_left_out=True)
        elif tag in _UNWRAPPED or tag == "template":
            self._keep_attributes(tag, values)
            self.open.append(_Open("", False, around.texts))
        else:
            self._write(piece, values)

    def text(self, piece: Words) -> None:
        """Write a text, marked if it is kept."""
        around = self.open[-1]
        if around.is_left_out:
            return
        if around.texts is not self.content:
            around.texts.append(piece.text)
            return
        written = safe.text(piece.text)
        if name := self._css_class(piece.leaf):
            mark = "tspan" if around.in_drawing else "mark"
            written = f"<{mark}{safe.attributes({'class': name})}>{written}</{mark}>"
        self.content.append(written)

    def end(self) -> None:
        """Close the element that was started last."""
        self.content.append(self.open.pop().closing)

    def _write(self, piece: Start, values: dict[str, str]) -> None:
        values = {name.lower(): value for name, value in values.items()}
        links = [values.pop(name, "") for name in ("href", "xlink:href")]
        values = {name: value for name, value in values.items() if name not in ("src", "cite", "sandbox")}
        if piece.namespace is Namespace.HTML:
            name = _RENAMED.get(piece.tag, piece.tag if piece.tag in _HTML else "span")
            if name == "a":
                values["href"] = links[0]
            elif name == "iframe":
                values["sandbox"] = ""
        elif piece.namespace is Namespace.SVG:
            name = piece.tag if piece.tag in _DRAWING else "g"
            local = next((link for link in links if link.startswith("#")), "")
            if name == "use":
                values["href"] = local
        else:
            name = piece.tag if piece.tag in _FORMULA else "mrow"
        base = self.base if piece.namespace is Namespace.HTML else None
        opening = f"<{name}{safe.attributes(values, base)}>" + "\n" * (name == "pre")
        closing = "" if name in _VOID else f"</{name}>"
        self._mark_and_open(opening, closing, piece, is_left_out=name in _FALLBACKS)

    def _mark_and_open(self, opening: str, closing: str, piece: Start, *, is_left_out: bool) -> None:
        if name := self._css_class(piece.leaf):
            opening, closing = f"<mark{safe.attributes({'class': name})}>{opening}", f"{closing}</mark>"
        self.content.append(opening)
        in_drawing = piece.namespace is Namespace.SVG and piece.tag != "foreignObject"
        self.open.append(_Open(closing, is_left_out, self.content, in_drawing))

    def _keep_attributes(self, tag: str, values: dict[str, str]) -> None:
        if tag == "html":
            values = {name: values[name] for name in ("lang", "dir", "class", "id") if name in values}
            written = safe.attributes(values)
            self.root = written if len(written) <= _LONGEST_ROOT else ""
        elif tag == "body":
            self.body = safe.attributes(values)

    def _css_class(self, leaf: int | None) -> str | None:
        if leaf is None or not self.labels.keep[leaf]:
            return None
        if self.document.leaves.is_media[leaf]:
            return "tamis tamis-media"
        role = self.labels.role(leaf)
        return "tamis" if role is Role.TEXT else f"tamis tamis-{role.value}"
