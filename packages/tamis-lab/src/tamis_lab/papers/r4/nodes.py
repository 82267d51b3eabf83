"""Measures over DOM nodes of the page-level paper: Tables 1, 2, 3 and 6."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from tamis import registry
from tamis.arrays import Bools, Floats
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.labels import Labels
from tamis.protocol import Extractor
from tamis_lab.bench import contestants
from tamis_lab.bench.peers import Contestant
from tamis_lab.corpora.annotated import NOT_CONTENT
from tamis_lab.corpora.catalogue import open_corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.metrics import PRF, leaf_scores, prf
from tamis_lab.papers.peer_texts import leaves_in_text, leaves_of_contestant
from tamis_lab.reproduce.page import Figure, Section, compare, lines
from tamis_papers.r4.extractor import R4, PageTree

# The published figures, by table and extractor.
PUBLISHED: dict[str, dict[str, list[float]]] = tomllib.loads(Path(__file__).with_name("tables.toml").read_text("utf-8"))

# Table 3: retrieved DOM nodes and retrieved words, on GoogleTrends-2017

# Recall, precision and F1 of the 50 pages of TECO: averages of the pages' own (footnote 6).
_TABLE_3 = {"DOM nodes": (84.87, 91.47, 84.54), "words": (88.93, 95.23, 90.32)}
_TABLE_3_NAMES = ("recall", "precision", "F1")
_SPLITS = ("train", "dev", "test")

Label = Callable[[Document], Labels]  # how an extractor, or a reading of one, labels a page


@dataclass(frozen=True, eq=False)
class GoldPage:
    """A page of which each leaf is known to be content or not."""

    document: Document
    content: Bools  # (leaves,)
    words: Floats  # (leaves,)


def read_pages(data: Path | None, split: str) -> Iterator[GoldPage]:
    """The pages of GoogleTrends-2017; content is what BoilerNet counts as content."""
    for page in open_corpus("googletrends-2017", data).pages(split):
        document = Document.from_html(page.html)
        content = np.array([label not in NOT_CONTENT for label in page.leaf_labels or ()], dtype=np.bool_)
        tokens = tokenize(document.leaves.text)
        yield GoldPage(document, content & document.leaves.visible, tokens.sum_per_text(tokens.weight))


def retrieved(document: Document, labels: Labels) -> Bools:
    """For each element: does an extractor retrieve it?

    If it chose nodes: these with all below them, without the parts of which nothing stays. Else, by
    Definition 2.3, the elements all of whose leaves stay.
    """
    if labels.nodes is None:
        return _whole(document, labels.keep)
    elements = document.elements
    chosen = np.isin(np.arange(len(elements)), labels.nodes)
    removed = _whole(document, document.leaves.visible & ~labels.keep)
    return elements.inside(chosen) & ~removed


def _whole(document: Document, leaves: Bools) -> Bools:
    """The elements all of whose visible leaves are among these, with all that they hold."""
    elements, holder = document.elements, document.leaves.element
    shown = elements.sums(np.bincount(holder[document.leaves.visible], minlength=len(elements)))
    found = elements.sums(np.bincount(holder[leaves], minlength=len(elements)))
    return elements.inside((shown > 0) & (found == shown))


def page_scores(page: GoldPage, labels: Labels) -> dict[str, PRF]:
    """Scores of the retrieved nodes (elements and texts) and of the words in them."""
    texts = ~page.document.leaves.is_media  # media are elements and count as such
    keep, gold = labels.keep & texts, page.content & texts
    elements, gold_elements = retrieved(page.document, labels), _whole(page.document, page.content)
    leaves = (keep & gold, keep, gold)  # in both, found, in the gold; the same for the elements
    both = zip((elements & gold_elements, elements, gold_elements), leaves, strict=True)
    nodes = prf(*[int(of_elements.sum() + of_leaves.sum()) for of_elements, of_leaves in both])
    return {"DOM nodes": nodes, "words": prf(*[float(page.words[mask].sum()) for mask in leaves])}


def averages(label: Label, pages: Sequence[GoldPage]) -> dict[str, tuple[float, float, float]]:
    """Mean recall, precision and F1 over pages, in per cent."""
    scores = [page_scores(page, label(page.document)) for page in pages]
    means = {}
    for kind in _TABLE_3:
        precision, recall, f1 = (100 * np.mean([page[kind] for page in scores], axis=0)).tolist()
        means[kind] = recall, precision, f1
    return means


def nodes_sections(data: Path | None) -> list[Section]:
    """R4 and BTE on each split."""
    figures = []
    for split in _SPLITS:
        pages = list(read_pages(data, split))
        for name in ("r4", "bte"):
            for kind, values in averages(registry.get(name).label, pages).items():
                paper = _TABLE_3[kind] if name == "r4" else None
                figures += compare(f"{name}, {split} ({len(pages)} pages), {kind}", _TABLE_3_NAMES, paper, values)
    return [Section("Table 3's measure on GoogleTrends-2017", figures=figures)]


def by_the_letter(system: R4) -> Label:
    """The post-process as printed: a chosen node over both thresholds goes even if nothing else is left."""

    def label(document: Document) -> Labels:
        page = PageTree(document)
        labels = system.label_tree(page)
        if labels.nodes is None or not page.has_candidates:
            return labels
        removed = labels.nodes[page.exceeds(system.tr, system.hr)[labels.nodes]]
        return replace(labels, keep=labels.keep & ~page.holds(removed))

    return label


# Tables 1 and 2: the size of the c-SET, tr and hr

# F1 of DOM nodes and of words by the size of the c-SET, 1 to 8 (Table 1).
_TABLE_1 = {
    "DOM nodes": (69.93, 77.82, 82.95, 81.80, 78.37, 66.75, 59.31, 64.03),
    "words": (79.75, 83.03, 87.65, 85.77, 82.10, 74.07, 68.40, 72.92),
}
_SIZES = range(1, 9)
# F1 by tr, each with its best hr, which is 7 or 8 everywhere (Table 2).
_TRS = tuple(np.arange(1.25, 3.01, 0.25).tolist())
_HRS = range(1, 9)
_TABLE_2 = {"DOM nodes": (83.13, *[83.96] * 7), "words": (87.31, *[88.02] * 7)}
_NO_POST_PROCESS = {"DOM nodes": 82.95, "words": 87.65}


def sweeps_sections(data: Path | None) -> list[Section]:
    """Both tables on the training pages of GoogleTrends-2017."""
    pages = list(read_pages(data, "train"))
    return [_candidates(pages), _thresholds(pages)]


def _candidates(pages: list[GoldPage]) -> Section:
    """Table 1, which the paper made without the post-process."""
    found = {c: averages(R4(c=c, post_process=False).label, pages) for c in _SIZES}
    figures = [
        _f1_figure(f"c = {c}, {kind}", _TABLE_1[kind][c - 1], found[c][kind]) for kind, c in product(_TABLE_1, _SIZES)
    ]
    curves = {f"{kind}, here": _from_1([found[c][kind][2] for c in _SIZES]) for kind in _TABLE_1}
    curves |= {f"{kind}, paper": _from_1(_TABLE_1[kind]) for kind in _TABLE_1}
    return Section("Table 1: the size of the c-SET", figures=figures, chart=lines(curves, "c", "F1, %"))


def _thresholds(pages: list[GoldPage]) -> Section:
    """Table 2: all pairs of tr and hr, and the best hr for each tr."""
    plain = averages(R4(post_process=False).label, pages)
    pairs = list(product(_TRS, _HRS))
    shipped = {(tr, hr): averages(R4(tr=tr, hr=hr).label, pages) for tr, hr in pairs}
    by_letter = {(tr, hr): averages(by_the_letter(R4(tr=tr, hr=hr)), pages) for tr, hr in pairs}
    figures = []
    for reading, found in (("as shipped", shipped), ("may leave nothing", by_letter)):
        for kind, (number, tr) in product(_TABLE_2, enumerate(_TRS)):
            best = max(found[tr, hr][kind][2] for hr in _HRS)
            where = ", ".join(str(hr) for hr in _HRS if found[tr, hr][kind][2] == best)
            name = f"{reading}, tr = {tr:g}, {kind}: best F1"
            figures.append(Figure(name, _TABLE_2[kind][number], best, note=f"hr = {where}"))
    figures += [_f1_figure(f"no post-process, {kind}", paper, plain[kind]) for kind, paper in _NO_POST_PROCESS.items()]
    curves = {
        f"may leave nothing, tr = {tr:g}": _from_1([by_letter[tr, hr]["DOM nodes"][2] for hr in _HRS]) for tr in _TRS
    }
    curves["as shipped, tr = 1.5"] = _from_1([shipped[1.5, hr]["DOM nodes"][2] for hr in _HRS])
    curves["no post-process"] = _from_1([plain["DOM nodes"][2]] * len(_HRS))
    return Section("Table 2: tr and hr", figures=figures, chart=lines(curves, "hr", "F1 of DOM nodes, %"))


def _from_1(values: list[float] | tuple[float, ...]) -> Floats:
    """A curve that starts at 1 on an axis that starts at 0."""
    return np.array([np.nan, *values])


def _f1_figure(name: str, paper: float, values: tuple[float, float, float]) -> Figure:
    recall, precision, f1 = values
    return Figure(f"{name}: F1", paper, f1, note=f"recall {recall:.2f}, precision {precision:.2f}")


# Table 6

_TABLE_6 = PUBLISHED["table 6"]
_PEER = "unfluff"  # it answers with a text; all others say which leaves they keep
_TABLE_6_NAMES = ("accuracy", "precision", "recall", "F1")


def table6_sections(data: Path | None) -> list[Section]:
    """Text nodes of all pages as one list; each counts once, or as often as it has words or characters."""
    keep: dict[str, list[Bools]] = {}
    gold: list[Bools] = []
    words: list[Floats] = []
    characters: list[Floats] = []
    with ExitStack() as stack:
        systems = _systems(stack)
        for page in open_corpus("cleaneval", data).pages("test"):
            document = Document.from_html(page.html)
            texts = document.leaves.visible_text
            gold.append(leaves_in_text(document, page.gold_text or "")[texts])
            strings = [document.leaves.text[leaf] for leaf in texts.tolist()]
            tokens = tokenize(strings)
            words.append(tokens.sum_per_text(tokens.weight))
            characters.append(np.array([len(" ".join(text.split())) for text in strings], dtype=np.float64))
            for name, kept in systems.items():
                keep.setdefault(name, []).append(kept(page, document)[texts])
    weights = {"text nodes": None, "words": np.concatenate(words), "characters": np.concatenate(characters)}
    figures = []
    for counted, weight in weights.items():
        for name, flags in keep.items():
            scores = leaf_scores(np.concatenate(flags), np.concatenate(gold), weight)
            ours = [100 * score for score in (scores.accuracy, *scores.content)]
            figures += compare(f"{name}, {counted}", _TABLE_6_NAMES, _TABLE_6[name], ours)
    return [Section("Table 6: Web2Text's measure on CleanEval", figures=figures)]


def _systems(stack: ExitStack) -> dict[str, Callable[[CorpusPage, Document], Bools]]:
    """Each system that can run here, as a function to the leaves that it keeps. `stack` ends the process of a peer."""
    found: dict[str, Callable[[CorpusPage, Document], Bools]] = {}
    for name in _TABLE_6:
        if name == _PEER:
            if not contestants.unavailable([name]):
                peer = contestants.load(name)
                found[name] = _leaves_kept_by_peer(peer)
                stack.callback(getattr(peer, "close", lambda: None))
        else:
            found[name] = _leaves_kept_by(registry.get(name))
    return found


def _leaves_kept_by(extractor: Extractor) -> Callable[[CorpusPage, Document], Bools]:
    return lambda page, document: extractor.label(document).keep


def _leaves_kept_by_peer(peer: Contestant) -> Callable[[CorpusPage, Document], Bools]:
    return lambda page, document: leaves_of_contestant(peer, page.html, document)
