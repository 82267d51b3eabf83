"""The posts of a thread and the comments below an article: who says what and when, as the page shows it.

No site or system is known here. Posts are elements of one kind that each have a date (or a name) and text
(`repeats.py`); `reading.py` finds the parts of each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tamis.arrays import places
from tamis.deadline import check
from tamis.document import Document, tags
from tamis.labels import Labels, Role
from tamis.page_type import PageType
from tamis.records import repeats
from tamis.records.reading import NAMED, Reader
from tamis.records.repeats import Span, Weights
from tamis.records.texts import Texts
from tamis.render.layout import Layout
from tamis.render.text import pieces

# Posts hold at least this share of what the extractor keeps of a thread, and of a page of another type.
_LEAST_SHARE, _LEAST_OF_OTHER_TYPES = 0.5, 0.6
_MOST_POSTS = 5_000
_IS_HEADING = tags.lookup(*tags.HEADINGS)


@dataclass(frozen=True)
class Post:
    """A post of a thread, or a comment by a reader."""

    text: str  # without quotations, signatures, names, dates, counters and buttons
    author: str | None = None
    date: str | None = None  # YYYY-MM-DD, or as it is written
    number: int = 1  # as the page counts it, else its place from 1
    url: str | None = None  # of the post itself
    depth: int = 0  # how many posts it is below
    replies_to: int | None = None  # the number of the post that it answers
    quotes: tuple[str, ...] = ()
    is_question: bool = False
    is_accepted: bool = False  # the accepted answer
    xpath: str = ""
    markdown: str = field(default="", repr=False, compare=False)


def posts(document: Document, labels: Labels) -> tuple[Post, ...]:
    """The posts of a thread in document order; empty if the page is none."""
    texts = Texts(document, labels.keep)
    if texts.dates[-1] < 2:
        return ()
    is_forum = labels.page_types is not None and labels.page_types.best is PageType.FORUM
    weights = Weights(texts.sizes(texts.prose), texts.dates)
    spans = repeats.find(texts.elements, texts.kinds, weights, _LEAST_SHARE if is_forum else _LEAST_OF_OTHER_TYPES)
    if not spans:
        return ()
    check()
    reader = Reader(texts, sorted([*_opening(texts, spans), *spans])[:_MOST_POSTS])
    if not is_forum and reader.surest_name < NAMED:
        return ()
    return _posts(reader)


def _opening(texts: Texts, spans: Sequence[Span]) -> list[Span]:
    """What opens a thread, if it is in an element of another kind than the answers: all before the first with text."""
    first = spans[0].start
    is_before = texts.prose & (texts.element < first)
    if not is_before.any():
        return []
    prose, ends = texts.sizes(is_before), texts.elements.end[:first]
    inside = prose.take(ends) - prose[:first]
    fits = (ends <= first) & (texts.dates.take(ends) > texts.dates[:first]) & (2 * inside > prose[first])
    return [Span(row, int(ends[row])) for row in places(fits)[:1].tolist()]


def _posts(reader: Reader) -> tuple[Post, ...]:
    said = _said(reader)
    found = []
    for number, (text, quotes) in enumerate(said):
        author, when = reader.names[number], reader.dates[number]
        if text or quotes or (author and when):
            found.append(Post(text, author, when, reader.numbers[number], quotes=quotes))
    return tuple(found)


def _said(reader: Reader) -> list[tuple[str, tuple[str, ...]]]:
    """The text of each post, and the texts that it quotes."""
    texts, quoted = reader.texts, reader.quoted.tolist()
    order = np.array(sorted(at for own in reader.said for at in own), dtype=np.int64)
    if not order.size:
        return [("", ())] * len(reader.spans)
    layout = Layout(texts.document, texts.leaves.take(order))
    written = dict(zip(order.tolist(), pieces(texts.document, layout), strict=True))
    found = []
    for own in reader.said:
        quotes: dict[int, str] = {}
        for at in own:
            quotes[quoted[at]] = quotes.get(quoted[at], "") + written[at]
        text = quotes.pop(-1, "").strip()
        found.append((text, tuple(quote.strip() for quote in quotes.values())))
    return found
