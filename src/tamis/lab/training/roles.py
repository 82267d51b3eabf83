"""Which texts are comments, and which are teasers of other pages.

Few corpora mark them, but class names and ids of most pages do. Most of these names are English, on sites in any
language. In training, three pages in ten are shown without names, so the network does not rely on them alone.
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
    """Roles by the names of the elements around each text.

    On a forum posts are content, not comments. Content is never related, since some pages are lists of related
    things. A comment is one even where the gold counts it as content.
    """
    if page.page_type == PageType.FORUM:
        nothing = np.zeros(len(document.leaves), dtype=np.bool_)
        return RoleTruth(nothing, nothing)
    comment = document.inside(*_named(_COMMENTS))
    return RoleTruth(comment, document.inside(*_named(_RELATED)) & ~content & ~comment)


def _named(words: tuple[str, ...]) -> list[str]:
    # Class names of body and the like name features of the page ("comments-open"), not its content.
    inner = ":not(body, html, article, main)"
    return [f'{inner}[{attribute}*="{word}" i]' for word in words for attribute in ("class", "id")]
