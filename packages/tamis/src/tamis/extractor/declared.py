"""What a page declares about itself for machines: its type, the beginning of its text, its address.

The sources are META elements, JSON-LD and the attributes of schema.org. None of them decides alone: pages omit such
data or get it wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from pathlib import Path

import numpy as np

from tamis.arrays import Singles
from tamis.document import Document, parse
from tamis.document.linked_data import LinkedData, type_name
from tamis.kernel import column_names

# The names that authors give to parts of a page, in groups of about the same meaning. The kernel reads classes, ids,
# roles and properties (names.c); this module reads the types of schema.org.
_TABLE: Mapping[str, Mapping[str, list[str]]] = json.loads(
    Path(__file__).with_name("conventions.json").read_text(encoding="utf-8")
)
TYPES = tuple(_TABLE["types"])  # their groups
ENTITIES: Mapping[str, str] = _TABLE["entities"]  # type: ignore[assignment]

# The words of camelCase, snake_case and kebab-case.
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

# The bit of each word's group.
_TYPE = {word: 1 << group for group, words in enumerate(_TABLE["types"].values()) for word in words}


def type_bit(name: str) -> int:
    """The bit of the group of a schema.org type, with or without its address."""
    return _TYPE.get(type_name(name).lower(), 0)


# Columns about the page as a whole.
_COLUMNS = column_names()
PAGE = _COLUMNS[_COLUMNS.index("og article") :]
_OPEN_GRAPH = tuple(name.removeprefix("og ") for name in PAGE if name.startswith("og "))

# A description is found by this many characters from its start.
_KEY = 40
# Shorter descriptions would be found by chance.
_SHORTEST = 25

# The most characters of JSON-LD for each kind of text.
_MOST_TEXT = 200_000
# Real pages have up to three descriptions of a few sentences each.
_MOST_DESCRIPTIONS = 6
_LONGEST_DESCRIPTION = 2_000

_META = {"description", "og:description", "twitter:description", "og:type", "og:url", "og:title"}
_KIND_OF = {
    "articlebody": "body", "text": "body", "reviewbody": "review", "description": "description",
    "abstract": "description", "name": "name", "headline": "name",
}  # fmt: skip
_BY_READERS = {"review", "comment", "userreview"}

# Declared parts of the content: fields of a recipe, and these fields of things of these types.
_RECIPE = {"recipeingredient", "ingredients", "recipeinstructions"}
_PART_TEXTS = {"text", "articlebody", "name"}
_PART_TYPES = {
    "howtostep", "howtodirection", "howtotip", "question", "answer", "discussionforumposting", "socialmediaposting",
}  # fmt: skip
# On a page that declares one of these types, the declared comments are its posts.
_THREADS = {"discussionforumposting", "qapage"}

_TAG = re.compile(r"<[^<>]*>")
_ENTITY = re.compile("|".join(map(re.escape, ENTITIES)))
_ORIGIN = re.compile(r"^(?:[a-zA-Z][a-zA-Z+.-]*:)?//[^/?#]*")
_SUFFIX = re.compile(r"\.[a-zA-Z0-9]{2,5}$")
_WORD = re.compile(r"[a-z]+|[^\x00-\x7f]+")


@dataclass(frozen=True, eq=False)
class Declared:
    """What a page declares about itself."""

    texts: dict[str, str]  # for each kind except names: all texts, joined
    parts: str  # lines of content, a line feed before and after each
    names: frozenset[str]
    openings: tuple[str, ...]  # the beginnings of the descriptions
    page: Singles  # (PAGE,)
    title: str = ""  # of Open Graph

    @classmethod
    def of(cls, document: Document) -> Declared:
        """Read META and LINK elements, JSON-LD and schema.org attributes. Broken data is left out."""
        head, data = _Head(document), document.linked_data
        found = _data_texts(data)
        names = frozenset(map(plain, found.pop("name", ())))
        texts = {kind: plain(" \n ".join(each)[:_MOST_TEXT]) for kind, each in found.items()}
        texts["meta"] = " | ".join(head.descriptions)
        openings = {text[:_KEY] for text in (*head.descriptions, texts.get("description", ""))}
        marked = filter(None, (node.attr("itemtype") for node in document.elements.notable_nodes))
        page = [
            *_open_graph(head.type),
            *_type_columns(name for thing in data.things for name in thing.types),
            *_type_columns(marked),
            float(bool(head.descriptions)),
            *_address(head.address),
        ]
        return cls(
            {kind: text for kind, text in texts.items() if text},
            _parts(data),
            names,
            tuple(opening for opening in openings if len(opening) >= _SHORTEST),
            np.array(page, dtype=np.float32),
            head.title,
        )


class _Head:
    """What META and LINK elements declare about the page."""

    def __init__(self, document: Document) -> None:
        self.type = self.title = ""  # of Open Graph
        descriptions: dict[str, None] = {}  # each once, in document order
        address = canonical = ""
        for node in parse.select(document.tree, "meta"):
            name = (node.attr("property") or node.attr("name") or "").lower()
            if name not in _META or (content := node.attr("content")) is None:
                continue
            if name == "og:type":
                self.type = content.strip().lower()
            elif name == "og:url":
                address = address or content
            elif name == "og:title":
                self.title = self.title or plain(content[:_LONGEST_DESCRIPTION])
            elif len(descriptions) < _MOST_DESCRIPTIONS:
                descriptions[plain(content[:_LONGEST_DESCRIPTION])] = None
        for node in parse.select(document.tree, "link[rel=canonical i]"):
            canonical = node.attr("href") or canonical
        self.descriptions = list(filter(None, descriptions))
        self.address = (canonical or address).strip()


def _data_texts(data: LinkedData) -> dict[str, list[str]]:
    """The texts of each kind in JSON-LD."""
    found: dict[str, list[str]] = {}
    for thing, key, text in data.texts:
        if kind := _KIND_OF.get(key.lower()):
            by_reader = kind != "name" and any(name.lower() in _BY_READERS for name in thing.types)
            found.setdefault("review" if by_reader else kind, []).append(text)
    return found


def _parts(data: LinkedData) -> str:
    """The parts of the content in JSON-LD."""
    typed = [({name.lower() for name in thing.types}, thing.fields) for thing in data.things]
    is_thread = any(types & _THREADS for types, _ in typed)
    kinds = _PART_TYPES | {"comment"} if is_thread else _PART_TYPES
    lines: list[str] = []
    left = _MOST_TEXT
    for types, fields in typed:
        keys = _RECIPE if "recipe" in types else _PART_TEXTS if types & kinds else ()
        for key, value in fields.items():
            if key.lower() not in keys:
                continue
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and left > 0:
                    lines += filter(None, map(plain, text[:left].split("\n")))
                    left -= len(text)
    return "\n".join(["", *lines, ""]) if lines else ""


def plain(text: str) -> str:
    """Remove tags, replace the commonest entities, fold white space."""
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: ENTITIES[found[0]], text)
    return " ".join(text.split())


def _type_columns(types: Iterable[str]) -> tuple[float, ...]:
    """For each group of schema.org types: does a type of it occur?"""
    return _bit_columns(reduce(or_, map(type_bit, types), 0))


@lru_cache  # most pages are of a few types
def _bit_columns(bits: int) -> tuple[float, ...]:
    return tuple(float(bits >> number & 1) for number in range(len(TYPES)))


def _open_graph(kind: str) -> list[float]:
    if kind.endswith("article"):
        kind = "article"
    elif "product" in kind:
        kind = "product"
    elif kind and kind not in _OPEN_GRAPH:
        kind = "other"
    return [float(kind == name) for name in _OPEN_GRAPH]


def _address(address: str) -> list[float]:
    """The shape of an address: the depth of its path, the words of its longest part, and so on."""
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
