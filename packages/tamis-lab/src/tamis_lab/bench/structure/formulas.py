"""Formulas of a page by their TeX: of MathML, KaTeX, MathJax, images, and between raw delimiters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tamis.document import parse

_RENDERED = re.compile(r"(?:^|\s)(?:katex|katex-display|MathJax\w*|mjx-\w+|mwe-math-element|ltx_Math)(?=$|\s)")
_TEX_IMAGE = re.compile(r"(?:^|[\s_-])(?:tex|latex|mathimg|math|mwe-math-fallback-image-\w+)(?=$|\s)", re.IGNORECASE)
_NAMED = re.compile(r"(?:^|\s)math(?:-inline|-display)?(?=$|\s)")
_ANNOTATION = "annotation[encoding*=tex i], annotation[encoding*=latex i]"
_RAW = r"\\\((?P<a>[^\n]{1,2000}?)\\\)|\\\[(?P<b>[^\n]{1,5000}?)\\\]|\$\$(?P<c>[^\n$]{1,5000}?)\$\$"
_ENVIRONMENT = (
    r"|(?P<d>\\begin\{(?P<name>equation|align|gather|multline|eqnarray)\*?\}[^\n]{1,5000}?\\end\{(?P=name)\*?\})"
)
_SINGLE = r"|(?<![\\$\w])\$(?P<e>[^\s$](?:[^$\n]{0,300}?[^\s$\\])?)\$(?![\w$])"
RAW = re.compile(_RAW + _ENVIRONMENT)
RAW_WITH_DOLLARS = re.compile(_RAW + _ENVIRONMENT + _SINGLE)
_LOADS = re.compile(r"mathjax|katex", re.IGNORECASE)
_SETS_DOLLAR = re.compile(
    r"inlineMath[^;]{0,80}?\[\s*['\"]\\?\\?\$['\"]|left\s*:\s*['\"]\$['\"]|(?:tex2jax|delimiters)[^;]{0,200}['\"]\$['\"]"
)


DRAWN = "\0"  # what MathJax 2 draws beside the script that has the formula


def tex_of(node: parse.Element, tag: str, has_sources: bool) -> str | None:
    """The TeX of an element that is a formula, empty if it does not say, DRAWN; None for every other element.

    `has_sources`: the page has its formulas as scripts.
    """
    if tag == "math":
        return _annotated(node)
    if tag == "script":
        return node.text if (node.attr("type") or "").startswith("math/tex") else None
    if tag == "mjx-container":
        return node.attr("data-latex") or _annotated(node)
    names = node.attr("class")
    if tag == "img":
        alt = node.attr("alt") or ""
        return alt if alt and names and _TEX_IMAGE.search(names) and re.search(r"[\\^_=]|^\w$", alt) else None
    if not names:
        return None
    if tag in ("span", "div") and _RENDERED.search(names):
        return DRAWN if has_sources and "MathJax" in names else _annotated(node)
    if _NAMED.search(names) and tag in ("span", "div") and not node.select("math, .katex, mjx-container, script, p"):
        text = node.text.strip()
        return text if text.startswith(("\\", "$")) else None
    return None


def _annotated(node: parse.Element) -> str:
    for found in node.select(_ANNOTATION):
        return found.text.strip()
    math = node if node.tag == "math" else next(iter(node.select("math[alttext]")), None)
    if math is not None and (alt := math.attr("alttext")):
        return alt
    image = next(iter(node.select("img[alt]")), None)
    return (image.attr("alt") or "") if image is not None else ""


def raw_pattern(html: str) -> re.Pattern[str] | None:
    """What stands between delimiters on a page that loads MathJax or KaTeX; None for other pages."""
    if not _LOADS.search(html):
        return None
    return RAW_WITH_DOLLARS if _SETS_DOLLAR.search(html) else RAW


def raw(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int, int]]:
    """The formulas between delimiters with their places."""
    for match in pattern.finditer(text):
        yield next(group for group in match.groups() if group is not None), match.start(), match.end()
