"""Index web pages with Haystack and search them (pip install 'tamis[haystack]').

    python examples/haystack_pipeline.py

The pages are examples/harbour.html and two that are written here, one of which fails, so no network is needed. To read
from the web, put a LinkContentFetcher in front: `connect("fetcher.streams", "converter.sources")`.
"""

from __future__ import annotations

from pathlib import Path

from haystack import Pipeline
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.components.writers import DocumentWriter
from haystack.dataclasses import ByteStream
from haystack.document_stores.in_memory import InMemoryDocumentStore

from tamis.integrations.haystack import TamisConverter

HARBOUR = Path(__file__).parent / "harbour.html"
FERRY = b"""<!doctype html><title>Ferry timetable</title>
<nav><a href="/">Home</a> <a href="/fares">Fares</a> <a href="/contact">Contact</a></nav>
<main><h1>Ferry timetable</h1>
<p>From May to September there is a boat each half hour, the first one at six in the morning and the last one at ten at
night. Bicycles travel free of charge.</p>
<p>From October to April there is a boat each hour, the first one at seven in the morning and the last one at eight in
the evening. Bicycles need a ticket.</p></main>"""
SOURCES = [
    HARBOUR,
    ByteStream(FERRY, meta={"url": "https://harbour.example/ferry"}),
    ByteStream(b"%PDF-1.7 is no web page", meta={"url": "https://harbour.example/plan.pdf"}),
]


def main() -> None:
    """Index the pages and print the passage that fits a question best."""
    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    pipeline.add_component("converter", TamisConverter())
    pipeline.add_component("splitter", DocumentSplitter(split_by="passage", split_length=1))
    pipeline.add_component("writer", DocumentWriter(store))
    pipeline.connect("converter.documents", "splitter.documents")
    pipeline.connect("splitter.documents", "writer.documents")
    written = pipeline.run({"converter": {"sources": SOURCES}})["writer"]["documents_written"]
    print(f"{written} passages of {len(SOURCES)} sources")
    question = "Do bicycles need a ticket in winter, in October?"
    (found,) = InMemoryBM25Retriever(store, top_k=1).run(query=question)["documents"]
    print(f"{question}\n{found.meta['title']} ({found.meta['url']})\n{found.content}")


if __name__ == "__main__":
    main()
