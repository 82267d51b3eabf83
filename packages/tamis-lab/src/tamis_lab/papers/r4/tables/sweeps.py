"""Tables 1 and 2: the number of candidates and the thresholds of the post-process, on training pages."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

from tamis.arrays import Floats
from tamis_lab.papers.r4.tables.nodes import GoldPage, averages, read_pages
from tamis_lab.papers.r4.tables.readings import by_the_letter
from tamis_lab.reproduce.charts import lines
from tamis_lab.reproduce.page import Figure, Section
from tamis_papers.r4.extractor import R4

# F1 of DOM nodes and of words by the size of the c-SET, 1 to 8 (Table 1).
_TABLE_1 = {
    "DOM nodes": (69.93, 77.82, 82.95, 81.80, 78.37, 66.75, 59.31, 64.03),
    "words": (79.75, 83.03, 87.65, 85.77, 82.10, 74.07, 68.40, 72.92),
}
_SIZES = range(1, 9)
# F1 by tr, each with its best hr, which is 7 or 8 everywhere (Table 2).
_TRS = tuple(np.arange(1.25, 3.01, 0.25).tolist())
_HRS = range(1, 9)
_TABLE_2 = {"DOM nodes": (83.13, *[83.96] * 7), "words": (87.31, *[88.02] * 7)}
_NO_POST_PROCESS = {"DOM nodes": 82.95, "words": 87.65}


def sections(data: Path | None) -> list[Section]:
    """Both tables on the training pages of GoogleTrends-2017."""
    pages = list(read_pages(data, "train"))
    return [_candidates(pages), _thresholds(pages)]


def _candidates(pages: list[GoldPage]) -> Section:
    """Table 1, which the paper made without the post-process."""
    found = {c: averages(R4(c=c, post_process=False).label, pages) for c in _SIZES}
    figures = [
        _f1_figure(f"c = {c}, {kind}", _TABLE_1[kind][c - 1], found[c][kind]) for kind, c in product(_TABLE_1, _SIZES)
    ]
    curves = {f"{kind}, here": _from_1([found[c][kind][2] for c in _SIZES]) for kind in _TABLE_1}
    curves |= {f"{kind}, paper": _from_1(_TABLE_1[kind]) for kind in _TABLE_1}
    return Section("Table 1: the size of the c-SET", figures=figures, chart=lines(curves, "c", "F1, %"))


def _thresholds(pages: list[GoldPage]) -> Section:
    """Table 2: all pairs of tr and hr, and the best hr for each tr."""
    plain = averages(R4(post_process=False).label, pages)
    pairs = list(product(_TRS, _HRS))
    shipped = {(tr, hr): averages(R4(tr=tr, hr=hr).label, pages) for tr, hr in pairs}
    by_letter = {(tr, hr): averages(by_the_letter(R4(tr=tr, hr=hr)), pages) for tr, hr in pairs}
    figures = []
    for reading, found in (("as shipped", shipped), ("may leave nothing", by_letter)):
        for kind, (number, tr) in product(_TABLE_2, enumerate(_TRS)):
            best = max(found[tr, hr][kind][2] for hr in _HRS)
            where = ", ".join(str(hr) for hr in _HRS if found[tr, hr][kind][2] == best)
            name = f"{reading}, tr = {tr:g}, {kind}: best F1"
            figures.append(Figure(name, _TABLE_2[kind][number], best, note=f"hr = {where}"))
    figures += [_f1_figure(f"no post-process, {kind}", paper, plain[kind]) for kind, paper in _NO_POST_PROCESS.items()]
    curves = {
        f"may leave nothing, tr = {tr:g}": _from_1([by_letter[tr, hr]["DOM nodes"][2] for hr in _HRS]) for tr in _TRS
    }
    curves["as shipped, tr = 1.5"] = _from_1([shipped[1.5, hr]["DOM nodes"][2] for hr in _HRS])
    curves["no post-process"] = _from_1([plain["DOM nodes"][2]] * len(_HRS))
    return Section("Table 2: tr and hr", figures=figures, chart=lines(curves, "hr", "F1 of DOM nodes, %"))


def _from_1(values: list[float] | tuple[float, ...]) -> Floats:
    """A curve that begins at 1 on an axis that begins at 0."""
    return np.array([np.nan, *values])


def _f1_figure(name: str, paper: float, values: tuple[float, float, float]) -> Figure:
    recall, precision, f1 = values
    return Figure(f"{name}: F1", paper, f1, note=f"recall {recall:.2f}, precision {precision:.2f}")
