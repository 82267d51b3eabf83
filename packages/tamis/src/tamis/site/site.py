"""`Site`: what the pages of a site have in common, as evidence for the extraction of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Unpack

import numpy as np

from tamis.api import document_of, extract
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
from tamis.site.evidence import LONGEST, PLACE_COLUMNS, TEXT_COLUMNS, Evidence, SiteCounts, Table, evidence_of
from tamis.site.model import WEIGHTS, Repeats, SiteModel, article_probability, load_model, repeats

# The version of the file, of the hashes and of what is counted.
_VERSION = "2"


class Site:
    """What is known about a site. Threads may share it.

    It learns from pages, two at least, in any order, without gold: which texts repeat at the same place, and what the
    default extractor makes of them. `extract` then decides again about these texts, and no others. It takes at most
    5 MB, whatever the number of pages. A page may be added and extracted: what it says about itself does not count.
    """

    def __init__(self) -> None:
        self._counts = SiteCounts()
        self._lock = Lock()

    def __repr__(self) -> str:
        """The number of pages that it has learned from."""
        return f"<Site of {self.pages:,} page{'s' * (self.pages != 1)}>"

    @property
    def pages(self) -> int:
        """How many different pages it has learned from. Those that show the same article count once."""
        return self._counts.pages

    def add(self, html: PageInput | Document, *, url: str | None = None, timeout: float | None = None) -> bool:
        """Learn from a page; False if it has no content, or if a page with the same article was added.

        Takes pages as `tamis.extract` does, and raises the same errors.
        """
        if timeout is not None:
            check_timeout(timeout)
        with limited(timeout):
            return self.add_evidence(page_evidence(document_of(html, url, None)))

    def add_evidence(self, page: Evidence) -> bool:
        """The same with what `page_evidence` found on a page."""
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
        """`tamis.extract` with the evidence of the site; options and errors are its own.

        A page of a site that nothing is known about is extracted as without the evidence.
        """
        if "extractor" in options:
            raise TypeError("a site has its own extractor")
        return extract(html, url=url, encoding=encoding, extractor=self.extractor, **options)

    @property
    def extractor(self) -> SiteTamis:
        """The default extractor with the evidence of this site, wherever an extractor is wanted."""
        return SiteTamis(self)

    def repeats(self, page: Evidence) -> Repeats | None:
        """Which runs of a page repeat, and what the site says about them; None if it knows no other page."""
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
        """What `save` wrote. Raises InputError."""
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
                raise InputError(f"{path}: this is no site of this version of tamis")
            tensors = load(data)
            site._counts = SiteCounts(
                int(header["pages"]),
                _table(tensors, "texts", len(TEXT_COLUMNS)),
                _table(tensors, "places", len(PLACE_COLUMNS)),
                _shaped(tensors["fingerprints"], np.uint64, LONGEST),
            )
        except (SafetensorError, ValueError, KeyError, TypeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(f"{path}: this is no site that tamis has saved ({error})") from None
        return site


def _table(tensors: dict[str, Any], name: str, columns: int) -> Table:
    keys, rows = tensors[f"{name}.keys"], _shaped(tensors[f"{name}.rows"], np.float32, columns)
    if keys.dtype != np.uint64 or keys.shape != rows.shape[:1] or (keys[1:] <= keys[:-1]).any():
        raise ValueError(f"the keys of the {name} are not in order")
    return Table(keys, rows)


def _shaped(array: Any, kind: type, columns: int) -> Any:
    if array.dtype != kind or array.ndim != 2 or array.shape[1] != columns or not np.isfinite(array).all():
        raise ValueError("a table has another shape")
    return array


def page_evidence(document: Document, extractor: Tamis = tamis) -> Evidence:
    """What a page tells about its site. Raises WeightsError."""
    read = extractor.read(document)
    if read.source != PAGE or not read.leaves.is_visible_text.any():
        return Evidence.empty()
    networks = extractor.networks
    runs = PageRuns(read, width=networks.width)
    network = networks.of(runs)
    check()
    logits, _ = network.run(runs.values, runs.tags)
    return evidence_of(runs, logits, network.threshold)


@dataclass(frozen=True, eq=False)
class SiteTamis:
    """The default extractor with the evidence of a site."""

    site: Site
    base: Tamis = tamis
    weights: Path = WEIGHTS
    name = "tamis"

    @property
    def model(self) -> SiteModel:
        """The weights of the evidence. Raises WeightsError."""
        return load_model(self.weights)

    def read(self, document: Document) -> Document:
        """As the default extractor reads it."""
        return self.base.read(document)

    def label(self, document: Document) -> Labels:
        """The labels of the default extractor, with logits that know the site. Raises WeightsError."""
        if document.source != PAGE or not document.leaves.is_visible_text.any():
            return self.base.label(document)
        networks = self.base.networks
        runs = PageRuns(document, width=networks.width)
        network = networks.of(runs)
        check()
        logits, types = network.run(runs.values, runs.tags)
        page = evidence_of(runs, logits, network.threshold)
        found = self.site.repeats(page)
        if found is None:
            return runs.label(network.model)
        changed = self.model.logits(found.columns, article_probability(types))
        logits[found.which, CONTENT] = changed + np.float32(network.threshold)
        return runs.decide(logits, types, network.threshold)
