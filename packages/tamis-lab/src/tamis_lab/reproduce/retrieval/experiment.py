"""Search one collection, cleaned in many ways, with the same queries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Floats
from tamis_lab.reproduce.retrieval import measures
from tamis_lab.reproduce.retrieval.engine import analyser, build, size_on_disk
from tamis_lab.reproduce.retrieval.likelihood import Likelihood
from tamis_lab.reproduce.retrieval.queries import Query

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


def search(texts: Sequence[str], tasks: Sequence[Task], *, with_costs: bool = True) -> Searched:
    """Index the texts and ask all queries by both models; `with_costs` also measures the index. Raises MissingExtra."""
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
