"""Dragnet's data: HTML/NAME.html, Corrected/NAME.html.corrected.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.reader import Entry, Reader, counterpart, decode_gold, stems

_SUFFIX = ".html.corrected.txt"
_COMMENTS = re.compile(r"^!@#\$%\^&\*\(\)[ \t]+COMMENTS[ \t]*$", re.MULTILINE)


class Dragnet(Reader):
    """Articles and blog posts; the gold file keeps the readers' comments apart behind a line."""

    def entries(self) -> Iterator[Entry]:
        """The pages by name."""
        names = self.files.below("Corrected", _SUFFIX) + self.files.below("corrected/Corrected", _SUFFIX)
        return (Entry(page, "all") for page in stems(names, _SUFFIX))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page, its content and its comments."""
        corrected = f"Corrected/{entry.id}{_SUFFIX}"
        content, *comments = _COMMENTS.split(
            decode_gold(self.files.read(counterpart(self.files, corrected, f"corrected/{corrected}"))), maxsplit=1
        )
        return CorpusPage(
            corpus=self.info.name,
            id=entry.id,
            html=self.files.read(f"HTML/{entry.id}.html"),
            split=entry.split,
            gold_text=content.strip(),
            year=self.info.year,
            comments="".join(comments).strip() or None,
        )
