"""How many words of readers' comments are in the text, where they do not belong, and in `page.comments`.

    python -m benchmarks.comments                                                 Dragnet, the shipped weights
    python -m benchmarks.comments --corpus l3s-gn1 --corpus googletrends-2017:test
    python -m benchmarks.comments --extractor tamis=build/tamis --worst 20        also names the worst pages

Comments are what the corpus marks as such; pages without them are left out. Where a corpus gives them as text, they are
aligned with the leaves of the page, so a word that both the content and the comments have counts where it stands. Names
and dates in the gold count as found in `page.comments` if an author or a date has them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tamis import Page, extract
from tamis.arrays import Bools
from tamis.document import Document
from tamis.lab.align import align
from tamis.lab.bench import trained
from tamis.lab.corpora.catalogue import Source, open_corpus
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.metrics import tokens
from tamis.registry import get

MOST_IN_TEXT, LEAST_IN_COMMENTS = 0.03, 0.80
_LABELS = frozenset({"comment", "comments"})


@dataclass(frozen=True)
class Words:
    """Words of comments of one page, or of several."""

    all: int
    in_text: int
    in_comments: int

    def __add__(self, other: Words) -> Words:
        return Words(self.all + other.all, self.in_text + other.in_text, self.in_comments + other.in_comments)

    def __str__(self) -> str:
        some = max(self.all, 1)
        return f"{self.all:9,d} {self.in_text / some:8.2%} {self.in_comments / some:8.2%}"


def commented(page: CorpusPage, document: Document) -> Bools:
    """Which visible leaves are comments by the corpus."""
    readable = document.leaves.visible & ~document.leaves.is_media
    if page.leaf_labels is not None:
        return np.array([label in _LABELS for label in page.leaf_labels], dtype=np.bool_) & readable
    return align(document, page.comments or "").content & readable


def measured(gold: CorpusPage, page: Page) -> Words | None:
    """The words of the comments of one page; None if the text was found in the page's data or there are no comments."""
    if len(page.document.leaves) != len(page.original.leaves):
        return None
    is_comment = commented(gold, page.document)
    leaves = [tokens(text) for text in page.document.leaves.text]
    words = Counter(word for leaf in np.flatnonzero(is_comment).tolist() for word in leaves[leaf])
    in_text = sum(len(leaves[leaf]) for leaf in np.flatnonzero(is_comment & page.labels.keep).tolist())
    told = " ".join(f"{each.author or ''} {each.date or ''} {each.text}" for each in page.comments)
    return Words(words.total(), in_text, (Counter(tokens(told)) & words).total()) if words else None


def measure(source: str, extractor: str) -> Iterator[tuple[str, str, Words]]:
    """The name and predicted type of each page with comments, and their words."""
    choose = trained.extractor_of(extractor) if trained.is_trained(extractor) else lambda html, url: get(extractor)
    name, split = Source.parse(source)
    with open_corpus(name) as corpus:
        for gold in corpus.pages(split):
            if not gold.comments:
                continue
            page = extract(gold.html, url=gold.url, extractor=choose(gold.html, gold.url))
            if words := measured(gold, page):
                yield gold.id, str(page.page_type), words


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each corpus, and the pages with the most words in the wrong place."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", metavar="NAME[:SPLIT]", help="repeatable; default: dragnet")
    parser.add_argument("--extractor", default="tamis", help="a name, or NAME=FOLDER as in tamis bench")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also show the N worst pages of each corpus")
    options = parser.parse_args(arguments)
    measured_all = {source: list(measure(source, options.extractor)) for source in options.corpus or ["dragnet"]}
    print(f"{'':24s} {'pages':>6s} {'words':>9s} {'in text':>8s} {'found':>8s}")
    for source, found in measured_all.items():
        total = sum((words for _, _, words in found), Words(0, 0, 0))
        print(f"{source:24s} {len(found):6d} {total}")
        wrong = sorted(found, key=lambda each: each[2].in_comments - each[2].in_text - each[2].all)
        for name, page_type, words in wrong[: options.worst]:
            print(f"  {name:22s} {page_type[:6]:6s} {words}")
    print(f"{'to be reached':24s} {'':16s} {MOST_IN_TEXT:8.2%} {LEAST_IN_COMMENTS:8.2%}")


if __name__ == "__main__":
    main()
