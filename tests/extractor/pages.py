"""The runs of small pages, for the tests of the default extractor's columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tamis import Document
from tamis.extractor.runs import COLUMNS, LEVELS, PageRuns


def runs_of(html: str | bytes) -> PageRuns:
    return PageRuns(Document.from_html(html))


def texts(found: PageRuns) -> list[str]:
    """The text of each run."""
    leaves = found.document.leaves
    parts = np.split(found.texts, found.first[1:])
    return ["".join(leaves.text[leaf] for leaf in part.tolist()) for part in parts if len(part)]


def column(name: str, html: str) -> list[float]:
    """One column, one value for each run."""
    return [float(value) for value in runs_of(html).values[:, COLUMNS.index(name)]]


def active_columns(html: str, *kinds: str, run: int = 0) -> set[str]:
    """The columns of these kinds (their first words) that are not 0 in a run."""
    values = runs_of(html).values[run]
    return {name for name, value in zip(COLUMNS, values, strict=True) if value and name.split()[0] in kinds}


def short(value: object) -> str:
    """The name of a case: some are a megabyte long."""
    return str(value)[:20]


def near(expected: Sequence[float]) -> object:
    return pytest.approx(list(expected), rel=1e-5, abs=1e-6)


def check(found: PageRuns) -> None:
    assert found.values.shape == (len(found), len(COLUMNS))
    assert found.values.dtype == np.float32
    assert np.isfinite(found.values).all()
    assert np.abs(found.values).max(initial=0) <= 30, "the network counts on columns that are bounded"
    assert found.tags.shape == (len(found), 1 + LEVELS)
    assert found.tags.dtype == np.uint8
    assert found.words.shape == (len(found),)
    assert found.copies.shape == (len(found),)
