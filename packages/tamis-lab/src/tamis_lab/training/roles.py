"""Which texts are comments, and which are teasers of other pages.

Few corpora mark them, but class names and ids of most pages do. Most of these names are English, on sites in any
language. In training, three pages in ten are shown without names, so the network does not rely on them alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document
from tamis.page_type import PageType
from tamis_lab.training.pages import LabelledPage

_COMMENTS = ("comment", "disqus", "respond", "reply-list", "replies", "trackback", "talkback", "komentar", "kommentar")
_NO_COMMENTS = "commentary"  # it names a kind of article
_RELATED = ("related", "recommend", "teaser", "read-next", "more-from", "also-like", "trending", "most-read", "popular")


# Corpora whose gold has readers' comments.
COMMENTS_ARE_CONTENT = ("canola", "cleaneval", "googletrends-2017")
_MOST_COMMENTS = 0.8  # of the content


class RoleTruth(NamedTuple):
    """One value a leaf."""

    comment: Bools
    related: Bools


def role_truth(page: LabelledPage, document: Document, content: Bools) -> RoleTruth:
    """Roles by the names of the elements around each text, and by the marks of annotators.

    On a forum posts are content, not comments. Content is never related, since some pages are lists of related
    things. Some corpora count comments as content: there a name tells a comment even where the gold has its text. In
    the others the gold is right and the name is not.
    """
    if page.page_type == PageType.FORUM:
        nothing = np.zeros(len(document.leaves), dtype=np.bool_)
        return RoleTruth(nothing, nothing)
    comment = document.inside(*_named(_COMMENTS, _NO_COMMENTS))
    if page.corpus not in COMMENTS_ARE_CONTENT:
        comment &= ~content
    elif np.count_nonzero(comment & content) > _MOST_COMMENTS * np.count_nonzero(content):
        comment = np.zeros_like(comment)  # the name is about the page
    if page.marks:
        comment |= np.fromiter((mark == "comment" for mark in page.marks), np.bool_, len(page.marks))
    return RoleTruth(comment, document.inside(*_named(_RELATED)) & ~content & ~comment)


def _named(words: tuple[str, ...], no_word: str = "") -> list[str]:
    # Class names of body and the like name features of the page ("comments-open"), not its content.
    inner = ":not(body, html, article, main)"
    other = f':not([{{0}}*="{no_word}" i])' if no_word else ""
    return [
        f'{inner}[{attribute}*="{word}" i]{other.format(attribute)}' for word in words for attribute in ("class", "id")
    ]
