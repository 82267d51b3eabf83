"""The pages of the documentation, and their parts that can be tested: blocks of code, inline code, links."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
PAPERS = "packages/tamis-papers/src/tamis_papers"

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
# A block without a language is a drawing or a list of files, unless a line of it is one of these commands.
_COMMAND = re.compile(r"^(?:tamis|pip|make|python|\.venv/\S+|curl) [^─]*$", re.MULTILINE)
_CONTINUED = re.compile(r"\s*\\\n\s*")
_LINE = re.compile(r"(?:.*\\\n)*.+")
_COMMENT = re.compile(r"(?:^|\s+)# .*$")
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)")


class CodeBlock(NamedTuple):
    """A fenced block of code."""

    page: str
    line: int
    language: str
    code: str

    @property
    def id(self) -> str:
        return f"{self.page}:{self.line}"


class DocCommand(NamedTuple):
    """A line of a console block, with the lines that continue it and without its comment."""

    page: str
    line: int
    text: str

    @property
    def id(self) -> str:
        return f"{self.page}:{self.line}"


def names() -> list[str]:
    """Every page, as a path below the project."""
    patterns = ("*.md", "docs/**/*.md", "packages/*/README.md", "packages/*/docs/*.md", f"{PAPERS}/*/README.md")
    return sorted(path.relative_to(PROJECT).as_posix() for pattern in patterns for path in PROJECT.glob(pattern))


def text(page: str) -> str:
    """The Markdown of a page."""
    return (PROJECT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[CodeBlock]:
    """The blocks of code of a page."""
    whole = text(page)
    found = []
    for match in _FENCE.finditer(whole):
        language = match["language"] or ("console" if _COMMAND.search(match["code"]) else "text")
        found.append(CodeBlock(page, whole.count("\n", 0, match.start()) + 1, language, match["code"]))
    return found


def all_blocks(language: str) -> list[CodeBlock]:
    """The blocks of all pages in one language."""
    return [block for page in names() for block in blocks(page) if block.language == language]


def commands(block: CodeBlock) -> list[DocCommand]:
    """The commands of a console block, line by line."""
    found = []
    for match in _LINE.finditer(block.code):
        text = _COMMENT.sub("", _CONTINUED.sub(" ", match[0])).strip()
        if text:
            line = block.line + 1 + block.code.count("\n", 0, match.start())
            found.append(DocCommand(block.page, line, text))
    return found


def inline_code(page: str) -> list[str]:
    """The texts between single backticks."""
    return _INLINE.findall(_FENCE.sub("", text(page)))


def links(page: str) -> list[str]:
    """Targets of links and images that name no host."""
    return _LINK.findall(_FENCE.sub("", text(page)))


def anchors(page: str) -> set[str]:
    """The names of the headings of a page, as GitHub and MkDocs make them."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", text(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def pipelines(code: str) -> list[list[list[str]]]:
    """The commands of a console block: lines and what && parts, each a pipeline of argument lists."""
    found: list[list[list[str]]] = []
    for line in code.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="&|")
        lexer.whitespace_split = True
        pipeline: list[list[str]] = [[]]
        for word in lexer:
            if word == "&&":
                found.append(pipeline)
                pipeline = [[]]
            elif word == "|":
                pipeline.append([])
            else:
                pipeline[-1].append(word)
        if pipeline[-1]:
            found.append(pipeline)
    return found
