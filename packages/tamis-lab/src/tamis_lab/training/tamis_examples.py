"""Pages as the default extractor's network learns from them: runs of text, and the truth about each.

They can be kept in a file: pages are read where the corpora are, and networks trained where the GPU is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from tamis.arrays import Bools, Bytes, Floats, Singles
from tamis.document import Document
from tamis.document.words import tokenize
from tamis.errors import InputError
from tamis.extractor.declared import Declared
from tamis.extractor.runs import VERSION, PageRuns
from tamis.page_type import PageType
from tamis_lab.training.augment import some_kinds, variant
from tamis_lab.training.pages import LabelledPage, RoleTruth, fold_of, role_truth

TYPES = list(PageType)
NO_TYPE = -100  # the class that cross entropy leaves out
FOLDS = 5  # of sites
_TYPE_OF_CORPUS = {"news-2023": PageType.ARTICLE}  # where the corpus does not say it of each page

# Corpora whose pages get no variants: with them, pages that repeat were taken for comments and teasers more often.
_AS_PUBLISHED = ("recipes", "threads", "pages")

# How many pages the network of modern pages also sees in another script, of which it has seen few.
_REWRITTEN = 0.4

# Corpora by the age of their markup. Those of every age are left out, and so is a variant that keeps its markup.
MODERN = 0
OLD = 1
ANY_AGE = -1
_AGE_OF_CORPUS = {
    "wcxb": MODERN, "news-2023": MODERN, "press-2026": MODERN, "recipes": MODERN, "canola": OLD, "cleaneval": OLD,
}  # fmt: skip

# Annotators differ: some corpora count captions, bylines or disclaimers as content. So a network is told the corpus of
# a page, on half of the pages.
CORPORA = (
    "", "wcxb", "news-2023", "canola", "cleaneval", "googletrends-2017", "press-2026", "recipes", "threads", "pages",
)  # fmt: skip
UNKNOWN = 0
# Where only a part of the pages' texts is labelled, the corpus says little of what else is content.
_AS_IN = {"recipes": "wcxb", "threads": "wcxb", "pages": "wcxb"}


@dataclass(frozen=True, eq=False)
class TamisExample:
    """The runs of a page as the network sees them, and their gold."""

    values: NDArray[np.float16]  # (runs, COLUMNS); half of the memory, and as good to learn from
    tags: Bytes  # (runs, 1 + LEVELS)
    words: Singles  # (runs,) how many words each has
    content: Singles  # the share of the known words that are content
    known: Singles  # the share of the words with a gold label
    comment: Singles  # the share of the words that are a comment, by the names of elements
    related: Singles  # the share of the words that are about other pages
    page_type: int
    age: int  # of its markup: MODERN, OLD or ANY_AGE
    gate: Singles  # (columns of the gate,)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def tells_both(self) -> bool:
        """Are both some content and some other text known?"""
        known = self.known > 0
        return bool((self.content[known] > 0).any() and (self.content[known] < 1).any())

    def part(self, here: slice) -> TamisExample:
        """Some of the runs."""
        return replace(self, **{name: getattr(self, name)[here] for name in RUN_COLUMNS})


_PAGE_COLUMNS = ("page_type", "age", "gate")
RUN_COLUMNS = tuple(each.name for each in fields(TamisExample) if each.name not in _PAGE_COLUMNS)


@dataclass(frozen=True, eq=False)
class PreparedPage:
    """A page as the network learns from it."""

    name: str
    site: str
    digest: str  # of the page and its gold
    examples: tuple[TamisExample, ...]  # as published, and then its variants
    rewritten: tuple[TamisExample, ...] = ()  # as published, but in another script


def prepare_all(pages: Sequence[LabelledPage], seed: int, variants: int) -> list[PreparedPage]:
    """Each page with this number of variants.

    What a variant takes from other pages comes from pages of its own fold, so a network that is measured on a fold has
    seen nothing of its sites.
    """
    of_fold: dict[int, list[LabelledPage]] = {}
    for page in pages:
        of_fold.setdefault(fold_of(page.site, FOLDS), []).append(page)
    found: list[PreparedPage] = []
    for number, page in enumerate(pages):
        random = np.random.default_rng([seed, number])
        others = of_fold[fold_of(page.site, FOLDS)]
        wanted = 0 if page.corpus in _AS_PUBLISHED else variants
        made = [prepare_variant(page, others, random, some_kinds(random)) for _ in range(wanted)]
        is_rewritten = variants > 0 and random.random() < _REWRITTEN
        rewritten = (prepare_variant(page, others, random, {"script"}),) if is_rewritten else ()
        found.append(PreparedPage(page.name, page.site, page.digest, (prepare(page), *made), rewritten))
    return found


def prepare(page: LabelledPage) -> TamisExample:
    """A page with everything unfolded."""
    gold = page.gold.unfolded or page.gold
    document = page.document().unfolded
    age = _AGE_OF_CORPUS.get(page.corpus, ANY_AGE)
    return _example(page, document, gold.content, gold.known, role_truth(page, document, gold.content), age)


def prepare_variant(
    page: LabelledPage, others: Sequence[LabelledPage], random: np.random.Generator, kinds: Collection[str]
) -> TamisExample:
    """An augmented page: the content of `page`, changed in these of the ways of `augment`."""
    made = variant(page, others, random, kinds)
    roles, age = RoleTruth(made.comment, made.related), OLD if made.is_aged else ANY_AGE
    return _example(page, made.document, made.content, made.known, roles, age, made.declared)


def _example(
    page: LabelledPage,
    document: Document,
    content: Bools,
    known: Bools,
    roles: RoleTruth,
    age: int,
    declared: Declared | None = None,
) -> TamisExample:
    runs = PageRuns(document, declared)
    page_type = page.page_type or _TYPE_OF_CORPUS.get(page.corpus)
    kind = TYPES.index(PageType(page_type)) if page_type else NO_TYPE
    # Comments are never content, whatever the annotators of a corpus thought.
    content, known = content & ~roles.comment, known | roles.comment
    if not len(runs):
        none = np.zeros(0, dtype=np.float32)
        values, gate = runs.values.astype(np.float16), runs.gate_columns
        return TamisExample(values, runs.tags, none, none, none, none, none, kind, age, gate)
    tokens = tokenize([document.leaves.text[leaf] for leaf in runs.texts.tolist()])
    words = tokens.sum_per_text(tokens.weight)
    weight = words + 1e-6  # so that a run without words has the label of its texts, too

    def weighed(leaves: Bools) -> Floats:
        sums: Floats = np.add.reduceat(weight * leaves[runs.texts], runs.first)
        return sums

    def share(leaves: Bools, among: Bools | None = None) -> Singles:
        """The share of each run, or of its words in `among`, that is in these leaves."""
        part, whole = weighed(leaves), weighed(np.ones_like(leaves) if among is None else among)
        found: Any = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
        return found.astype(np.float32)  # type: ignore[no-any-return]

    return TamisExample(
        runs.values.astype(np.float16),
        runs.tags,
        np.add.reduceat(words, runs.first).astype(np.float32),
        _same_for_copies(runs, share(content & known, among=known)),
        share(known),
        share(roles.comment),
        share(roles.related),
        kind,
        age,
        runs.gate_columns,
    )


def _same_for_copies(runs: PageRuns, content: Singles) -> Singles:
    """Gold has a text once. Where a page has it twice, it is not known which one is meant: both are content."""
    most = np.zeros_like(content)
    np.maximum.at(most, runs.copies, content)
    return most.take(runs.copies)


def write_features(path: Path, pages: Sequence[PreparedPage], made_of: Sequence[str]) -> None:
    """Write pages; `made_of` names the corpora and the seed. Raises InputError."""
    examples = [example for page in pages for example in (*page.examples, *page.rewritten)]
    columns = {name: np.concatenate([getattr(example, name) for example in examples]) for name in RUN_COLUMNS}
    columns["values"] = np.ascontiguousarray(columns["values"].T)  # columns side by side can be packed better
    columns["sizes"] = np.array([len(example) for example in examples])
    columns |= {name: np.array([getattr(example, name) for example in examples]) for name in _PAGE_COLUMNS}
    facts = [[page.name, page.site, page.digest, len(page.examples), len(page.rewritten)] for page in pages]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(columns, path, {"pages": json.dumps(facts), "made_of": json.dumps([VERSION, *made_of])})
    except (OSError, SafetensorError) as error:
        raise InputError(f"{path}: can't be written: {error}") from None


def read_features(path: Path, made_of: Sequence[str]) -> list[PreparedPage]:
    """Read pages. Raises InputError for a file of other corpora, another seed or another version."""
    try:
        with safe_open(path, framework="numpy") as file:
            facts = file.metadata() or {}
            if json.loads(facts["made_of"]) != [VERSION, *made_of]:
                raise InputError(f"{path}: made of other corpora, with another seed, or by another version of tamis")
            columns = {name: file.get_tensor(name) for name in (*RUN_COLUMNS, "sizes", *_PAGE_COLUMNS)}
            pages = json.loads(facts["pages"])
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise InputError(f"{path}: not a file of features: {error}") from None
    columns["values"] = np.ascontiguousarray(columns["values"].T)
    bounds = np.concatenate(([0], np.cumsum(columns["sizes"]))).tolist()
    examples = iter(
        TamisExample(**{name: columns[name][start:end] for name in RUN_COLUMNS}, page_type=kind, age=age, gate=gate)
        for start, end, kind, age, gate in zip(
            bounds, bounds[1:], columns["page_type"].tolist(), columns["age"].tolist(), columns["gate"], strict=False
        )
    )
    return [
        PreparedPage(name, site, digest, tuple(islice(examples, count)), tuple(islice(examples, rewritten)))
        for name, site, digest, count, rewritten in pages
    ]


class Piece(NamedTuple):
    """A page or a part of one, the fold of its site, and the number of its corpus."""

    example: TamisExample
    fold: int
    is_variant: bool = False  # it is augmented
    corpus: int = UNKNOWN
    is_rewritten: bool = False  # it is augmented in no other way than by another script


def pieces_of(pages: Iterable[PreparedPage]) -> list[Piece]:
    """Each page as published, and its variants."""
    pieces: list[Piece] = []
    for page in pages:
        name = page.name.partition("/")[0]
        corpus = _AS_IN.get(name, name)
        published = Piece(
            page.examples[0], fold_of(page.site, FOLDS), corpus=CORPORA.index(corpus) if corpus in CORPORA else UNKNOWN
        )
        varied = published._replace(is_variant=True)
        pieces += [published, *(varied._replace(example=example) for example in page.examples[1:])]
        pieces += [varied._replace(example=example, is_rewritten=True) for example in page.rewritten]
    return pieces
