"""The search engine: one index of tantivy for each way to clean the pages, and two models that rank pages.

Tantivy's BM25 is that of Lucene, with k1 = 1.2 and b = 0.75, which can't be changed. Query likelihood with Dirichlet
smoothing (Zhai and Lafferty 2001) it does not have: that is computed here, from our own counts of the words that its
analyser finds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from tamis.arrays import Floats
from tamis_lab import needs

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
