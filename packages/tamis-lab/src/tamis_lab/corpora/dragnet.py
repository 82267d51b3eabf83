"""Dragnet's data: HTML/NAME.html, Corrected/NAME.html.corrected.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, decode_gold

_SUFFIX = ".html.corrected.txt"

# The line before the comments is "!@#$%^&*()  COMMENTS". Annotators typed it by hand: blanks and tabs differ,
# symbols are missing or doubled, and the word is COMMNENTS or CORRECTED once each.
_COMMENTS = re.compile(r"^[ \t]*[!@#$%^&*()]{6,}[ \t]*CO[A-Z]+[ \t]*$", re.MULTILINE)


class Dragnet(Reader):
    """Articles and blog posts; the gold file has the readers' comments behind a line of their own."""

    def entries(self) -> Iterator[Entry]:
        """The pages by name."""
        return iter(sorted([*self.entries_in("Corrected", _SUFFIX), *self.entries_in("corrected/Corrected", _SUFFIX)]))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page, its content and its comments."""
        name = f"Corrected/{entry.id}{_SUFFIX}"
        content, *comments = _COMMENTS.split(decode_gold(self.first_of(name, f"corrected/{name}")), maxsplit=1)
        page = self.page(entry, self.files.read(f"HTML/{entry.id}.html"), content.strip())
        return replace(page, comments="".join(comments).strip() or None)
