"""What KaTeX draws, to TeX: for pages that were made without MathML.

Fractions, roots, scripts and limits are lists from the bottom to the top (`vlist`); all else stands in a row.
"""

from __future__ import annotations

from tamis.render.content.node import Child, Node
from tamis.render.math.mathml import escaped as escaped_text
from tamis.render.math.mathml import joined, script
from tamis.render.math.symbols import FUNCTIONS

_DEEPEST = 60
_UNSEEN = frozenset(
    {"strut", "pstrut", "frac-line", "vlist-s", "hide-tail", "svg-align", "katex-mathml", "overline-line"}
)


def to_tex(node: Node) -> str:
    """An element of class "katex" as TeX."""
    return _row(node, 0)


def _row(node: Node, depth: int) -> str:
    return joined([_tex(child, depth + 1) for child in node.children])


def _tex(node: Child, depth: int) -> str:
    if isinstance(node, str):
        return escaped_text(" ".join(node.split()))
    classes = node.attributes.get("class", "").split()
    if depth >= _DEEPEST:
        return escaped_text(node.text())
    if node.name == "svg" or any(name in _UNSEEN for name in classes):
        return ""
    if "msupsub" in classes:
        return _scripts(node, depth)
    if "mfrac" in classes:
        parts = _parts(node, depth)
        return f"\\frac{{{parts[-1]}}}{{{parts[0]}}}" if len(parts) == 2 else _row(node, depth)
    if "sqrt" in classes:
        return f"\\sqrt{{{_row(node, depth)}}}"
    if "op-limits" in classes:
        return _limits(node, depth)
    if "mop" in classes and node.text() in FUNCTIONS:
        return "\\" + node.text()
    if "mathbb" in classes:
        return f"\\mathbb{{{node.text()}}}"
    if "mspace" in classes and not node.children:
        return ""
    return _row(node, depth)


def _list(node: Node) -> Node | None:
    """The first list in an element."""
    return next((each for each in node.walk() if "vlist" in each.attributes.get("class", "").split()), None)


def _parts(node: Node, depth: int) -> list[str]:
    """The TeX of the entries of the first list in an element that are not empty, from the bottom to the top."""
    found = _list(node)
    entries = found.children if found else []
    return [tex for entry in entries if isinstance(entry, Node) and (tex := _row(entry, depth + 1))]


def _scripts(node: Node, depth: int) -> str:
    parts = _parts(node, depth)
    if len(parts) == 2:
        return f"_{script(parts[0])}^{script(parts[1])}"
    # A list that goes below the line has a second row, for its depth.
    is_below = any("vlist-t2" in each.attributes.get("class", "").split() for each in node.walk())
    return "".join(("_" if is_below else "^") + script(part) for part in parts)


def _limits(node: Node, depth: int) -> str:
    parts = _parts(node, depth)
    if len(parts) == 3:
        return f"{parts[1]}_{script(parts[0])}^{script(parts[2])}"
    return f"{parts[1]}_{script(parts[0])}" if len(parts) == 2 else "".join(parts)
