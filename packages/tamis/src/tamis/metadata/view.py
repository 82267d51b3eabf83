"""A page as the sources of metadata read it, and the candidates that they find, from which `decide` chooses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

from tamis.arrays import places
from tamis.cached import cached_property
from tamis.document import Document, parse, tags
from tamis.document.dates import Moment
from tamis.document.decode import clean_text
from tamis.labels import Labels, Role
from tamis.page_type import PageType
from tamis.render.content.source import base_url

# The value of a field: a text, several (authors, tags, categories), a moment (dates), or a mark (paywall).
Value = str | tuple[str, ...] | Moment | bool


class Candidate(NamedTuple):
    """A usable value of a field, and where it was found."""

    value: Value
    source: str  # json-ld, opengraph, twitter, microdata, rdfa, meta, address, visible or content
    place: str  # within the source, for people and for the weights: "Article.headline", "og:title", "h1"
    row: int = -1  # of the element that shows it, if one does


BORDER = "\0"  # between texts; no attribute and no text of a parsed page holds it


def holders(joined: str, cues: Iterable[str], most: int | None = None) -> list[int]:
    """The numbers of the texts, joined by BORDER, that hold one of the cues; `most` of them, if there are more."""
    found: set[int] = set()
    for cue in [cue for cue in cues if cue in joined]:
        number = end = 0
        while end >= 0 and (most is None or len(found) < most) and (start := joined.find(cue, end)) >= 0:
            number += joined.count(BORDER, end, start)
            found.add(number)
            end = joined.find(BORDER, start)
    return sorted(found)


_MOST_HEAD = 2_000  # META or LINK elements; a page has some dozens
_LONGEST_RELATIONS = 200
_MOST_HEADINGS = 5
_H1 = tags.CODES["h1"]
_FOREIGN = (Role.COMMENT, Role.RELATED)
_MOST_LEAVES = 50  # of a title, a name or a date
_LONGEST_TEXT = 1_000  # characters of a title, a name or a date

# The LINK elements that say something about the page. Most others load style sheets and icons.
_TELLING_LINK = (
    "link:is([rel~=canonical i], [rel~=image_src i], [rel~=thumbnail i], [rel~=license i], [rel~=licence i])"
)


@dataclass(frozen=True)
class Head:
    """META elements, and LINK elements that say something about the page, in document order."""

    meta: dict[str, list[str]]  # from a name in lower case to the contents that are not blank
    links: dict[str, list[str]]  # from a relation in lower case to addresses


@dataclass(frozen=True, eq=False)
class View:
    """A page, and what its extractor found."""

    document: Document
    labels: Labels | None = field(default=None, repr=False)  # one for each leaf of this document; None if unknown

    @cached_property
    def head(self) -> Head:
        """META and LINK elements."""
        found = Head({}, {})
        for node in parse.select(self.document.tree, "meta")[:_MOST_HEAD]:
            attribute = node.attr
            content = (attribute("content") or attribute("value") or "").strip()
            if not content:
                continue
            name, other = attribute("property"), attribute("name")
            if not (name or other):
                name = attribute("http-equiv") or _itemprop_in_head(node)
            key = (name or other or "").strip().lower()
            if key:
                found.meta.setdefault(key, []).append(content)
            if name and other and (second := other.strip().lower()) != key:
                found.meta.setdefault(second, []).append(content)
        for node in parse.select(self.document.tree, _TELLING_LINK)[:_MOST_HEAD]:
            if address := (node.attr("href") or "").strip():
                for relation in (node.attr("rel") or "")[:_LONGEST_RELATIONS].lower().split():
                    found.links.setdefault(relation, []).append(address)
        return found

    @cached_property
    def base(self) -> str | None:
        """The address that relative addresses of the page start from."""
        return base_url(self.document)

    @cached_property
    def address(self) -> str:
        """The address of the page as it is known or declared; empty if it is unknown."""
        links, meta = self.head.links, self.head.meta
        declared = next((found[0] for found in (links.get("canonical"), meta.get("og:url")) if found), "")
        return self.document.url or declared

    @cached_property
    def host(self) -> str:
        """The host of that address without `www.`; empty if it is unknown."""
        try:
            return (urlsplit(self.address).hostname or "").removeprefix("www.")
        except ValueError:
            return ""

    @cached_property
    def language(self) -> str:
        """The declared language in lower case, such as "de-at"; empty if it is unknown."""
        given = parse.root_attribute(self.document.tree, "lang") or ""
        if not given:
            meta = self.head.meta
            given = next((meta[key][0] for key in ("content-language", "og:locale", "dc.language") if key in meta), "")
        return given.strip().lower().replace("_", "-")

    @cached_property
    def kept(self) -> list[int]:
        """The texts that the extractor keeps."""
        if self.labels is None:
            return []
        leaves: list[int] = places(self.labels.keep & self.document.leaves.is_visible_text).tolist()
        return leaves

    def leaves_in(self, row: int) -> list[int]:
        """The visible texts in an element."""
        is_visible, holder = self.document.leaves.is_visible_text.item, self.document.leaves.element.item
        inside = range(self.leaf(row), self.leaf(self.document.elements.end.item(row)))
        # The text of an element around this one can come after it; then its holder is further up.
        return [leaf for leaf in inside if is_visible(leaf) and holder(leaf) >= row]

    def leaf(self, row: int) -> int:
        """The first leaf in an element or after its start."""
        return bisect_left(self.opened, row)

    @cached_property
    def opened(self) -> list[int]:
        """The row of the last element that starts before or at each leaf, in a list, which is searched often."""
        rows: list[int] = self.document.leaves.opened.tolist()
        return rows

    def text_of(self, leaves: Sequence[int]) -> str:
        """The text of adjacent leaves, white space folded."""
        texts, gaps = self.document.leaves.text, self.document.leaves.gap
        joined = "".join(f"{gaps[leaf]}{texts[leaf]}" for leaf in leaves[:_MOST_LEAVES])
        return " ".join(clean_text(joined[:_LONGEST_TEXT]).split())

    def lines(self, leaves: Sequence[int]) -> list[str]:
        """The same, one text a leaf."""
        return [text for leaf in leaves if (text := self.text_of([leaf]))]

    def is_foreign(self, leaf: int) -> bool:
        """Is a leaf a reader's comment or a teaser of another page, so that it tells nothing about this page?"""
        return leaf < len(self._roles) and self._roles[leaf] in _FOREIGN

    @cached_property
    def titles(self) -> list[int]:
        """The leaves that the extractor labels as the headline."""
        title = Role.TITLE
        return [leaf for leaf, role in enumerate(self._roles) if role is title]

    @cached_property
    def page_type(self) -> PageType | None:
        """The type of the page, if the extractor knows it."""
        types = self.labels.page_types if self.labels is not None else None
        return types.best if types else None

    @cached_property
    def _roles(self) -> tuple[Role, ...]:
        """The role of each leaf; empty if they are unknown."""
        return self.labels.roles or () if self.labels is not None else ()

    @cached_property
    def headings(self) -> list[int]:
        """The rows of headings of the first level, up to a limit."""
        rows: list[int] = places(self.document.elements.code == _H1)[:_MOST_HEADINGS].tolist()
        return rows


def _itemprop_in_head(node: parse.Element) -> str | None:
    """The property that a META element of the head has. In the body it would belong to an item there."""
    name = node.attr("itemprop")
    parent = node.parent if name else None
    return name if isinstance(parent, parse.Element) and parent.tag == "head" else None


class MetadataSource:
    """A part of the page that has metadata."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._leaves, self._elements = view.document.leaves, view.document.elements

    def candidates(self, field: str) -> Iterable[Candidate]:
        """The candidates for a field, the source's best first. Unusable values are left out."""
        raise NotImplementedError
