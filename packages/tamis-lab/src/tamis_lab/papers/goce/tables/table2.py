"""Table 2: one algorithm for all pages against one for each genre, on pages of both genres."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis import registry
from tamis.arrays import Floats
from tamis.document import Document
from tamis.page_type import PageType
from tamis.protocol import Extractor
from tamis.render.text import to_text
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.metrics import cosine, lcs
from tamis_lab.reproduce.page import Figure, Section
from tamis_papers.goce.extractor import article_by_pseudo_code
from tamis_papers.goce.genre import GENRES, Genre

# The algorithm for each genre.
ALGORITHMS = {Genre.ARTICLE: "goce-article", Genre.LIST: "goce-list"}

# The paper does not say which extractor of boilerpipe it ran; that for articles is the best known.
_BOILERPIPE = "boilerpipe-article"
# The second of boilerpipe is the best of ours on the pages of both genres.
_SYSTEMS = ("keep-all", _BOILERPIPE, "boilerpipe-cleaneval", *ALGORITHMS.values())
GOCE, GOCE_HTML = "GOCE", "GOCE by HTML"  # by a picture of the page, or without a browser
_ORACLE = "oracle"
# Algorithm 1 as the pseudo-code has it, alone and under the oracle.
_PSEUDO_CODE, _PSEUDO_ORACLE = "goce-article by the pseudo-code", "oracle by the pseudo-code"

# How far GOCE may stay behind the oracle, in points of F1.
_BEHIND = 2.0

MEASURES = ("cosine", "precision", "recall", "F1")
_ALL, _ALIKE = "all pages", "both genres alike"
_MIXED = (_ALIKE, _ALL)
# These are asked to be better than one algorithm for all pages.
_BY_GENRE = (GOCE, GOCE_HTML, _ORACLE)
# The four measures of each system, as published. The full set of the paper has 100 pages of each genre.
_PUBLISHED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_FULL = _PUBLISHED.pop("full set")
_PAPER: dict[str, dict[str, tuple[float, ...]]] = _PUBLISHED | {_ALIKE: _FULL, _ALL: _FULL}


@dataclass(frozen=True, eq=False)
class Measured:
    """Cosine, LCS precision and LCS recall of each system on each page, from 0 to 1."""

    scores: dict[str, Floats]  # (pages, 3) each
    genres: list[Genre]  # (pages,)

    def averages(self, system: str) -> dict[str, tuple[float, ...]]:
        """The four measures in per cent for each set of pages; a set without pages is left out.

        As in every row of the paper's table F1 is that of the mean precision and the mean recall.
        """
        scores = self.scores[system]
        masks = {genre: np.array([each == genre for each in self.genres], dtype=np.bool_) for genre in Genre}
        means = {f"{genre} pages": scores[mask].mean(axis=0) for genre, mask in masks.items() if mask.any()}
        if len(means) == len(Genre):
            means |= {_ALIKE: np.mean(list(means.values()), axis=0), _ALL: scores.mean(axis=0)}
        return {name: _per_cent(*mean.tolist()) for name, mean in means.items()}


def _per_cent(similarity: float, precision: float, recall: float) -> tuple[float, ...]:
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    return tuple(100 * value for value in (similarity, precision, recall, f1))


def score(pages: Iterable[CorpusPage], guesses: Mapping[str, Mapping[str, Genre]]) -> Measured:
    """The scores of every system on the pages that have a genre and a gold text.

    `guesses` are by row, GOCE or GOCE_HTML, and by page, named corpus/id: the genre that a classifier
    predicts. The oracle uses the true genre. Systems of papers that are not there are left out. Raises
    KeyError for a page without a guess.
    """
    systems = _SYSTEMS
    rows: dict[str, list[tuple[float, float, float]]] = {
        name: [] for name in (*systems, *guesses, _ORACLE, _PSEUDO_CODE, _PSEUDO_ORACLE)
    }
    own: list[Genre] = []
    for page in pages:
        genre = GENRES.get(PageType(page.page_type)) if page.page_type else None
        if genre is None or page.gold_text is None:
            continue
        document = Document.from_html(page.html)
        found = {name: _scores(document, registry.get(name), page.gold_text) for name in systems}
        found[_PSEUDO_CODE] = _scores(document, article_by_pseudo_code, page.gold_text)
        for row, genres in guesses.items():
            found[row] = found[ALGORITHMS[genres[f"{page.corpus}/{page.id}"]]]
        found[_ORACLE] = found[ALGORITHMS[genre]]
        found[_PSEUDO_ORACLE] = found[_PSEUDO_CODE if genre is Genre.ARTICLE else ALGORITHMS[genre]]
        for name, values in found.items():
            rows[name].append(values)
        own.append(genre)
    return Measured({name: np.array(values).reshape(-1, 3) for name, values in rows.items()}, own)


def _scores(document: Document, system: Extractor, gold: str) -> tuple[float, float, float]:
    found = to_text(document, system.label(document))
    common = lcs(found, gold)
    return cosine(found, gold), common.precision, common.recall


def measure(pages: Iterable[CorpusPage], guesses: Mapping[str, Mapping[str, Genre]]) -> Section:
    """Table 2: a figure for each set of pages, system and measure. The arguments are those of `score`."""
    measured = score(pages, guesses)
    averages = {name: measured.averages(name) for name in measured.scores}
    figures = []
    for subset, paper in _PAPER.items():
        ours = {name: sets[subset] for name, sets in averages.items() if subset in sets}
        f1 = {name: values[-1] for name, values in ours.items()}
        if subset not in _MIXED:  # on the pages of one genre the oracle is that genre's algorithm
            ours = {name: values for name, values in ours.items() if name not in (_ORACLE, _PSEUDO_ORACLE)}
        for name, values in ours.items():
            asked = None
            if subset in _MIXED and name in _BY_GENRE:  # the best boilerpipe, and either algorithm alone
                asked = max(f1[other] for other in _SYSTEMS if other in f1 and other != "keep-all")
            theirs = paper.get(name, (None,) * len(MEASURES))
            figures += [
                Figure(f"{subset}, {name}: {kind}", their, value, asked=asked if kind == "F1" else None)
                for kind, their, value in zip(MEASURES, theirs, values, strict=True)
            ]
        if subset in _MIXED:
            figures += [
                Figure(
                    f"{subset}, {name}: F1 above the oracle's",
                    _FULL[GOCE][-1] - _FULL[_ORACLE][-1] if name == GOCE else None,
                    f1[name] - f1[_ORACLE],
                    asked=-_BEHIND,
                )
                for name in (GOCE, GOCE_HTML)
                if name in f1
            ]
    facts = {"articles": measured.genres.count(Genre.ARTICLE), "lists": measured.genres.count(Genre.LIST)}
    return Section("Table 2: content extraction by genre", figures=figures, facts=facts)
