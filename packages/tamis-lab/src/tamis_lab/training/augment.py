"""Augmentation: new pages made of labelled ones, each by some of several kinds of change.

A network learns little from seeing a page twice, but much from seeing its content in the frame of another site, in the
markup of another time, in another language, cut short, or with readers' comments below it. Nothing that decides what
is content is changed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document, parse
from tamis.extractor.declared import Declared
from tamis.page_type import PageType
from tamis_lab.training.aging import aged
from tamis_lab.training.cut import shorten
from tamis_lab.training.edit import Draft
from tamis_lab.training.made_up import Words
from tamis_lab.training.names import rename
from tamis_lab.training.pages import LabelledPage
from tamis_lab.training.scripts import some_script
from tamis_lab.training.teasers import add_teasers
from tamis_lab.training.threads import add_thread

# The kinds of change in the order in which they are made, and how often each is.
KINDS = {"short": 0.45, "frame": 0.7, "teasers": 0.35, "thread": 0.35, "aged": 0.5, "names": 0.3, "script": 0.25}

# How often the whole frame is swapped, and not parts of it.
_SWAP = 0.5
_MOST_PARTS = 3  # of the frame that are removed, and that are inserted
_FORUM = 0.3  # how often comments are looked for on a forum

# Old pages that people extract are mostly articles and threads. If others are aged, too, a short article among teasers
# is taken for a listing.
_AGED_TYPES = (PageType.ARTICLE, PageType.FORUM, None)

# Corpora of articles that do not give a page type.
_ARTICLES = ("news-2023/", "googletrends-2017/")


@dataclass(frozen=True, eq=False)
class Variant:
    """A synthetic page with everything unfolded, and the truth about its leaves."""

    document: Document
    content: Bools
    known: Bools
    comment: Bools  # as the names on the pages say that its parts come from, or because it was put there as one
    related: Bools
    declared: Declared  # what the page declares about itself
    is_aged: bool  # its markup was made older


def some_kinds(random: np.random.Generator, among: Collection[str] = tuple(KINDS)) -> frozenset[str]:
    """The kinds of change for one variant."""
    drawn = random.random(len(KINDS))
    return frozenset(
        kind for (kind, share), at in zip(KINDS.items(), drawn, strict=True) if kind in among and at < share
    )


def variant(
    page: LabelledPage, others: Sequence[LabelledPage], random: np.random.Generator, kinds: Collection[str]
) -> Variant:
    """A new page with the content of `page`, made by all of these kinds of change that suit it.

    What comes from elsewhere comes from pages drawn from `others`.
    """
    draft = Draft.of(page)
    is_article = page.page_type == PageType.ARTICLE or page.name.startswith(_ARTICLES)
    if "short" in kinds and is_article:
        shorten(draft, random)
    if "frame" in kinds:
        draft = _framed(draft, Draft.of(_one_of(others, random)), random)
    if "teasers" in kinds or "thread" in kinds:
        source = _one_of(others, random)
        if "thread" in kinds and random.random() < _FORUM:
            source = _one_of([each for each in others if each.page_type == PageType.FORUM] or others, random)
        other = Draft.of(source)
        words = Words([node.data for node, truth in other.truth.items() if truth.content], random)  # type: ignore[attr-defined]
        if "teasers" in kinds:
            add_teasers(draft, words, random)
        if "thread" in kinds and (is_article or page.page_type is None):
            add_thread(draft, other, words, random)
    is_aged = "aged" in kinds and page.page_type in _AGED_TYPES
    if is_aged:
        draft = aged(draft, random)
    if "names" in kinds:
        rename(draft.tree, random)
    if "script" in kinds:
        draft = draft.rewritten(some_script(random))
    return Variant(*draft.columns(), draft.declared, is_aged)


def _one_of(pages: Sequence[LabelledPage], random: np.random.Generator) -> LabelledPage:
    return pages[int(random.integers(len(pages)))]


def _framed(draft: Draft, other: Draft, random: np.random.Generator) -> Draft:
    """The content in the frame of another page, or in its own frame with parts of the other."""
    if draft.core is not None and other.core is not None and random.random() < _SWAP:
        return draft.in_frame_of(other)
    for place, part in zip(_some(draft.frame, random), _some(other.frame, random), strict=False):
        place.insert_before(part.extract())
    for element in _some(draft.frame, random):
        element.extract()
    return replace(draft, truth=draft.truth | other.truth)


def _some(frame: Sequence[parse.Element], random: np.random.Generator) -> list[parse.Element]:
    """Some elements of a frame, at most _MOST_PARTS, in document order."""
    frame = [part for part in frame if part.parent is not None]  # others were removed
    count = int(random.integers(0, _MOST_PARTS + 1)) if frame else 0
    return [frame[row] for row in sorted(set(random.integers(0, len(frame), count).tolist()))] if count else []
