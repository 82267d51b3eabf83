"""Systems that answer with a text: which leaves of a page the text consists of."""

from __future__ import annotations

from tamis.arrays import Bools
from tamis.document import Document
from tamis_lab.bench.peers import Contestant
from tamis_lab.gold import align

# A leaf is in a text if this share of its words was aligned with it, as in the gold of Web2Text.
_SHARE = 2 / 3


def leaves_in_text(document: Document, text: str) -> Bools:
    """The leaves of a page that are found in a text."""
    return align(document, text).matched >= _SHARE


def leaves_of_contestant(contestant: Contestant, html: bytes, document: Document) -> Bools:
    """The leaves that a program of another project keeps; none where it crashes."""
    try:
        text = contestant(html, None)
    except Exception:  # it may raise anything
        text = ""
    return leaves_in_text(document, text)
