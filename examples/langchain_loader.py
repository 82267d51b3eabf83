"""Answer a question from a web page with LangChain (pip install 'tamis[langchain]').

    python examples/langchain_loader.py

The page is examples/harbour.html, so no network is needed. Word counts replace a model that embeds texts: put your
own `Embeddings` in their place.
"""

from __future__ import annotations

import re
from pathlib import Path
from zlib import crc32

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from tamis.integrations.langchain import TamisLoader

PAGE = Path(__file__).parent / "harbour.html"
QUESTION = "How much does a van pay from April?"


class WordCounts(Embeddings):
    """How often each word is in a text, in 1,000 places."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vector of each text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a text."""
        places = [crc32(word.encode()) % 1_000 for word in re.findall(r"\w+", text.lower())]
        return [float(places.count(place)) for place in range(1_000)]


def main() -> None:
    """Load the page in chunks, store them, and print the one that fits the question best."""
    loader = TamisLoader(PAGE, chunk_tokens=120)
    store = InMemoryVectorStore(WordCounts())
    store.add_documents(loader.load())
    (found,) = store.similarity_search(QUESTION, k=1)
    print(f"{QUESTION}\n")
    print(f"{found.metadata['title']} ({found.metadata['author']}, {found.metadata['date']})")
    print(f"under: {found.metadata['headings']}\n")
    print(found.page_content)


if __name__ == "__main__":
    main()
