"""Index web pages with LlamaIndex, and again after one has changed (pip install 'tamis[llama-index]').

    python examples/llama_index_reader.py

The pages are examples/harbour.html and one that is written here, so no network is needed. A mock replaces the model
that embeds texts: put your own in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from llama_index.core import MockEmbedding
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import BaseNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore

from tamis.integrations.llama_index import TamisNodeParser, TamisReader

HARBOUR = (Path(__file__).parent / "harbour.html").read_text(encoding="utf-8")
FERRY = """<!doctype html><title>Ferry timetable</title>
<nav><a href="/">Home</a> <a href="/fares">Fares</a> <a href="/contact">Contact</a></nav>
<main><h1>Ferry timetable</h1>
<p>The ferry between Sallow and Ferrow sails every day of the year but the first of January, in all weathers that the
harbour master allows. Tickets are sold on board.</p>
<h2>Summer</h2>
<p>From May to September there is a boat each half hour, the first one at six in the morning and the last one at ten at
night. Bicycles travel free of charge.</p>
<h2>Winter</h2>
<p>From October to April there is a boat each hour, the first one at seven in the morning and the last one at eight in
the evening. Bicycles need a ticket.</p></main>"""


def main() -> None:
    """Index two pages; then again, when one of them has changed."""
    reader = TamisReader(output_format="raw")  # the parser finds the content
    store = SimpleVectorStore()
    pipeline = IngestionPipeline(
        transformations=[TamisNodeParser(chunk_tokens=80), MockEmbedding(embed_dim=8)],
        docstore=SimpleDocumentStore(),
        vector_store=store,
    )
    pages = [(HARBOUR, "https://harbour.example/bridge"), (FERRY, "https://harbour.example/ferry")]
    show("two pages", pipeline.run(documents=reader.load_data(pages=pages)), store)
    pages[1] = (FERRY.replace("free of charge", "for one pound"), pages[1][1])
    show("one of them has changed", pipeline.run(documents=reader.load_data(pages=pages)), store)


def show(what: str, nodes: Sequence[BaseNode], store: SimpleVectorStore) -> None:
    """Print the place and the beginning of each node that was written."""
    print(f"{what}: {len(nodes)} nodes written, {len(store.data.embedding_dict)} in the store")
    for node in nodes:
        headings = node.metadata["headings"] or node.metadata["title"]
        print(f"  {node.metadata['source']} | {headings} | {node.get_content()[:40]!r}")


if __name__ == "__main__":
    main()
