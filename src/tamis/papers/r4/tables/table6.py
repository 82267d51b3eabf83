"""Table 6: Web2Text's measure on CleanEval, labels of text nodes against the aligned gold."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.lab.align import align
from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.metrics import leaf_scores
from tamis.lab.reproduce import registered
from tamis.lab.reproduce.page import Section, compare

# Accuracy, precision, recall and F1 on "Cleaneval test".
_PAPER = {"bte": (79, 79, 89, 83), "r4": (83, 83, 90, 87)}
_NAMES = ("accuracy", "precision", "recall", "F1")

# A text node is content if this share of its words was aligned with the gold.
_SHARE = 2 / 3


def sections(data: Path | None) -> list[Section]:
    """Text nodes of all pages as one list; each counts once, or as often as it has words or characters."""
    keep: dict[str, list[Bools]] = {name: [] for name in registered(_PAPER)}
    gold: list[Bools] = []
    words: list[Floats] = []
    characters: list[Floats] = []
    for page in open_corpus("cleaneval", data).pages("test"):
        document = Document.from_html(page.html)
        texts = document.leaves.visible_text
        gold.append(align(document, page.gold_text or "").matched[texts] >= _SHARE)
        strings = [document.leaves.text[leaf] for leaf in texts.tolist()]
        tokens = tokenize(strings)
        words.append(tokens.sum_per_text(tokens.weight))
        characters.append(np.array([len(" ".join(text.split())) for text in strings], dtype=np.float64))
        for name, kept in keep.items():
            kept.append(registry.get(name).label(document).keep[texts])
    weights = {"text nodes": None, "words": np.concatenate(words), "characters": np.concatenate(characters)}
    figures = []
    for counted, weight in weights.items():
        for name, kept in keep.items():
            scores = leaf_scores(np.concatenate(kept), np.concatenate(gold), weight)
            ours = [100 * score for score in (scores.accuracy, *scores.content)]
            figures += compare(f"{name}, {counted}", _NAMES, _PAPER[name], ours)
    return [Section("Table 6: Web2Text's measure on CleanEval", figures=figures)]
