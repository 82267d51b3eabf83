"""What other pages of the site say about each run of a page, as columns of numbers."""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bools
from tamis.extractor.scaling import Singles
from tamis.site.counts import PLACE_COLUMNS, TEXT_COLUMNS, Counts, SiteCounts, Table, contribution, first_sights
from tamis.site.evidence import Evidence

_PAGES, _KEPT, _LAST = range(len(TEXT_COLUMNS))
_PLACE_PAGES, _RUNS, _TEXTS, _LOGIT, _WORDS, _LIKELY = range(len(PLACE_COLUMNS))

# A text is known if another page has it, a place if another page has a run there. "Kept" is what the default extractor
# keeps, and the logit is its logit above its threshold.
COLUMNS = (
    "logit",
    "log words",
    "known",
    "share of pages with the text",
    "share of pages that keep the text",
    "known: log words",
    "share of pages that keep the text: log pages",
    "known: logit above 0",
    "share of pages that keep the text: logit above 0",
    "known place: logit",
    "known place: mean logit there",
    "share of pages with the place",
    "share of pages with the place: mean logit there",
    "share of repeated texts at the place",
    "share of known texts at the place on this page",
    "new: share of known texts at the place on this page",
    "share of known texts around it",
    "new: share of known texts around it",
    "share of known words among those kept on this page",
)


def columns(page: Evidence, counts: SiteCounts) -> Singles | None:
    """(runs, COLUMNS); None where no other page is known. A page that is known itself does not count."""
    counts.settle()
    pages, texts, places = counts.pages, counts.texts.of(page.text), counts.places.of(page.place)
    if counts.knows(page.fingerprint):
        pages, texts, places = pages - 1, *_without(page, texts, places)
    if pages < 1 or not len(page):
        return None
    known = texts[:, _PAGES] > 0
    has_place = places[:, _RUNS] > 0
    runs = np.maximum(places[:, _RUNS], 1)
    share_kept = np.minimum(texts[:, _KEPT] / pages, 1)
    place_share = np.minimum(places[:, _PLACE_PAGES] / pages, 1)
    place_logit = places[:, _LOGIT] / runs
    positive = np.maximum(page.logit, 0)
    here, around = _share_at_place(page, known), _share_around(known)
    kept_words = page.words * page.kept
    found = (
        page.logit,
        np.log1p(page.words),
        known,
        np.minimum(texts[:, _PAGES] / pages, 1),
        share_kept,
        known * np.log1p(page.words),
        share_kept * np.log(pages),
        known * positive,
        share_kept * positive,
        has_place * page.logit,
        place_logit,
        place_share,
        place_share * place_logit,
        np.where(has_place, 1 - np.minimum(places[:, _TEXTS] / runs, 1), 0),
        here,
        ~known * here,
        around,
        ~known * around,
        np.full(len(page), (kept_words * known).sum() / max(kept_words.sum(), 1.0)),
    )
    return np.stack([column.astype(np.float32) for column in found], axis=1)


def _without(page: Evidence, texts: Counts, places: Counts) -> tuple[Counts, Counts]:
    """The rows of a page's texts and places, as if the page had not been added."""
    is_new = first_sights([page], Table.empty(TEXT_COLUMNS)) & (texts[:, _PAGES] < 2)
    own_texts, own_places = contribution(page, 0, is_new)
    left = places - own_places.of(page.place)
    left[left[:, _RUNS] < 1] = 0  # no other page has the place
    return np.maximum(texts - own_texts.of(page.text), 0), left


def _share_at_place(page: Evidence, known: Bools) -> Singles:
    """For each run: the share of known texts among the runs at its place on this page."""
    _, place = np.unique(page.place, return_inverse=True)
    shares: Singles = (np.bincount(place, known) / np.bincount(place))[place].astype(np.float32)
    return shares


def _share_around(known: Bools) -> Singles:
    """For each run: the share of known texts among the two runs before it and the two after it."""
    sums = np.zeros((2, len(known)), np.float32)  # of known runs, and of runs
    for value, total in zip((known.astype(np.float32), np.ones(len(known), np.float32)), sums, strict=True):
        for distance in (1, 2):
            total[distance:] += value[:-distance]
            total[:-distance] += value[distance:]
    shares: Singles = sums[0] / np.maximum(sums[1], 1)
    return shares
