"""The categories of a page in its breadcrumbs: the steps between the first, the site, and the last, the page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tamis.cached import cached_property
from tamis.document import parse
from tamis.document.titles import fold, title_parts
from tamis.metadata import values
from tamis.metadata.things import Thing, address_in, address_key, each, plain, texts
from tamis.metadata.values import categories, is_home
from tamis.metadata.view import View

if TYPE_CHECKING:  # links.py reads the visible ones
    from tamis.metadata.links import Near

_MOST_STEPS = 20
_LONGEST = 100


def trail_categories(trail: Thing, view: View) -> tuple[str, ...]:
    """The names of the steps between."""
    steps = [_step(item) for value, _ in trail.values("itemListElement")[:_MOST_STEPS] for item in each(value)]
    steps = sorted(steps[:_MOST_STEPS], key=lambda step: step[0])
    named = [(name, address_key(address, view.base) if address else "") for _, name, address in steps]
    if named and (named[0][1].partition("/")[2] == "" or (len(named) > 1 and is_home(named[0][0]))):
        del named[0]
    title = f" {fold(view.document.title[:1000])} "
    if named:
        name, address = named[-1]
        if not address or address == address_key(view.address, view.base) or f" {fold(name)} " in title:
            del named[-1]
    names = (plain(name) for name, _ in named if len(name) <= _LONGEST)
    return categories(dict.fromkeys(filter(None, names)))


def _step(item: object) -> tuple[float, str, str]:
    """The position, the name and the address of a step."""
    if not isinstance(item, dict):
        return 0, item if isinstance(item, str) else "", ""
    inner = item.get("item")
    name = next(texts(item.get("name")), "") or next(texts(inner), "")
    if "://" in name:
        name = ""
    position = next(iter(each(item.get("position"))), 0)
    try:
        number = float(position) if isinstance(position, str | int | float) else 0
    except (OverflowError, ValueError):
        number = 0
    return number, name, address_in(inner) or address_in(item.get("url")) or ""


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
