"""Table 4: site-level methods, on sites of DAnIEL and Dragnet instead of the paper's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis import registry
from tamis.document import Document
from tamis.protocol import Extractor, learns_sites
from tamis.render.text import to_text
from tamis.site import Site
from tamis_lab.corpora.catalogue import Corpus, find_corpus, open_corpus
from tamis_lab.corpora.sites import site_of
from tamis_lab.metrics import PRF, token_bag
from tamis_lab.reproduce.page import Figure, Section, compare

# Precision, recall and F1 of words. Beside them stand the baseline and the default extractor, which the paper lacks.
PAPER: dict[str, tuple[float, float, float] | None] = {
    "sst": (59.92, 72.64, 61.26),
    "rtdm": (67.35, 99.98, 77.57),
    "iwptd": (64.33, 79.28, 68.78),
    "rbm": (67.84, 100.00, 77.84),
    "temex": (88.82, 94.39, 90.18),
    "conex": (90.57, 86.13, 83.06),
    "r4": (95.23, 88.93, 90.32),
    "keep-all": None,
    "tamis": None,
}
SITE = "tamis.Site"  # the default extractor with the other pages of the site
_NAMES = ("precision", "recall", "F1")

_LEAST = 4  # pages of a site that is measured
_OTHERS = 8  # pages that a method learns from, at most


class Measured(NamedTuple):
    """A page with a gold text, and others of its site."""

    document: Document
    gold: str
    others: list[Document]


def sections(data: Path | None) -> list[Section]:
    """One page of each site, by methods that know others of the site, and by methods that do not."""
    figures: list[Figure] = []
    notes: list[str] = []
    for title, name in (("DAnIEL", "daniel"), ("Dragnet", "dragnet")):
        if find_corpus(name, data) is None:
            notes.append(f"{title} is not in the data folder and is left out.")
            continue
        with open_corpus(name, data) as corpus:
            scores = _scores(corpus)
        count = max(map(len, scores.values()), default=0)
        notes.append(f"Of {title}, {count} sites have at least {_LEAST} pages.")
        for system, pages in scores.items():
            ours = (100 * np.mean(pages, axis=0)).tolist()
            figures += compare(f"{system}, {title}", _NAMES, PAPER.get(system), ours)
    return [Section("Table 4: site-level methods", figures=figures, facts={"corpora": " ".join(notes)})]


def _scores(corpus: Corpus) -> dict[str, list[PRF]]:
    """The scores of each system on each page."""
    found = defaultdict[str, list[PRF]](list)
    for page in sampled(corpus):
        for name in PAPER:
            labels = knowing(name, page.others).label(page.document)
            found[name].append(token_bag(to_text(page.document, labels), page.gold))
        site = Site()
        for other in page.others:
            site.add(other)
        found[SITE].append(token_bag(site.extract(page.document).text, page.gold))
    return dict(found)


def knowing(name: str, others: list[Document]) -> Extractor:
    """The extractor of this name; a site-level one has learned from these pages."""
    extractor = registry.get(name)
    return extractor.learned(others) if learns_sites(extractor) else extractor


def sampled(corpus: Corpus) -> Iterator[Measured]:
    """One page of each site that has enough, with others. The hash of its id decides which, so it stays the same."""
    sites = defaultdict(list)
    for entry in sorted(corpus.entries(), key=lambda entry: sha256(entry.id.encode()).digest()):
        page = corpus.read(entry)
        if page.gold_text and (site := site_of(page)):
            sites[site].append(entry)
    for _, entries in sorted(sites.items()):
        if len(entries) >= _LEAST:
            first, *others = [corpus.read(entry) for entry in entries[: _OTHERS + 1]]
            yield Measured(first.document(), first.gold_text or "", [other.document() for other in others])
