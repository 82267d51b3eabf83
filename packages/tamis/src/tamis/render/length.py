"""How long an output may become."""

from __future__ import annotations

from collections.abc import Iterable

from tamis.deadline import checked
from tamis.document import Document
from tamis.errors import PageTooLarge

# The most characters of an output: a fixed number, and a multiple of those of the page. Links become longer when they
# are made absolute, cells when a table is made a grid, and JSON writes two paths for each block.
_AT_LEAST, _TIMES = 80_000_000, 4


class Room:
    """The characters that an output may still take."""

    def __init__(self, document: Document) -> None:
        self.most = self.left = _AT_LEAST + _TIMES * len(document.html)

    def take(self, characters: int) -> None:
        """Raises PageTooLarge if there is no room for so many."""
        self.left -= characters
        if self.left < 0:
            raise PageTooLarge(f"the output has more than {self.most:,} characters")


def fitting(output: str, document: Document) -> str:
    """The same output. Raises PageTooLarge if it is too long."""
    Room(document).take(len(output))
    return output


def bounded(pieces: Iterable[str], document: Document) -> list[str]:
    """The pieces of an output. Raises PageTooLarge if they are too long altogether."""
    room = Room(document)
    left = room.left
    written: list[str] = []
    for piece in checked(pieces):
        left -= len(piece)
        if left < 0:
            room.take(room.left - left)
        written.append(piece)
    return written
