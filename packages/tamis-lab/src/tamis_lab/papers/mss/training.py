"""Training the local classifier of Maximum Subsequence Segmentation: counts of tokens inside and outside articles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from tamis.arrays import Bools, Floats, Ints
from tamis_lab.metrics import leaf_scores
from tamis_lab.training.loop import Epoch, Schedule
from tamis_lab.training.models import SOLVED
from tamis_lab.training.pages import LabelledPage
from tamis_papers.mss.extractor import MODEL, LogOdds, NaiveBayes, maximum_subsequence
from tamis_papers.mss.tokens import Hashes, PageTokens

# Added to every count (Laplace).
_ADDED = 1.0

# A trigram on fewer pages says more about them than about articles. Without this limit there are two million
# trigrams and the file has 12 MB; F1 of validation words changes by less than a point.
_LEAST_PAGES = 3

# The page type that the paper is about. Corpora that name no types are taken whole.
_ARTICLE = "article"


@dataclass(frozen=True, eq=False)
class MssExample:
    """The tokens of a page, and which of them are content."""

    page: PageTokens
    content: Bools  # words of the gold text
    inside: Bools  # tokens from the first to the last of the article


def prepare(page: LabelledPage) -> MssExample:
    """Find the article on a page: the stretch with the most words of the gold text and the fewest others.

    The first and the last word of the gold would do if each were placed right; one that is found in a menu would add
    the menu to the article.
    """
    tokens = PageTokens.of(page.document())
    words = tokens.leaf >= 0
    content = words & page.gold.content[np.where(words, tokens.leaf, 0)] if words.any() else words
    return MssExample(tokens, content, _stretch(np.where(words, np.where(content, 1, -1), 0)))


def word_f1(classifier: NaiveBayes, examples: Iterable[MssExample]) -> float:
    """F1 of the words of all pages."""
    kept, gold = [], []
    for example in examples:
        words = example.page.leaf >= 0
        kept.append(_stretch(classifier.scores(example.page))[words])
        gold.append(example.content[words])
    return leaf_scores(np.concatenate(kept), np.concatenate(gold)).content.f1


def _stretch(values: Ints) -> Bools:
    """The tokens of the stretch with the largest sum."""
    inside = np.zeros(len(values), dtype=np.bool_)
    inside[slice(*maximum_subsequence(values))] = True
    return inside


def fitted(examples: Sequence[MssExample], order: int) -> NaiveBayes:
    """The classifier of these pages."""
    inside = np.concatenate([example.inside for example in examples])
    share = (inside.sum() + _ADDED) / (len(inside) + 2 * _ADDED)
    shape = NaiveBayes(order, 0.0, _EMPTY, _EMPTY)
    tokens = _log_odds(examples, shape.features, inside, _LEAST_PAGES if order > 1 else 1)
    unclosed = _log_odds(examples, lambda page: page.unclosed, inside, 1)
    return NaiveBayes(order, float(np.log(share / (1 - share))), tokens, unclosed)


def _log_odds(
    examples: Sequence[MssExample], feature: Callable[[PageTokens], Hashes], inside: Bools, least_pages: int
) -> LogOdds:
    """The log odds of each value of a feature that is on enough pages."""
    found = [feature(example.page) for example in examples]
    keys, number = np.unique(np.concatenate(found), return_inverse=True)
    pages = np.bincount(np.searchsorted(keys, np.concatenate([np.unique(page) for page in found])), minlength=len(keys))
    odds = _log_shares(number[inside], len(keys)) - _log_shares(number[~inside], len(keys))
    chosen = pages >= least_pages
    # Half precision, as in the file: the classifier that is validated is the one that is saved.
    return LogOdds(keys[chosen], odds[chosen].astype(np.float16).astype(np.float32))


def _log_shares(numbers: Ints, values: int) -> Floats:
    """The logarithm of the share that each value has of all tokens."""
    counts = np.bincount(numbers, minlength=values) + _ADDED
    shares: Floats = np.log(counts / counts.sum())
    return shares


_EMPTY = LogOdds(np.zeros(0, np.uint32), np.zeros(0, np.float32))


def _log_loss(classifier: NaiveBayes, examples: Sequence[MssExample]) -> float:
    scores = np.concatenate([classifier.scores(example.page) for example in examples]) * 1e-6 + 0.5
    inside = np.concatenate([example.inside for example in examples])
    return float(-np.log(np.clip(np.where(inside, scores, 1 - scores), 1e-6, 1)).mean())


@dataclass(frozen=True)
class MssRecipe:
    """How `tamis train mss` learns."""

    order: int
    paper: str = (
        "Pasternack, Roth: Extracting Article Text from the Web with Maximum Subsequence Segmentation, WWW 2009."
    )
    schedule: Schedule = SOLVED
    measure: str = "F1 of words over validation pages"

    def takes(self, page: LabelledPage) -> bool:
        """Is it an article? Other pages are left out."""
        return page.page_type in (None, _ARTICLE)

    def solve(self, training: Sequence[LabelledPage], validation: Sequence[LabelledPage]) -> tuple[NaiveBayes, Epoch]:
        """Count; the loss is the mean log loss of the training tokens."""
        examples = [prepare(page) for page in training]
        classifier = fitted(examples, self.order)
        score = word_f1(classifier, map(prepare, validation))
        return classifier, Epoch(1, _log_loss(classifier, examples), score, score)

    def save(self, classifier: NaiveBayes, folder: Path) -> tuple[str, dict[str, Any]]:
        """The log odds by hashes of tokens, which do not reveal the tokens."""
        tensors: dict[str, Any] = {}
        for name, table in (("tokens", classifier.tokens), ("unclosed", classifier.unclosed)):
            tensors |= {f"{name}.keys": table.keys, f"{name}.values": table.values.astype(np.float16)}
        save_file(tensors, folder / MODEL)
        return MODEL, {"order": classifier.order, "prior": classifier.prior}


RECIPE = MssRecipe(order=3)
UNIGRAM_RECIPE = MssRecipe(order=1)
