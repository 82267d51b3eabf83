"""Table 5: the longest common subsequence with the gold of CleanEval and Chaos, for R4 and its rivals."""

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
from tamis.render.text import to_text
from tamis_lab.corpora.catalogue import find_corpus, open_corpus
from tamis_lab.metrics import prf, tokens
from tamis_lab.reproduce.page import Figure, Section, compare

# Precision, recall and F1 of Table 5 on CleanEval and on Chaos, as printed, by the extractors here.
PAPER = {
    "bte": (88.87, 95.83, 92.22),
    "dsc": (91.94, 62.01, 74.07),
    "fe": (73.87, 9.97, 17.56),
    "k-fe": (79.28, 69.61, 74.13),
    "lqf": (88.60, 94.02, 91.23),
    "ccb": (80.61, 92.71, 86.24),
    "cetr": (91.26, 86.08, 88.59),
    "cetd-ds": (92.96, 94.52, 93.73),
    "cectd-s": (90.35, 92.60, 91.46),
    "cectd-ds": (95.87, 97.15, 96.51),
    "wlr": (96.60, 65.76, 78.25),
    "cehtd-ds": (94.97, 94.07, 94.52),
    "r4": (92.79, 92.35, 92.57),
}
_CHAOS = {
    "bte": (76.36, 92.80, 83.78),
    "dsc": (94.45, 80.27, 86.79),
    "fe": (72.59, 6.22, 11.46),
    "k-fe": (73.97, 66.04, 69.78),
    "lqf": (82.76, 93.98, 88.01),
    "ccb": (64.45, 91.05, 75.47),
    "cetr": (78.75, 86.92, 82.63),
    "cetd-ds": (93.59, 94.99, 93.59),
    "cectd-s": (89.64, 91.22, 91.22),
    "cectd-ds": (96.21, 96.10, 96.15),
    "wlr": (98.03, 70.05, 81.71),
    "cehtd-ds": (94.74, 96.42, 95.57),
    "r4": (95.01, 91.88, 93.42),
}
_WITHIN = (3.0, 3.0, 2.0)
NAMES = ("precision", "recall", "F1")
_MEASURES = [f"LCS {measure}" for measure in NAMES]
_ABOUT_CHAOS = (
    "As above, on 360 pages. It is not known which of them the paper had. Two rows of the paper have an F1 that does "
    "not follow from their precision and recall: those of CETD-DS and CECTD-S."
)

# Only these are measured under every reading: the paper's own, and the rival that has been here longest.
_UNDER_ALL_READINGS = ("bte", "r4")

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
    """CleanEval and, if it is there, Chaos; then both systems under all readings beside the paper."""
    several = _UNDER_ALL_READINGS
    measured = defaultdict[tuple[str, str, str], list[Lengths]](list)  # by system, unit and split
    for page in open_corpus("cleaneval", data).pages():
        document = Document.from_html(page.html)
        for name in PAPER if page.split == "test" else several:
            found = to_text(document, registry.get(name).label(document))
            for unit in _UNITS if name in several else ("words",):
                cut = _UNITS[unit]
                measured[name, unit, page.split].append(lengths(cut(found), cut(page.gold_text or "")))
    first = []
    for name in PAPER:
        within = _WITHIN if name == "r4" else None
        ours = averaged(measured[name, "words", "test"])
        first += compare(name, _MEASURES, PAPER[name], ours, within)
    return [
        Section("Table 5: LCS on CleanEval", figures=first),
        *_chaos(data),
        *[Section(f"Table 5: {name} under each reading", figures=_readings(name, measured)) for name in several],
    ]


def _chaos(data: Path | None) -> list[Section]:
    """The same on Chaos, which has no public address; nothing without it."""
    if find_corpus("chaos", data) is None:
        return []
    measured: dict[str, list[Lengths]] = {name: [] for name in _CHAOS}
    for page in open_corpus("chaos", data).pages():
        document, gold = Document.from_html(page.html), tokens(page.gold_text or "")
        for name, found in measured.items():
            found.append(lengths(tokens(to_text(document, registry.get(name).label(document))), gold))
    figures = []
    for name, pages in measured.items():
        figures += compare(f"{name}, Chaos", _MEASURES, _CHAOS[name], averaged(pages))
    return [Section("Table 5: LCS on Chaos", _ABOUT_CHAOS, figures)]


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
