"""How good an extraction probably is: the token F1 to expect of it, between 0 and 1.

A logistic model over columns that describe the labels of the default extractor: how sure its scores are, how much of
the page it keeps, whether it agrees with the page's own MAIN and ARTICLE, and the page's type. It was learned from
pages whose sites the networks had not seen (`tamis_lab.training.confidence`), and is calibrated: of pages with a
confidence of .8, the mean F1 is .8.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tamis.arrays import Bools, Floats
from tamis.cached import cached_property
from tamis.document import Document, tags
from tamis.errors import WeightsError
from tamis.labels import Labels, Role
from tamis.page_type import PageType
from tamis.weights import read_config, read_weights

FOLDER = Path(__file__).parent / "weights"
MODEL = "model.safetensors"

_LONG = 90  # characters of a leaf that is a paragraph rather than a line
# Probabilities and shares become log odds inside these bounds, so that 0 and 1 stay finite.
_LEAST, _MOST = 0.02, 0.995
_SURE = 1e-4  # no score is nearer to 0 or 1
_MOST_DOUBTS = 4  # that are named
_LEAST_DOUBT = 0.05  # log odds: about a point of confidence
_CLIP = 4.0  # deviations from the mean of a column: beyond, a page is unlike all that were learned from


class _Extraction:
    """The labels of one page, as sums over the characters of its visible text."""

    def __init__(self, document: Document, labels: Labels) -> None:
        self.elements, leaves = document.elements, document.leaves
        self.text = leaves.visible_text
        self.kept = labels.keep[self.text]
        self.size = np.fromiter((len(leaves.text[leaf]) for leaf in self.text.tolist()), np.float64, len(self.text))
        self.score = np.clip(labels.scores[self.text], _SURE, 1 - _SURE)
        self.threshold = labels.threshold
        self.element, self.in_link = leaves.element[self.text], leaves.in_link[self.text]
        roles = labels.roles
        self.role = [roles[leaf] for leaf in self.text.tolist()] if roles else []
        types = labels.page_types
        self.types = [types.probabilities[kind] if types else 0.0 for kind in PageType]

    def sum(self, mask: Bools) -> float:
        """The characters of the leaves in `mask`."""
        return float(self.size @ mask)

    @cached_property
    def kept_size(self) -> float:
        """The characters that are kept; never 0, so that shares of them are defined."""
        return self.sum(self.kept) or 1.0

    def share(self, mask: Bools) -> float:
        """The share of the kept characters that is in `mask`."""
        return self.sum(mask & self.kept) / self.kept_size

    def recall(self, mask: Bools) -> float:
        """The share of the characters in `mask` that is kept; -1 where there are none."""
        size = self.sum(mask)
        return self.sum(mask & self.kept) / size if size else -1.0

    def f1(self, mask: Bools) -> float:
        """How far the kept characters are those in `mask`; -1 where there are none."""
        size = self.sum(mask)
        return 2 * self.sum(mask & self.kept) / (size + self.kept_size) if size else -1.0

    def within(self, *names: str) -> Bools:
        """Which leaves are in elements with these tags?"""
        return self.elements.inside(tags.lookup(*names).take(self.elements.code)).take(self.element)

    def is_role(self, role: Role) -> Bools:
        """Which leaves have a role?"""
        return np.fromiter((each is role for each in self.role), np.bool_, len(self.role)) if self.role else ~self.kept

    @cached_property
    def expected(self) -> tuple[float, float]:
        """Precision and recall if every score were the probability that its leaf is content."""
        hit = float((self.size * self.score) @ self.kept)
        return hit / self.kept_size, hit / max(float(self.size @ self.score), 1.0)

    @cached_property
    def entropy(self) -> float:
        """How unsure the scores are, for each kept character."""
        score = self.score
        return float(self.size @ -(score * np.log(score) + (1 - score) * np.log(1 - score))) / self.kept_size

    def margin(self, mask: Bools) -> float:
        """How far the scores in `mask` are from the threshold, in log odds."""
        away = np.abs(np.log(self.score / (1 - self.score)) - np.log(self.threshold / (1 - self.threshold)))
        return float((self.size * mask) @ away) / (self.sum(mask) or 1.0)

    def between(self, low: float, high: float) -> float:
        """The characters with a score in between, for each kept one; at most 5."""
        return min(self.sum((self.score > low) & (self.score < high)) / self.kept_size, 5.0)

    @cached_property
    def extent(self) -> tuple[float, float, float]:
        """Where the kept text starts and ends on the page, and the kept share of the text between."""
        places = np.flatnonzero(self.kept)
        first, end = int(places[0]), int(places[-1]) + 1
        between = float(self.size[first:end].sum()) or 1.0
        return first / len(self.kept), end / len(self.kept), self.kept_size / between


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _columns(page: _Extraction) -> dict[str, float]:
    """The columns of the model that are numbers as they are."""
    kept, size, whole = page.kept, page.kept_size, float(page.size.sum()) or 1.0
    changes = int((kept[1:] != kept[:-1]).sum())
    heading, links = page.within(*tags.HEADINGS), page.in_link
    types = np.clip(page.types, 1e-6, 1.0)
    start, end, _ = page.extent
    return {
        "unsure": page.between(0.2, 0.8),
        "rather unsure": page.between(0.05, 0.95),
        "against the score": min(page.sum((page.score >= page.threshold) != kept) / size, 5.0),
        "entropy": min(page.entropy, 5.0),
        "margin of kept": page.margin(kept),
        "margin of dropped": page.margin(~kept),
        "size of kept": np.log1p(size),
        "size of all": np.log1p(whole),
        "leaves kept": np.log1p(kept.sum()),
        "size of a leaf": np.log1p(size / kept.sum()),
        "changes": changes / (kept.sum() + 1),
        "links": page.share(links),
        "number of links": np.log1p(links.sum()),
        "longest": float((page.size * kept).max()) / size,
        "long dropped": np.log1p(page.sum((page.size >= _LONG) & ~kept) / size),
        "comments": page.sum(page.is_role(Role.COMMENT)) / whole,
        "related": page.sum(page.is_role(Role.RELATED)) / whole,
        "navigation": page.share(page.within("nav", "aside")),
        "header": page.share(page.within("header")),
        "footer": page.share(page.within("footer")),
        "form": page.share(page.within("form")),
        "list": page.share(page.within("li")),
        "table": page.share(page.within("td", "th")),
        "headings": float((heading & kept).sum()) / np.log1p(size),
        "headings kept": float((heading & kept).sum()) / max(float(heading.sum()), 1.0),
        "main heading kept": float((page.within("h1") & kept).any()),
        "start": start,
        "end": end,
        "entropy of types": float(-(types * np.log(types)).sum()),
        **{kind.value: probability for kind, probability in zip(PageType, page.types, strict=True)},
    }


def _shares(page: _Extraction) -> dict[str, float]:
    """The columns that are shares or probabilities; -1 where the page has no such thing."""
    precision, recall = page.expected
    main, article, long = page.within("main"), page.within("article"), (page.size >= _LONG) & ~page.in_link
    return {
        "expected f1": _f1(precision, recall),
        "expected precision": precision,
        "expected recall": recall,
        "kept": page.kept_size / (float(page.size.sum()) or 1.0),
        "main f1": page.f1(main),
        "main recall": page.recall(main),
        "main precision": page.share(main) if main.any() else -1.0,
        "article f1": page.f1(article),
        "article recall": page.recall(article),
        "article precision": page.share(article) if article.any() else -1.0,
        "long f1": page.f1(long),
        "long recall": page.recall(long),
        "long": page.share(page.size >= _LONG),
        "paragraphs": page.share(page.within("p")),
        "paragraphs recall": page.recall(page.within("p")),
        "whole": page.extent[2],
        "f1 if stricter": page.f1(page.score >= 0.75),
        "f1 if laxer": page.f1(page.score >= 0.25),
        "certainty of type": max(page.types),
    }


def columns(document: Document, labels: Labels) -> dict[str, float] | None:
    """What the model sees of an extraction, by name; None where no text is kept, or the labels have no page type."""
    page = _Extraction(document, labels)
    if labels.page_types is None or not page.kept.any() or not 0 < labels.threshold < 1:
        return None
    found = _columns(page)
    for name, share in _shares(page).items():
        bounded = min(max(share, _LEAST), _MOST)
        odds = float(np.log(bounded / (1 - bounded))) if share >= 0 else 0.0
        found |= {name: odds, f"{name}, squared": odds**2, f"no {name}": float(share < 0)}
    return found


@dataclass(frozen=True, eq=False)
class Model:
    """The weights of the columns."""

    names: tuple[str, ...]
    mean: Floats
    deviation: Floats
    weight: Floats
    offset: float

    def effects(self, found: dict[str, float]) -> Floats:
        """By how much each column raises or lowers the log odds of an average page."""
        values = np.array([found[name] for name in self.names])
        scaled: Floats = np.clip((values - self.mean) / self.deviation, -_CLIP, _CLIP)
        return scaled * self.weight

    def predict(self, found: dict[str, float]) -> float:
        """The F1 to expect."""
        return float(1 / (1 + np.exp(-(self.effects(found).sum() + self.offset))))


def load(folder: Path) -> Model:
    """The model in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as load_tensors

    names = read_config(folder).get("columns")
    try:
        tensors = load_tensors(read_weights(folder, MODEL))
        mean, deviation, weight = (tensors[name].astype(np.float64) for name in ("mean", "deviation", "weight"))
        offset = float(tensors["offset"][0])
    except (SafetensorError, KeyError, IndexError) as error:
        raise WeightsError(f"the model of {folder} cannot be loaded: {error}") from error
    if not isinstance(names, list) or not len(names) == len(mean) == len(deviation) == len(weight):
        raise WeightsError(f"the model of {folder} has another number of columns than its config.json")
    return Model(tuple(names), mean, deviation, weight, offset)


@cache
def _shipped() -> Model:
    return load(FOLDER)


def confidence(document: Document, labels: Labels) -> float | None:
    """The token F1 to expect of an extraction; None for a page without content, or labels of another extractor."""
    found = columns(document, labels)
    return None if found is None else _shipped().predict(found)


def doubts(document: Document, labels: Labels) -> tuple[tuple[str, float], ...]:
    """The columns that lower the confidence most, compared with an average page, and their effects in log odds.

    The forms of a share, such as its square, count as one. Empty where there is no confidence.
    """
    found = columns(document, labels)
    if found is None:
        return ()
    effects: dict[str, float] = {}
    for name, effect in zip(_shipped().names, _shipped().effects(found).tolist(), strict=True):
        plain = name.removesuffix(", squared").removeprefix("no ")
        effects[plain] = effects.get(plain, 0.0) + effect
    lowest = sorted(effects.items(), key=lambda each: each[1])[:_MOST_DOUBTS]
    return tuple((name, effect) for name, effect in lowest if effect < -_LEAST_DOUBT)
