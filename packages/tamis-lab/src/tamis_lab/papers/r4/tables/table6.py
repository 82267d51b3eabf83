"""Table 6: Web2Text's measure on CleanEval, labels of text nodes against the aligned gold."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.protocol import Extractor
from tamis_lab.align import align
from tamis_lab.bench import contestants
from tamis_lab.bench.peers import Contestant
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.metrics import leaf_scores
from tamis_lab.reproduce.page import Section, compare

# Accuracy, precision, recall and F1 on "Cleaneval test", by the extractors and peers here.
_PAPER = {
    "bte": (79, 79, 89, 83),
    "crf": (82, 87, 81, 84),
    "boilerpipe-words": (80, 89, 75, 81),  # default-ext
    "boilerpipe-article": (72, 91, 59, 71),  # article-ext
    "boilerpipe-largest": (60, 83, 36, 52),  # largest-ext
    "unfluff": (71, 90, 57, 70),
    "web2text": (84, 88, 85, 86),
    "r4": (83, 83, 90, 87),
}
_PEER = "unfluff"  # it answers with a text; all others say which leaves they keep
_NAMES = ("accuracy", "precision", "recall", "F1")

# A text node is content if this share of its words was aligned with the gold.
_SHARE = 2 / 3


def sections(data: Path | None) -> list[Section]:
    """Text nodes of all pages as one list; each counts once, or as often as it has words or characters."""
    keep: dict[str, list[Bools]] = {}
    gold: list[Bools] = []
    words: list[Floats] = []
    characters: list[Floats] = []
    with ExitStack() as stack:
        systems = _systems(stack)
        for page in open_corpus("cleaneval", data).pages("test"):
            document = Document.from_html(page.html)
            texts = document.leaves.visible_text
            gold.append(_aligned(document, page.gold_text or "")[texts])
            strings = [document.leaves.text[leaf] for leaf in texts.tolist()]
            tokens = tokenize(strings)
            words.append(tokens.sum_per_text(tokens.weight))
            characters.append(np.array([len(" ".join(text.split())) for text in strings], dtype=np.float64))
            for name, kept in systems.items():
                keep.setdefault(name, []).append(kept(page, document)[texts])
    weights = {"text nodes": None, "words": np.concatenate(words), "characters": np.concatenate(characters)}
    figures = []
    for counted, weight in weights.items():
        for name, flags in keep.items():
            scores = leaf_scores(np.concatenate(flags), np.concatenate(gold), weight)
            ours = [100 * score for score in (scores.accuracy, *scores.content)]
            figures += compare(f"{name}, {counted}", _NAMES, _PAPER[name], ours)
    return [Section("Table 6: Web2Text's measure on CleanEval", figures=figures)]


def _aligned(document: Document, text: str) -> Bools:
    """The leaves that are found in a text."""
    return align(document, text).matched >= _SHARE


def _systems(stack: ExitStack) -> dict[str, Callable[[CorpusPage, Document], Bools]]:
    """Each system that can run here, as a function to the leaves that it keeps. `stack` ends the process of a peer."""
    found: dict[str, Callable[[CorpusPage, Document], Bools]] = {}
    for name in _PAPER:
        if name == _PEER:
            if not contestants.unavailable([name]):
                contestant = contestants.load(name)
                found[name] = _peer(contestant)
                stack.callback(getattr(contestant, "close", lambda: None))
        else:
            found[name] = _extractor(registry.get(name))
    return found


def _extractor(extractor: Extractor) -> Callable[[CorpusPage, Document], Bools]:
    return lambda page, document: extractor.label(document).keep


def _peer(contestant: Contestant) -> Callable[[CorpusPage, Document], Bools]:
    """A page on which the peer crashes is one of which it keeps nothing."""

    def kept(page: CorpusPage, document: Document) -> Bools:
        try:
            text = contestant(page.html, None)
        except Exception:  # it may raise anything
            text = ""
        return _aligned(document, text)

    return kept
