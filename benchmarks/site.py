"""What other pages of a site bring: token F1 of `tamis.Site` and of the default extractor alone, memory and time.

    python -m benchmarks.site                     DAnIEL, Dragnet, news-2023:test and sources, with the shipped weights
    python -m benchmarks.site --folds build/tamis               WCXB dev, news-2023:train, press-2026 and threads, too,
                                                                by networks and weights that have not seen the site
    python -m benchmarks.site --corpus daniel --least 4         sites of at least four pages

Each page is extracted with a site that has learned from all pages there, without gold; what a page says about itself
does not count. "Updated": the same where the site has an update of the page, too, the longest of whose texts and 30 %
of the others are new; none of them should go. Then one site learns 10,000 made-up pages.
"""

from __future__ import annotations

import argparse
import random as randomly
import tempfile
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tamis
from tamis.extractor.tamis import Tamis
from tamis.protocol import Extractor
from tamis.site import Site, SiteTamis, page_evidence
from tamis.site.evidence import Evidence
from tamis.site.model import WEIGHTS
from tamis_lab.corpora.catalogue import CorpusSource, open_corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.corpora.sites import by_site
from tamis_lab.metrics import token_bag
from tamis_lab.training.pages import fold_folders, fold_of_page

PAGES = 10_000
VALIDATION, TRAINING = (
    ("daniel", "dragnet", "news-2023:test", "sources"),
    ("wcxb:dev", "news-2023:train", "press-2026", "threads"),
)
NEW = 0.3  # of the texts of an update

Scores = NDArray[np.float64]  # token F1 of pages alone, with the site, and with an update of the page on it


def updated(page: Evidence, random: np.random.Generator) -> Evidence:
    """The evidence of a later version of a page."""
    kept = np.flatnonzero(page.kept)
    is_new = np.zeros(len(page), np.bool_)
    is_new[kept[random.random(len(kept)) < NEW]] = True
    is_new[kept[page.words[kept].argsort()[-1:]]] = True
    return replace(page, text=np.where(is_new, random.integers(1, 2**63, len(page), dtype=np.uint64), page.text))


def site_of(pages: Iterable[Evidence]) -> Site:
    """A site that has learned from these pages."""
    site = Site()
    for page in pages:
        site.add_evidence(page)
    return site


def compared(pages: Sequence[CorpusPage], extractors: Sequence[Tamis], random: np.random.Generator) -> Scores:
    """(pages, 3), of one site."""
    documents = [page.document() for page in pages]
    evidence = [page_evidence(*each) for each in zip(documents, extractors, strict=True)]
    whole = site_of(evidence)
    found = []
    for page, document, extractor, own in zip(pages, documents, extractors, evidence, strict=True):
        weights = extractor.weights / "site" if (extractor.weights / "site").is_dir() else WEIGHTS
        known = (SiteTamis(site, extractor, weights) for site in (whole, site_of([*evidence, updated(own, random)])))
        readers: tuple[Extractor, ...] = (extractor, *known)
        texts = [tamis.extract(document, extractor=reader).text for reader in readers]
        found.append([token_bag(text, page.gold_text or "").f1 for text in texts])
    return np.array(found)


def measure(source: str, least: int, folds: Path | None) -> None:
    """Print the means of a corpus, by language or type where it has several, and what sites gain and lose."""
    name, split = CorpusSource.parse(source)
    networks = [Tamis(folder) for folder in fold_folders(folds)] if folds and source in TRAINING else [Tamis()]
    random = np.random.default_rng(1)
    found: dict[str, list[Scores]] = defaultdict(list)
    sites: list[float] = []
    with open_corpus(name, None) as corpus:
        for pages in by_site(corpus.pages(split), least).values():
            extractors = [networks[fold_of_page(page.html, page.url, len(networks))] for page in pages]
            scores = compared(pages, extractors, random)
            sites.append(100 * float((scores[:, 1] - scores[:, 0]).mean()))
            for page, score in zip(pages, scores, strict=True):
                kind = page.language if name == "daniel" else page.page_type
                for group in ("all pages", *filter(None, [kind])):
                    found[group].append(score)
    print(f"\n{source}: {len(sites)} sites of at least {least} pages")
    for kind, rows in sorted(found.items()):
        scores = np.array(rows)
        alone, known, with_update = scores.mean(axis=0)
        change = scores[:, 1] - scores[:, 0]
        better, worse = (change > 0.005).mean(), (change < -0.005).mean()
        print(
            f"  {kind:14} {len(scores):5} pages  alone {alone:.4f}  site {known:.4f}  "
            f"{100 * (known - alone):+.2f} points  better {better:4.0%}  worse {worse:4.0%}  updated {with_update:.4f}"
        )
    changes = np.array(sites)
    print(
        f"  sites: {changes.mean():+.2f} points as a mean over sites, median {np.median(changes):+.2f}, best "
        f"{changes.max():+.1f}, worst {changes.min():+.1f}; more than half a point better "
        f"{(changes > 0.5).mean():.0%}, worse {(changes < -0.5).mean():.0%}"
    )


def made_up(number: int) -> str:
    """A page with a menu and teasers that repeat, and an article of its own."""
    chance = randomly.Random(number)
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
    site.repeats(page_evidence(tamis.Document.from_html(made_up(0))))
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
    parser.add_argument("--corpus", action="append", metavar="NAME[:SPLIT]", help="one of these alone")
    parser.add_argument("--least", type=int, default=2, help="pages of a site (default 2)")
    parser.add_argument("--folds", type=Path, help="as `tamis_lab.training.site` wrote it")
    options = parser.parse_args()
    for source in options.corpus or (*VALIDATION, *(TRAINING if options.folds else ())):
        measure(source, options.least, options.folds)
    if not options.corpus:
        large()


if __name__ == "__main__":
    main()
