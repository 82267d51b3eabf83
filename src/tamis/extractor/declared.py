"""What a page says of itself to machines: of which type it is, what its text begins with, where it lives.

It says so in META elements, in JSON-LD and with schema.org's attributes. None of it decides anything by itself: pages
forget to say it, and say it wrongly.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tamis.document import Document, parse
from tamis.extractor import conventions
from tamis.extractor.scaling import Singles

# Kinds of texts, and columns about the page as a whole.
TEXTS = ("body", "description", "meta", "review", "name")
_OPEN_GRAPH = ("article", "product", "website", "profile", "other")
PAGE = (
    *(f"og {name}" for name in _OPEN_GRAPH),
    *(f"data {name}" for name in conventions.TYPES),
    *(f"marked {name}" for name in conventions.TYPES),
    "described", "address", "address depth", "address hyphens", "address digits", "address query", "address root",
    "address suffix", "address words",
)  # fmt: skip

# A text is looked for by how it begins. Shorter ones are found by chance.
_KEY, _SHORTEST = 40, 25

# Of JSON-LD, which can be as large as its author likes.
_MOST_VALUES, _DEEPEST = 20_000, 12
_MOST_TEXT = 200_000
# Pages describe themselves in three ways, in a few sentences each.
_MOST_DESCRIPTIONS, _LONGEST_DESCRIPTION = 6, 2_000

_META = {"description", "og:description", "twitter:description", "og:type", "og:url"}
_KIND_OF = {
    "articlebody": "body", "text": "body", "reviewbody": "review", "description": "description",
    "abstract": "description", "name": "name", "headline": "name",
}  # fmt: skip
_SAID_BY_READERS = {"review", "comment", "userreview"}

_TAG = re.compile(r"<[^<>]*>")
_ENTITY = re.compile("|".join(map(re.escape, conventions.ENTITIES)))
_ORIGIN = re.compile(r"^(?:[a-zA-Z][a-zA-Z+.-]*:)?//[^/?#]*")
_SUFFIX = re.compile(r"\.[a-zA-Z0-9]{2,5}$")
_WORD = re.compile(r"[a-z]+|[^\x00-\x7f]+")


@dataclass(frozen=True, eq=False)
class Declared:
    """What a page says of itself."""

    texts: dict[str, str]  # of each kind but names, one behind the other
    names: frozenset[str]
    openings: tuple[str, ...]  # how the descriptions begin
    page: Singles  # (PAGE,)

    @classmethod
    def of(cls, document: Document) -> Declared:
        """Read it. What is broken is not there."""
        spoken, data = _Spoken(document), _LinkedData()
        descriptions = spoken.descriptions
        for value in parse.json_ld(document.tree):
            data.read(value)
        names = frozenset(map(plain, data.texts.pop("name", ())))
        texts = {kind: plain(" \n ".join(found)[:_MOST_TEXT]) for kind, found in data.texts.items()}
        texts["meta"] = " | ".join(descriptions)
        openings = [text[:_KEY] for text in (*descriptions, texts.get("description", ""))]
        page = [
            *_open_graph(spoken.type),
            *_spread(data.types, len(conventions.TYPES)),
            *_spread(spoken.marked, len(conventions.TYPES)),
            float(bool(descriptions)),
            *_address(spoken.address),
        ]
        return cls(
            {kind: text for kind, text in texts.items() if text},
            names,
            tuple({opening for opening in openings if len(opening) >= _SHORTEST}),
            np.array(page, dtype=np.float32),
        )

    def found_in(self, texts: Sequence[str]) -> list[AbstractSet[str]]:
        """For each kind of TEXTS the texts that begin as something does that the page says.

        At the end, those in which a description begins.
        """
        longer = [text for text in texts if len(text) >= _SHORTEST]
        begins = [text[:_KEY] for text in longer]
        found: list[AbstractSet[str]] = [
            {text for text, begin in zip(longer, begins, strict=True) if begin in where}
            if (where := self.texts.get(kind))
            else set()
            for kind in TEXTS[:-1]
        ]
        openings = {text for opening in self.openings for text in longer if opening in text}
        return [*found, self.names.intersection(texts), openings]


class _Spoken:
    """What elements say of the page that they are on."""

    def __init__(self, document: Document) -> None:
        self.type = ""
        self.marked = 0  # the types that schema.org's attributes name
        self._descriptions: dict[str, None] = {}
        self._address = self._canonical = ""
        for node in parse.select(document.tree, "meta"):
            self._read_meta(node)
        for node in parse.select(document.tree, "link"):
            if (node.attr("rel") or "").lower() == "canonical":
                self._canonical = node.attr("href") or self._canonical
        for node in document.elements.notable_nodes:
            if given := node.attr("itemtype"):
                self.marked |= conventions.type_bit(given)

    def _read_meta(self, node: parse.Element) -> None:
        name = (node.attr("property") or node.attr("name") or "").lower()
        if name not in _META or (content := node.attr("content")) is None:
            return
        if name == "og:type":
            self.type = content.strip().lower()
        elif name == "og:url":
            self._address = self._address or content
        elif len(self._descriptions) < _MOST_DESCRIPTIONS:
            self._descriptions[plain(content[:_LONGEST_DESCRIPTION])] = None

    @property
    def descriptions(self) -> list[str]:
        """Each once, in the order they were read in."""
        return list(filter(None, self._descriptions))

    @property
    def address(self) -> str:
        """Where the page says that it lives."""
        return (self._canonical or self._address).strip()


class _LinkedData:
    """Types and texts in JSON-LD, collected as it is read."""

    def __init__(self) -> None:
        self.types = 0
        self.texts: defaultdict[str, list[str]] = defaultdict(list)
        self._left = _MOST_VALUES

    def read(self, value: object, depth: int = 0) -> None:
        """One value and those inside it."""
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            return
        if isinstance(value, list):
            for each in value:
                self.read(each, depth + 1)
        elif isinstance(value, dict):
            by_reader = False
            for name in parse.json_ld_types(value):
                self.types |= conventions.type_bit(name)
                by_reader |= name.lower() in _SAID_BY_READERS
            for key, inner in value.items():
                if not isinstance(inner, str):
                    self.read(inner, depth + 1)
                elif kind := _KIND_OF.get(key.lower()):
                    self.texts["review" if by_reader and kind != "name" else kind].append(inner)


def plain(text: str) -> str:
    """Without tags, the commonest entities replaced, white space folded."""
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: conventions.ENTITIES[found[0]], text)
    return " ".join(text.split())


@lru_cache  # most pages are of a few types
def _spread(bits: int, count: int) -> tuple[float, ...]:
    return tuple(float(bits >> number & 1) for number in range(count))


def _open_graph(kind: str) -> list[float]:
    if kind.endswith("article"):
        kind = "article"
    elif "product" in kind:
        kind = "product"
    elif kind and kind not in _OPEN_GRAPH:
        kind = "other"
    return [float(kind == name) for name in _OPEN_GRAPH]


def _address(address: str) -> list[float]:
    """The shape of a path: how deep, how many words its last part has, and so on."""
    if not address:
        return [0.0] * 8
    path, _, query = _ORIGIN.sub("", address).partition("?")
    parts = [part for part in path.split("#")[0].split("/") if part]
    last, longest = (parts[-1], max(parts, key=len)) if parts else ("", "")
    return [
        1.0,
        min(len(parts), 8),
        min(last.count("-") + last.count("_"), 12),
        sum(map("0123456789".__contains__, last[:60])) / 8,
        float(bool(query)),
        float(not parts),
        float(_SUFFIX.search(last) is not None),
        min(len(_WORD.findall(longest.lower())), 15),
    ]
