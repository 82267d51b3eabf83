"""Documentation built by Sphinx beside its sources: PATH.html, _sources/PATH.md.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tamis.document import Document
from tamis_lab.bench.structure.page import to_html
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, decode_gold

_FOLDER, _SUFFIX = "_sources/", ".md.txt"

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
# What Sphinx builds a table of contents from is not shown; of other directives the content is.
_CONTENTS = re.compile(r"^(`{3,}|:{3,})\{toctree\}.*?^\1[ \t]*$", re.DOTALL | re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*(?:`{3,}\{[\w:-]+\}[^\n]*|:{3,}[^\n]*)$", re.MULTILINE)
_ROLE = re.compile(r"\{[\w:-]+\}(?=`)")


class Sources(Reader):
    """Documentation in Chinese and English. The Markdown without its marks is the gold text."""

    def entries(self) -> Iterator[Entry]:
        """The pages by path."""
        for name in self.files.names:
            if name.startswith(_FOLDER) and name.endswith(_SUFFIX):
                yield Entry(name.removeprefix(_FOLDER).removesuffix(_SUFFIX), "all")

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its source."""
        markdown = decode_gold(self.files.read(f"{_FOLDER}{entry.id}{_SUFFIX}"))
        page = self.page(entry, self.files.read(f"{entry.id}.html"), plain_text(markdown))
        return replace(page, page_type="documentation", markdown=markdown)


def plain_text(markdown: str) -> str:
    """The words that a reader of the built page sees, a text a line."""
    source = _ROLE.sub("", _DIRECTIVE.sub("", _CONTENTS.sub("", _FRONT_MATTER.sub("", markdown))))
    leaves = Document.from_html(to_html(source, with_formulas=False)).leaves
    lines: list[str] = []
    block = -1
    for text, gap, row, is_media in zip(leaves.text, leaves.gap, leaves.block.tolist(), leaves.is_media, strict=True):
        if is_media:
            continue
        if row != block:
            lines.append(text)
        else:
            lines[-1] += gap + text
        block = row
    return "\n".join(line.strip() for line in lines)
