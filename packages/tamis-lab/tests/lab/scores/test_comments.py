"""The measure of comments, on a page whose comments are known."""

from __future__ import annotations

import numpy as np

import tamis
from tamis import Document, Labels, Page, Role
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.scores.gold import Words, commented, measured

HTML = """<p>The baker rises early and the bread is good.</p>
<ul><li><b class=author>Ann</b><p>The bread is good indeed.</p>
<li><b class=author>Bob</b><p>I like cake much more than that.</p></ul>"""
GOLD = CorpusPage("own", "1", HTML.encode(), "all", "The baker rises early and the bread is good.",
    comments="Ann The bread is good indeed. Bob I like cake much more than that.")  # fmt: skip


class Fixed:
    """Keeps what is in some elements and finds comments in others."""

    def __init__(self, kept: str, comments: str) -> None:
        self._kept, self._comments = kept, comments

    def label(self, document: Document) -> Labels:
        keep, said = document.inside(self._kept), document.inside(self._comments)
        roles = tuple(Role.COMMENT if each else Role.TEXT for each in said)
        return Labels(keep.astype(np.float64), keep, roles)


def words_of(gold: CorpusPage, page: Page) -> Words | None:
    return measured(commented(gold, gold.document()), page)


def test_words_count_where_they_stand() -> None:
    all_right = tamis.extract(HTML, extractor=Fixed("body > p", "ul"))
    assert words_of(GOLD, all_right) == Words(14, 0, 14)
    one_kept = tamis.extract(HTML, extractor=Fixed("body > p, li:last-child", "li:first-child"))
    assert words_of(GOLD, one_kept) == Words(14, 8, 6)
    nothing = tamis.extract(HTML, extractor=Fixed("h1", "h1"))
    assert words_of(GOLD, nothing) == Words(14, 0, 0)


def test_marks_in_the_page_are_taken_as_they_are() -> None:
    marks = ("main", "", "comment", "", "comment")
    marked = CorpusPage("own", "1", HTML.encode(), "all", leaf_labels=marks, comments="x")
    assert words_of(marked, tamis.extract(HTML, extractor=Fixed("p", "h1"))) == Words(12, 12, 0)
