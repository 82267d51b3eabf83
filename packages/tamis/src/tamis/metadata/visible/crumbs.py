"""The categories of a page in its visible breadcrumbs: the links between the home page and the page itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from urllib.parse import urlsplit

from tamis.cached import cached_property
from tamis.document import parse
from tamis.document.titles import fold, title_parts
from tamis.metadata.categories import categories, is_home
from tamis.metadata.head import values
from tamis.metadata.visible.near import Near

_CUE = "crumb"
# One by one they use the parser's index of tags.
_QUERIES = tuple(f"{place}*={_CUE} i]" for place in ("nav[aria-label", "nav[class", "ol[class"))
_MOST, _LONGEST_TEXT, _LONGEST_TITLE = 8, 60, 1_000
_HOME_PATHS = frozenset({"index.html", "index.php", "home"})


class Crumbs:
    """The breadcrumbs of a page. `no_names` are begins of texts that name nothing."""

    def __init__(self, near: Near, no_names: tuple[str, ...]) -> None:
        self._near, self._no_names = near, no_names

    @cached_property
    def row(self) -> int:
        """The row of the element that holds them; -1 if there is none."""
        return next((row for row in self._rows() if 0 < len(self._near.links_in(row)) <= _MOST), -1)

    def _rows(self) -> Iterator[int]:
        tree, nodes = self._near.view.document.tree, self._near.nodes
        found = chain.from_iterable(parse.select(tree, query)[:2] for query in _QUERIES)
        return chain((row for row, _ in self._near.named(_CUE)), (nodes.index(node) for node in found))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The texts of the links between."""
        if self.row < 0:
            return ()
        links = [link for link in self._near.links_in(self.row) if not self._is_self(link)]
        texts = [text for link in links if (text := self._near.text(link)) and not self._is_home(link, text)]
        if texts and fold(texts[-1]) in self._titles():
            texts.pop()
        named = (text for text in values.unique(texts) if not text.casefold().startswith(self._no_names))
        return categories(text for text in named if len(text) <= _LONGEST_TEXT and not text.isdecimal())

    def _titles(self) -> set[str]:
        """What the page may call itself."""
        document = self._near.view.document
        headings = [node.text[:_LONGEST_TITLE] for node in parse.select(document.tree, "h1")[:1]]
        return {fold(text) for text in (*title_parts(document.title[:_LONGEST_TITLE])[:1], *headings)}

    def _is_self(self, link: int) -> bool:
        """Does a link lead to this page?"""
        address = self._near.address(link)
        return not address or address.startswith("#") or address == self._near.view.address

    def _is_home(self, link: int, text: str) -> bool:
        if is_home(text):
            return True
        try:
            path = urlsplit(self._near.address(link)).path.strip("/")
        except ValueError:
            return False
        return len(path) <= 2 or path in _HOME_PATHS
