"""Every public corpus by name: the facts, where to get it, and the reader that knows its layout.

Corpora are looked for in one data folder: the one given, else the one that the environment
variable TAMIS_DATA names, else ./data, else ../shared/data. There each is a zip as published or a
folder unpacked from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import cast

from tamis.errors import OptionError
from tamis.lab.corpora import folder
from tamis.lab.corpora.files import CorpusError, open_files
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.reader import CorpusInfo, Entry, Reader

DATA_VARIABLE = "TAMIS_DATA"
_DATA_FOLDERS = ("data", "../shared/data")

_INFOS = (
    CorpusInfo(
        name="wcxb",
        title="WCXB, the web content extraction benchmark",
        pages=1497,
        year=2025,
        licence="CC BY 4.0",
        source="published as WCXB by Murrough Foley; the development split is enough",
        splits=("dev", "test"),
        may_train="dev only",
        archives=("wcxb-dev.zip", "wcxb.zip"),
        folders=("wcxb", "wcxb-dev"),
        landmarks=("dev/ground-truth/", "test/ground-truth/"),
        reader="wcxb:Wcxb",
    ),
    CorpusInfo(
        name="cleaneval",
        title="CleanEval 2007, English",
        pages=739,
        year=2007,
        licence="public competition data",
        source="https://cleaneval.sigwac.org.uk/",
        splits=("dev", "test"),
        may_train="dev only",
        archives=("cleaneval.zip",),
        folders=("cleaneval",),
        landmarks=("cleaneval-dev/GoldStandard/", "cleaneval-final/GoldStandard/"),
        reader="cleaneval:CleanEval",
        language="en",
    ),
    CorpusInfo(
        name="l3s-gn1",
        title="L3S-GN1, the GoogleNews set of the boilerpipe paper",
        pages=621,
        year=2008,
        licence="research use only",
        source="https://www.l3s.de/~kohlschuetter/boilerplate/",
        splits=("all",),
        may_train="never",
        archives=("l3s-gn1.zip", "L3S-GN1.zip"),
        folders=("l3s-gn1", "L3S-GN1"),
        landmarks=("annotated/",),
        reader="l3s:L3S",
        language="en",
    ),
    CorpusInfo(
        name="googletrends-2017",
        title="GoogleTrends-2017, BoilerNet's set",
        pages=180,
        year=2017,
        licence="research set",
        source="https://github.com/mrjleo/boilernet",
        splits=("train", "dev", "test"),
        may_train="train only",
        archives=("googletrends-2017.zip",),
        folders=("googletrends-2017",),
        landmarks=("raw_html/",),
        reader="googletrends:GoogleTrends",
    ),
    CorpusInfo(
        name="news-2023",
        title="article-extraction-dataset, the evaluation set of newspaper4k",
        pages=421,
        year=2023,
        licence="Apache-2.0",
        source="https://github.com/AndyTheFactory/article-extraction-dataset",
        splits=("train", "test"),
        may_train="train only",
        archives=("news-2023.zip", "article-extraction-dataset.zip"),
        folders=("news-2023", "article-extraction-dataset"),
        landmarks=("articles.json",),
        reader="news2023:News2023",
    ),
    CorpusInfo(
        name="canola",
        title="Canola of the krdwrd project",
        pages=208,
        year=2008,
        licence="CC BY-SA 4.0",
        source="https://github.com/krdwrd",
        splits=("all",),
        may_train="yes",
        archives=("canola.zip",),
        folders=("canola",),
        landmarks=("merged.20100908.plan.canola/",),
        reader="canola:Canola",
        language="en",
    ),
    CorpusInfo(
        name="chaos",
        title="Chaos-style pages, ten for each of 36 queries",
        pages=360,
        year=None,
        licence="research use only",
        source="no public address is known; ask whoever gave you tamis its data",
        splits=("all",),
        may_train="never",
        archives=("chaos.zip",),
        folders=("chaos",),
        landmarks=("gold/",),
        reader="chaos:Chaos",
    ),
    CorpusInfo(
        name="scrapinghub",
        title="Scrapinghub's article extraction benchmark",
        pages=181,
        year=2019,
        licence="MIT",
        source="https://github.com/scrapinghub/article-extraction-benchmark",
        splits=("all",),
        may_train="never",
        archives=("scrapinghub.zip", "article-extraction-benchmark.zip"),
        folders=("scrapinghub", "article-extraction-benchmark"),
        landmarks=("ground-truth.json",),
        reader="scrapinghub:Scrapinghub",
    ),
    CorpusInfo(
        name="dragnet",
        title="Dragnet's training and test data",
        pages=1379,
        year=2012,
        licence="AGPL-3.0",
        source="https://github.com/seomoz/dragnet_data",
        splits=("all",),
        may_train="never",
        archives=("dragnet.zip", "dragnet_data.zip"),
        folders=("dragnet", "dragnet_data"),
        landmarks=("HTML/",),
        reader="dragnet:Dragnet",
    ),
    CorpusInfo(
        name="readability",
        title="the test pages of Mozilla Readability",
        pages=115,
        year=None,
        licence="Apache-2.0",
        source="https://github.com/mozilla/readability, folder test",
        splits=("all",),
        may_train="never",
        archives=("readability.zip",),
        folders=("readability",),
        landmarks=("test-pages/",),
        reader="readability:Readability",
    ),
    CorpusInfo(
        name="cleanportaleval",
        title="CleanPortalEval, several pages a site",
        pages=70,
        year=2013,
        licence="see its repository",
        source="https://github.com/ppke-nlpg/CleanPortalEval",
        splits=("all",),
        may_train="never",
        archives=("cleanportaleval.zip", "CleanPortalEval.zip"),
        folders=("cleanportaleval", "CleanPortalEval"),
        landmarks=("GoldStandard/",),
        reader="cleanportaleval:CleanPortalEval",
    ),
    CorpusInfo(
        name="daniel",
        title="DAnIEL, news in five languages",
        pages=1694,
        year=2012,
        licence="see its repository",
        source="https://github.com/rundimeco/waddle",
        splits=("all",),
        may_train="never",
        archives=("daniel.zip", "waddle.zip"),
        folders=("daniel", "waddle"),
        landmarks=("doc_lg.json",),
        reader="daniel:Daniel",
    ),
    CorpusInfo(
        name="trafilatura",
        title="the evaluation pages of trafilatura",
        pages=990,
        year=None,
        licence="Apache-2.0; the pages are their owners'",
        source="https://github.com/adbar/trafilatura, folder tests",
        splits=("all",),
        may_train="never",
        archives=("trafilatura.zip",),
        folders=("trafilatura",),
        landmarks=("cache/", "eval/"),
        reader="trafilatura:Trafilatura",
    ),
)
CATALOGUE = {info.name: info for info in _INFOS}


class UnknownCorpus(OptionError):
    """No corpus has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no corpus is called {name!r} and no folder is; there are: {', '.join(CATALOGUE)}")


class Corpus:
    """A corpus that is here. Pages are read one by one, when they are asked for."""

    def __init__(self, info: CorpusInfo, where: Path) -> None:
        self.info = info
        self.where = where
        self._files = open_files(where, info.landmarks)
        module, _, name = info.reader.partition(":")
        reader = cast("type[Reader]", getattr(import_module(f"tamis.lab.corpora.{module}"), name))
        self._reader = reader(info, self._files)

    def entries(self, split: str | None = None) -> list[Entry]:
        """The id and split of each page, in the order of `pages`, without reading the pages.

        Raises OptionError for a split that the corpus does not have, CorpusError where the split,
        or all of the corpus, is empty.
        """
        if split is not None and split not in self.info.splits:
            raise OptionError(f"{self.info.name} has no split {split!r}; it has: {', '.join(self.info.splits)}")
        found = [entry for entry in self._reader.entries() if split in (None, entry.split)]
        if not found:
            raise CorpusError(
                f"{self.where}: no page of {self.info.name}{f', split {split}' if split else ''} in it; "
                f"get it again: {self.info.source}"
            )
        return found

    def pages(self, split: str | None = None) -> Iterator[CorpusPage]:
        """The pages, of one split or all, in a fixed order. Raises like `entries`, at once."""
        return map(self.read, self.entries(split))

    def read(self, entry: Entry) -> CorpusPage:
        """Read one page. Raises CorpusError if a file of it is missing or damaged."""
        return self._reader.read(entry)

    def digest(self) -> str:
        """A hash of the files below the corpus's root; the same for a zip and its unpacked folder."""
        return self._files.digest()

    def close(self) -> None:
        """Close the zip."""
        self._files.close()

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_corpus(name: str, data: Path | str | None = None) -> Corpus:
    """Open a corpus by name, or a folder of your own by its path: HTML files with a text file beside each.

    `data` is the data folder, see the module's docstring. Raises UnknownCorpus, and CorpusError
    for a corpus that is not there or is damaged.
    """
    info = info_of(name)
    if name not in CATALOGUE:
        return Corpus(info, Path(name))
    store = data_folder(data)
    where = _find(info, store)
    if where is None:
        names = [*info.archives, *(f"{name}/" for name in info.folders)]
        raise CorpusError(f"{name} is not in {store}: looked for {', '.join(names)}; get it: {info.source}")
    return Corpus(info, where)


def find_corpus(name: str, data: Path | str | None = None) -> Path | None:
    """The zip or folder of a corpus, or None if it is not here. Raises UnknownCorpus."""
    return _find(info_of(name), data_folder(data))


def data_folder(data: Path | str | None = None) -> Path:
    """The folder in which corpora are looked for."""
    if data is not None:
        return Path(data)
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named)
    return next((store for name in _DATA_FOLDERS if (store := Path(name)).is_dir()), Path(_DATA_FOLDERS[0]))


def info_of(name: str) -> CorpusInfo:
    """The facts about a corpus, or about a folder of your own. Raises UnknownCorpus."""
    if name in CATALOGUE:
        return CATALOGUE[name]
    if is_folder(name):
        return folder.info_of(Path(name))
    raise UnknownCorpus(name)


def is_folder(name: str) -> bool:
    """Is it no corpus but a folder of somebody's pages?"""
    return name not in CATALOGUE and Path(name).is_dir()


def _find(info: CorpusInfo, store: Path) -> Path | None:
    """A folder before a zip: whoever unpacked one wants it read."""
    candidates = [*(store / name for name in info.folders), *(store / name for name in info.archives)]
    for path in candidates:
        if path.is_dir() if path.name in info.folders else path.is_file():
            return path
    return None
