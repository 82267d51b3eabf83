"""The search engine: one index of tantivy for each way to clean the pages, and BM25 as the engine has it.

Tantivy's BM25 is that of Lucene, with k1 = 1.2 and b = 0.75, which can't be changed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tamis_lab.extras import needs

if TYPE_CHECKING:
    import tantivy

_ANALYSER = "english"
_LONGEST = 40  # bytes; longer words are addresses and data. It is the limit of the engine's own analysers.
_HEAP = 256_000_000  # bytes; enough for one segment, so that the index is the same each time
_DECIMALS = 4  # scores are single floats; those that agree so far are ties, and the order of pages decides


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
            (-round(float(score), _DECIMALS), int(number or 0))
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
    began = time.process_time()
    writer = index.writer(_HEAP, num_threads=1)
    for number, text in enumerate(texts):
        document = Document()
        document.add_text("text", text)
        document.add_unsigned("page", number)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.process_time() - began
    index.reload()
    return Index(index, seconds)


def size_on_disk(texts: Sequence[str]) -> int:
    """The bytes of all files of an index of these texts. Raises MissingExtra."""
    with TemporaryDirectory(prefix="tamis-retrieval-") as folder:
        build(texts, Path(folder))
        return sum(file.stat().st_size for file in Path(folder).iterdir())
