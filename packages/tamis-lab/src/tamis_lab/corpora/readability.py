"""Mozilla Readability's tests: test-pages/NAME/{source.html, expected.html, expected-metadata.json}."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tamis.document import Document
from tamis.labels import Labels
from tamis.render.text import to_text
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, described, text_or_none

_FOLDER = "test-pages/"
_EXPECTED = "/expected.html"


class Readability(Reader):
    """Real pages with the output of Readability itself as their gold."""

    def entries(self) -> Iterator[Entry]:
        """The pages by name."""
        for name in self.files.names:
            if name.startswith(_FOLDER) and name.endswith(_EXPECTED):
                yield Entry(name[len(_FOLDER) : -len(_EXPECTED)], "all")

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page, the expected markup as text, and the expected metadata."""
        folder = f"{_FOLDER}{entry.id}"
        metadata = self.files.table(f"{folder}/expected-metadata.json")
        page = self.page(entry, self.files.read(f"{folder}/source.html"), _text(self.files.read(folder + _EXPECTED)))
        language = text_or_none(metadata.get("lang"))
        return replace(described(page, metadata, author="byline", date="publishedTime"), language=language)


def _text(html: bytes) -> str:
    document = Document.from_html(html)
    keep = document.leaves.visible
    return to_text(document, Labels(keep.astype(np.float64), keep))
