"""What every corpus has: facts, entries, and a way to read one of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from tamis.document.parse import decode_as
from tamis.lab.corpora.files import CorpusError, Files
from tamis.lab.corpora.page import CorpusPage

MayTrain = Literal["yes", "dev only", "train only", "never"]


@dataclass(frozen=True)
class CorpusInfo:
    """The facts about a corpus."""

    name: str
    title: str
    pages: int  # as published; of splits that are not public nothing is counted
    year: int | None  # when the pages were fetched; the first year if it took several
    licence: str
    source: str  # where to get it
    splits: tuple[str, ...]
    may_train: MayTrain  # may weights that are given away have been trained on it?
    archives: tuple[str, ...]  # the file names of its zip in the data folder
    folders: tuple[str, ...]  # the names of its folder in the data folder
    landmarks: tuple[str, ...]  # files or folders that tell its root, see open_files
    reader: str  # module below tamis.lab.corpora, and the class in it
    language: str | None = None  # where all its pages are in one


class Entry(NamedTuple):
    """A page of a corpus before it is read."""

    id: str
    split: str


class Reader(ABC):
    """Reads one corpus in the layout in which it is published."""

    def __init__(self, info: CorpusInfo, files: Files) -> None:
        self.info = info
        self.files = files

    @abstractmethod
    def entries(self) -> Iterable[Entry]:
        """The pages there are, in a fixed order, without reading them."""

    @abstractmethod
    def read(self, entry: Entry) -> CorpusPage:
        """Read one page. Raises CorpusError if a file of it is missing or damaged."""


def stems(names: Iterable[str], suffix: str = "") -> list[str]:
    """The file names without folder and suffix, sorted."""
    return sorted(PurePosixPath(name).name.removesuffix(suffix) for name in names)


def text_or_none(value: object) -> str | None:
    """A text that says something, else None."""
    return value if isinstance(value, str) and value.strip() else None


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list that say something."""
    return tuple(item for item in value if text_or_none(item)) if isinstance(value, list) else ()


def fields(value: object, files: Files, name: str) -> dict[str, object]:
    """A value out of the JSON file `name` that has to be an object."""
    if not isinstance(value, dict):
        raise files.broken(name, "an entry is no JSON object")
    return value


def gold(value: object, files: Files, name: str) -> str:
    """A value out of the JSON file `name` that has to be a text; it may be empty."""
    if not isinstance(value, str):
        raise files.broken(name, "an entry has no gold text")
    return value


def decode_gold(data: bytes) -> str:
    """The text of a gold file: UTF-8, or windows-1252 where that makes more sense.

    Detection is not for these: it takes short English texts with one odd quotation mark for Russian.
    Some files mix both encodings; the one with more to say wins.
    """
    text = data.decode("utf-8-sig", "replace")
    wrong = text.count("\ufffd")
    if wrong and wrong >= sum(letter > "\x7f" for letter in text) - wrong:
        text = decode_as(data, "windows-1252")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def counterpart(files: Files, *candidates: str) -> str:
    """The first of some names that is there. Raises CorpusError if none is."""
    for name in candidates:
        if name in files:
            return name
    raise CorpusError(f"{files.where}: {' or '.join(candidates)} is missing")
