"""Canola of the krdwrd project: merged.20100908.plan.canola/N, pages without a file suffix."""

from __future__ import annotations

from dataclasses import replace

from tamis_lab.corpora.marks import Mark, take_out
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader

# Each text was judged by several annotators and stands in a <kw> with the vote. A tie of the vote
# keeps its own name; a <kw> without a class was not judged.
_LABELS = {"krdwrd-tag-1": "bad", "krdwrd-tag-2": "unsure", "krdwrd-tag-3": "good", "krdwrd-tag-mrgtie": "tie"}

# Only what the vote is sure of; callers that want "unsure" too have the labels.
CONTENT = frozenset({"good"})
_UNCLEAR = frozenset({"", "unsure", "tie"})


class Canola(Reader):
    """Web pages of 2008 with a label for every text: bad, unsure, good or tie."""

    folder = "merged.20100908.plan.canola"

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and take the annotation elements out."""
        marked = take_out(self.markup(f"{self.folder}/{entry.id}"), "kw", _read)
        return replace(marked.fill(self.page(entry, marked.html), CONTENT), unclear_labels=_UNCLEAR)


def _read(tag: str, attributes: dict[str, str]) -> Mark:
    del tag
    return Mark(_LABELS.get(attributes.get("class", "")), None)
