"""The content of a shell: a page that shows next to nothing and carries its content as data for its program."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from tamis.document.table import Document

# A page is no shell if it shows more characters than this outside links, or more in links of the length of a headline.
# On WCXB dev shells show up to 560 and 110; the first pages that would lose by it show 820, and lists of news have
# 1,370 or more in links.
_PLENTY, _PLENTY_IN_LINKS = 700, 800
_HEADLINE = 40


@dataclass(frozen=True)
class Embedded:
    """The content in a page's data."""

    source: str  # json-ld, state or preloaded
    html: str  # a small page with nothing but the content


def embedded(document: Document) -> Embedded | None:
    """The content that a page carries as data; None if the page is no shell, or its data has no content."""
    if not _shows_little(document):
        return None
    from tamis.document.shells.content import content  # most pages are no shell

    found = content(document)
    return Embedded(*found) if found else None


def _shows_little(document: Document) -> bool:
    leaves = document.leaves
    shown = leaves.visible_text
    in_link = leaves.in_link.take(shown)
    outside = shown.compress(~in_link)
    middle = len(outside) // 3
    room = _PLENTY
    # Most pages show plenty in a few texts behind the menus of the first third.
    for row in chain(outside[middle:], outside[:middle]):
        room -= len(leaves.text[row].strip())
        if room < 0:
            return False
    lengths = [len(leaves.text[row].strip()) for row in shown[in_link].tolist()]
    return sum(length for length in lengths if length >= _HEADLINE) <= _PLENTY_IN_LINKS
