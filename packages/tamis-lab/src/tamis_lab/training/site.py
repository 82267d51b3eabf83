"""Learns the weights of a site's evidence: `python -m tamis_lab.training.site FOLDER`.

A logistic model of the runs that repeat, by the columns of `tamis.site.model`, once for articles and once for other
pages; each page counts for the one as much as it is likely an article. Pages are those of sites with at least two
pages; each is learned with all others of its site and with some of them, so that two pages count as much as many. The
penalty pulls towards the logit of the default extractor alone, on articles also towards weights set by hand: what
repeats is template.

FOLDER holds the networks of `tamis train tamis --folds`, so that each page is read by a network that was not trained on
its site. The weights are written to FOLDER/site, and those that have not seen a fold to FOLDER/fold-N/site.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tamis.arrays import Floats, Singles
from tamis.document.table import PAGE
from tamis.extractor.runs import PageRuns
from tamis.extractor.tamis import Tamis
from tamis.site.evidence import Evidence, SiteCounts, evidence_of
from tamis.site.model import COLUMNS, MODEL, VERSION, article_probability, repeats
from tamis.weights import write_config
from tamis_lab.corpora.catalogue import pages_of
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.corpora.sites import by_site
from tamis_lab.training.pages import check_allowed, fold_folders, fold_of_page, label
from tamis_lab.training.tamis_examples import prepare

CORPORA = ("wcxb:dev", "news-2023:train")
SEED = 1
ROUNDS = 3  # a page with all others of its site, and twice with some of them

# On articles: the strength of the pull, and what it pulls towards, chosen on half of DAnIEL and of Dragnet. In the
# training corpora, whose sites mostly have two pages, a long text that repeats and looks like content is content more
# often than not, on DAnIEL hardly ever: a quarter of the pull gains 0.3 points less there, five times as much no more.
ARTICLE_STRENGTH = 0.2
ARTICLE_PRIORS = {
    "logit": 1.0,
    "share of pages that keep the text": -2.0,
    "share of pages that keep the text: log pages": -1.0,
    "offset": -2.0,
}
STRENGTH = 0.001  # on other pages
PRIORS = {"logit": 1.0}


class SitePage(NamedTuple):
    """A page of a site, and the truth about its runs."""

    evidence: Evidence
    content: Singles  # the share of each run that is content
    weight: Floats  # of each run: long ones count more, and a page as much as another
    article: float  # how likely the page is one
    fold: int


class SiteExample(NamedTuple):
    """The runs of a page that repeat on some others of its site, and the truth about them."""

    columns: Singles
    content: Singles
    weight: Floats
    article: float
    fold: int


def learned_page(page: CorpusPage, extractor: Tamis, fold: int = 0) -> SitePage | None:
    """The evidence and the gold of a page; None if its gold is not found on it, or its content is in a script."""
    labelled = label(page)
    read = extractor.read(labelled.document())
    if labelled.gold.is_bad or read.source != PAGE:
        return None
    truth = prepare(labelled)
    if not len(truth):
        return None
    networks = extractor.networks
    runs = PageRuns(read, width=networks.width)
    network = networks.of(runs)
    logits, types = network.run(runs.values, runs.tags)
    weight = np.sqrt(truth.words.astype(np.float64)) * truth.known
    evidence = evidence_of(runs, logits, network.threshold)
    return SitePage(evidence, truth.content, weight / max(weight.sum(), 1e-9), article_probability(types), fold)


def examples(site: Sequence[SitePage], random: np.random.Generator) -> Iterator[SiteExample]:
    """Each page of a site with all others, and with some of them."""
    for number, page in enumerate(site):
        others = [each.evidence for place, each in enumerate(site) if place != number]
        for turn in range(ROUNDS if len(others) > 1 else 1):
            some = random.permutation(len(others))[: random.integers(1, len(others) + 1) if turn else None]
            counts = SiteCounts()
            for each in some.tolist():
                counts.add(others[each])
            found = None if counts.knows(page.evidence.fingerprint) else repeats(page.evidence, counts)
            if found is not None and found.which.any():
                content, weight = page.content[found.which], page.weight[found.which]
                yield SiteExample(found.columns, content, weight, page.article, page.fold)


def learn(found: Sequence[SiteExample], *, articles: bool) -> Floats:
    """The weights of the columns and the offset, of articles or of other pages."""
    from scipy.optimize import minimize

    values = np.concatenate([each.columns for each in found]).astype(np.float64)
    values = np.concatenate([values, np.ones((len(values), 1))], axis=1)
    truth = np.concatenate([each.content for each in found]).astype(np.float64)
    shares = [each.article if articles else 1 - each.article for each in found]
    weight = np.concatenate([share * each.weight for share, each in zip(shares, found, strict=True)])
    weight /= weight.sum()
    scale = values.std(axis=0)
    scale[scale == 0] = 1.0
    values /= scale
    strength, priors = (ARTICLE_STRENGTH, ARTICLE_PRIORS) if articles else (STRENGTH, PRIORS)
    prior = np.array([priors.get(name, 0.0) for name in (*COLUMNS, "offset")]) * scale

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = values @ weights
        each = np.logaddexp(0, logits) - truth * logits
        slope = values.T @ (weight * (1 / (1 + np.exp(-logits)) - truth))
        apart = weights - prior
        return float(weight @ each + strength * apart @ apart), slope + 2 * strength * apart

    fitted: Floats = minimize(loss, prior, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x / scale
    return fitted


def write(folder: Path, weights: Sequence[Floats], facts: dict[str, Any]) -> None:
    """Write the weights, of articles and of other pages, and their config."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    both = np.array(weights, np.float32)
    tensors = {"weights": both[:, :-1].copy(), "offsets": both[:, -1].copy()}
    save_file(tensors, folder / MODEL)
    write_config(folder, {"model": "site", "columns": VERSION, "names": list(COLUMNS), **facts}, MODEL)


def read_sites(sources: Sequence[str], folder: Path, data: Path | None) -> list[list[SitePage]]:
    """The pages of the sites with at least two."""
    networks = [Tamis(each) for each in fold_folders(folder)] or [Tamis(folder)]
    sites: list[list[SitePage]] = []
    for source in sources:
        for pages in by_site(pages_of(source, data), least=2).values():
            folds = [fold_of_page(page.html, page.url, len(networks)) for page in pages]
            read = (learned_page(page, networks[fold], fold) for page, fold in zip(pages, folds, strict=True))
            sites.append([page for page in read if page])
    return sites


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the corpora, learn, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="as `tamis train tamis --folds` wrote it; the weights go into it")
    parser.add_argument("--data", type=Path, help="the folder of the corpora")
    options = parser.parse_args(arguments)
    check_allowed(CORPORA, options.data)
    random = np.random.default_rng(SEED)
    sites = read_sites(CORPORA, options.folder, options.data)
    found = [example for site in sites for example in examples(site, random)]
    print(f"{len(found)} examples of {sum(map(len, sites))} pages of {len(sites)} sites", file=sys.stderr)
    strengths = {"articles": ARTICLE_STRENGTH, "others": STRENGTH}
    folders = [options.folder, *fold_folders(options.folder)]
    for fold, folder in enumerate(folders, start=-1):  # the first learns from all folds
        seen = [example for example in found if example.fold != fold]
        weights = [learn(seen, articles=articles) for articles in (True, False)]
        facts = {"trained_on": list(CORPORA), "seed": SEED, "strength": strengths, "examples": len(seen)}
        write(folder / "site", weights, facts)
        if fold < 0:
            for name, of_articles, of_others in zip((*COLUMNS, "offset"), *weights, strict=True):
                print(f"{of_articles:8.3f} {of_others:8.3f}  {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
