"""The texts to index: those of pages as each system returns them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import tamis
from tamis import registry
from tamis.document import Document
from tamis.errors import OptionError
from tamis_lab.bench import contestants
from tamis_lab.corpora.reader import CorpusPage

RAW = "keep-all"
GOLD = "gold text"
WITH_TITLE = "keep-all and TITLE"

# Of each kind a few that a run of minutes can afford; --extractor adds others. Rivals that are not here are left out.
EXTRACTORS = (
    "bte", "boilerpipe-words", "boilerpipe-largest", "boilerpipe-article", "web2text", "r4", "boilernet",
)  # fmt: skip
OURS = ("tamis", "tamis+title")  # the default extractor leaves the headline out, unless it is asked for
PEERS = ("trafilatura", "resiliparse")

# Figure 7 of the boilerpipe paper goes from 1 to 100 words.
MIN_WORDS = "min-words"
LIMITS = (1, 2, 3, 5, 7, 9, 11, 15, 20, 30, 50, 75, 100)

Reader = Callable[[CorpusPage, Document], str]


@dataclass
class Cleaned:
    """The texts of all pages as one system returns them."""

    texts: list[str] = field(default_factory=list)
    failed: int = 0  # pages on which it raised an error; their text is empty
    seconds: float = 0.0  # of the processor; without parsing, for the extractors of tamis


def systems(others: Iterable[str] = ()) -> dict[str, Reader]:
    """The raw page without and with its TITLE, the gold text, the default set as far as it is installed, and others.

    Raises OptionError for one that does not exist or draws pages in a browser, and MissingExtra.
    """
    names = list(dict.fromkeys([RAW, *OURS, *EXTRACTORS, *PEERS, *others]))
    missing = contestants.unavailable(name for name in names if name not in others)
    found = {name: _reader(name) for name in names if name not in missing}
    raw = found.pop(RAW)
    texts: dict[str, Reader] = {
        RAW: raw,
        WITH_TITLE: lambda page, document: f"{document.title}\n{raw(page, document)}",
        GOLD: lambda page, document: page.gold_text or "",
    }
    return texts | found


def min_words() -> dict[str, Reader]:
    """The baseline of the boilerpipe paper with each limit."""
    shipped = cast("Any", registry.get(MIN_WORDS))

    def reader(limit: int) -> Reader:
        extractor = replace(shipped, min_words=limit)
        return lambda page, document: tamis.extract(document, extractor=extractor).text

    return {f"{MIN_WORDS} {limit}": reader(limit) for limit in LIMITS}


def clean(pages: Iterable[CorpusPage], readers: Mapping[str, Reader]) -> tuple[list[CorpusPage], dict[str, Cleaned]]:
    """Each page is read and parsed once, and given to every system."""
    kept: list[CorpusPage] = []
    cleaned = {name: Cleaned() for name in readers}
    with _quiet():
        for page in pages:
            document = page.document()
            for name, reader in readers.items():
                started = time.process_time()
                try:
                    text = reader(page, document)
                except Exception:  # a peer may raise anything; it is counted
                    text, cleaned[name].failed = "", cleaned[name].failed + 1
                cleaned[name].seconds += time.process_time() - started
                cleaned[name].texts.append(text)
            kept.append(replace(page, html=b""))  # a corpus has hundreds of megabytes of markup
    return kept, cleaned


def trained_on(names: Sequence[str], corpus: str, split: str) -> set[str]:
    """The systems that were trained on these pages."""
    return {name for name in names if name not in (WITH_TITLE, GOLD) and contestants.has_seen(name, corpus, split)}


def _reader(name: str) -> Reader:
    system = name.partition("+")[0]
    if system in registry.extractors():
        if registry.entry_of(system).draws:
            raise OptionError(f"{system} draws pages in a browser, which takes seconds a page: it is left out here")
        contestant = cast("Callable[[Document, None], str]", contestants.load(name))  # `extract` takes a Document, too
        return lambda page, document: contestant(document, None)
    peer = contestants.load(name)
    return lambda page, document: peer(page.html, page.url)


@contextmanager
def _quiet() -> Iterator[None]:
    """Peers log what they discard."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
