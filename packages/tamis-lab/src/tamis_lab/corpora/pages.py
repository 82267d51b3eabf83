"""Pages of Formasaurus and autopager, labelled by a reader (`page_labels.json`) or by what they declare themselves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from tamis.cached import cached_property
from tamis.document import Document
from tamis.document.addresses import registrable_domain
from tamis.document.linked_data import Thing, type_name
from tamis.extractor.declared import plain
from tamis.extractor.runs import PageRuns
from tamis_lab.corpora.reader import CorpusEntry, CorpusPage, Reader
from tamis_lab.corpora.sites import own_address
from tamis_lab.metrics import tokens

DECLARED, TEMPLATE, UNKNOWN = "declared", "template", "unknown"

# Texts with fewer words are in a declared text, or on another page, by chance.
_LEAST_DECLARED = 4
_LEAST_SHARED = 3

# Two pages that share more of their texts than this are copies of each other: the shared texts are not a template.
_COPY = 0.8

_ALWAYS = frozenset({"articleBody", "recipeIngredient", "ingredients", "recipeInstructions"})
# The text of these is content; that of a comment is only in a thread.
_WITH_TEXT = frozenset({"HowToStep", "HowToTip", "Question", "Answer", "DiscussionForumPosting", "SocialMediaPosting"})
_THREADS = frozenset({"DiscussionForumPosting", "QAPage"})


def distant_marks(document: Document, siblings: Sequence[frozenset[str]]) -> tuple[str, ...]:
    """The mark of each leaf; empty for media. `siblings` are the `texts` of other pages of the site."""
    own = list(texts(document))
    distinct = frozenset(own) - {""}
    shared = frozenset[str]().union(
        *(other & distinct for other in siblings if len(other & distinct) <= _COPY * min(len(other), len(distinct)))
    )
    declared = _declared_leaves(document)
    return tuple(
        "" if is_media else DECLARED if leaf in declared else TEMPLATE if text in shared else UNKNOWN
        for leaf, (text, is_media) in enumerate(zip(own, document.leaves.is_media.tolist(), strict=True))
    )


def texts(document: Document) -> Iterator[str]:
    """The text of each leaf, white space folded; empty where it is short."""
    for text in document.leaves.text:
        yield " ".join(text.split()) if len(tokens(text)) >= _LEAST_SHARED else ""


def _declared_leaves(document: Document) -> set[int]:
    """The leaves of the runs that are in a declared text, word for word."""
    data = _plain_words(" \n ".join(_linked_texts(document.linked_data.things)))
    marked = _marked_leaves(document)
    if not data.strip() and not marked:
        return set()
    runs = PageRuns(document.unfolded)
    found: set[int] = set()
    for run in (runs.words >= _LEAST_DECLARED).nonzero()[0].tolist():
        leaves = runs.leaves_of(run)
        # Links in a marked element are often to other pages.
        in_marked = marked.issuperset(leaves) and not document.leaves.in_link[leaves].all()
        if in_marked or _plain_words(runs.text(run)) in data:
            found.update(leaves)
    return found


def _plain_words(text: str) -> str:
    return f" {' '.join(tokens(text))} "


def _linked_texts(things: Sequence[Thing]) -> Iterator[str]:
    """The declared texts of JSON-LD."""
    is_thread = any(_THREADS.intersection(thing.types) for thing in things)
    for thing in things:
        kinds = _WITH_TEXT.intersection(thing.types)
        for key, value in thing.fields.items():
            wanted = (
                key in _ALWAYS
                or (key == "text" and (kinds or (is_thread and "Comment" in thing.types)))
                or (key == "name" and "Question" in kinds)
            )
            for text in (value if isinstance(value, list) else [value]) if wanted else []:
                if isinstance(text, str):
                    yield plain(text)


def _marked_leaves(document: Document) -> set[int]:
    """The leaves in elements that the attributes of schema.org declare to be content."""
    elements = document.elements
    mask = np.zeros(len(elements), dtype=np.bool_)
    for row, node in zip(elements.notable.tolist(), elements.notable_nodes, strict=True):
        names = _ALWAYS.intersection((node.attr("itemprop") or "").split())
        is_text = "text" in (node.attr("itemprop") or "").split()
        mask[row] = bool(names) or (is_text and _type_around(document, row) in _WITH_TEXT)
    return set(elements.inside(mask)[document.leaves.element].nonzero()[0].tolist())


def _type_around(document: Document, row: int) -> str:
    """The schema.org type of the thing that an element is a property of."""
    _, *above = document.elements.ancestors(row)
    given = (document.elements.attribute(each, "itemtype") for each in above)
    return type_name(next(filter(None, given), ""))


LABELS = Path(__file__).with_name("page_labels.json")  # written by tamis_lab.labelling

# The lines of a reader's answer, and the mark of their leaves.
KINDS = {"content": "content", "comments": "comment", "unsure": "unsure"}
OTHER = "other"

_DIGITS = 12  # of a digest: enough that no two runs of a page collide


def stored_labels() -> dict[str, dict[str, Any]]:
    """The labels of each page by its id."""
    found: dict[str, dict[str, Any]] = json.loads(LABELS.read_text("utf-8"))
    return found


def digests(runs: PageRuns) -> list[str]:
    """A digest of each run; equal texts are told apart by their order."""
    seen: Counter[str] = Counter()
    found = []
    for number in range(len(runs)):
        text = runs.text(number)
        found.append(sha256(f"{seen[text]} {text}".encode()).hexdigest()[:_DIGITS])
        seen[text] += 1
    return found


def leaf_marks(document: Document, labels: Mapping[str, Any]) -> tuple[str, ...]:
    """The mark of each leaf of a page: one of those of KINDS, `other` for other texts, or empty."""
    runs = PageRuns(document.unfolded)
    mark_of = {digest: mark for kind, mark in KINDS.items() for digest in labels.get(kind, ())}
    marks = [""] * len(document.leaves)
    for number, digest in enumerate(digests(runs)):
        for leaf in runs.leaves_of(number):
            marks[leaf] = mark_of.get(digest, OTHER)
    return tuple(marks)


class Formasaurus(Reader):
    """NAME.html: forms, log-in pages, search, listings, boards, shops.

    Someone read the pages of the split `labelled`. The marks of the others are what the pages declare about
    themselves and what they share with other pages of their site; a page with neither has no marks and no gold.
    """

    suffix = ".html"

    def entries(self) -> Iterator[CorpusEntry]:
        """The pages by name."""
        for entry in self.entries_in("", self.suffix):
            yield entry._replace(split="labelled" if entry.id in self._labels else "unlabelled")

    def page_type(self, entry: CorpusEntry) -> str | None:
        """The type that a reader gave it."""
        return self._labels[entry.id].get("type") if entry.id in self._labels else None

    def read(self, entry: CorpusEntry) -> CorpusPage:
        """Read a page and its marks."""
        html = self.files.read(entry.id + self.suffix)
        page = replace(self.page(entry, html), url=own_address(html), page_type=self.page_type(entry))
        document = page.document()
        if entry.id not in self._labels:
            marks = distant_marks(document, self._siblings(entry.id))
            if set(marks) <= {UNKNOWN, ""}:
                return page
            return _marked(page, document, marks, DECLARED, UNKNOWN)
        marks = leaf_marks(document, self._labels[entry.id])
        return _marked(page, document, marks, KINDS["content"], KINDS["unsure"])

    @cached_property
    def _labels(self) -> Mapping[str, Mapping[str, Any]]:
        return stored_labels()

    @cached_property
    def _site(self) -> dict[str, str]:
        """The site of each page that names its address."""
        addresses = {entry.id: own_address(self.files.read(entry.id + self.suffix)) for entry in self.entries()}
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
                document = Document.from_html(self.files.read(other + self.suffix))
                self._texts[other] = frozenset(texts(document))
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
