"""GoogleTrends-2017, BoilerNet's set: raw_html/NAME.html, 50-30-100-split/{train,dev,test}_set.txt.

`prepared_html/` is not read: some of its pages lost characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tamis.cached import cached_property
from tamis_lab.corpora.files import CorpusError
from tamis_lab.corpora.marks import Mark, take_out
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader

# What BoilerNet does not count as content. Comparing raw_html with prepared_html, in which each
# text has its __boilernet_label: every label is content but this one (of the texts that can be
# matched: 784 of 784 comments are not, 96 % of "main" and practically all of the rest are).
NOT_CONTENT = frozenset({"", "comment"})

# Slips of the annotators' keyboards; each of them occurs once. BoilerNet took "commen" for content.
_SLIPS = {"commen": "comment", "substitle": "subtitle", 'title"': "title", "´head": "head"}


class GoogleTrends(Reader):
    """Pages on trending topics, with labels in attributes: main, title, author, date, comment, caption ..."""

    def entries(self) -> Iterator[Entry]:
        """The pages as the splits name them: gt_N is the N-th page, sorted by name, from 1."""
        splits = {}
        for split in self.info.splits:
            for name in self.files.read(f"50-30-100-split/{split}_set.txt").decode("utf-8", "replace").split():
                splits[name.removesuffix(".html")] = split
        for page in self._pages:
            if page not in splits:
                raise CorpusError(f"{self.files.where}: no file of 50-30-100-split names {page}")
            yield Entry(page, splits.pop(page))
        if splits:
            raise CorpusError(f"{self.files.where}: raw_html has no page for {next(iter(splits))}")

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and take its labels out."""
        marked = take_out(self.markup(self._pages[entry.id]), "[__label]", _read)
        page = marked.fill(self.page(entry, marked.html), frozenset(marked.labels) - NOT_CONTENT)
        return replace(page, title=marked.text({"title"}) or None, comments=marked.text({"comment"}) or None)

    @cached_property
    def _pages(self) -> dict[str, str]:
        return {f"gt_{number}": name for number, name in enumerate(self.files.below("raw_html", ".html"), 1)}


def _read(tag: str, attributes: dict[str, str]) -> Mark:
    del tag
    label = attributes.pop("__label").strip().lower()
    return Mark(_SLIPS.get(label, label) or None, attributes)
