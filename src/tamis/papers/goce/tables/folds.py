"""Who learns and who is tested: every page once, by a classifier that has seen no page of its site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tamis.errors import InputError
from tamis.lab.gold import LeafGold
from tamis.lab.training.pages import LabelledPage, fold_of, hold_out

FOLDS = 5
HELD_OUT = 0.1  # of the pages of four folds, for early stopping
SEED = 1

# `hold_out` asks for pages and reads their sites.
_NO_LEAVES = np.zeros(0, dtype=np.bool_)
_NO_GOLD = LeafGold(_NO_LEAVES, _NO_LEAVES, is_bad=False)


class Fold(NamedTuple):
    """Names of pages."""

    training: list[str]
    validation: list[str]
    test: list[str]


def folds(sites: Mapping[str, str], seed: int = SEED) -> list[Fold]:
    """The five folds of pages, given the site of each; a fold that would test nothing is left out.

    Raises InputError where too few sites are there to learn from some and validate on others.
    """
    pages = [LabelledPage(name, site, b"", None, _NO_GOLD) for name, site in sites.items()]
    found = []
    for number in range(FOLDS):
        test = [page.name for page in pages if fold_of(page.site, FOLDS) == number]
        training, held = hold_out([page for page in pages if fold_of(page.site, FOLDS) != number], HELD_OUT, seed)
        if test and not (training and held):
            raise InputError(f"{len(pages)} pages of {len(set(sites.values()))} sites are too few for {FOLDS} folds")
        if test:
            found.append(Fold([page.name for page in training], [page.name for page in held], test))
    return found
