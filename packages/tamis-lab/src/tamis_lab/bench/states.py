"""How right `page_state` is: `python -m tamis_lab.bench.states`.

It prints which golden pages are called something else than their folder; which pages with content, of all corpora that
are here, are called something else than content; and a fixed sample of the corpus `pages`, to be read.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import tamis
from tamis.page import Page
from tamis.worth.state import PageState, StateGuess, page_state
from tamis_lab.corpora.catalogue import corpora_by_name, find_corpus, open_corpus, pages_of
from tamis_lab.corpora.reader import CorpusPage

READ, SAMPLE = "pages", 100  # a corpus of all kinds of pages, and how many of them are to be read
_SHOWN = 300  # characters of a text
_CHUNK = 8  # pages that a process takes at once


class SeenPage(NamedTuple):
    """A page of a corpus and what it was called."""

    corpus: str
    id: str
    has_content: bool
    title: str
    text: str
    guess: StateGuess


def golden_pages() -> list[Any]:
    """The golden pages of the states. The tests must be next to the package."""
    sys.path.append(str(Path(tamis.__file__).parents[2]))
    return list(import_module("tests.golden").state_pages())


def extracted(golden: Any) -> tuple[Page, dict[str, Any]]:
    """A golden page, and the HTTP answer it came with."""
    page = tamis.extract(golden.html, url=golden.url)
    return page, {name: golden.head[name] for name in ("status", "headers") if name in golden.head}


def seen(task: tuple[str, CorpusPage]) -> SeenPage:
    """A page of a corpus, extracted with the shipped weights."""
    name, page = task
    found = tamis.extract(page.html, url=page.url)
    guess = page_state(found.document, found.labels)
    return SeenPage(name, page.id, bool(page.gold_text), found.document.title, found.text[:_SHOWN], guess)


def _print(pages: Sequence[SeenPage]) -> None:
    for page in pages:
        print(f"\n{page.corpus} {page.id}  {page.guess.state} {page.guess.probability:.2f}  {page.title[:80]}")
        print("   ", "; ".join(page.guess.evidence))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the golden pages and the corpora, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder of the corpora")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    golden = golden_pages()
    for each in golden:
        page, answer = extracted(each)
        guess = page_state(page.document, page.labels, **answer)
        if guess.state != each.group:
            print(f"golden {each.group}/{each.name}: {guess}")
    print(f"{len(golden)} golden pages")
    names = [name for name in corpora_by_name() if find_corpus(name, options.data)]
    tasks = ((name, page) for name in names for page in pages_of(name, options.data))
    with get_context("spawn").Pool(options.workers) as pool:
        pages = list(pool.imap(seen, tasks, chunksize=_CHUNK))
    with_content = [page for page in pages if page.has_content]
    wrong = [page for page in with_content if page.guess.state is not PageState.CONTENT]
    _print(wrong)
    print(f"\n{len(wrong)} of {len(with_content):,} pages with content are called something else")
    with open_corpus(READ, options.data) as corpus:
        chosen = {page.id for page in corpus.sample(None, SAMPLE)}
    sample = [page for page in pages if page.corpus == READ and page.id in chosen]
    _print(sample)
    print(f"\n{READ}: {dict(Counter(str(page.guess.state) for page in sample))}")


if __name__ == "__main__":
    main()
