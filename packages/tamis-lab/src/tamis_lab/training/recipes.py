"""The names of all models that can be trained, and what weights were trained on. Nothing here imports PyTorch."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint
from pathlib import Path

from tamis import weights
from tamis.errors import OptionError
from tamis.plugins import RECIPES, named
from tamis.registry import extractors
from tamis_lab.corpora.catalogue import CorpusSource, is_folder


def entry_point(model: str) -> EntryPoint:
    """What names the recipe of this model. Raises OptionError."""
    known = named(RECIPES)
    if model not in known:
        raise OptionError(f"no model that can be trained is called {model!r}; there are: {', '.join(known)}")
    return known[model]


_START = "start:"  # before the weights that training started from, in configs that do not list the corpora of these


def trained_on(folder: Path) -> list[str]:
    """The corpora of a folder of weights, in the form of `identity`. Raises WeightsError."""
    found: dict[str, None] = {}
    folders = [folder.resolve()]
    for each in folders:  # it grows
        words: list[str] = weights.read_config(each).get("trained_on", [])
        found |= dict.fromkeys(identity(word) for word in words if not word.startswith(_START))
        starts = (start_folder(word.removeprefix(_START)).resolve() for word in words if word.startswith(_START))
        folders += [start for start in starts if start not in folders]
    return list(found)


def start_folder(start: str) -> Path:
    """The weights of the extractor of that name, or else the folder of that path."""
    known = extractors().get(start)
    return known.weights if known and known.weights else Path(start)


def identity(source: str) -> str:
    """NAME[:SPLIT], with the whole path for a folder, which can be named in several ways."""
    name, split = CorpusSource.parse(source)
    whole = str(Path(name).resolve()) if is_folder(name) else name
    return f"{whole}:{split}" if split else whole


def has_seen(sources: Iterable[str], corpus: str, split: str) -> bool:
    """Is the split of a corpus, or all of the corpus, among these?"""
    return not {identity(corpus), identity(f"{corpus}:{split}")}.isdisjoint(map(identity, sources))
