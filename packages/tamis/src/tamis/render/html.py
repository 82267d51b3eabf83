"""The content tree as clean HTML. Nothing in it runs, and links are absolute if the page's address is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tamis.document import Document
from tamis.labels import Labels
from tamis.render import safe
from tamis.render.content.formulas import mathml_of
from tamis.render.content.node import Child, Node
from tamis.render.content.tree import content_tree
from tamis.render.length import bounded
from tamis.render.options import HtmlOptions

_VOID = frozenset({"br", "hr", "img"})


def to_html(document: Document, labels: Labels, options: HtmlOptions | None = None) -> str:
    """The main content as an HTML fragment. Raises PageTooLarge if it is too long."""
    options = options or HtmlOptions()
    tree = content_tree(document, labels, options)
    content = "".join(bounded(written(tree.children), document)).strip()
    return f"<h1>{safe.text(options.title)}</h1>{content}" if options.title else content


def written(children: list[Child]) -> Iterator[str]:
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


# The begin and the end of an element; without an end, its content is not written.
_Ends = tuple[str, str | None]


def _paragraph(node: Node) -> _Ends:
    """A paragraph; around a block, which a style made, it would end there."""
    holds_block = any(isinstance(child, Node) and child.name in ("div", "p") for child in node.children)
    return _element(Node("div", node.attributes) if holds_block else node)


def _element(node: Node) -> _Ends:
    opening = f"<{node.name}{safe.attributes(node.attributes)}>" if node.attributes else f"<{node.name}>"
    return opening, None if node.name in _VOID else f"</{node.name}>"


def _code_block(node: Node) -> _Ends:
    language = node.attributes.get("language")
    named = safe.attributes({"class": f"language-{language}"}) if language else ""
    return f"<pre><code{named}>", "</code></pre>"


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
    content = "".join(written(mathml_of(node)))
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
