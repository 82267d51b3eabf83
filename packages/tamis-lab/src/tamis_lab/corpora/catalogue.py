"""Every public corpus by name: the facts (`catalogue.toml`), where it is here, and its pages.

Corpora are looked for in one data folder: the one given, else the one that the environment
variable TAMIS_DATA names, else ./data. There each is a zip as published or a
folder unpacked from it.
"""

from __future__ import annotations

import os
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, cast

from tamis.errors import OptionError
from tamis.registry import load
from tamis_lab.corpora import texts
from tamis_lab.corpora.files import CorpusError, open_files
from tamis_lab.corpora.reader import CorpusEntry, CorpusInfo, CorpusPage, Reader

DATA_VARIABLE = "TAMIS_DATA"
SEED = 1  # of samples


class CorpusSource(NamedTuple):
    """NAME or NAME:SPLIT as commands take it: a corpus or a folder, and one split or all of them."""

    name: str
    split: str | None

    @classmethod
    def parse(cls, word: str) -> CorpusSource:
        """Divide NAME[:SPLIT]; whether corpus and split exist is checked when the corpus is opened."""
        name, _, split = word.partition(":")
        return cls(name, split or None)


@cache
def corpora() -> Mapping[str, CorpusInfo]:
    """The facts about each public corpus, by name."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: CorpusInfo.from_table(name, table) for name, table in tables.items()}


class UnknownCorpus(OptionError):
    """No corpus has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no corpus is called {name!r} and no folder is; there are: {', '.join(corpora())}")


class CorpusMissing(CorpusError):
    """Corpora that are not in the data folder."""

    def __init__(self, missing: Sequence[CorpusInfo], store: Path) -> None:
        if len(missing) > 1:
            names = ", ".join(info.name for info in missing)
            what = f"{names} are not in {store}: `tamis corpora` says where to get each"
        else:
            (info,) = missing
            places = ", ".join([*info.archives, *(f"{name}/" for name in info.folders)])
            what = f"{info.name} is not in {store}: looked for {places}; get it: {info.source}"
        super().__init__(f"{what}; then set {DATA_VARIABLE} to the folder that holds it")


class Corpus(AbstractContextManager["Corpus"]):
    """A corpus that is here. Pages are read one by one, when they are asked for; leaving the context closes its zip."""

    def __init__(self, info: CorpusInfo, where: Path) -> None:
        self.info = info
        self.where = where
        self._files = open_files(where, info.landmarks)
        self._reader = cast("type[Reader]", load(f"tamis_lab.corpora.{info.reader}"))(info, self._files)

    def entries(self, split: str | None = None) -> list[CorpusEntry]:
        """The id and split of each page, in the order of `pages`, without reading the pages.

        Raises OptionError for a split that the corpus does not have, CorpusError where the split,
        or all of the corpus, is empty.
        """
        if split is not None and split not in self.info.splits:
            raise OptionError(f"{self.info.name} has no split {split!r}; it has: {', '.join(self.info.splits)}")
        found = [entry for entry in self._reader.entries() if split in (None, entry.split)]
        if not found:
            raise CorpusError(
                f"{self.where}: it has no page of {self.info.name}{f', split {split}' if split else ''}; "
                f"get it again: {self.info.source}"
            )
        return found

    def pages(self, split: str | None = None) -> Iterator[CorpusPage]:
        """The pages, of one split or all, in a fixed order. Raises like `entries`, at once."""
        return map(self.read, self.entries(split))

    def sample(self, split: str | None, count: int, seed: int = SEED) -> Iterator[CorpusPage]:
        """Some of the pages, by page type, see the function `sample`. Raises like `entries`."""
        return map(self.read, sample(self.entries(split), self._reader.page_type, count, seed))

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read one page. Raises CorpusError if a file of it is missing or damaged."""
        return self._reader.read(entry)

    def digest(self) -> str:
        """A hash of the files below the corpus's root; the same for a zip and its unpacked folder."""
        return self._files.digest()

    def __exit__(self, *error: object) -> None:
        self._files.close()


def open_corpus(name: str, data: Path | str | None = None) -> Corpus:
    """Open a corpus by name, or a folder of your own by its path: HTML files with a text file beside each.

    `data` is the data folder, see the module's docstring. Raises UnknownCorpus, CorpusMissing, and CorpusError for a
    corpus that is damaged.
    """
    info, where = info_of(name), find_corpus(name, data)
    if where is None:
        raise CorpusMissing([info], data_folder(data))
    return Corpus(info, where)


def pages_of(source: str, data: Path | str | None = None) -> Iterator[CorpusPage]:
    """The pages of NAME or NAME:SPLIT. Raises like `open_corpus` and `Corpus.entries`."""
    name, split = CorpusSource.parse(source)
    with open_corpus(name, data) as corpus:
        yield from corpus.pages(split)


def require_corpora(names: Iterable[str], data: Path | str | None = None) -> None:
    """Raise CorpusMissing for those that are not here, before minutes are spent on the others; and UnknownCorpus."""
    if missing := [info_of(name) for name in dict.fromkeys(names) if find_corpus(name, data) is None]:
        raise CorpusMissing(missing, data_folder(data))


def open_corpora(names: Sequence[str], data: Path | str | None = None) -> list[Corpus]:
    """Open several. Raises like `open_corpus`; its one line names all that are missing."""
    require_corpora(names, data)
    return [open_corpus(name, data) for name in names]


def find_corpus(name: str, data: Path | str | None = None) -> Path | None:
    """The folder or zip of a corpus, or None if it is not here. Raises UnknownCorpus."""
    info, store = info_of(name), data_folder(data)
    if is_folder(name):
        return Path(name)
    # The folder first: if both are there, the corpus was unpacked on purpose.
    folders, archives = (store / each for each in info.folders), (store / each for each in info.archives)
    return next(iter([*filter(Path.is_dir, folders), *filter(Path.is_file, archives)]), None)


def data_folder(data: Path | str | None = None) -> Path:
    """The folder in which corpora are looked for."""
    return Path(data if data is not None else os.environ.get(DATA_VARIABLE) or "data")


def info_of(name: str) -> CorpusInfo:
    """The facts about a corpus, or about a folder of your own. Raises UnknownCorpus."""
    if is_folder(name):
        return texts.folder_info(Path(name))
    if name not in corpora():
        raise UnknownCorpus(name)
    return corpora()[name]


def is_folder(name: str) -> bool:
    """Is this the path of a folder of pages, not the name of a public corpus?"""
    return name not in corpora() and Path(name).is_dir()


def sample(
    entries: Sequence[CorpusEntry], page_type: Callable[[CorpusEntry], str | None], count: int, seed: int = SEED
) -> list[CorpusEntry]:
    """`count` of the entries, in their order: of each page type its share, and among them at random by the seed.

    A larger sample of the same seed has all pages of a smaller one, so that a run can be extended.
    """
    if count >= len(entries):
        return list(entries)
    by_type: dict[str, list[CorpusEntry]] = defaultdict(list)
    for entry in entries:
        by_type[page_type(entry) or ""].append(entry)
    places: dict[CorpusEntry, float] = {}

    def drawn(entry: CorpusEntry) -> bytes:  # a random number that depends on nothing but the page and the seed
        return sha256(f"{seed} {entry.split} {entry.id}".encode("utf-8", "replace")).digest()

    for some in by_type.values():
        for number, entry in enumerate(sorted(some, key=drawn)):
            places[entry] = (number + 0.5) / len(some)  # each type is spread evenly from 0 to 1
    chosen = set(sorted(entries, key=places.__getitem__)[:count])
    return [entry for entry in entries if entry in chosen]
