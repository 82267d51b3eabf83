"""HTML and Markdown as text with the place of every element, read without the rendering code of tamis.

Markdown becomes HTML by an independent parser of CommonMark with GitHub's tables, footnotes and formulas. Code is read
without line numbers and buttons, formulas by their TeX: of MathML, KaTeX, MathJax, images, and between raw delimiters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

from tamis.document import parse
from tamis_lab import needs
from tamis_lab.metrics import tokens

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# Each kind with what makes two of them the same.
KINDS = {
    "heading": "text",
    "heading level": "text and level",
    "list item": "text without that of inner lists",
    "list depth": "text, depth, numbered or not",
    "table cell": "text, first cell of the row, first cell of the column",
    "code": "every character, without line numbers and trailing blanks",
    "code language": "the same and the language",
    "formula": "TeX without white space",
    "footnote": "text of a note that a mark refers to",
    "callout": "last paragraph",
    "link": "text and address",
    "image": "any address of the image",
    "quotation": "text of each paragraph",
}

# Powers and indices: 10^6, x_(i,j) and 10⁶ are written for what pages show as 106 and xi,j.
_SCRIPTS = re.compile(r"[_^]\(?")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff]")
_MARK = re.compile(r"\[(?:\d{1,3}|[a-z])\]")  # of a note
_DELIMITERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
_STYLE = re.compile(r"\\(?:display|text)style(?![a-zA-Z])")

# Brackets behind a backslash are punctuation in Markdown. As formulas they count as well as dollars.
# The text between cannot open another formula, so that brackets which are never closed take linear time; a `\\[` that
# ends a line of TeX opens none.
_IN_ROUND = r"[^\\\n]|\\\\|\\(?![\\()\n])"
_IN_SQUARE = r"[^\\\n]|\\\\|\\(?![\\\[\]\n])"
_BRACKETS = re.compile(
    rf"(?<!\\)\\\(((?:{_IN_ROUND}){{1,2000}}+)\\\)|(?<!\\)\\\[((?:{_IN_SQUARE}|\\?\n(?!\n)){{1,2000}}+)\\\]"
)

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table "
    "tbody td tfoot th thead tr ul".split()
)
_EMBEDS = frozenset("iframe object embed video audio".split())
_UNREAD = _EMBEDS | frozenset("script style template head svg select textarea canvas".split())
_VIDEO = re.compile(r"youtube(?:-nocookie)?\.com/embed/([\w-]+)|player\.vimeo\.com/video/(\d+)")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_BREAK = "  "  # a line break within a paragraph
NOWHERE = "https://page.example/"  # the address of a page without one

# Code
_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:lineno|linenos|linenumbers?|line-?numbers?(?:-rows)?|lnt?|lnum|gutter|gutters?|linenodiv|"
    r"copy(?:btn|-btn|-button|-code-button|-code)?|clipboard|copybutton|blob-num|rouge-gutter|hljs-ln-numbers|"
    r"code-block-extension-.*|sr-only|crayon-nums?)(?=$|\s)",
    re.IGNORECASE,
)
_LINES = frozenset(("div", "li", "p", "tr"))
_LINE = re.compile(r"(?:^|[\s_-])(?:line|code-?line|cl|view-line|token-line|row)(?=$|\s)", re.IGNORECASE)
_LANGUAGE = (
    re.compile(
        r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:|src|prettyprint\s+lang)[-:\s]*([\w+#.-]+)"
    ),
    re.compile(r"(?:^|\s)(?:hljs|sourceCode|highlight|codehilite|prism)\s+([\w+#.-]+)"),
    re.compile(r"(?:^|\s)highlight-([\w+#.-]+)"),
    re.compile(r"(?:^|\s)([\w+#.-]+)\s+(?:hljs)(?:$|\s)"),
)
_NO_LANGUAGE = frozenset(
    "none text plain plaintext plain-text txt auto autodetect nohighlight no-highlight undefined default notranslate "
    "hljs code highlight source raw wrap null unknown line-numbers copy syntax block pre tabs wrapper container".split()
)
_SAME = {
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "ts": "typescript", "tsx": "typescript",
    "py": "python", "python3": "python", "py3": "python", "ipython": "python", "ipython3": "python",
    "pycon": "python", "sh": "bash", "shell": "bash", "zsh": "bash", "console": "bash", "shell-session": "bash",
    "shellsession": "bash", "shellscript": "bash", "terminal": "bash", "yml": "yaml", "rb": "ruby", "rs": "rust",
    "golang": "go", "cs": "csharp", "c#": "csharp", "c++": "cpp", "ps1": "powershell", "htm": "html", "xhtml": "html",
    "md": "markdown", "kt": "kotlin", "docker": "dockerfile", "make": "makefile", "objc": "objectivec",
    "jsonc": "json", "json5": "json", "text-html-basic": "html", "markup": "html", "vb.net": "vbnet",
}  # fmt: skip

# Formulas
_RENDERED = re.compile(r"(?:^|\s)(?:katex|katex-display|MathJax\w*|mjx-\w+|mwe-math-element|ltx_Math)(?=$|\s)")
_TEX_IMAGE = re.compile(r"(?:^|[\s_-])(?:tex|latex|mathimg|math|mwe-math-fallback-image-\w+)(?=$|\s)", re.IGNORECASE)
_NAMED = re.compile(r"(?:^|\s)math(?:-inline|-display)?(?=$|\s)")
_ANNOTATION = "annotation[encoding*=tex i], annotation[encoding*=latex i]"
_RAW = (
    rf"(?<!\\)\\\((?P<a>(?:{_IN_ROUND}){{1,2000}}+)\\\)|(?<!\\)\\\[(?P<b>(?:{_IN_SQUARE}){{1,5000}}+)\\\]"
    r"|\$\$(?P<c>[^\n$]{1,5000}?)\$\$"
)
_ENVIRONMENT = (
    r"|(?P<d>\\begin\{(?P<name>equation|align|gather|multline|eqnarray)\*?\}"
    r"(?:(?!\\begin\{(?P=name)\*?\})[^\n]){1,2000}?\\end\{(?P=name)\*?\})"
)
_SINGLE = r"|(?<![\\$\w])\$(?P<e>[^\s$](?:[^$\n]{0,300}?[^\s$\\])?)\$(?![\w$])"
_RAW_ALONE = re.compile(_RAW + _ENVIRONMENT)
_RAW_WITH_DOLLARS = re.compile(_RAW + _ENVIRONMENT + _SINGLE)
_LOADS = re.compile(r"mathjax|katex", re.IGNORECASE)
_SETS_DOLLAR = re.compile(
    r"inlineMath[^;]{0,80}?\[\s*['\"]\\?\\?\$['\"]|left\s*:\s*['\"]\$['\"]|(?:tex2jax|delimiters)[^;]{0,200}['\"]\$['\"]"
)
_DRAWN = "\0"  # the drawing of MathJax 2 next to the script that has the formula


class StructureElement(NamedTuple):
    """One element: its kind, what it is compared by, and its place in the text of the page."""

    kind: str
    key: tuple[str, ...]
    start: int
    end: int
    # Elements that one careful person would write as such and another would not are neither wanted nor wrong.
    sure: bool = True


def words(text: str) -> str:
    """A text as its words, however it is spaced and punctuated, without marks of notes."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    return " ".join(tokens(_SCRIPTS.sub("", _MARK.sub(" ", text))))


def plain_tex(tex: str) -> str:
    """TeX without delimiters, style and white space."""
    tex = _STYLE.sub("", tex).strip()
    for opening, closing in _DELIMITERS:
        if tex.startswith(opening) and tex.endswith(closing) and len(tex) >= len(opening) + len(closing):
            tex = tex[len(opening) : len(tex) - len(closing)]
            break
    tex = "".join(tex.split()).replace("\\,", "")
    while tex.startswith("{") and _closes(tex) == len(tex) - 1:  # Wikipedia's braces round the whole
        tex = tex[1:-1]
    return tex.rstrip(".,;")


def _closes(tex: str) -> int:
    """Where the brace that opens a TeX source is closed."""
    depth = 0
    for place, letter in enumerate(tex):
        depth += (letter == "{") - (letter == "}")
        if not depth:
            return place
    return -1


def address(value: str, base: str) -> str:
    """An address as it is compared: absolute, without escapes; empty unless it is of the web."""
    try:
        whole = urljoin(base, value.strip().replace("\\", "/"))  # as browsers read it
        parts = urlsplit(whole)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https"):
        return ""
    path = unquote(parts.path) or "/"
    query = f"?{unquote(parts.query)}" if parts.query else ""
    fragment = f"#{unquote(parts.fragment)}" if parts.fragment else ""
    return f"{parts.netloc.lower()}{path}{query}{fragment}"


def to_html(markdown: str, *, with_formulas: bool) -> str:
    """The HTML of Markdown. Dollars are dollars unless the page is known to have formulas."""
    if with_formulas:
        markdown = _BRACKETS.sub(lambda found: f"${found[1].strip()}$" if found[1] else f"$${found[2]}$$", markdown)
    return str(_parser(with_formulas).render(markdown))


@cache
def _parser(with_formulas: bool) -> MarkdownIt:
    with needs("bench", "reading Markdown"):
        from markdown_it import MarkdownIt
        from mdit_py_plugins.dollarmath import dollarmath_plugin
        from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False)
    if with_formulas:
        parser.use(dollarmath_plugin, allow_labels=False, double_inline=True)
        for rule in ("math_inline", "math_inline_double", "math_block"):
            parser.add_render_rule(rule, _written_formula)
    return parser


def _written_formula(renderer: Any, tokens: Any, number: int, options: Any, environment: Any) -> str:
    del renderer, options, environment
    return f'<math alttext="{escape(tokens[number].content.strip())}"></math>'


@dataclass(slots=True)
class ElementRow:
    """An element that is shown: the rows up to `last` are inside it."""

    node: parse.Element
    tag: str
    parent: int
    start: int = 0  # its place in the text
    end: int = 0
    last: int = 0
    code: str | None = None  # of a code block
    tex: str | None = None  # of a formula; empty if it is one without TeX

    def attribute(self, name: str) -> str:
        """An attribute, empty if there is none."""
        return self.node.attr(name) or ""

    @property
    def classes(self) -> list[str]:
        """The class names in lower case."""
        return self.attribute("class").lower().split()

    @property
    def is_block(self) -> bool:
        """Does it start a line of its own?"""
        return self.tag in _BLOCKS


@dataclass
class PageRows:
    """The text of a page, a line for each block, and the elements in document order."""

    base: str
    text: str = ""
    rows: list[ElementRow] = field(default_factory=list)
    unscripted: dict[int, list[parse.Element]] = field(default_factory=dict)  # images in noscript, by the row around
    embedded: set[str] = field(default_factory=set)  # addresses of frames, videos and sounds

    def inside(self, number: int) -> Iterator[ElementRow]:
        """The rows inside one."""
        return iter(self.rows[number + 1 : self.rows[number].last])

    def blank(self, start: int, end: int) -> None:
        """Blank out a part of the text; the rest keeps its place."""
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]

    def around(self, number: int) -> Iterator[int]:
        """The numbers of the rows around one, from the inside."""
        while (number := self.rows[number].parent) >= 0:
            yield number


def page_rows(html: str, url: str | None, *, with_hidden: bool = False) -> PageRows:
    """Read a page or a fragment, with hidden parts if asked."""
    tree = parse.parse(html)
    base = url or NOWHERE
    if declared := parse.select(tree, "base[href]"):
        whole = address(declared[0].attr("href") or "", base)
        base = f"https://{whole}" if whole else base
    found = PageRows(base)
    has_sources = bool(parse.select(tree, "script[type^='math/tex']"))
    parts: list[str] = [""]
    size = 0

    def put(text: str) -> None:
        nonlocal size
        parts.append(text)
        size += len(text)

    def new_line() -> None:
        if not parts[-1].endswith("\n"):
            put("\n")

    rows, parent = found.rows, -1
    todo: list[parse.Node | int] = list(reversed(tree.children))
    while todo:
        node = todo.pop()
        if isinstance(node, int):
            row = rows[node]
            row.end, row.last, parent = size, len(rows), row.parent
            if row.is_block:
                new_line()
        elif isinstance(node, parse.Text | parse.CData):
            if parts[-1] != _BREAK or not node.data.isspace():
                put(_SPACE.sub(" ", node.data))
        elif isinstance(node, parse.Element):
            tag = node.tag.lower()
            tex = _tex_of(node, tag, has_sources)
            if tex is _DRAWN:
                continue
            hidden = not with_hidden and (tag == "noscript" or _is_hidden(node))
            if tex is None and (tag in _UNREAD or hidden):
                if tag == "noscript":
                    found.unscripted.setdefault(parent, []).extend(node.select("img"))
                elif tag in _EMBEDS:
                    found.embedded.update(_embedded(node, base))
                continue
            row = ElementRow(node, tag, parent, tex=tex)
            if row.is_block:
                new_line()
            elif tag == "br":  # two of them end a paragraph
                if parts[-1] == _BREAK:
                    new_line()
                else:
                    put(_BREAK)
            row.start = row.end = size
            row.last = len(rows) + 1
            rows.append(row)
            if tex is not None:
                put(" ")
            elif _is_code(node, tag):
                row.code = _code_of(node)
                new_line()
                put(_SPACE.sub(" ", row.code))
                row.end = size
                new_line()
            else:
                parent = len(rows) - 1
                todo.append(parent)
                todo.extend(reversed(node.children))
    found.text = "".join(parts)
    return found


def _embedded(node: parse.Element, base: str) -> Iterator[str]:
    """The addresses of an embedded medium, with those of its page on YouTube or Vimeo."""
    for each in (node, *node.select("source")):
        for name in ("src", "data-src", "data", "data-lazy-src"):
            if value := each.attr(name):
                yield (where := address(value, base))
                if match := _VIDEO.search(where):
                    yield f"www.youtube.com/watch?v={match[1]}" if match[1] else f"vimeo.com/{match[2]}"


def _is_hidden(node: parse.Element) -> bool:
    attributes = node.attrs
    style = attributes.get("style") if "style" in attributes else None
    return "hidden" in attributes or (isinstance(style, str) and bool(_HIDING.search(style)))


def _is_code(node: parse.Element, tag: str) -> bool:
    """Is an element a block of code by its tag, or a `code` of several lines?"""
    if tag == "pre":
        return True
    if tag != "code":
        return False
    style = (node.attr("style") or "").replace(" ", "").lower()
    return bool(node.select("br")) or (("white-space:pre" in style or "display:block" in style) and "\n" in node.text)


def _code_of(node: parse.Element) -> str:
    """The code as it is shown, without line numbers, buttons, trailing blanks and empty lines around it."""
    parts: list[str] = []
    # Lines in elements of their own, where no line break says so.
    by_element = "\n" not in node.text.strip("\n")
    todo: list[parse.Node | int] = list(reversed(node.children))
    while todo:
        child = todo.pop()
        if isinstance(child, int):  # the end of a line; a <br> there does not start another
            if len(parts) == child or parts[-1] != "\n":
                parts.append("\n")
        elif isinstance(child, parse.Text):
            parts.append(child.data)
        elif isinstance(child, parse.Element):
            names = child.attr("class") or ""
            if child.tag == "br":
                parts.append("\n")
            elif child.tag in ("button", "script", "style", "svg") or _GUTTER.search(names):
                continue
            else:
                is_line = child.tag in _LINES or (by_element and bool(_LINE.search(names)))
                if is_line and parts and not parts[-1].endswith("\n"):
                    parts.append("\n")
                if is_line and by_element:
                    todo.append(len(parts))
                todo.extend(reversed(child.children))
    text = "".join(parts).replace("\r\n", "\n").replace("\xa0", " ").replace("\u200b", "").replace("\ufeff", "")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def language_of(node: parse.Element) -> str:
    """The language that a code block, or an element inside or around it, names; empty if none does."""
    inner = [child for child in node.children if isinstance(child, parse.Element) and child.tag == "code"][:1]
    for each in (*inner, node, *parse.parents(node, 3)):
        if each.tag in ("body", "article", "main"):
            break
        for name in ("data-lang", "data-language", "lang" if each.tag == "code" else ""):
            if name and (found := _known_language(each.attr(name) or "")):
                return found
        names = each.attr("class") or ""
        for pattern in _LANGUAGE:
            if (match := pattern.search(names)) and (found := _known_language(match[1])):
                return found
    return ""


def _known_language(name: str) -> str:
    # Mixtures such as html+jinja by their first language.
    name = re.sub(r"(?<=\w)\+(?=\w).*", "", name.strip().lower().rstrip(";").removeprefix("language-"))
    return "" if name in _NO_LANGUAGE or len(name) > 20 else _SAME.get(name, name)


def _tex_of(node: parse.Element, tag: str, has_sources: bool) -> str | None:
    """The TeX of an element that is a formula, empty if it does not say, _DRAWN; None for every other element.

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
        return _DRAWN if has_sources and "MathJax" in names else _annotated(node)
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


def formula_pattern(html: str) -> re.Pattern[str] | None:
    """The pattern of formulas between delimiters, for a page that loads MathJax or KaTeX; None for other pages."""
    if not _LOADS.search(html):
        return None
    return _RAW_WITH_DOLLARS if _SETS_DOLLAR.search(html) else _RAW_ALONE


def raw_formulas(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int, int]]:
    """The formulas between delimiters with their places."""
    for match in pattern.finditer(text):
        yield next(group for group in match.groups() if group is not None), match.start(), match.end()
