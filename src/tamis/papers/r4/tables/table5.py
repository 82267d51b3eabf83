"""Table 5: the longest common subsequence with CleanEval's gold, under each reading of the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.lab.corpora.catalogue import open_corpus
from tamis.lab.metrics import prf, tokens
from tamis.lab.reproduce.page import Figure, Section
from tamis.render.text import to_text

# Precision, recall and F1 of Table 5 on CleanEval.
PAPER = {"bte": (88.87, 95.83, 92.22), "r4": (92.79, 92.35, 92.57)}
_WORDS = (
    "Precision and recall are means over the 681 test pages that have a gold text, of the longest common subsequence "
    "of words; F1 is that of the two means, as in every row of the paper's table. The paper does not say how many "
    "pages it took, whether the texts are sequences of words or of characters (it speaks of strings and their length), "
    "or whether pages are averaged or pooled: the next two tables show all of it. Where only one of the two texts is "
    "empty all scores are 0."
)
_WITHIN = (3.0, 3.0, 2.0)
_NAMES = ("precision", "recall", "F1")

# What a text is a sequence of. The paper and the one that it takes the measure from say "length".
_UNITS: dict[str, Callable[[str], Sequence[str]]] = {
    "words": tokens,
    "words between white space": str.split,
    "characters": lambda text: " ".join(text.split()),
}
_PAGES = {"test": ("test",), "dev and test": ("dev", "test")}


Strings = NDArray[np.str_]


class Lengths(NamedTuple):
    """Of one page: the common subsequence, the text found and the gold text."""

    common: int
    found: int
    gold: int


def sections(data: Path | None) -> list[Section]:
    """The first reading with what was asked for, then all of them beside the paper."""
    measured: dict[tuple[str, str], list[Lengths]] = {each: [] for each in product(PAPER, _UNITS)}
    splits: list[str] = []
    for page in open_corpus("cleaneval", data).pages():
        document = Document.from_html(page.html)
        splits.append(page.split)
        for name in PAPER:
            found = to_text(document, registry.get(name).label(document))
            for unit, cut in _UNITS.items():
                measured[name, unit].append(lengths(cut(found), cut(page.gold_text or "")))
    split = np.array(splits)
    return [_first(measured, split), *[_readings(name, measured, split) for name in PAPER]]


def lengths(found: Sequence[str], gold: Sequence[str]) -> Lengths:
    """Compare two texts, each a sequence of words or characters."""
    return Lengths(LCSseq.similarity(found, gold), len(found), len(gold))


def averaged(pages: Sequence[Lengths], *, pooled: bool = False) -> tuple[float, float, float]:
    """Precision, recall and their harmonic mean, in per cent: means over pages, or of all pages as one.

    The F1 of every row of Table 5 is that of its precision and recall, and so no mean of F1.
    """
    columns: Floats = np.array(pages, dtype=np.float64).reshape(-1, 3)
    if pooled:
        return _per_cent(*prf(*columns.sum(axis=0).tolist())[:2])
    scores = np.array([prf(*page) for page in pages]).reshape(-1, 3)
    return _per_cent(float(scores[:, 0].mean()), float(scores[:, 1].mean()))


def _per_cent(precision: float, recall: float) -> tuple[float, float, float]:
    both = precision + recall
    return 100 * precision, 100 * recall, 200 * precision * recall / both if both else 0.0


def _first(measured: dict[tuple[str, str], list[Lengths]], split: Strings) -> Section:
    figures = []
    for name, paper in PAPER.items():
        ours = averaged(_of(measured[name, "words"], split == "test"))
        for number, kind in enumerate(_NAMES):
            within = _WITHIN[number] if name == "r4" else None
            figures.append(Figure(f"{name}: LCS {kind}", paper[number], ours[number], within))
    return Section("Table 5: LCS on CleanEval", _WORDS, figures)


def _readings(name: str, measured: dict[tuple[str, str], list[Lengths]], split: Strings) -> Section:
    figures = []
    for unit, (pages, wanted), pooled in product(_UNITS, _PAGES.items(), (False, True)):
        ours = averaged(_of(measured[name, unit], np.isin(split, wanted)), pooled=pooled)
        how = "all pages as one" if pooled else "mean over pages"
        for number, kind in enumerate(_NAMES):
            figures.append(Figure(f"{name}, {unit}, {pages}, {how}: {kind}", PAPER[name][number], ours[number]))
    return Section(f"Table 5: {name} under each reading", "", figures)


def _of(pages: list[Lengths], chosen: Bools) -> list[Lengths]:
    return [page for page, wanted in zip(pages, chosen.tolist(), strict=True) if wanted]
