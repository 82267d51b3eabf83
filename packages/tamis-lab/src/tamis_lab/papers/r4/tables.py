"""The experiments of the page-level paper (2020) on CleanEval, GoogleTrends-2017 and sites of DAnIEL and Dragnet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.cached import cached_property
from tamis.document import Document
from tamis.labels import Labels
from tamis.protocol import Extractor, learns_sites
from tamis.render.text import to_text
from tamis.site import Site
from tamis_lab.corpora.catalogue import Corpus, find_corpus, open_corpus, require_corpora
from tamis_lab.corpora.sites import site_of
from tamis_lab.metrics import PRF, prf, token_bag, tokens
from tamis_lab.papers.r4 import nodes
from tamis_lab.papers.r4.nodes import PUBLISHED, Label, averages, by_the_letter, read_pages
from tamis_lab.reproduce.page import Figure, ReproducedPage, Section, compare
from tamis_papers.r4.extractor import R4, PageTree

# Table 4

# The systems of the paper, and two that it lacks: the baseline and the default extractor.
PAPER_TABLE4: dict[str, Sequence[float] | None] = {**PUBLISHED["table 4"], "keep-all": None, "tamis": None}
SITE = "tamis.Site"  # the default extractor with the other pages of the site
_NAMES = ("precision", "recall", "F1")

_LEAST = 4  # pages of a site that is measured
_OTHERS = 8  # pages that a method learns from, at most


class PageAmongOthers(NamedTuple):
    """A page with a gold text, and others of its site."""

    document: Document
    gold: str
    others: list[Document]


def table4_sections(data: Path | None) -> list[Section]:
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
            figures += compare(f"{system}, {title}", _NAMES, PAPER_TABLE4.get(system), ours)
    return [Section("Table 4: site-level methods", figures=figures, facts={"corpora": " ".join(notes)})]


def _scores(corpus: Corpus) -> dict[str, list[PRF]]:
    """The scores of each system on each page."""
    found = defaultdict[str, list[PRF]](list)
    for page in sampled(corpus):
        for name in PAPER_TABLE4:
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


def sampled(corpus: Corpus) -> Iterator[PageAmongOthers]:
    """One page of each site that has enough, with others. The hash of its id decides which, so it stays the same."""
    sites = defaultdict(list)
    for entry in sorted(corpus.entries(), key=lambda entry: sha256(entry.id.encode()).digest()):
        page = corpus.read(entry)
        if page.gold_text and (site := site_of(page)):
            sites[site].append(entry)
    for _, entries in sorted(sites.items()):
        if len(entries) >= _LEAST:
            first, *others = [corpus.read(entry) for entry in entries[: _OTHERS + 1]]
            yield PageAmongOthers(first.document(), first.gold_text or "", [other.document() for other in others])


# Table 5

PAPER_TABLE5, _CHAOS = PUBLISHED["table 5"], PUBLISHED["table 5, Chaos"]
_WITHIN = (3.0, 3.0, 2.0)
NAMES = ("precision", "recall", "F1")
_MEASURES = [f"LCS {measure}" for measure in NAMES]
_ABOUT_CHAOS = (
    "As above, on 360 pages. It is not known which of them the paper had. Two rows of the paper have an F1 that does "
    "not follow from their precision and recall: those of CETD-DS and CECTD-S."
)

# Only these are measured under every reading: the paper's own, and the rival that has been here longest.
_UNDER_ALL_READINGS = ("bte", "r4")

# What a text is a sequence of. The paper, and the one that it takes the measure from, only say "length".
_UNITS: dict[str, Callable[[str], Sequence[str]]] = {
    "words": tokens,
    "words between white space": str.split,
    "characters": lambda text: " ".join(text.split()),
}


class SequenceLengths(NamedTuple):
    """The lengths of the common subsequence, the text found and the gold text of one page."""

    common: int
    found: int
    gold: int


def table5_sections(data: Path | None) -> list[Section]:
    """CleanEval and, if it is there, Chaos; then both systems under all readings beside the paper."""
    several = _UNDER_ALL_READINGS
    measured = defaultdict[tuple[str, str, str], list[SequenceLengths]](list)  # by system, unit and split
    for page in open_corpus("cleaneval", data).pages():
        document = Document.from_html(page.html)
        for name in PAPER_TABLE5 if page.split == "test" else several:
            found = to_text(document, registry.get(name).label(document))
            for unit in _UNITS if name in several else ("words",):
                cut = _UNITS[unit]
                measured[name, unit, page.split].append(lengths(cut(found), cut(page.gold_text or "")))
    first = []
    for name in PAPER_TABLE5:
        within = _WITHIN if name == "r4" else None
        ours = averaged(measured[name, "words", "test"])
        first += compare(name, _MEASURES, PAPER_TABLE5[name], ours, within)
    return [
        Section("Table 5: LCS on CleanEval", figures=first),
        *_chaos(data),
        *[Section(f"Table 5: {name} under each reading", figures=_readings(name, measured)) for name in several],
    ]


def _chaos(data: Path | None) -> list[Section]:
    """The same on Chaos, where it is in the data folder."""
    if find_corpus("chaos", data) is None:
        return []
    measured: dict[str, list[SequenceLengths]] = {name: [] for name in _CHAOS}
    for page in open_corpus("chaos", data).pages():
        document, gold = Document.from_html(page.html), tokens(page.gold_text or "")
        for name, found in measured.items():
            found.append(lengths(tokens(to_text(document, registry.get(name).label(document))), gold))
    figures = []
    for name, pages in measured.items():
        figures += compare(f"{name}, Chaos", _MEASURES, _CHAOS[name], averaged(pages))
    return [Section("Table 5: LCS on Chaos", _ABOUT_CHAOS, figures)]


def _readings(name: str, measured: Mapping[tuple[str, str, str], list[SequenceLengths]]) -> list[Figure]:
    figures = []
    for unit, splits, pooled in product(_UNITS, (["test"], ["dev", "test"]), (False, True)):
        pages = [page for split in splits for page in measured[name, unit, split]]
        how = "all pages as one" if pooled else "mean over pages"
        ours = averaged(pages, pooled=pooled)
        figures += compare(f"{name}, {unit}, {' and '.join(splits)}, {how}", NAMES, PAPER_TABLE5[name], ours)
    return figures


def lengths(found: Sequence[str], gold: Sequence[str]) -> SequenceLengths:
    """Compare two texts, each a sequence of words or characters."""
    return SequenceLengths(LCSseq.similarity(found, gold), len(found), len(gold))


def averaged(pages: Sequence[SequenceLengths], *, pooled: bool = False) -> tuple[float, float, float]:
    """Precision, recall and their harmonic mean, in per cent: means over pages, or of all pages as one.

    The F1 of every row of Table 5 is that of its precision and recall, and so no mean of F1.
    """
    scores = [prf(*np.sum(pages, axis=0).tolist())] if pooled else [prf(*page) for page in pages]
    precision, recall, _ = np.mean(scores, axis=0).tolist()
    both = precision + recall
    return 100 * precision, 100 * recall, 200 * precision * recall / both if both else 0.0


class _DepthFromRoot(PageTree):
    """The position ratio as the prose of §3.1 has it: how far down the tree a node is."""

    @cached_property
    def position_ratio(self) -> Floats:
        depth = (self.elements.depth - self.elements.depth[self.root].max(initial=0)).astype(np.float64)
        deepest = depth[self.rated].max(initial=0.0)
        return np.where(depth <= deepest / 2, 1.0, deepest / np.maximum(depth, 1.0) - 1)


class _PlainChildren(PageTree):
    """The children ratio without the white space and the comments that a browser's childNodes counts."""

    @cached_property
    def children_ratio(self) -> Floats:
        return (self.children > 2).astype(np.float64)


class _EveryElementCounts(PageTree):
    """Criterion 3 also counts elements that show nothing."""

    @cached_property
    def shows_something(self) -> Bools:
        return np.ones(len(self.elements), dtype=np.bool_)


class _ListedTagsCount(_EveryElementCounts):
    """Criterion 3 by the letter: it counts the tags that criterion 2 lists, which are the excluded ones."""

    @cached_property
    def is_wide(self) -> bool:
        return self.is_wider_than_deep(self.inside_body & ~self.may_be_content)


class _UnlinkedWords(PageTree):
    """Algorithm 4 with words(n) of Definition 2.1, which leaves out those in hyperlinks."""

    @property
    def words(self) -> Floats:
        return self.unlinked_words


def _with(tree: type[PageTree], system: R4) -> Label:
    return lambda document: system.label_tree(tree(document))


def _links_inside(document: Document) -> Labels:
    """The thresholds of the post-process applied to every element inside the chosen ones, too."""
    system, page = R4(), PageTree(document)
    labels = system.label_tree(page)
    kept = labels.keep & ~page.elements.inside(page.exceeds(system.tr, system.hr))[page.leaves.element]
    return replace(labels, keep=kept) if page.has_candidates and kept.any() else labels


# Each name says how it differs from the shipped extractor.
READINGS: dict[str, Label] = {
    "as shipped": R4().label,
    "depth counted from the root (prose of §3.1)": _with(_DepthFromRoot, R4()),
    "children: without white space and comments": _with(_PlainChildren, R4()),
    "wide pages: elements that show nothing count": _with(_EveryElementCounts, R4()),
    "wide pages: the listed tags are counted": _with(_ListedTagsCount, R4()),
    "post-process: thresholds for all inside, too": _links_inside,
    "post-process: may leave nothing": by_the_letter(R4()),
    "no post-process": R4(post_process=False).label,
    "no post-process, words for tags without words in links": _with(_UnlinkedWords, R4(post_process=False)),
}
_WIDE = {
    "as shipped": PageTree,
    "elements that show nothing count": _EveryElementCounts,
    "the listed tags are counted": _ListedTagsCount,
}
# "11 of the 65 webpages" of CleanEval, none of the 65 of TECO (§3.1).
_WIDE_OLD, _WIDE_MODERN = 100 * 11 / 65, 0.0


def readings_sections(data: Path | None) -> list[Section]:
    """Each reading on training pages, then on CleanEval's test pages."""
    pages = list(read_pages(data, "train"))
    training = [
        Figure(f"{name}: F1 of {kind}", None, f1)
        for name, label in READINGS.items()
        for kind, (_, _, f1) in averages(label, pages).items()
    ]
    training += _share_of_wide([page.document for page in pages], "training pages", _WIDE_MODERN)
    measured: dict[str, list[SequenceLengths]] = {name: [] for name in READINGS}
    documents = []
    for page in open_corpus("cleaneval", data).pages("test"):
        document = Document.from_html(page.html)
        documents.append(document)
        gold = tokens(page.gold_text or "")
        for name, label in READINGS.items():
            measured[name].append(lengths(tokens(to_text(document, label(document))), gold))
    test = [
        figure
        for name, values in measured.items()
        for figure in compare(name, NAMES, PAPER_TABLE5["r4"], averaged(values))
    ]
    test += _share_of_wide(documents, "CleanEval test", _WIDE_OLD)
    return [
        Section("Readings of the algorithm on GoogleTrends-2017 train", figures=training),
        Section("Readings of the algorithm on CleanEval test: LCS", figures=test),
    ]


def _share_of_wide(documents: list[Document], where: str, paper: float) -> list[Figure]:
    """The share of wide pages, in per cent."""
    figures = []
    for name, tree in _WIDE.items():
        share = 100 * float(np.mean([tree(page).is_wide for page in documents]))
        figures.append(Figure(f"wide among {where}, %, {name}", paper, share))
    return figures


def reproduce(data: Path | None = None) -> ReproducedPage:
    """Tables 5 and 6 on CleanEval, the measure of Table 3 and the sweeps of Tables 1 and 2 on GoogleTrends.

    Table 4 is measured on DAnIEL and Dragnet where they are there.
    Raises CorpusError.
    """
    require_corpora(("cleaneval", "googletrends-2017"), data)
    return ReproducedPage.from_texts(
        Path(__file__).with_name("texts.toml"),
        [
            *table4_sections(data),
            *table5_sections(data),
            *readings_sections(data),
            *nodes.table6_sections(data),
            *nodes.nodes_sections(data),
            *nodes.sweeps_sections(data),
        ],
    )
