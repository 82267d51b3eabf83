"""Pages that are changed before they become tables: parts taken out, put in or moved, texts rewritten.

Only training needs it, to make pages that nobody wrote out of pages that somebody did. Texts keep
their identity however far they move, so what was known of a text is known afterwards.
"""

from __future__ import annotations

from collections.abc import Callable

from tamis.document import parse
from tamis.document.decode import decode
from tamis.document.table import Document


class Draft:
    """A page that can be changed. Elements and texts go by the numbers that they had at first."""

    def __init__(self, html: bytes) -> None:
        self._tree = parse.parse(decode(html)[0])
        self.texts: list[parse.Node] = []  # the text leaves, in document order
        parse.walk(self._tree, self.texts)
        self._elements = parse.elements(self._tree)

    def remove(self, row: int) -> None:
        """Take an element out, with all that is in it."""
        self._elements[row].extract()

    def put_before(self, row: int, other: Draft, other_row: int) -> None:
        """Take an element out of another draft and put it before one of this."""
        self._elements[row].insert_before(other._elements[other_row].extract())

    def replace(self, row: int, other: Draft, other_row: int) -> None:
        """Put an element of another draft in the place of one of this."""
        self._elements[row].replace_with(other._elements[other_row].extract())

    def rewrite(self, change: Callable[[str], str]) -> None:
        """Every text becomes what `change` makes of it. It must not make it blank."""
        texts: list[parse.Node] = []
        parse.walk(self._tree, texts)
        for node in texts:
            node.data = change(node.data)  # type: ignore[attr-defined]

    def document(self) -> tuple[Document, list[parse.Node]]:
        """The page as it is now, and its text leaves in document order."""
        texts: list[parse.Node] = []
        return Document.from_tree(self._tree, texts), texts
