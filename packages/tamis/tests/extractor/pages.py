"""Small pages for the tests of the default extractor: their runs, and what becomes of them by given logits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from tamis import Document, Labels
from tamis.extractor.runs import COLUMNS, LEVELS, PageRuns
from tamis.labels import Role
from tamis.page_type import PageType

PROSE = (
    "The old pump house stands at the end of the lane, and every spring the water board sends somebody to look after "
    "its valves. This year the task fell to a retired engineer who had built it."
)
MORE = (
    "Nobody remembers when the first pipe was laid, but the records of the parish speak of water in the square long "
    "before the railway came to the valley, and of a wheel that turned day and night."
)

NODE_COLUMNS = [name.removesuffix(" 1") for name in COLUMNS if name.endswith(" 1")]
_OTHERS = ("in title", "in record")
HOLDERS = [name.removeprefix("in ") for name in COLUMNS if name.startswith("in ") and name not in _OTHERS]

# The logit of a run that is no content, whatever stands around it.
DROPPED = -30
# What a page type adds to the threshold that training chose.
ADDED = {
    PageType.ARTICLE: 0.1, PageType.DOCUMENTATION: -1.0, PageType.SERVICE: -0.4, PageType.FORUM: -0.1,
    PageType.PRODUCT: 0.2, PageType.LISTING: -0.3, PageType.COLLECTION: -0.4,
}  # fmt: skip

# The logit of each run, or a function from its text to it.
Logits = Callable[[str], float] | Sequence[float] | float


@dataclass(frozen=True)
class Decided:
    """A page with the labels that it gets by given logits."""

    runs: PageRuns
    labels: Labels

    @property
    def kept(self) -> list[str]:
        """The texts of the runs that are kept."""
        return [self.runs.text(run) for run, leaf in enumerate(self._leaves) if self.labels.keep[leaf]]

    @property
    def logits(self) -> object:
        """The logit of each run by its score, to compare with numbers."""
        scores = self.labels.scores[self._leaves]
        return near(np.log(scores / (1 - scores)).tolist())

    def of_role(self, role: Role) -> list[str]:
        """The leaves with a role."""
        texts = enumerate(self.runs.document.leaves.text)
        return [" ".join(text.split()) for leaf, text in texts if self.labels.role(leaf) is role]

    @property
    def _leaves(self) -> list[int]:
        """The first leaf of each run."""
        return [self.runs.leaves_of(run)[0] for run in range(len(self.runs))]


def decide(
    page: str | Document,
    content: Logits,
    *,
    comment: Logits = -9,
    related: Logits = -9,
    page_type: PageType = PageType.ARTICLE,
) -> Decided:
    """What is kept of a page of this type if a network gives these logits, and a run is content from 0 on."""
    runs = PageRuns(Document.from_html(page) if isinstance(page, str) else page)
    texts = list(map(runs.text, range(len(runs))))
    logits = [_by_run(given, texts) for given in (content, comment, related)]
    types = [9.0 * (kind is page_type) for kind in PageType]
    threshold = -ADDED[page_type]
    return Decided(runs, runs.decide(np.array(logits, np.float32).T, np.array(types, np.float32), threshold))


def _by_run(given: Logits, texts: list[str]) -> list[float]:
    if isinstance(given, int | float):
        return [given] * len(texts)
    if callable(given):
        return list(map(given, texts))
    assert len(given) == len(texts)
    return list(given)


def runs_of(html: str | bytes) -> PageRuns:
    return PageRuns(Document.from_html(html))


def texts(found: PageRuns) -> list[str]:
    """The text of each run, as in the source."""
    strings = found.document.leaves.text
    return ["".join(strings[leaf] for leaf in found.leaves_of(run)) for run in range(len(found))]


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
