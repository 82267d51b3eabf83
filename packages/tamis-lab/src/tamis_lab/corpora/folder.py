"""Pages of your own: a folder of HTML files, each with its main content beside it as a text file of the same name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import CorpusInfo, Entry, Reader, decode_gold

_PAGES = (".html", ".htm")
_GOLD = ".txt"


class Pairs(Reader):
    """NAME.html and NAME.txt, in the folder and in folders below it. Pages without a text are passed over."""

    def entries(self) -> Iterator[Entry]:
        """The pages by name."""
        return (Entry(name, "all") for name in self._pages())

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its text."""
        html = self.files.read(self._pages()[entry.id])
        return self.page(entry, html, decode_gold(self.files.read(entry.id + _GOLD)))

    def _pages(self) -> dict[str, str]:
        """The file of each page that has a text, by its name without the suffix."""
        return {
            name.removesuffix(suffix): name
            for suffix in _PAGES
            for name in self.files.names
            if name.endswith(suffix) and name.removesuffix(suffix) + _GOLD in self.files
        }


def info_of(folder: Path) -> CorpusInfo:
    """The facts about somebody's folder."""
    return CorpusInfo(
        name=str(folder),
        title="pages of your own",
        pages=0,
        licence="your own",
        source=f"put NAME.html and NAME{_GOLD} into {folder}",
        splits=("all",),
        may_train="yes",
        archives=(),
        folders=(),
        landmarks=(),
        reader="folder:Pairs",
    )
