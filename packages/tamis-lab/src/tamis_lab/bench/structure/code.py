"""Code blocks of a page: their source without line numbers and buttons, and their language."""

from __future__ import annotations

import re

from tamis.document import parse

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


def is_block(node: parse.Element, tag: str) -> bool:
    """Is an element a block of code by its tag, or a `code` of several lines?"""
    if tag == "pre":
        return True
    if tag != "code":
        return False
    style = (node.attr("style") or "").replace(" ", "").lower()
    return bool(node.select("br")) or (("white-space:pre" in style or "display:block" in style) and "\n" in node.text)


def source(node: parse.Element) -> str:
    """The text as it is shown, without what is beside the code."""
    parts: list[str] = []
    # Lines in elements of their own, where no line break says so.
    by_element = "\n" not in node.text.strip("\n")
    todo: list[parse.Node | int] = list(reversed(node.children))
    while todo:
        child = todo.pop()
        if isinstance(child, int):  # the end of a line; a <br> there is no other line
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
    return tidy("".join(parts))


def tidy(text: str) -> str:
    """Code without trailing blanks and empty lines around it."""
    text = text.replace("\r\n", "\n").replace("\xa0", " ").replace("\u200b", "").replace("\ufeff", "")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def language(node: parse.Element) -> str:
    """The language that a code block, what is in it or what is around it names; empty if none does."""
    inner = [child for child in node.children if isinstance(child, parse.Element) and child.tag == "code"][:1]
    for each in (*inner, node, *parse.parents(node, 3)):
        if each.tag in ("body", "article", "main"):
            break
        for name in ("data-lang", "data-language", "lang" if each.tag == "code" else ""):
            if name and (found := _known(each.attr(name) or "")):
                return found
        names = each.attr("class") or ""
        for pattern in _LANGUAGE:
            if (match := pattern.search(names)) and (found := _known(match[1])):
                return found
    return ""


def _known(name: str) -> str:
    # Mixtures such as html+jinja by their first language.
    name = re.sub(r"(?<=\w)\+(?=\w).*", "", name.strip().lower().rstrip(";").removeprefix("language-"))
    return "" if name in _NO_LANGUAGE or len(name) > 20 else _SAME.get(name, name)
