"""Every extractor by name.

This file lists the extractors of the product. Other packages add theirs by an entry point of the group
`tamis.extractors`, which names a sequence of `Entry`; tamis-papers adds the published methods this way. An entry has
all that a listing needs; the module of an extractor is imported on first use.

Wherever an extractor is named, in Python and on the command line, other weights than the shipped ones can be chosen:
"NAME=FOLDER" is the extractor NAME with the weights in FOLDER, and the path of a folder is the extractor of the model
that its config.json names. A path has a separator or starts with a dot, so it is never mistaken for a name.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from tamis.errors import OptionError, UnknownExtractor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tamis.protocol import Extractor

# The best extractor on every page type, and on all corpora but L3S-GN1 (docs/research/tamis.md).
DEFAULT = "tamis"


class Entry(NamedTuple):
    """One extractor."""

    name: str
    location: str  # module:attribute
    summary: str
    paper: str
    weights: Path | None = None  # the folder of its weights, if it was trained
    draws: bool = False  # does it render pages in a browser? That takes a second or more
    model: str = ""  # the name of the model of its weights, if that differs
    family: str = ""  # what the method decides by
    year: int = 0  # of publication
    learns_sites: bool = False  # does it compare a page with others of its site?

    @property
    def model_name(self) -> str:
        """The model of its weights, as their config.json names it."""
        return self.model or self.name

    @property
    def trained_on(self) -> tuple[str, ...]:
        """The corpora, each NAME or NAME:SPLIT, that its weights were trained on. Raises WeightsError."""
        from tamis.weights import read_config  # a listing does not need it

        return tuple(read_config(self.weights)["trained_on"]) if self.weights else ()


PRODUCT = (
    Entry(
        "tamis",
        "tamis.extractor.tamis:tamis",
        "a network over runs of text, conditioned on the page type",
        "this project",
        Path(__file__).parent / "extractor" / "weights",
    ),
    Entry("keep-all", "tamis.extractor.keep_all:keep_all", "every visible text: the baseline", "this project"),
)


@cache
def _entries() -> Mapping[str, Entry]:
    from tamis import plugins  # the extractors of the product need no other package

    added = map(plugins.loaded, plugins.named(plugins.EXTRACTORS).values())
    return {entry.name: entry for entries in (PRODUCT, *added) for entry in entries}


def extractors() -> dict[str, Entry]:
    """All extractors by name, each with its summary and paper."""
    return dict(_entries())


def entry_of(name: str) -> Entry:
    """The entry of an extractor. Raises UnknownExtractor and PluginError."""
    product = {entry.name: entry for entry in PRODUCT}
    if found := product.get(name) or _entries().get(name):
        return found
    from tamis.plugins import PAPERS, install_command, is_installed

    hint = ""
    if name and _is_folder(Path(name)):
        hint = f"; for the weights in the folder of that name write .{os.sep}{name}"
    elif not is_installed(PAPERS):
        hint = f"; {PAPERS.brings} are in {PAPERS.name}: {install_command(PAPERS)}"
    raise UnknownExtractor(name, _entries(), hint)


class Choice(NamedTuple):
    """The extractor and the weights that a word chooses."""

    name: str  # empty where the folder tells it
    folder: Path | None = None  # of weights other than the shipped ones


def choice(word: str) -> Choice:
    """Read NAME, NAME=FOLDER or the path of a folder. Raises OptionError for NAME= without a folder."""
    name, equals, folder = word.partition("=")
    if name and equals and not _is_path(name):
        if not folder:
            raise OptionError(f"{word} names no folder of weights")
        return Choice(name, _expanded(folder))
    return Choice("", _expanded(word)) if _is_path(word) else Choice(word)


def get(word: str) -> Extractor:
    """The extractor of a name, loaded on first use, or one with other weights, as above.

    Raises UnknownExtractor, OptionError and WeightsError.
    """
    name, folder = choice(word)
    return _shipped(name) if folder is None else with_weights(name, folder)


def check(word: str) -> Entry:
    """The entry of the extractor that `get` would load; raises the same errors, and loads nothing."""
    name, folder = choice(word)
    return entry_of(name) if folder is None else _entry_for(name, folder)


def identity(word: str) -> str:
    """A name, with the digest of its weights if they are not the shipped ones. Raises WeightsError."""
    from tamis.weights import read_config

    folder = choice(word).folder
    return word if folder is None else f"{word} with weights {read_config(folder)['digest'][:12]}"


def with_weights(name: str, folder: Path) -> Extractor:
    """The extractor of this name, or if it is empty that of the model in the folder, with the weights there.

    Raises UnknownExtractor, OptionError and WeightsError.
    """
    try:
        state = (folder / "config.json").stat()
    except (OSError, ValueError):  # it is not there, or no file could have this name
        _entry_for(name, folder)  # says what is wrong
        raise
    return _made(name, folder, state.st_mtime_ns, state.st_ino)


@cache
def _shipped(name: str) -> Extractor:
    return cast("Extractor", load(entry_of(name).location))


@lru_cache(maxsize=16)
def _made(name: str, folder: Path, *_: int) -> Extractor:
    """Cached as long as the config is the same: after another training it has another time."""
    from dataclasses import replace  # a help text does not need it, and it takes a while to import

    shipped: Any = load(_entry_for(name, folder).location)
    return cast("Extractor", replace(shipped, weights=folder))


def _entry_for(name: str, folder: Path) -> Entry:
    """The extractor of this name, or any if it is empty, that the weights in a folder are for.

    Raises UnknownExtractor, OptionError and WeightsError.
    """
    from tamis.errors import WeightsError
    from tamis.weights import CONFIG, read_config

    wanted = entry_of(name) if name else None
    if wanted and not wanted.weights:
        raise OptionError(f"{name} has no weights that a folder could replace")
    if not _is_folder(folder):
        raise OptionError(f"{folder}: there is no such folder of weights; `tamis train` writes one")
    model = read_config(folder).get("model")
    if not isinstance(model, str):
        raise WeightsError(f"{folder / CONFIG} does not say of which model these weights are")
    if wanted is None:
        wanted = next((entry for entry in _entries().values() if entry.weights and entry.model_name == model), None)
    if wanted is None:
        raise WeightsError(f"{folder} has the weights of {model!r}, which no extractor uses")
    if wanted.model_name != model:
        raise OptionError(f"{folder} has the weights of {model}, not of {wanted.model_name}")
    return wanted


def _is_path(word: str) -> bool:
    return word.startswith(".") or "/" in word or os.sep in word


def _expanded(word: str) -> Path:
    """The path with a home folder for ~, which no shell puts after an equals sign."""
    try:
        return Path(word).expanduser()
    except RuntimeError:  # no user has this home
        return Path(word)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # no file could have this name
        return False


def load(location: str) -> object:
    """The object at module:attribute."""
    module, _, attribute = location.partition(":")
    return cast("object", getattr(import_module(module), attribute))
