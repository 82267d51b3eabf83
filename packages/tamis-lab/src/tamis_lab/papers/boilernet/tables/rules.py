"""The systems of the tables that are not trained: boilerpipe's filters and Readability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tamis import registry
from tamis.arrays import Bools
from tamis_lab.align import align
from tamis_lab.bench import contestants
from tamis_lab.bench.runner import measure
from tamis_lab.bench.text import TextScorer
from tamis_lab.corpora.page import CorpusPage
from tamis_lab.gold import with_wordless
from tamis_lab.papers.boilernet.tables.protocols import Corpus, Scores
from tamis_lab.training.pages import LabelledPage

# The paper does not say which filter its "BoilerPipe" is.
BOILERPIPES = ("boilerpipe-article", "boilerpipe-words")


class Rules(NamedTuple):
    """The scores of each system, and what became of the pages that Readability was given."""

    scores: dict[str, Scores]
    readability: str  # its row's name: which program, and which version of it
    outcomes: Counter[str]


def measured(corpus: Corpus) -> Rules:
    """All of them on the test pages."""
    scores = {name: Scores.of_extractor(registry.get(name), corpus.test) for name in BOILERPIPES}
    program = readability_here()
    row = f"Readability ({program} {contestants.version(program)})"
    texts, outcomes = _texts(program, corpus.test)
    scores[row] = Scores.of([_placed(page, texts[page.name]) for page in corpus.test], corpus.test)
    return Rules(scores, row, outcomes)


def readability_here() -> str:
    """Mozilla's own where node and its packages are found, else the Python port."""
    return "readability-lxml" if "readability-js" in contestants.unavailable(["readability-js"]) else "readability-js"


def _texts(program: str, pages: Sequence[LabelledPage]) -> tuple[dict[str, str], Counter[str]]:
    """The text that a program extracts from each page, by name (empty where it fails), and its outcomes, counted."""
    # Without gold: the bench must not score them.
    bare = [CorpusPage("", page.name, page.html, "test", url=page.url) for page in pages]
    texts: dict[str, str] = {}
    outcomes: Counter[str] = Counter()
    units = ((page, [program]) for page in bare)
    for page, _, outcome in measure(TextScorer(), units, [program], keep_answers=True):
        texts[page.id] = outcome.answer or ""
        outcomes[outcome.status] += 1
    return texts, outcomes


def _placed(page: LabelledPage, text: str) -> Bools:
    """Which known leaves a text consists of, found as for gold texts."""
    document = page.document()
    readable = document.leaves.visible & ~document.leaves.is_media
    return with_wordless(document, align(document, text).content & readable)[page.gold.known]
