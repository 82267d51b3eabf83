"""Pages of Formasaurus and autopager without gold: NAME.html; labels of our own by reading: page_labels.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tamis.cached import cached_property
from tamis.document import Document
from tamis.document.addresses import registrable_domain
from tamis_lab.corpora import declared
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.corpora.reader import Entry, Reader
from tamis_lab.corpora.sites import own_address

LABELS = Path(__file__).with_name("page_labels.json")

CONTENT, UNSURE = "content", "unsure"

_SUFFIX = ".html"


class Pages(Reader):
    """Forms, log-in pages, search, listings, boards, shops.

    Someone read the pages of the split `labelled`. The marks of the others are what the pages declare about
    themselves and what they share with other pages of their site; a page with neither has no marks and no gold.
    """

    def entries(self) -> Iterator[Entry]:
        """The pages by name."""
        for entry in self.entries_in("", _SUFFIX):
            yield entry._replace(split="labelled" if entry.id in self._labels else "unlabelled")

    def page_type(self, entry: Entry) -> str | None:
        """The type that a reader gave it."""
        return self._labels[entry.id].get("type") if entry.id in self._labels else None

    def read(self, entry: Entry) -> CorpusPage:
        """Read a page and its marks."""
        html = self.files.read(entry.id + _SUFFIX)
        page = replace(self.page(entry, html), url=own_address(html), page_type=self.page_type(entry))
        document = page.document()
        if entry.id not in self._labels:
            marks = declared.leaf_marks(document, self._siblings(entry.id))
            if set(marks) <= {declared.UNKNOWN, ""}:
                return page
            return _marked(page, document, marks, declared.DECLARED, declared.UNKNOWN)
        from tamis_lab.labelling import leaf_marks  # which reads this corpus

        return _marked(page, document, leaf_marks(document, self._labels[entry.id]), CONTENT, UNSURE)

    @cached_property
    def _labels(self) -> Mapping[str, Mapping[str, Any]]:
        found: dict[str, Mapping[str, Any]] = json.loads(LABELS.read_text("utf-8")) if LABELS.exists() else {}
        return found

    @cached_property
    def _site(self) -> dict[str, str]:
        """The site of each page that names its address."""
        addresses = {entry.id: own_address(self.files.read(entry.id + _SUFFIX)) for entry in self.entries()}
        return {page: registrable_domain(address) for page, address in addresses.items() if address}

    @cached_property
    def _texts(self) -> dict[str, frozenset[str]]:
        """The texts of each page that was asked for."""
        return {}

    def _siblings(self, page: str) -> list[frozenset[str]]:
        """The texts of each other page of the site."""
        site = self._site.get(page)
        others = [other for other, its in self._site.items() if its == site and other != page]
        for other in others:
            if other not in self._texts:
                document = Document.from_html(self.files.read(other + _SUFFIX))
                self._texts[other] = frozenset(declared.texts(document))
        return [self._texts[other] for other in others]


def _marked(page: CorpusPage, document: Document, marks: tuple[str, ...], content: str, unclear: str) -> CorpusPage:
    """The page with these marks and the texts of its content, a leaf a line."""
    texts = (" ".join(text.split()) for text, mark in zip(document.leaves.text, marks, strict=True) if mark == content)
    return replace(
        page,
        gold_text="\n".join(filter(None, texts)),
        leaf_labels=marks,
        content_labels=frozenset({content}),
        unclear_labels=frozenset({unclear}),
    )
