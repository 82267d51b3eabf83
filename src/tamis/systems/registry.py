"""Every extractor by name. A new one is a file beside this one and a line here.

The line holds all that a listing needs, so that the extractor's module, and what it imports,
is loaded only when it is used.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from tamis.errors import UnknownExtractor

if TYPE_CHECKING:
    from tamis.systems.protocol import Extractor

# The best of those below on every corpus and every type of page (docs/tamis.md).
DEFAULT = "tamis"


class Entry(NamedTuple):
    """One extractor: where it lives, what it does and which paper describes it."""

    name: str
    location: str  # module below tamis.systems, and the name in it
    summary: str
    paper: str
    weights: str = ""  # folder below tamis.weights, where it was trained
    draws: bool = False  # it has a browser draw the page, which takes a second or more

    @property
    def trained_on(self) -> tuple[str, ...]:
        """The corpora, each NAME or NAME:SPLIT, that its weights have seen. Raises WeightsError."""
        from tamis.weights import read_config  # a listing does not need it

        return tuple(read_config(self.weights)["trained_on"]) if self.weights else ()


_BOILERPIPE = "Kohlschütter et al., Boilerplate Detection using Shallow Text Features, WSDM 2010"
_BTE = "Finn et al., Fact or Fiction: Content Classification for Digital Libraries, DELOS 2001"
_R4 = "Alarte, Silva, Page-Level Main Content Extraction from Heterogeneous Webpages, 2020"
_WEB2TEXT = "Vogels et al., Web2Text: Deep Structured Boilerplate Removal, ECIR 2018"
_TAMIS = "this project"
_GOCE = (
    "Nguyen-Hoang et al., Genre-Oriented Web Content Extraction with Deep Convolutional Neural Networks and "
    "Statistical Methods, PACLIC 2018"
)
_BOILERNET = "Leonhardt et al., Boilerplate Removal using a Neural Sequence Labeling Model, WWW 2020 Companion"

_ENTRIES = (
    Entry("keep-all", "baselines:keep_all", "every visible text: the zero line", _BOILERPIPE),
    Entry("min-words", "baselines:min_words", "blocks of at least 10 words", _BOILERPIPE),
    Entry("boilerpipe-density", "boilerpipe:density", "tree over text and link density (Algorithm 1)", _BOILERPIPE),
    Entry("boilerpipe-words", "boilerpipe:words", "tree over words and link density (Algorithm 2)", _BOILERPIPE),
    Entry("boilerpipe-cleaneval", "boilerpipe:cleaneval", "the one-line rule trained on CleanEval", _BOILERPIPE),
    Entry("boilerpipe-largest", "boilerpipe:largest", "Algorithm 2, then the largest run of content", _BOILERPIPE),
    Entry("boilerpipe-article", "boilerpipe:article", "the same between title and comments, for news", _BOILERPIPE),
    Entry("bte", "bte:body_text", "the stretch with most words for its tags", _BTE),
    Entry(
        "web2text", "web2text:viterbi_decoded", "convolutions over DOM features, then Viterbi", _WEB2TEXT, "web2text"
    ),
    Entry("web2text-unary", "web2text:unary_only", "the same, each text by itself", _WEB2TEXT, "web2text"),
    Entry("boilernet", "boilernet:full", "LSTMs over the tags and words of each text", _BOILERNET, "boilernet"),
    Entry("boilernet-small", "boilernet:small", "the same, small enough for a browser", _BOILERNET, "boilernet-small"),
    Entry("r4", "r4:r4", "the DOM nodes farthest from the rest, with their media", _R4),
    Entry("tamis", "tamis:tamis", "a network over rows of text, steered by the kind of page", _TAMIS, "tamis"),
    Entry("goce", "goce:goce", "the genre by its look, then an algorithm for it", _GOCE, "goce-pictures", draws=True),
    Entry("goce-html", "goce:goce_html", "the genre by HTML, then an algorithm for it", _GOCE, "page-types"),
    Entry("goce-article", "goce:article", "the child far ahead in words where the page first parts", _GOCE),
    Entry("goce-list", "goce:list_view", "all elements of one class at one depth", _GOCE),
)
REGISTRY = {entry.name: entry for entry in _ENTRIES}


@cache
def get(name: str) -> Extractor:
    """The extractor of this name, loaded on first use. Raises UnknownExtractor."""
    if name not in REGISTRY:
        raise UnknownExtractor(name, REGISTRY)
    module, _, attribute = REGISTRY[name].location.partition(":")
    return cast("Extractor", getattr(import_module(f"tamis.systems.{module}"), attribute))


def extractors() -> dict[str, Entry]:
    """All extractors by name, each with its summary and paper."""
    return dict(REGISTRY)
