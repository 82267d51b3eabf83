"""The time of BoilerNet on a page of about 1,000 texts, step by step, and on a page of 50,000 texts.

    python -m benchmarks.boilernet

It runs on one core, and the best of many rounds counts. Memory is the growth of the process's peak.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy starts its threads
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import time

from benchmarks.pages import best, wcxb_pages
from tamis.document import Document
from tamis_papers.boilernet.extractor import BoilerNet, full, small
from tamis_papers.boilernet.features import leaf_counts

ROUNDS = 20
TEXTS = 1_000
LONG = 50_000


def main() -> None:
    """Print the time of each step."""
    _ = full.network  # raises MissingExtra before a line is printed
    documents = [Document.from_html(page) for page in wcxb_pages(200)]
    document = min(documents, key=lambda page: abs(len(page.leaves.visible_text) - TEXTS))
    long_page = Document.from_html("<p>Some words of a long page, <a href=x>and a link</a></p>" * (LONG // 2))
    print(f"a page of WCXB dev with {len(document.leaves.visible_text)} texts, on one core")
    for name, extractor in (("boilernet-small", small), ("boilernet", full)):
        _show(name, extractor, document, long_page)


def _show(name: str, extractor: BoilerNet, document: Document, long_page: Document) -> None:
    network = extractor.network
    rows = leaf_counts(document, network.vocabulary)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    extractor.label(long_page)
    seconds = time.perf_counter() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{name:16s} counts  {best(lambda: leaf_counts(document, network.vocabulary), ROUNDS):7.2f} ms")
    print(f"{name:16s} network {best(lambda: network.probabilities(rows), ROUNDS):7.2f} ms")
    print(f"{name:16s} all     {best(lambda: extractor.label(document), ROUNDS):7.2f} ms")
    print(f"{name:16s} {LONG:,} texts {seconds:.1f} s, {grown:.0f} MB more memory")


if __name__ == "__main__":
    main()
