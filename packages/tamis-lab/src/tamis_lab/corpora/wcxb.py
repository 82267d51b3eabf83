"""WCXB: {dev,test}/html/ID.html.gz, {dev,test}/ground-truth/ID.json."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader, described, text_or_none


class Wcxb(Reader):
    """Modern pages of seven types. Two of the development pages have no gold text."""

    def entries(self) -> Iterator[Entry]:
        """The pages by number, dev before test."""
        for split in self.info.splits:
            yield from self.entries_in(f"{split}/ground-truth", ".json", split)

    def page_type(self, entry: Entry) -> str | None:
        """The type by the JSON record alone."""
        return _page_type(self.files.table(_record_name(entry)))

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its JSON record."""
        name = _record_name(entry)
        record = self.files.table(name)
        truth = self.fields(record.get("ground_truth"), name)
        content = truth.get("main_content")
        # Empty content means that the page has none; a missing field means unknown.
        gold_text = content if isinstance(content, str) else None
        page = self.page(entry, self.files.unzip(f"{entry.split}/html/{entry.id}.html.gz"), gold_text)
        return replace(
            described(page, truth, date="publish_date"),
            url=text_or_none(record.get("url")) or text_or_none(truth.get("url")),
            page_type=_page_type(record),
        )


def _record_name(entry: Entry) -> str:
    return f"{entry.split}/ground-truth/{entry.id}.json"


def _page_type(record: dict[str, object]) -> str | None:
    internal = record.get("_internal")
    kind = internal.get("page_type") if isinstance(internal, dict) else None
    return text_or_none(kind.get("primary")) if isinstance(kind, dict) else None
