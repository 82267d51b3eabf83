"""The parts of a corpus: its facts, entries, pages with their gold, and the base of its reader."""

from __future__ import annotations

import codecs
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal, NamedTuple, get_args

from tamis.document import Document
from tamis.document.decode import decode
from tamis.document.parse import decode_as
from tamis.errors import PageTooLarge
from tamis_lab.corpora.files import CorpusError, Files


class Post(NamedTuple):
    """A post of a thread."""

    text: str
    author: str | None = None  # as the page shows it
    date: str | None = None  # as the page shows it
    url: str | None = None  # as the page links to it, which may be relative


@dataclass(frozen=True)
class CorpusPage:
    """A page with its gold. Fields that a corpus does not have are None or empty."""

    corpus: str
    id: str
    html: bytes  # as published, with the marks of annotators taken out
    split: str  # train, dev, test, or all where the corpus has no splits
    gold_text: str | None = None  # the main content
    url: str | None = None
    page_type: str | None = None
    language: str | None = None
    year: int | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    comments: str | None = None  # comments of readers, where the corpus keeps them apart
    wanted: tuple[str, ...] = ()  # snippets that belong to the content
    unwanted: tuple[str, ...] = ()  # snippets that do not
    lines: tuple[str, ...] = ()  # ingredients and steps of a recipe, where nothing is known of the rest of the page
    posts: tuple[Post, ...] = ()  # of a thread, in the order of the page
    markdown: str | None = None  # the source that the page was built from: gold of its structure
    # Where annotators marked the page itself: the mark of each leaf of Document.from_html(html),
    # empty for leaves without one.
    leaf_labels: tuple[str, ...] | None = None
    content_labels: frozenset[str] = frozenset()  # the marks that mean content
    unclear_labels: frozenset[str] = frozenset()  # those of which the annotators were not sure

    def document(self) -> Document:
        """The page as tables. Raises PageTooLarge with the name of the page."""
        try:
            return Document.from_html(self.html, url=self.url)
        except PageTooLarge as error:
            raise PageTooLarge(f"{self.corpus}/{self.id}: {error}") from None


_LANGUAGE = re.compile(r"\s*([A-Za-z]{2,3})(?![A-Za-z])")

# "dev only" and "train only" name the split; on "validation only" choices between models may be made.
MayTrain = Literal["yes", "dev only", "train only", "validation only", "never"]


@dataclass(frozen=True)
class CorpusInfo:
    """The facts about a corpus."""

    name: str
    title: str
    pages: int  # as published, without splits that are not public
    licence: str
    source: str  # where to get it
    splits: tuple[str, ...]
    may_train: MayTrain  # may published weights be trained on it?
    archives: tuple[str, ...]  # the file names of its zip in the data folder
    folders: tuple[str, ...]  # the names of its folder in the data folder
    landmarks: tuple[str, ...]  # files or folders that tell its root, see open_files
    reader: str  # module below tamis_lab.corpora, and the class in it
    year: int | None = None  # when the pages were fetched; the first year if it took several
    language: str | None = None  # where all its pages are in one

    @classmethod
    def from_table(cls, name: str, table: Mapping[str, Any]) -> CorpusInfo:
        """The facts from a table of catalogue.toml. Raises TypeError and ValueError for a table that is wrong."""
        facts: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
        }
        if facts.get("may_train") not in get_args(MayTrain):
            raise ValueError(f"{name}: may_train is one of {', '.join(get_args(MayTrain))}")
        return cls(name, **facts)

    @property
    def training_splits(self) -> frozenset[str]:
        """The splits that published weights may be trained on."""
        if self.may_train == "yes":
            return frozenset(self.splits)
        return frozenset(self.splits) & {self.may_train.removesuffix(" only")}


class CorpusEntry(NamedTuple):
    """A page of a corpus before it is read."""

    id: str
    split: str


class Reader(ABC):
    """Reads one corpus in the layout in which it is published."""

    folder = suffix = ""  # where one folder has a file for each page, and how their names end
    deep = False  # are there folders in it? Then ids have their names

    def __init__(self, info: CorpusInfo, files: Files) -> None:
        self.info = info
        self.files = files

    def entries(self) -> Iterable[CorpusEntry]:
        """The pages there are, in a fixed order, without reading them."""
        if not self.deep:
            return self.entries_in(self.folder, self.suffix)
        names = (name.removeprefix(self.folder) for name in self.files.names if name.startswith(self.folder))
        return (CorpusEntry(name.removesuffix(self.suffix), "all") for name in names if name.endswith(self.suffix))

    @abstractmethod
    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read one page. Raises CorpusError if a file of it is missing or damaged."""

    def page_type(self, entry: CorpusEntry) -> str | None:
        """The type of a page as `read` gives it, without reading the page; None where all are of one type."""
        del entry
        return None

    def entries_in(self, folder: str, suffix: str = "", split: str = "all") -> Iterator[CorpusEntry]:
        """An entry for each file of a folder, by the sorted names without folder and suffix."""
        names = self.files.below(folder, suffix)
        return (
            CorpusEntry(page, split) for page in sorted(PurePosixPath(name).name.removesuffix(suffix) for name in names)
        )

    def page(self, entry: CorpusEntry, html: bytes, gold_text: str | None = None) -> CorpusPage:
        """A page with the facts that all pages of the corpus share."""
        info = self.info
        return CorpusPage(
            info.name, entry.id, html, entry.split, gold_text=gold_text, language=info.language, year=info.year
        )

    def fields(self, value: object, name: str) -> dict[str, object]:
        """A value out of the JSON file `name` that has to be an object."""
        if not isinstance(value, dict):
            raise self.files.broken(name, "an entry is not a JSON object")
        return value

    def markup(self, name: str) -> str:
        """The decoded markup of a page."""
        return decode(self.files.read(name)).text

    def gold(self, *names: str) -> str:
        """The text of the first of some gold files that is there."""
        return decode_gold(self.first_of(*names))

    def first_of(self, *names: str) -> bytes:
        """The content of the first of some files that is there. Raises CorpusError if none is."""
        for name in names:
            if name in self.files:
                return self.files.read(name)
        raise CorpusError(f"{self.files.where}: {' or '.join(names)} is missing")


def text_or_none(value: object) -> str | None:
    """A text that is not blank, else None."""
    return value if isinstance(value, str) and value.strip() else None


def language_of(code: object) -> str | None:
    """The language of a code such as en-US; None where it is not one."""
    found = _LANGUAGE.match(code) if isinstance(code, str) else None
    return found[1].lower() if found else None


def decode_gold(data: bytes) -> str:
    """The text of a gold file: UTF-16 with a byte order mark, UTF-8, or windows-1252 where that makes more sense.

    Encoding detection is wrong for these: it takes short English texts with one odd quotation mark for Russian.
    Some files mix UTF-8 and windows-1252; the one that decodes more characters wins.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
    else:
        text = data.decode("utf-8-sig", "replace")
        wrong = text.count("\ufffd")
        if wrong and wrong >= sum(letter > "\x7f" for letter in text) - wrong:
            text = decode_as(data, "windows-1252")
    return text.replace("\r\n", "\n").replace("\r", "\n")
