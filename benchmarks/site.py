"""What other pages of a site bring: token F1 of `tamis.Site` and of the default extractor alone, memory and time.

    python -m benchmarks.site                     DAnIEL and Dragnet, sites of at least four pages
    python -m benchmarks.site --corpus wcxb:dev --least 2 --folds build/tamis    out of fold, with the networks of folds

Each page is extracted with a site that has learned from all pages there, without gold; what a page says about itself
does not count. Then one site learns 10,000 made-up pages.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import tamis
from tamis.extractor.tamis import Tamis
from tamis.lab.bench import trained
from tamis.lab.corpora.catalogue import Source, open_corpus
from tamis.lab.corpora.page import CorpusPage
from tamis.lab.corpora.sites import by_site
from tamis.lab.metrics.texts import token_bag
from tamis.site import Site, SiteTamis, page_evidence
from tamis.site.model import WEIGHTS

PAGES = 10_000


def compared(pages: Sequence[CorpusPage], extractors: Sequence[Tamis], weights: Path) -> Iterator[tuple[float, float]]:
    """For each page of a site: token F1 of the default extractor alone, and with the site."""
    documents = [page.document() for page in pages]
    site = Site()
    for document, extractor in zip(documents, extractors, strict=True):
        site.add_evidence(page_evidence(document, extractor))
    for page, document, extractor in zip(pages, documents, extractors, strict=True):
        alone = tamis.extract(document, extractor=extractor)
        known = tamis.extract(document, extractor=SiteTamis(site, extractor, weights))
        yield token_bag(alone.text, page.gold_text or "").f1, token_bag(known.text, page.gold_text or "").f1


def measure(source: str, least: int, folds: Path | None, weights: Path) -> None:
    """Print the means of a corpus, by language where it has several."""
    name, split = Source.parse(source)
    chosen = trained.extractor_of(f"tamis={folds}") if folds else lambda html, url: Tamis()
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    sites: list[float] = []
    with open_corpus(name, None) as corpus:
        for pages in by_site(corpus.pages(split), least).values():
            scores = list(compared(pages, [chosen(page.html, page.url) for page in pages], weights))  # type: ignore[misc]
            for page, score in zip(pages, scores, strict=True):
                found["all pages"].append(score)
                kind = page.language if name == "daniel" else page.page_type
                if kind:
                    found[kind].append(score)
            sites.append(float(np.mean([known - alone for alone, known in scores])))
    print(f"\n{source}: {len(sites)} sites of at least {least} pages")
    for kind, scores in sorted(found.items()):
        alone, known = np.mean(scores, axis=0)
        change = np.array([known - alone for alone, known in scores])
        better, worse = (change > 0.005).mean(), (change < -0.005).mean()
        print(
            f"  {kind:14} {len(scores):5} pages  alone {alone:.4f}  site {known:.4f}  "
            f"{100 * (known - alone):+.2f} points   better {better:4.0%}  worse {worse:4.0%}"
        )
    average, best, worst = (100 * value for value in (np.mean(sites), max(sites), min(sites)))
    print(f"  sites: {average:+.2f} points as a mean over sites, best {best:+.1f}, worst {worst:+.1f}")


def made_up(number: int) -> str:
    """A page with a menu and teasers that repeat, and an article of its own."""
    chance = random.Random(number)
    words = [f"word{chance.randrange(50_000)}" for _ in range(300)]
    body = "".join(f"<p>{' '.join(words[at : at + 30])}.</p>" for at in range(0, 300, 30))
    menu = "".join(f"<li><a href=/{entry}>Section {entry}</a></li>" for entry in range(20))
    teasers = "".join(
        f"<div class=teaser><p>A teaser number {entry} that every page shows.</p></div>" for entry in range(8)
    )
    return (
        f"<body><ul class=menu>{menu}</ul><div class=body id=a{number}><h1>{words[0]}</h1>{body}</div>{teasers}</body>"
    )


def large() -> None:
    """Learn many pages in one pass."""
    site = Site()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    start = time.perf_counter()
    for number in range(PAGES):
        site.add(made_up(number))
    seconds = time.perf_counter() - start
    site.columns(page_evidence(tamis.Document.from_html(made_up(0))))
    memory = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    with tempfile.TemporaryDirectory() as folder:
        site.save(Path(folder) / "site")
        size = (Path(folder) / "site").stat().st_size
    print(
        f"\n{site}: {memory / 1e6:.1f} MB in memory, {size / 1e6:.1f} MB in a file, "
        f"{1e3 * seconds / PAGES:.1f} ms a page"
    )


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", metavar="NAME[:SPLIT]", help="default: daniel and dragnet")
    parser.add_argument("--least", type=int, default=4, help="pages of a site (default 4)")
    parser.add_argument("--folds", type=Path, help="networks of folds, for pages that the shipped one was trained on")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="of the evidence; default: the shipped ones")
    options = parser.parse_args()
    for source in options.corpus or ("daniel", "dragnet"):
        measure(source, options.least, options.folds, options.weights)
    if not options.corpus:
        large()


if __name__ == "__main__":
    main()
