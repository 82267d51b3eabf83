"""The content of a shell: a page that shows next to nothing and carries its content as data for a script."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from tamis.document.table import Document

# A shell shows at most this many characters outside links, and at most this many in links as long as a headline. On
# WCXB dev shells show up to 560 and 110; the first pages that would lose by it show 820, and lists of news have 1,370
# or more in links.
_MOST_SHOWN = 700
_MOST_SHOWN_IN_LINKS = 800
_HEADLINE = 40


@dataclass(frozen=True)
class Embedded:
    """The content in a page's data."""

    source: str  # json-ld, state or preloaded
    html: str  # a small page with only the content


def embedded(document: Document) -> Embedded | None:
    """The content that a page carries as data; None if the page is not a shell, or its data has no content."""
    if not _shows_little(document):
        return None
    from tamis.document.shells.content import content  # few pages need it

    found = content(document)
    return Embedded(*found) if found else None


def _shows_little(document: Document) -> bool:
    leaves, text = document.leaves, document.leaves.text
    shows, in_link = leaves.is_visible_text.tobytes(), leaves.in_link.tobytes()
    # Most pages show plenty in a few texts after the menus of the first third.
    middle, room = len(text) // 3, _MOST_SHOWN
    for leaf in chain(range(middle, len(text)), range(middle)):
        if shows[leaf] and not in_link[leaf]:
            room -= len(text[leaf].strip())
            if room < 0:
                return False
    lengths = [len(text[leaf].strip()) for leaf in range(len(text)) if shows[leaf] and in_link[leaf]]
    return sum(length for length in lengths if length >= _HEADLINE) <= _MOST_SHOWN_IN_LINKS
