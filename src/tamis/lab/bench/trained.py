"""Extractors with weights of your own as contestants: "tamis=FOLDER" is `tamis` with the weights in FOLDER.

A folder that holds fold-0, fold-1, ... is a cross-validated model (`tamis train --folds`): each page is read by the
fold that was not trained on its site, so the score is a measurement on training pages, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import tamis
from tamis import weights
from tamis.errors import OptionError
from tamis.lab.training.pages import fold_folders, fold_of_page
from tamis.protocol import Extractor
from tamis.registry import extractors, get


def is_trained(name: str) -> bool:
    """Does the name have an extractor and a folder?"""
    return name.partition("=")[0] in extractors() and "=" in name


def load(name: str) -> Callable[[bytes, str | None], str]:
    """From the bytes of a page and its address to text. Raises OptionError and WeightsError."""
    choose = extractor_of(name)
    return lambda html, url: tamis.extract(html, url=url, extractor=choose(html, url)).text


def extractor_of(name: str) -> Callable[[bytes, str | None], Extractor]:
    """From the bytes of a page and its address to its extractor. Raises OptionError and WeightsError."""
    system, _, folder = name.partition("=")
    known: Any = get(system)
    if not hasattr(known, "weights"):
        raise OptionError(f"{system} has no weights that a folder could replace")
    folders = fold_folders(Path(folder)) or [Path(folder)]
    for each in folders:
        weights.read_config(each)  # raises before the first page
    extractors: list[Extractor] = [replace(known, weights=each) for each in folders]
    return lambda html, url: extractors[fold_of_page(html, url, len(extractors))]


def digest(name: str) -> str:
    """A hash over the weights. Raises WeightsError."""
    return sha256("".join(config["digest"] for config in _configs(name)).encode()).hexdigest()[:12]


def trained_on(name: str) -> tuple[str, ...]:
    """The corpora that the weights were trained on; none for a cross-validated model. Raises WeightsError."""
    folder = Path(name.partition("=")[2])
    return () if fold_folders(folder) else tuple(weights.read_config(folder).get("trained_on", ()))


def _configs(name: str) -> list[dict[str, Any]]:
    folder = Path(name.partition("=")[2])
    return [weights.read_config(each) for each in fold_folders(folder) or [folder]]
