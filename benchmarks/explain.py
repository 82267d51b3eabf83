"""Can the reasons of `tamis explain` be believed? Counts over the pages of a corpus.

    python -m benchmarks.explain               every tenth page of WCXB dev
    python -m benchmarks.explain --every 1     all of them

A paragraph is one in an article or in main, without a nav, footer, aside, form or header around it. Blocks that a rule
after the network decided on are left out. An effect counts from LEAST_EFFECT on, as it does for `explain`; "shown" are
the reasons that a user sees. A small page has fewer than 100 such blocks.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

import numpy as np

from tamis.document import Document
from tamis.explain import ExplainedBlock, Group, Reason, explain
from tamis.explain.effects import RunRows, effects, typical_page
from tamis.explain.words import LEAST_EFFECT, notable_reasons, rest_of
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.tamis import tamis
from tamis_lab.corpora.catalogue import CorpusSource, open_corpus
from tamis_lab.corpora.reader import CorpusPage

_PARAGRAPHS = ("paragraph in an <article>", "paragraph in <main>")
_SMALL = 100  # blocks
_MORE_LINKS = "(usual: none)"  # of its words are links, and in a typical paragraph none is
_NO_OTHER_TAGS = {
    f"<p> in {', '.join(f'<{tag}>' for tag in tags)}"
    for count in (1, 2, 3)
    for tags in permutations(("article", "main", "section"), count)
}


@dataclass(frozen=True)
class Share:
    """How many of some blocks something is true of."""

    true: int
    all: int

    def __str__(self) -> str:
        return f"{self.true / max(self.all, 1):7.2%} of {self.all:,}"


def measure(pages: Sequence[Sequence[ExplainedBlock]]) -> dict[str, Share]:
    """What is printed, given all blocks of each page that the network decided on."""
    blocks = [block for page in pages for block in page]
    small = [block for page in pages if len(page) < _SMALL for block in page]
    paragraphs = [block for block in blocks if block.kept and block.kind in _PARAGRAPHS]
    linked = [block for block in paragraphs if _of(block, Group.LINKS).words.endswith(_MORE_LINKS)]
    against = [(block, min(block.reasons, key=_effect)) for block in blocks if not block.kept and block.reasons]
    against = [(block, reason) for block, reason in against if reason.effect <= -LEAST_EFFECT]
    shown = {id(block): notable_reasons(block) for block in blocks}
    other = [block for block in blocks if not block.as_usual]
    return {
        "blocks as usual": _share(block.as_usual for block in blocks),
        "kept paragraphs as usual": _share(block.as_usual for block in paragraphs),
        "typical block gets the same verdict": _share(_same_verdict(block) for block in blocks),
        "on small pages: typical block gets the same verdict": _share(_same_verdict(block) for block in small),
        "kept paragraphs: tags speak against": _share(
            _of(block, Group.TAGS).effect <= -LEAST_EFFECT for block in paragraphs
        ),
        "the same, in <article>, <main> and <section> only": _share(
            _of(block, Group.TAGS).effect <= -LEAST_EFFECT
            for block in paragraphs
            if _of(block, Group.TAGS).words in _NO_OTHER_TAGS
        ),
        "kept paragraphs: tags shown against": _share(
            any(reason.group is Group.TAGS and reason.effect < 0 for reason in shown[id(block)]) for block in paragraphs
        ),
        "kept paragraphs with links: links speak for": _share(
            _of(block, Group.LINKS).effect >= LEAST_EFFECT for block in linked
        ),
        "dropped: without the strongest reason, higher": _share(
            reason.without > (block.network or 0) for block, reason in against
        ),
        "not as usual: any reason shown": _share(bool(shown[id(block)]) for block in other),
        "not as usual: the rest outweighs what is shown": _share(
            abs(rest_of(block)) > max(map(abs, map(_effect, shown[id(block)])), default=0) for block in other
        ),
        "not as usual: the rest outweighs a shown reason": _share(
            abs(rest_of(block)) > min(map(abs, map(_effect, shown[id(block)])), default=0) for block in other
        ),
        "not as usual: position in the first two reasons": _share(_is_position_first(block) for block in other),
        "on small pages: position in the first two reasons": _share(
            _is_position_first(block) for block in small if not block.as_usual
        ),
    }


def _is_position_first(block: ExplainedBlock) -> bool:
    return Group.PLACE in [reason.group for reason in notable_reasons(block)[:2]]


def _of(block: ExplainedBlock, group: Group) -> Reason:
    """The reason of a group; one without effect if there is none."""
    return next((reason for reason in block.reasons if reason.group is group), Reason(group, 0.0, 0.0, ""))


def _effect(reason: Reason) -> float:
    return reason.effect


def _same_verdict(block: ExplainedBlock) -> bool:
    return ((block.usual or 0) >= block.threshold) == block.kept


def _share(found: Iterator[bool]) -> Share:
    counts = Counter(found)
    return Share(counts[True], counts.total())


def gap(document: Document) -> float:
    """How much the typical log-odds with all effects added differ from the network's, at most."""
    runs = PageRuns(tamis.read(document))
    if not len(runs):
        return 0.0
    real = RunRows(runs.values, runs.tags)
    network = tamis.networks.of(runs)
    found = effects(network, real, typical_page(real)[1], COLUMNS)
    logits, _ = network.run(runs.values, runs.tags)
    return float(np.abs(found.start + found.effects.sum(axis=1) - logits[:, 0]).max())


def read(source: str, every: int) -> Iterator[CorpusPage]:
    """Every so many-th page of a corpus."""
    name, split = CorpusSource.parse(source)
    with open_corpus(name) as corpus:
        yield from islice(corpus.pages(split), None, None, every)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", default="wcxb:dev")
    parser.add_argument("--every", type=int, default=10, metavar="N", help="take every Nth page (10)")
    options = parser.parse_args(arguments)
    pages: list[list[ExplainedBlock]] = []
    gaps: list[float] = []
    for page in read(options.corpus, options.every):
        found = explain(page.html, url=page.url).blocks
        pages.append([block for block in found if not block.note and block.start is not None])
        gaps.append(gap(page.document()))
    for title, share in measure(pages).items():
        print(f"{title:52s} {share}")
    print(f"{'effects differ from the log-odds by at most':52s} {max(gaps):7.5f}")


if __name__ == "__main__":
    main()
