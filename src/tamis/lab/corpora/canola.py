"""Canola of the krdwrd project: merged.20100908.plan.canola/N, pages without a file suffix."""

from __future__ import annotations

from collections.abc import Iterator

from tamis.document.decode import decode
from tamis.lab.corpora.marks import Mark, take_out
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.reader import Entry, Reader, stems

_FOLDER = "merged.20100908.plan.canola"

# Each text was judged by several annotators and stands in a <kw> with the vote. A tie of the vote
# keeps its own name; a <kw> without a class was not judged.
_LABELS = {
    "krdwrd-tag-1": "bad",
    "krdwrd-tag-2": "unsure",
    "krdwrd-tag-3": "good",
    "krdwrd-tag-mrgtie": "tie",
}

# Only what the vote is sure of; callers that want "unsure" too have the labels.
CONTENT = frozenset({"good"})
_UNCLEAR = frozenset({"", "unsure", "tie"})


class Canola(Reader):
    """Web pages of 2008 with a label for every text: bad, unsure, good or tie."""

    def entries(self) -> Iterator[Entry]:
        """The pages by number."""
        for page in stems(self.files.below(_FOLDER)):
            yield Entry(page, "all")

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and take the annotation elements out."""
        page = take_out(decode(self.files.read(f"{_FOLDER}/{entry.id}")).text, "kw", _read)
        return CorpusPage(
            corpus=self.info.name,
            id=entry.id,
            html=page.html,
            split=entry.split,
            gold_text=page.text(CONTENT),
            language=self.info.language,
            year=self.info.year,
            leaf_labels=page.labels,
            content_labels=CONTENT,
            unclear_labels=_UNCLEAR,
        )


def _read(tag: str, attributes: dict[str, str]) -> Mark:
    del tag
    return Mark(_LABELS.get(attributes.get("class", "")), None)
