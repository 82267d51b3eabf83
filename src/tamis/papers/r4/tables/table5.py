"""Table 5: the longest common subsequence with CleanEval's gold, under each reading of the paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq

from tamis import registry
from tamis.document import Document
from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.metrics import prf, tokens
from tamis.lab.reproduce import registered
from tamis.lab.reproduce.page import Figure, Section, compare
from tamis.render.text import to_text

# Precision, recall and F1 of Table 5 on CleanEval.
PAPER = {"bte": (88.87, 95.83, 92.22), "r4": (92.79, 92.35, 92.57)}
_WITHIN = (3.0, 3.0, 2.0)
NAMES = ("precision", "recall", "F1")

# What a text is a sequence of. The paper, and the one that it takes the measure from, only say "length".
_UNITS: dict[str, Callable[[str], Sequence[str]]] = {
    "words": tokens,
    "words between white space": str.split,
    "characters": lambda text: " ".join(text.split()),
}


class Lengths(NamedTuple):
    """The lengths of the common subsequence, the text found and the gold text of one page."""

    common: int
    found: int
    gold: int


def sections(data: Path | None) -> list[Section]:
    """The first reading with what was asked for, then all of them beside the paper."""
    systems = registered(PAPER)
    measured = defaultdict[tuple[str, str, str], list[Lengths]](list)  # by system, unit and split
    for page in open_corpus("cleaneval", data).pages():
        document = Document.from_html(page.html)
        for name in systems:
            found = to_text(document, registry.get(name).label(document))
            for unit, cut in _UNITS.items():
                measured[name, unit, page.split].append(lengths(cut(found), cut(page.gold_text or "")))
    first = []
    for name in systems:
        within = _WITHIN if name == "r4" else None
        ours = averaged(measured[name, "words", "test"])
        first += compare(name, [f"LCS {measure}" for measure in NAMES], PAPER[name], ours, within)
    return [
        Section("Table 5: LCS on CleanEval", figures=first),
        *[Section(f"Table 5: {name} under each reading", figures=_readings(name, measured)) for name in systems],
    ]


def _readings(name: str, measured: Mapping[tuple[str, str, str], list[Lengths]]) -> list[Figure]:
    figures = []
    for unit, splits, pooled in product(_UNITS, (["test"], ["dev", "test"]), (False, True)):
        pages = [page for split in splits for page in measured[name, unit, split]]
        how = "all pages as one" if pooled else "mean over pages"
        ours = averaged(pages, pooled=pooled)
        figures += compare(f"{name}, {unit}, {' and '.join(splits)}, {how}", NAMES, PAPER[name], ours)
    return figures


def lengths(found: Sequence[str], gold: Sequence[str]) -> Lengths:
    """Compare two texts, each a sequence of words or characters."""
    return Lengths(LCSseq.similarity(found, gold), len(found), len(gold))


def averaged(pages: Sequence[Lengths], *, pooled: bool = False) -> tuple[float, float, float]:
    """Precision, recall and their harmonic mean, in per cent: means over pages, or of all pages as one.

    The F1 of every row of Table 5 is that of its precision and recall, and so no mean of F1.
    """
    scores = [prf(*np.sum(pages, axis=0).tolist())] if pooled else [prf(*page) for page in pages]
    precision, recall, _ = np.mean(scores, axis=0).tolist()
    both = precision + recall
    return 100 * precision, 100 * recall, 200 * precision * recall / both if both else 0.0
