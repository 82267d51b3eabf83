"""Search one collection, cleaned in many ways, with the same queries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Floats
from tamis.lab.reproduce.retrieval import measures
from tamis.lab.reproduce.retrieval.engine import analyser, indexed
from tamis.lab.reproduce.retrieval.likelihood import Likelihood
from tamis.lab.reproduce.retrieval.queries import Query

MODELS = ("BM25", "query likelihood")
DEPTH = 100  # pages of a ranking that are looked at
_BUILDS = 3  # the shortest of so many builds of an index is its time

Measure = Callable[[Sequence[int], Collection[int]], float]
MANY: dict[str, Measure] = {
    "P@10": measures.precision,
    "MAP": measures.average_precision,
    "nDCG@10": measures.ndcg,
}
ONE: dict[str, Measure] = {
    "MRR": measures.reciprocal_rank,
    "first ten": measures.found,
    "nDCG@10": measures.ndcg,
}


@dataclass(frozen=True)
class Task:
    """Queries of one kind, and what they are measured by."""

    name: str
    queries: Sequence[Query]
    measures: Mapping[str, Measure]


@dataclass(frozen=True, eq=False)
class Searched:
    """One system: the cost of its index, and by task, model and measure a score for each query."""

    size: int  # bytes
    seconds: float
    words: int  # in the index
    scores: Mapping[tuple[str, str, str], Floats]

    def mean(self, task: str, model: str, measure: str) -> float:
        """The mean over queries; 0 if there are none."""
        scores = self.scores[task, model, measure]
        return float(scores.mean()) if scores.size else 0.0


def search(texts: Sequence[str], tasks: Sequence[Task], builds: int = _BUILDS) -> Searched:
    """Index the texts, ask all queries by both models. Raises MissingExtra."""
    analyse = analyser().analyze
    asked = {task.name: [analyse(query.text) for query in task.queries] for task in tasks}
    pages = [analyse(text) for text in texts]
    likelihood = Likelihood.of(pages, [word for queries in asked.values() for words in queries for word in words])
    seconds = []
    for _ in range(builds - 1):
        with indexed(texts) as index:
            seconds.append(index.seconds)
    scores: dict[tuple[str, str, str], Floats] = {}
    with indexed(texts) as index:
        seconds.append(index.seconds)
        for task in tasks:
            for model, ranked in zip(MODELS, (index.bm25, likelihood.ranked), strict=True):
                rankings = [ranked(words, DEPTH) for words in asked[task.name]]
                for name, measure in task.measures.items():
                    pairs = zip(rankings, task.queries, strict=True)
                    scores[task.name, model, name] = np.array(
                        [measure(ranking, query.relevant) for ranking, query in pairs]
                    )
        return Searched(index.size, min(seconds), sum(map(len, pages)), scores)
