"""What a text is beside content or not: a comment, or a teaser of something else.

Few corpora mark it, but most pages say it themselves, to their style sheets: in class names and ids. The
network does not see those (they say too much about a site), so here they can teach it what comments look
like. Names are English on most sites of the world.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document
from tamis.lab.training.pages import LabelledPage
from tamis.page_type import PageType

_COMMENTS = ("comment", "disqus", "respond", "reply-list", "replies")
_RELATED = ("related", "recommend", "teaser", "read-next", "more-from", "also-like", "trending", "most-read", "popular")


class RoleTruth(NamedTuple):
    """One value a leaf."""

    comment: Bools
    related: Bools


def role_truth(page: LabelledPage, document: Document, content: Bools) -> RoleTruth:
    """By the names of the elements around each text.

    What is said on a forum is its content, and so is a list of related things where that is what a page is
    for: what the gold has is related to nothing. Comments are comments even where the gold counts them.
    """
    if page.page_type == PageType.FORUM:
        nothing = np.zeros(len(document.leaves), dtype=np.bool_)
        return RoleTruth(nothing, nothing)
    comment = document.inside(*_named(_COMMENTS))
    return RoleTruth(comment, document.inside(*_named(_RELATED)) & ~content & ~comment)


def _named(words: tuple[str, ...]) -> list[str]:
    # BODY and the like often say what a page can do ("comments-open"), not what it is.
    inner = ":not(body, html, article, main)"
    return [f'{inner}[{attribute}*="{word}" i]' for word in words for attribute in ("class", "id")]
