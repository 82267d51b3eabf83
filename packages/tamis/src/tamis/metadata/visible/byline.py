"""Authors as the page shows them: the line with their names below the headline, links to their pages, posters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tamis.arrays import Ints, places
from tamis.cached import cached_property
from tamis.metadata.candidate import Candidate
from tamis.metadata.names.naming import FOREIGN, asides_of
from tamis.metadata.names.people import folded_name, people
from tamis.metadata.names.words import is_control, is_separator
from tamis.metadata.view import View
from tamis.metadata.visible.mentions import MOST_NEXT, Mention, Mentions
from tamis.page_type import PageType

# Visible texts around the headline, and around the end of the content, that are read. On WCXB dev nine bylines of ten
# stand in the first twenty behind the headline.
_BEFORE, _BEHIND, _FURTHER = 10, 18, 45
_BEFORE_END, _BEHIND_END = 10, 30
_LONGEST_TEXT, _LONGEST_SOURCE = 100, 2_000  # characters of a text, without and with its white space
_LEAST_TITLE = 8  # letters of a headline that is in the TITLE
_MOST = 12

# Pages that are rarely signed: only the texts next to the headline are read.
_UNSIGNED = (PageType.PRODUCT, PageType.SERVICE, PageType.LISTING, PageType.COLLECTION)

_DECLARED = frozenset({"author", "dc.creator", "citation_author", "parsely-author", "sailthru.author"})

# Where names are surely meant as authors, the surest first.
_PLACES = ("rel=author", "class byline", "class author", "href author", "label", "address tag", "forum owner", "forum")


class Byline:
    """Authors in the visible page, in its order; those near the headline first."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._leaves, self._elements = view.document.leaves, view.document.elements

    def candidates(self, field: str) -> Iterable[Candidate]:
        """The authors that are shown: one candidate a place, each list of names once a place."""
        if field != "authors":
            return
        seen: set[tuple[str, frozenset[str]]] = set()
        for mention in self._mentions():
            key = mention.place, frozenset(map(folded_name, mention.names))
            if key not in seen and len(seen) < _MOST:
                seen.add(key)
                yield Candidate(mention.names, "visible", mention.place, mention.row)

    def _mentions(self) -> Iterator[Mention]:
        texts, title = self._leaves.visible_text, self._title
        middle = int(texts.searchsorted(title))
        near = self._in(texts[max(0, middle - _BEFORE) : middle + _BEHIND])
        yield from (mention for mention in near if mention.leaf > title)
        yield from (mention for mention in near if mention.leaf <= title)
        if _is_sure(near) or self._view.page_type in _UNSIGNED or self._is_declared:
            return
        further = self._in(texts[middle + _BEHIND : middle + _FURTHER])
        yield from further
        if not _is_sure(further):
            yield from self._merged(self._found.linked())
            end = int(texts.searchsorted(self._end))
            yield from self._in(texts[max(middle + _FURTHER, end - _BEFORE_END) : end + _BEHIND_END])

    @property
    def _is_declared(self) -> bool:
        """Does the head or linked data name an author? Then one far from the headline tells nothing new."""
        things = self._view.document.linked_data.things
        return not _DECLARED.isdisjoint(self._view.head.meta) or any(
            thing.is_about_page and "author" in thing.fields for thing in things
        )

    @cached_property
    def _found(self) -> Mentions:
        return Mentions(self._view, self._title)

    @cached_property
    def _title(self) -> int:
        """The leaf of the headline, or the first."""
        leaves, labels = self._leaves, self._view.labels
        shown = [inside[0] for row in self._view.headings if (inside := self._view.leaves_in(row))]
        titles = self._view.titles
        if found := [leaf for leaf in shown if leaf in titles]:
            return found[0]
        title = self._view.document.title
        if found := [
            leaf for leaf in shown if len(text := leaves.text[leaf].strip()) >= _LEAST_TITLE and text in title
        ]:
            return found[0]
        if titles:
            return titles[0]
        kept = labels.keep.nonzero()[0][:1].tolist() if labels is not None else []
        return min([*shown[:1], *kept], default=0)

    @property
    def _end(self) -> int:
        """The last leaf that is kept, or the last one."""
        labels = self._view.labels
        kept = places(labels.keep)[-1:].tolist() if labels is not None else []
        return kept[0] if kept else len(self._leaves)

    def _in(self, leaves: Ints) -> list[Mention]:
        """The names in some texts."""
        texts = self._leaves.text
        short = [leaf for leaf in leaves.tolist() if len(texts[leaf]) < _LONGEST_TEXT or _is_short(texts[leaf])]
        if not short:
            return []
        window = self._found.window(short)
        found = [*self._found.marked(window), *self._found.links(window), *self._found.labelled(window)]
        merged = self._merged(found)
        return merged if _is_sure(merged) else [*merged, *self._merged(self._found.beside_dates(window))]

    def _merged(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Neighbours of the same kind, such as the links of one byline, as one. What is of others is left out."""
        found: list[Mention] = []
        for mention in sorted(filter(self._is_own, mentions), key=_order):
            before = next((place for place in range(len(found) - 1, -1, -1) if found[place].place == mention.place), -1)
            if before >= 0 and self._are_one_list(found[before], mention):
                names = people([*found[before].names, *mention.names])
                found[before] = found[before]._replace(names=names, last=mention.last)
            else:
                found.append(mention)
        return found

    def _are_one_list(self, first: Mention, second: Mention) -> bool:
        if first.place in ("forum", "forum owner", "href user") or not first.last < second.leaf:
            return False
        if second.leaf - first.last <= MOST_NEXT // 2:
            between = self._leaves.text[first.last + 1 : second.leaf]
            if all(is_separator(text) or text.strip("*†‡§, ").isdigit() for text in between):
                return bool(between) or first.place != "beside date"
        if not first.place.startswith("class") or int(self._elements.end[first.row]) != second.row:
            return False
        nodes = self._elements.all_nodes  # cards of the same kind, one beside the other
        return nodes[first.row].attr("class") == nodes[second.row].attr("class")

    def _is_own(self, mention: Mention) -> bool:
        """Is it in no comment and no teaser, and no photographer, reviewer and so on?"""
        if self._view.is_foreign(mention.leaf):
            return False
        if self._found.is_other_work(mention.leaf) or is_control(mention.names[0]):
            return False
        return not any(
            (asides_of(node.attr("class") or "") | asides_of(node.attr("id") or "")) & FOREIGN
            for node in self._found.above(mention.row)
        )


def _order(mention: Mention) -> tuple[int, int]:
    return mention.leaf, _PLACES.index(mention.place) if mention.place in _PLACES else len(_PLACES)


def _is_sure(mentions: list[Mention]) -> bool:
    return any(mention.place in _PLACES for mention in mentions)


def _is_short(text: str) -> bool:
    """Is a text short, its white space aside?"""
    return len(text) < _LONGEST_SOURCE and "  " in text and len(" ".join(text.split())) < _LONGEST_TEXT
