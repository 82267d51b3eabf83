"""Every extractor by name.

This file lists the extractors of the product. Each folder of `tamis.papers` describes itself in its
`__init__.py` with a `Paper`, and is named in PAPERS. A new paper is a folder and its name there.

An entry has all that a listing needs; the module of an extractor is imported on first use.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

from tamis.errors import UnknownExtractor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tamis.protocol import Extractor

# The best extractor on every page type, and on all corpora but L3S-GN1 (docs/tamis.md).
DEFAULT = "tamis"

# The folders of `tamis.papers`, oldest paper first.
PAPERS = ("bte", "boilerpipe", "web2text", "goce", "r4", "boilernet")


class Entry(NamedTuple):
    """One extractor."""

    name: str
    location: str  # module:attribute
    summary: str
    paper: str
    weights: Path | None = None  # the folder of its weights, if it was trained
    draws: bool = False  # does it render pages in a browser? That takes a second or more

    @property
    def trained_on(self) -> tuple[str, ...]:
        """The corpora, each NAME or NAME:SPLIT, that its weights were trained on. Raises WeightsError."""
        from tamis.weights import read_config  # a listing does not need it

        return tuple(read_config(self.weights)["trained_on"]) if self.weights else ()


class Paper(NamedTuple):
    """The contents of one folder of `tamis.papers`; locations are module:attribute."""

    extractors: tuple[Entry, ...]
    recipes: Mapping[str, str] = MappingProxyType({})  # trainable models by name, each a `Recipe` of lab.training
    tables: str = ""  # a function (data: Path | None) -> lab.reproduce.page.Page that measures the paper's tables


_PRODUCT = (
    Entry(
        "tamis",
        "tamis.extractor.tamis:tamis",
        "a network over runs of text, conditioned on the page type",
        "this project",
        Path(__file__).parent / "extractor" / "weights",
    ),
    Entry("keep-all", "tamis.extractor.keep_all:keep_all", "every visible text: the baseline", "this project"),
)


@cache
def papers() -> Mapping[str, Paper]:
    """Every paper by name."""
    return {name: import_module(f"tamis.papers.{name}").PAPER for name in PAPERS}


@cache
def _entries() -> Mapping[str, Entry]:
    found = [*_PRODUCT, *(entry for paper in papers().values() for entry in paper.extractors)]
    return {entry.name: entry for entry in found}


def extractors() -> dict[str, Entry]:
    """All extractors by name, each with its summary and paper."""
    return dict(_entries())


@cache
def get(name: str) -> Extractor:
    """The extractor of this name, loaded on first use. Raises UnknownExtractor."""
    product = {entry.name: entry for entry in _PRODUCT}  # the default needs no paper to be imported
    return cast("Extractor", load((product.get(name) or entry_of(name)).location))


def entry_of(name: str) -> Entry:
    """The entry of an extractor. Raises UnknownExtractor."""
    if name not in _entries():
        raise UnknownExtractor(name, _entries())
    return _entries()[name]


def load(location: str) -> object:
    """The object at module:attribute."""
    module, _, attribute = location.partition(":")
    return cast("object", getattr(import_module(module), attribute))
