"""The input of the network: one row of numbers for each run of text. No column depends on a language.

A run is a sequence of adjacent visible texts in one block-level element: a paragraph, a heading, a cell, a link in a
list. Its columns describe its own text, the page, the tags around it, runs like it, and the LEVELS nodes above it. A
node is an element where the tree branches: at least two of its children hold text, or a child and the element itself.
Further columns are about records (posts, cards, chapters), class names, ids, roles and schema.org properties
of the elements around a run (conventions.json), and about what the page declares (`extractor.declared`).

The kernel finds runs and columns; this module passes it the tables of a document.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from random import getrandbits
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import kernel
from tamis.arrays import Bytes, Floats, Ints, Singles
from tamis.cached import cached_property
from tamis.document import Document, tags
from tamis.errors import TamisError
from tamis.extractor.declared import Declared
from tamis.kernel import Text, address, byref, joined, library
from tamis.labels import Labels, Role
from tamis.page_type import PageType, PageTypes

# The version of the columns. The config of the weights has the version that they were trained with.
VERSION = 6

COLUMNS = kernel.column_names()
# How many nodes above a run have columns. Six reach from a paragraph to the page on most of WCXB dev.
LEVELS = sum(name.startswith("share of parent ") for name in COLUMNS)
NO_TAG = tags.OTHER - 1  # the tag of a missing node

# The seed of the kernel's hashes, so that pages can't be made for collisions. No result depends on it.
_SEED = getrandbits(32)

# In the order of the kernel.
_ROLES = tuple(Role)
_PAGE_TYPES = tuple(PageType)


class PageRuns:
    """The runs of a page and their columns.

    `declared` is what the page declares about itself; by default it is read from the document. The kernel can label the
    page by a network of at most `width`.
    """

    def __init__(self, document: Document, declared: Declared | None = None, width: int = 0) -> None:
        self.document = document
        self.page = document.kernel_page
        self.declared = Declared.of(document) if declared is None else declared
        self.given = _declared_tables(document, self.declared)
        self.found = kernel.RunTables()
        size = library().tamis_workspace(byref(self.page), byref(self.given), width)
        _succeed(min(size, 0))
        self._memory = np.empty(size, np.uint8)
        _succeed(library().tamis_begin(byref(self.page), _SEED, address(self._memory), size, byref(self.found)))
        self._name_sections()
        _succeed(library().tamis_check_declared(byref(self.page), byref(self.found), byref(self.given)))
        _succeed(library().tamis_columns(byref(self.page), byref(self.given), byref(self.found)))

    def __len__(self) -> int:
        count: int = self.found.runs
        return count

    def _name_sections(self) -> None:
        """Read the class and the id of the elements with several runs."""
        nodes = self.document.elements.all_nodes
        names: list[str] = []
        for row in self._rows(self.found.section, self.found.sections).tolist():
            attribute = nodes[row].attr
            names += (attribute("class") or "", attribute("id") or "")
        self.given.sections = Text.of_bytes(joined(names))

    def _column(self, place: int, count: int, kind: Any) -> NDArray[Any]:
        """A column of the kernel's, copied: its memory ends with this object."""
        if not count:
            return np.zeros(0, kind)
        return np.frombuffer(ctypes.string_at(place, count * np.dtype(kind).itemsize), kind)

    def _rows(self, place: int, count: int) -> Ints:
        return self._column(place, count, np.int64)

    @cached_property
    def texts(self) -> Ints:
        """The leaves that are visible text."""
        return self._rows(self.found.text, self.found.texts)

    @cached_property
    def first(self) -> Ints:
        """The first text of each run, as a position in `texts`."""
        return self._bounds[:-1]

    @cached_property
    def element(self) -> Ints:
        """The block-level element of each run."""
        return self._rows(self.found.element, len(self))

    @cached_property
    def words(self) -> Floats:
        """How many words each run has."""
        return self._column(self.found.words, len(self), np.float64)

    @cached_property
    def copies(self) -> Ints:
        """For each run the first run with the same text, mostly itself; short runs and code don't count as copies."""
        return self._rows(self.found.copy_of, len(self))

    @cached_property
    def _bounds(self) -> Ints:
        return self._rows(self.found.first, len(self) + 1)

    @property
    def values(self) -> Singles:
        """(runs, COLUMNS)"""
        return self._matrices[0]

    @property
    def tags(self) -> Bytes:
        """(runs, 1 + LEVELS): the codes of the run's own tag and of the nodes above it."""
        return self._matrices[1]

    @cached_property
    def _matrices(self) -> tuple[Singles, Bytes]:
        values = np.empty((len(self), len(COLUMNS)), np.float32)
        codes = np.empty((len(self), 1 + LEVELS), np.uint8)
        library().tamis_values(byref(self.page), byref(self.given), byref(self.found), address(values), address(codes))
        return values, codes

    def gate(self, weights: Singles) -> float:
        """The logit that the page is a modern one, by these weights of the gate's columns."""
        found: float = library().tamis_gate(byref(self.page), byref(self.given), address(weights))
        return found

    @property
    def gate_columns(self) -> Singles:
        """The gate's input: the tags of the page, and the columns about the page as a whole."""
        columns = np.empty(library().tamis_gate_size() - 1, np.float32)
        library().tamis_gate_columns(byref(self.page), byref(self.given), address(columns))
        return columns

    def label(self, model: kernel.Model) -> Labels:
        """The labels of the page by a network. `width` has to be that of the network."""
        return self._labelled(lambda labels: library().tamis_label(*self._tables(model), byref(self.found), labels))

    def label_all(self) -> Labels:
        """The labels of a page of which all text is content but for the headline."""
        return self._labelled(lambda labels: library().tamis_label_all(*self._tables(), byref(self.found), labels))

    def decide(self, logits: Singles, type_logits: Singles, threshold: float) -> Labels:
        """The labels by the logits (runs, outputs) and (page types) of a network, and the threshold of training."""
        given = np.ascontiguousarray(logits, np.float32), np.ascontiguousarray(type_logits, np.float32)
        places = map(address, given)
        return self._labelled(
            lambda labels: library().tamis_decide(*self._tables(), byref(self.found), threshold, *places, labels)
        )

    def _tables(self, *more: kernel.Model) -> Iterator[object]:
        return map(byref, (self.page, self.given, *more))

    def _labelled(self, fill: Callable[[object], int]) -> Labels:
        leaves = len(self.document.leaves)
        scores, types = np.empty(leaves), np.empty(len(_PAGE_TYPES))
        keep, roles = np.empty(leaves, np.bool_), np.empty(leaves, np.uint8)
        found = kernel.LabelTables(address(scores), address(keep), address(roles), address(types))
        _succeed(fill(byref(found)))
        is_known = bool(found.has_roles and found.keeps_text)
        return Labels(
            scores,
            keep,
            tuple(map(_ROLES.__getitem__, roles.tolist())) if found.has_roles else None,
            threshold=found.threshold,
            page_types=PageTypes(dict(zip(_PAGE_TYPES, types.tolist(), strict=True))) if is_known else None,
        )

    def leaves_of(self, run: int) -> list[int]:
        """The leaves of a run."""
        leaves: list[int] = self.texts[self._bounds[run] : self._bounds[run + 1]].tolist()
        return leaves

    def text(self, run: int) -> str:
        """The text of a run, white space folded."""
        strings = self.document.leaves.text
        return " ".join(" ".join([strings[leaf] for leaf in self.leaves_of(run)]).split())


def _declared_tables(document: Document, declared: Declared) -> kernel.DeclaredTables:
    """What the page declares, in the kernel's form; the names of sections are added later."""
    elements = document.elements
    marks = joined(
        value for node in elements.notable_nodes for value in (node.attr("role") or "", node.attr("itemprop") or "")
    )
    fragments = document.fragments
    given = kernel.DeclaredTables(
        title=Text.of(document.title),
        og_title=Text.of(declared.title),
        parts=Text.of(declared.parts),
        names=Text.of_bytes(joined(declared.names)),
        openings=Text.of_bytes(joined(declared.openings)),
        page=address(declared.page),
        marked=len(elements.notable),
        marked_rows=address(elements.notable),
        marks=Text.of_bytes(marks),
        references=len(fragments.references),
        reference_rows=address(fragments.references),
        note_rows=address(fragments.notes),
    )
    for kind, text in declared.texts.items():
        setattr(given, kind, Text.of(text))
    return given


def _succeed(code: int) -> None:
    """Raise TamisError if the kernel refuses the tables."""
    if code:
        raise TamisError(f"the kernel refused the tables of the page ({code})")
