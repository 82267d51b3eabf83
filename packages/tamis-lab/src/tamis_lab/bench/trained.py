"""Extractors with weights of your own as contestants, named as everywhere (`tamis.registry`): "tamis=FOLDER".

A folder that holds fold-0, fold-1, ... is a cross-validated model (`tamis train --folds`): each page is read by the
fold that was not trained on its site, so the score is a measurement on training pages, too.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from tamis import registry, weights
from tamis.protocol import Extractor
from tamis_lab.training import recipes
from tamis_lab.training.pages import fold_folders, fold_of_page


def is_trained(name: str) -> bool:
    """Does the name have a folder of weights?"""
    system, folder = registry.choice(name)
    return folder is not None and (not system or system in registry.extractors())


def extractor_of(name: str) -> Callable[[bytes, str | None], Extractor]:
    """From the bytes of a page and its address to its extractor. Raises OptionError and WeightsError."""
    system = registry.choice(name).name
    extractors = [registry.with_weights(system, each) for each in folders(name)]
    return lambda html, url: extractors[fold_of_page(html, url, len(extractors))]


def entry_of(name: str) -> registry.Entry:
    """The extractor that the weights are for. Raises OptionError and WeightsError."""
    system = registry.choice(name).name
    return registry.entry_of(system) if system else registry.check(str(folders(name)[0].absolute()))


def folders(name: str) -> list[Path]:
    """The folder of weights, or those of the folds in it."""
    folder = registry.choice(name).folder
    assert folder  # noqa: S101 the name is that of a trained one
    return fold_folders(folder) or [folder]


def digest(name: str) -> str:
    """A hash over the weights. Raises WeightsError."""
    digests = (weights.read_config(each)["digest"] for each in folders(name))
    return sha256("".join(digests).encode()).hexdigest()[:12]


def trained_on(name: str) -> tuple[str, ...]:
    """The corpora that the weights were trained on; none for a cross-validated model. Raises WeightsError."""
    first, *others = folders(name)
    return () if others else tuple(recipes.trained_on(first))
