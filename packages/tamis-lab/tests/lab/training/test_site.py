"""Learning the weights of a site's evidence, from a made-up corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.extractor.tamis import Tamis
from tamis.site import Site, SiteTamis
from tamis.site.model import COLUMNS, load_model
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.site import SitePage, examples, learn, learned_page, write
from tests.site.pages import TEASERS, article, page


def corpus_page(number: int) -> CorpusPage:
    return CorpusPage("mine", str(number), page(number).encode(), "all", gold_text="\n".join(article(number)))


@pytest.fixture(scope="module")
def site() -> list[SitePage]:
    found = [learned_page(corpus_page(number), Tamis()) for number in range(5)]
    return [each for each in found if each]


def test_a_page_is_learned_with_all_others_and_with_some(site: list[SitePage]) -> None:
    found = list(examples(site, np.random.default_rng(1)))
    assert len(found) == 3 * len(site)
    assert all(each.columns.shape == (len(each.content), len(COLUMNS)) for each in found)
    assert all(not each.content.any() for each in found), "teasers repeat, articles do not"
    again = list(examples(site, np.random.default_rng(1)))
    assert all(np.array_equal(one.columns, other.columns) for one, other in zip(found, again, strict=True))


def test_what_repeats_is_learned_to_be_template(site: list[SitePage], tmp_path: Path) -> None:
    found = list(examples(site, np.random.default_rng(1)))
    weights = [learn(found, articles=articles) for articles in (True, False)]
    write(tmp_path / "site", weights, {"trained_on": []})
    model = load_model(tmp_path / "site")
    assert model.weights.shape == (2, len(COLUMNS))
    known = Site()
    for number in range(1, 5):
        known.add(page(number))
    text = tamis.extract(page(0), extractor=SiteTamis(known, weights=tmp_path / "site")).text
    assert all(paragraph in text for paragraph in article(0))
    assert not any(teaser in text for teaser in TEASERS)
