"""Search one collection, cleaned in many ways, with the same queries, and measure the rankings.

The engine is tantivy, with one index for each way to clean the pages. Its BM25 is that of Lucene, with fixed k1 = 1.2
and b = 0.75. Query likelihood with Dirichlet smoothing (Zhai and Lafferty 2001) is computed here, from our own counts
of the words that its analyser finds.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tamis.arrays import Floats
from tamis_lab import needs
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.metrics import tokens

if TYPE_CHECKING:
    import tantivy

_ANALYSER = "english"
_LONGEST = 40  # bytes; longer words are addresses and data. It is the limit of the engine's own analysers.
_HEAP = 256_000_000  # bytes; enough for one segment, so that the index is the same each time
_SCORE_DECIMALS = 4  # scores are single floats; those that agree so far are ties, and the order of pages decides


def analyser() -> tantivy.TextAnalyzer:
    """Words as the index has them: runs of letters and digits in lower case, English endings cut off.

    Raises MissingExtra.
    """
    with needs("bench", "the search engine"):
        from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    parts = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_LONGEST)).filter(Filter.lowercase())
    return parts.filter(Filter.stemmer("english")).build()


@dataclass(frozen=True)
class Index:
    """The texts of some pages, which are numbered from 0."""

    index: tantivy.Index
    seconds: float  # of the processor, to build it

    def bm25(self, words: Sequence[str], depth: int) -> list[int]:
        """The first `depth` of the pages that have one of these analysed words, best first."""
        from tantivy import Occur, Query

        searcher, schema = self.index.searcher(), self.index.schema
        query = Query.boolean_query([(Occur.Should, Query.term_query(schema, "text", word)) for word in words])
        hits = searcher.search(query, limit=depth, count=False).hits
        numbers = searcher.fast_field_values("page", [address for _, address in hits])
        scored = [
            (-round(float(score), _SCORE_DECIMALS), int(number or 0))
            for (score, _), number in zip(hits, numbers, strict=True)
        ]
        return [number for _, number in sorted(scored)]


def build(texts: Sequence[str], folder: Path | None = None) -> Index:
    """An index of these texts, by one thread: in memory, or in an empty folder. Raises MissingExtra."""
    analysed = analyser()
    from tantivy import Document, SchemaBuilder
    from tantivy import Index as Engine

    fields = SchemaBuilder().add_text_field("text", tokenizer_name=_ANALYSER).add_unsigned_field("page", fast=True)
    index = Engine(fields.build(), path=None if folder is None else str(folder))
    index.register_tokenizer(_ANALYSER, analysed)
    started = time.process_time()
    writer = index.writer(_HEAP, num_threads=1)
    for number, text in enumerate(texts):
        document = Document()
        document.add_text("text", text)
        document.add_unsigned("page", number)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.process_time() - started
    index.reload()
    return Index(index, seconds)


def size_on_disk(texts: Sequence[str]) -> int:
    """The bytes of all files of an index of these texts. Raises MissingExtra."""
    with TemporaryDirectory(prefix="tamis-retrieval-") as folder:
        build(texts, Path(folder))
        return sum(file.stat().st_size for file in Path(folder).iterdir())


MU = 2500.0  # as in Indri, the engine of the Web2Text paper
_LIKELIHOOD_DECIMALS = 9  # scores that agree so far are ties, and the order of pages decides


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The counts of a collection, for some words: those of the queries."""

    rows: dict[str, int]  # by word
    counts: Floats  # (words, pages)
    lengths: Floats  # (pages,)

    @classmethod
    def of(cls, pages: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> Likelihood:
        """From the analysed words of each page."""
        rows = {word: row for row, word in enumerate(dict.fromkeys(vocabulary))}
        counts = np.zeros((len(rows), len(pages)))
        for number, words in enumerate(pages):
            for word, count in Counter(words).items():
                if word in rows:
                    counts[rows[word], number] = count
        return cls(rows, counts, np.array([len(words) for words in pages], dtype=np.float64))

    def ranked(self, words: Sequence[str], depth: int, mu: float = MU) -> list[int]:
        """The first `depth` of the pages that have one of these words, best first.

        The score of a page is the sum over words of log((count + mu * share) / (length + mu)), where `share` is that of
        the word in all pages. Words that no page has are left out.
        """
        rows = [self.rows[word] for word in words if word in self.rows]
        counts = self.counts[rows]  # (words of the query, pages)
        counts = counts[counts.sum(axis=1) > 0]
        share = counts.sum(axis=1, keepdims=True) / max(1.0, self.lengths.sum())
        scores = np.log((counts + mu * share) / (self.lengths + mu)).sum(axis=0)
        matches = np.flatnonzero(counts.any(axis=0))
        order = np.lexsort((matches, -np.round(scores[matches], _LIKELIHOOD_DECIMALS)))
        return [int(page) for page in matches[order[:depth]]]


# Queries with the pages that answer them, made from the facts of the corpora. They are the same each time.

WORDS = 3  # of a query for one page
SUBJECTS = 10  # words of the gold text that a page is about
LEAST = 5  # pages that a subject has
_SHORTEST = 3  # letters of a word


class Query(NamedTuple):
    """The words to search for, and the numbers of the pages that answer them."""

    text: str
    relevant: frozenset[int]


def topics(pages: Sequence[CorpusPage]) -> list[Query]:
    """The queries that Chaos was collected by: "north,korea (3)" is a page that answers "north korea"."""
    return _answered((page.id.rpartition(" (")[0].replace(",", " "), number) for number, page in enumerate(pages))


def titles(pages: Sequence[CorpusPage]) -> list[Query]:
    """The title of each page by the corpus. Pages of the same title all answer it."""
    written = [(" ".join((page.title or "").split()), number) for number, page in enumerate(pages)]
    return _answered((title, number) for title, number in written if tokens(title))


def distinctive_words(pages: Sequence[CorpusPage], count: int = WORDS) -> list[Query]:
    """For each page the most distinctive words of its gold text. Pages with fewer than `count` are left out."""
    chosen = [words[:count] for words in _by_weight(pages)]
    return _answered((" ".join(words), number) for number, words in enumerate(chosen) if len(words) == count)


def subjects(pages: Sequence[CorpusPage], top: int = SUBJECTS, least: int = LEAST) -> list[Query]:
    """Single words; the pages that have one among the `top` most distinctive words of their gold text answer it.

    Words with fewer than `least` such pages are left out.
    """
    about = ((word, number) for number, words in enumerate(_by_weight(pages)) for word in words[:top])
    return [query for query in _answered(about) if len(query.relevant) >= least]


def _answered(pairs: Iterable[tuple[str, int]]) -> list[Query]:
    """One query a text, with the numbers of all pages that it comes from."""
    answers = defaultdict[str, set[int]](set)
    for text, number in pairs:
        answers[text].add(number)
    return [Query(text, frozenset(numbers)) for text, numbers in answers.items()]


def _by_weight(pages: Sequence[CorpusPage]) -> list[list[str]]:
    """For each page the words of its gold text, by tf-idf among the gold texts; those of equal weight by alphabet.

    Words have letters only, at least three.
    """
    found = (tokens(page.gold_text or "") for page in pages)
    texts = [Counter(word for word in words if len(word) >= _SHORTEST and word.isalpha()) for words in found]
    having = Counter(word for words in texts for word in words)

    def order(words: Counter[str]) -> list[str]:
        # Rounded, so that the order of equal weights does not depend on the processor.
        weight = {word: round(count * math.log(len(pages) / having[word]), 9) for word, count in words.items()}
        return sorted(words, key=lambda word: (-weight[word], word))

    return list(map(order, texts))


_DRAWS = 10_000
_AT_ONCE = 1_000  # draws in memory
_DECIMALS = 12  # differences that agree so far are the same


# Measures of a ranking, and whether two systems differ over the queries


def precision(ranking: Sequence[int], relevant: Collection[int], depth: int = 10) -> float:
    """The share of relevant pages among the first `depth`; places that are not filled count as misses."""
    return sum(page in relevant for page in ranking[:depth]) / depth


def hit(ranking: Sequence[int], relevant: Collection[int], depth: int = 10) -> float:
    """1 if a relevant page is among the first `depth`, else 0."""
    return float(any(page in relevant for page in ranking[:depth]))


def reciprocal_rank(ranking: Sequence[int], relevant: Collection[int]) -> float:
    """1 divided by the rank of the first relevant page; 0 if there is none."""
    return next((1 / rank for rank, page in enumerate(ranking, 1) if page in relevant), 0.0)


def average_precision(ranking: Sequence[int], relevant: Collection[int]) -> float:
    """The mean, over relevant pages, of the precision where each is found; 0 for those that are not.

    Raises ValueError if none is relevant.
    """
    if not relevant:
        raise ValueError("no page is relevant")
    ranks = [rank for rank, page in enumerate(ranking, 1) if page in relevant]
    return sum(number / rank for number, rank in enumerate(ranks, 1)) / len(relevant)


def ndcg(ranking: Sequence[int], relevant: Collection[int], depth: int = 10) -> float:
    """The discounted gain of the first `depth` by that of a perfect ranking (Järvelin and Kekäläinen 2002).

    A relevant page gains 1, discounted by the logarithm of its rank plus one. Raises ValueError if none is relevant.
    """
    if not relevant:
        raise ValueError("no page is relevant")
    discount = 1 / np.log2(np.arange(2, depth + 2))
    gain = sum(discount[rank] for rank, page in enumerate(ranking[:depth]) if page in relevant)
    return float(gain / discount[: len(relevant)].sum())


def randomisation(first: ArrayLike, second: ArrayLike, seed: int = 1, draws: int = _DRAWS) -> float:
    """The two-sided p of Fisher's randomisation test on paired scores (Smucker et al. 2007).

    If both systems are alike, the sign of each difference is chance: p is the share of random signs that make the mean
    differ at least as much as it does. The same seed gives the same p.
    """
    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    difference = difference[difference != 0]  # their signs change nothing
    if not difference.size:
        return 1.0
    observed = round(abs(float(difference.sum())), _DECIMALS)
    random, extreme = np.random.default_rng(seed), 0
    for start in range(0, draws, _AT_ONCE):
        signs = random.integers(0, 2, (min(_AT_ONCE, draws - start), len(difference))) * 2.0 - 1.0
        extreme += int((np.round(np.abs(signs @ difference), _DECIMALS) >= observed).sum())
    return (extreme + 1) / (draws + 1)


# The search

MODELS = ("BM25", "query likelihood")
DEPTH = 100  # pages of a ranking that are looked at
_BUILDS = 3  # the time of an index is that of the fastest of these builds

Measure = Callable[[Sequence[int], Collection[int]], float]
MANY: dict[str, Measure] = {"P@10": precision, "MAP": average_precision, "nDCG@10": ndcg}
ONE: dict[str, Measure] = {"MRR": reciprocal_rank, "first ten": hit, "nDCG@10": ndcg}


@dataclass(frozen=True)
class SearchTask:
    """Queries of one kind, and what they are measured by."""

    name: str
    queries: Sequence[Query]
    measures: Mapping[str, Measure]

    @property
    def has_many(self) -> bool:
        """Do several pages answer a query?"""
        return self.measures == MANY


@dataclass(frozen=True, eq=False)
class Searched:
    """One system: the cost of its index, and by task, model and measure a score for each query."""

    size: int  # bytes; 0 where it was not measured
    seconds: float
    words: int  # in the index
    scores: Mapping[tuple[str, str, str], Floats]

    def mean(self, task: str, model: str, measure: str) -> float:
        """The mean over queries; 0 if there are none."""
        scores = self.scores[task, model, measure]
        return float(scores.mean()) if scores.size else 0.0


def search(texts: Sequence[str], tasks: Sequence[SearchTask], *, with_costs: bool = True) -> Searched:
    """Index the texts and run all queries by both models; `with_costs` also measures the index. Raises MissingExtra."""
    analyse = analyser().analyze
    asked = {task.name: [analyse(query.text) for query in task.queries] for task in tasks}
    pages = [analyse(text) for text in texts]
    likelihood = Likelihood.of(pages, [word for queries in asked.values() for words in queries for word in words])
    indexes = [build(texts) for _ in range(_BUILDS if with_costs else 1)]
    scores: dict[tuple[str, str, str], Floats] = {}
    for task in tasks:
        for model, ranked in zip(MODELS, (indexes[0].bm25, likelihood.ranked), strict=True):
            rankings = [ranked(words, DEPTH) for words in asked[task.name]]
            for name, measure in task.measures.items():
                pairs = zip(rankings, task.queries, strict=True)
                measured = [measure(ranking, query.relevant) for ranking, query in pairs]
                scores[task.name, model, name] = np.array(measured)
    size = size_on_disk(texts) if with_costs else 0
    return Searched(size, min(index.seconds for index in indexes), sum(map(len, pages)), scores)
