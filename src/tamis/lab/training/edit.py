"""Pages that are changed before they become tables: parts removed, inserted or moved, texts rewritten.

Augmentation needs it. Text nodes keep their identity wherever they move, so their labels move with them.
"""

from __future__ import annotations

from collections.abc import Callable

from tamis.document import parse
from tamis.document.decode import decode
from tamis.document.table import Document


class Draft:
    """A page that can be changed. Elements are named by the numbers that they had at first."""

    def __init__(self, html: bytes) -> None:
        self._tree = parse.parse(decode(html)[0])
        self.texts: list[parse.Node] = []  # the text leaves, in document order
        parse.walk(self._tree, self.texts)
        self._elements = parse.elements(self._tree)

    def remove(self, element: int) -> None:
        """Remove an element with all that is in it."""
        self._elements[element].extract()

    def put_before(self, element: int, other: Draft, part: int) -> None:
        """Move the element `part` of another draft before one of this."""
        self._elements[element].insert_before(other._elements[part].extract())

    def replace(self, element: int, other: Draft, part: int) -> None:
        """Replace an element by the element `part` of another draft."""
        self._elements[element].replace_with(other._elements[part].extract())

    def rewrite(self, change: Callable[[str], str]) -> None:
        """Apply `change` to every text. It must not return blanks."""
        texts: list[parse.Node] = []
        parse.walk(self._tree, texts)
        for node in texts:
            node.data = change(node.data)  # type: ignore[attr-defined]

    def document(self) -> tuple[Document, list[parse.Node]]:
        """The page as it is now, and its text leaves in document order."""
        texts: list[parse.Node] = []
        return Document.from_tree(self._tree, texts), texts
