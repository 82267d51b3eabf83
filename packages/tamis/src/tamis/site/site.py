"""`Site`: what the pages of a site have in common, as evidence for the extraction of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Unpack

import numpy as np

from tamis.api import document_of, extract
from tamis.arrays import Singles
from tamis.deadline import check, limited
from tamis.document import Document
from tamis.document.table import PAGE
from tamis.errors import InputError
from tamis.extractor.network import CONTENT
from tamis.extractor.runs import PageRuns
from tamis.extractor.tamis import Tamis, tamis
from tamis.inputs import PageInput, check_timeout
from tamis.labels import Labels
from tamis.options import ExtractOptions, SiteKeywords, takes
from tamis.page import Page
from tamis.site.evidence import (
    FINGERPRINT_SIZE,
    PLACE_COLUMNS,
    TEXT_COLUMNS,
    Evidence,
    HashTable,
    SiteCounts,
    evidence_of,
)
from tamis.site.model import WEIGHTS, RepeatedRuns, article_probability, load_model, repeats

_VERSION = "2"  # of the file, the hashes and the counts


class Site:
    """The counts of a site. Threads may share it.

    It learns from at least two pages, in any order, without gold: which texts repeat at the same place, and which of
    them the default extractor keeps. `extract` then decides again about these texts, and no others. It takes at most
    5 MB for any number of pages. A page can be added and extracted: its own counts do not affect it.
    """

    def __init__(self) -> None:
        self._counts = SiteCounts()
        self._lock = Lock()

    def __repr__(self) -> str:
        """The number of pages."""
        return f"<Site of {self.pages:,} page{'s' * (self.pages != 1)}>"

    @property
    def pages(self) -> int:
        """The number of different pages that it has learned from. Those with the same article count once."""
        return self._counts.pages

    def add(self, html: PageInput | Document, *, url: str | None = None, timeout: float | None = None) -> bool:
        """Learn from a page; False if it is without content, or if a page with the same article was added.

        Takes the same pages as `tamis.extract`, and raises the same errors.
        """
        if timeout is not None:
            check_timeout(timeout)
        with limited(timeout):
            return self.add_evidence(page_evidence(document_of(html, url, None)))

    def add_evidence(self, page: Evidence) -> bool:
        """Learn from the evidence that `page_evidence` found on a page, as `add` does."""
        with self._lock:
            return self._counts.add(page)

    @takes(ExtractOptions, without=("extractor",))
    def extract(
        self,
        html: PageInput | Document,
        *,
        url: str | None = None,
        encoding: str | None = None,
        **options: Unpack[SiteKeywords],
    ) -> Page:
        """`tamis.extract` with the evidence of the site: same options, same errors.

        Before the site has learned from other pages, the evidence changes nothing.
        """
        if "extractor" in options:
            raise TypeError("a site has its own extractor")
        return extract(html, url=url, encoding=encoding, extractor=self.extractor, **options)

    @property
    def extractor(self) -> SiteTamis:
        """The default extractor with the evidence of this site, wherever an extractor is wanted."""
        return SiteTamis(self)

    def repeats(self, page: Evidence) -> RepeatedRuns | None:
        """The runs of a page that repeat on the site; None if it knows no other page."""
        with self._lock:
            return repeats(page, self._counts)

    def save(self, path: str | Path) -> None:
        """Write it to a file, as plain data (safetensors). Raises InputError."""
        from safetensors.numpy import save

        with self._lock:
            self._counts.settle()
            counts = self._counts
        tensors: dict[str, Any] = {"fingerprints": counts.fingerprints}
        for name, table in (("texts", counts.texts), ("places", counts.places)):
            tensors |= {f"{name}.keys": table.keys, f"{name}.rows": table.rows}
        data = save(tensors, {"format": "tamis site", "version": _VERSION, "pages": str(counts.pages)})
        try:
            Path(path).write_bytes(data)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None

    @classmethod
    def load(cls, path: str | Path) -> Site:
        """The site that `save` wrote. Raises InputError."""
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        site = cls()
        try:
            header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
            if (header.get("format"), header.get("version")) != ("tamis site", _VERSION):
                raise InputError(f"{path}: not a site of this version of tamis; learn it again")
            tensors = load(data)
            site._counts = SiteCounts(
                int(header["pages"]),
                _hash_table(tensors, "texts", len(TEXT_COLUMNS)),
                _hash_table(tensors, "places", len(PLACE_COLUMNS)),
                _checked_table(tensors["fingerprints"], np.uint64, FINGERPRINT_SIZE),
            )
        except (SafetensorError, ValueError, KeyError, TypeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(f"{path}: not a site that tamis has saved ({error})") from None
        return site


def _hash_table(tensors: dict[str, Any], name: str, columns: int) -> HashTable:
    keys, rows = tensors[f"{name}.keys"], _checked_table(tensors[f"{name}.rows"], np.float32, columns)
    if keys.dtype != np.uint64 or keys.shape != rows.shape[:1] or (keys[1:] <= keys[:-1]).any():
        raise ValueError(f"the keys of the {name} are not in order")
    return HashTable(keys, rows)


def _checked_table(array: Any, kind: type, columns: int) -> Any:
    if array.dtype != kind or array.ndim != 2 or array.shape[1] != columns or not np.isfinite(array).all():
        raise ValueError("a table has a wrong shape")
    return array


def page_evidence(document: Document, extractor: Tamis = tamis) -> Evidence:
    """The evidence of a page for its site. Raises WeightsError."""
    document = extractor.read(document)
    return _network_run(document, extractor)[-1] if _has_runs(document) else Evidence.empty()


def _has_runs(document: Document) -> bool:
    return document.source == PAGE and bool(document.leaves.is_visible_text.any())


def _network_run(document: Document, extractor: Tamis) -> tuple[PageRuns, Singles, Singles, Evidence]:
    """The runs of a page, the logits of the runs and of the page types, and the evidence."""
    networks = extractor.networks
    runs = PageRuns(document, width=networks.width)
    network = networks.of(runs)
    check()
    logits, types = network.run(runs.values, runs.tags)
    return runs, logits, types, evidence_of(runs, logits, network.threshold)


@dataclass(frozen=True, eq=False)
class SiteTamis:
    """The default extractor with the evidence of a site."""

    site: Site
    base: Tamis = tamis
    weights: Path = WEIGHTS
    name = "tamis"

    def read(self, document: Document) -> Document:
        """The document as the default extractor reads it."""
        return self.base.read(document)

    def label(self, document: Document) -> Labels:
        """The labels of the default extractor, with logits changed by the evidence. Raises WeightsError."""
        if not _has_runs(document):
            return self.base.label(document)
        runs, logits, types, evidence = _network_run(document, self.base)
        network = self.base.networks.of(runs)
        found = self.site.repeats(evidence)
        if found is None:
            return runs.label(network.model)
        changed = load_model(self.weights).logits(found.columns, article_probability(types))
        logits[found.which, CONTENT] = changed + np.float32(network.threshold)
        return runs.decide(logits, types, network.threshold)
