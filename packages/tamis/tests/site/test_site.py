"""`tamis.Site`: what repeats on the pages of a site is template."""

from __future__ import annotations

import pickle
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.site import Site, page_evidence
from tamis.site.evidence import MOST_TEXTS, Evidence
from tamis.site.model import COLUMNS
from tamis.testing import check_extractor
from tests.golden import golden_pages
from tests.site.pages import TEASERS, article, page


def site_of(*numbers: int) -> Site:
    site = Site()
    for number in numbers:
        assert site.add(page(number))
    return site


@pytest.mark.parametrize("pages", [(1, 2, 3), (0, 1)])
def test_teasers_that_repeat_go_and_the_article_stays(pages: tuple[int, ...]) -> None:
    assert TEASERS[0] in tamis.extract(page(0)).text, "otherwise the page shows nothing"
    found = site_of(*pages).extract(page(0)).text
    assert not any(teaser in found for teaser in TEASERS)
    assert all(paragraph in found for paragraph in article(0))


def test_a_page_that_was_added_does_not_count_for_itself() -> None:
    for number in range(3):
        assert site_of(0, 1, 2).extract(page(number)).text == site_of(*{0, 1, 2} - {number}).extract(page(number)).text


def test_the_order_of_pages_does_not_matter() -> None:
    one, other = site_of(0, 1, 2, 3), site_of(3, 1, 0, 2)
    for number in range(6):
        assert one.extract(page(number)).labels.keep.tolist() == other.extract(page(number)).labels.keep.tolist()


def test_an_article_that_was_saved_twice_is_no_template() -> None:
    site = site_of(1)
    again = page(1).replace("<ul class=menu>", "<p>Monday</p><ul class=menu>")
    assert not site.add(again)
    assert site.pages == 1
    assert all(paragraph in site.extract(html).text for paragraph in article(1) for html in (page(1), again))


@pytest.mark.parametrize("others", [(), (1, 2, 3)])
def test_an_update_of_an_article_is_no_template(others: tuple[int, ...]) -> None:
    site = site_of(*others)
    news = (
        "The mayor, who had been on holiday, said on Friday that all of this could have been known, and promised more."
    )
    assert site.add(page(0, paragraphs=[f"{news} {article(0)[0]}", *article(0)[1:]])), "the longest paragraph is new"
    found = site.extract(page(0)).text
    assert all(paragraph in found for paragraph in article(0))
    assert not others or not any(teaser in found for teaser in TEASERS)


def test_leads_on_a_list_of_articles_are_no_template() -> None:
    site = site_of(1, 2, 3)
    leads = [f"<h2>Faults in building {number}</h2><p class=lead>{article(number)[0]}</p>" for number in range(12)]
    for some in (leads[:8], [leads[0], *leads[8:]]):
        assert site.add(f"<body><div class=list>{''.join(some)}</div></body>")
    assert all(paragraph in site.extract(page(0)).text for paragraph in article(0))


def test_a_page_without_content_is_not_learned_from() -> None:
    site = Site()
    assert not site.add("<ul><li><a href=/>Home</a></ul>")
    assert not site.add("")
    assert site.pages == 0


def test_without_other_pages_it_extracts_as_before() -> None:
    wanted = tamis.extract(page(0))
    for site in (Site(), site_of(0)):
        assert np.array_equal(site.extract(page(0)).labels.scores, wanted.labels.scores)


def test_a_page_of_another_site_keeps_its_content() -> None:
    site = site_of(0, 1, 2)
    for golden in golden_pages()[:8]:
        alone, found = tamis.extract(golden.source).words, site.extract(golden.source).words
        assert found >= 0.8 * alone, golden.name


def test_options_and_errors_are_those_of_extract() -> None:
    site = site_of(0, 1)
    assert site.extract(page(2), include_title=True).text.startswith("Faults in building 2")
    assert site.extract(page(2)).extractor == "tamis"
    with pytest.raises(tamis.OptionError, match="exclude each other"):
        site.extract(page(2), favor_precision=True, favor_recall=True)
    with pytest.raises(tamis.OptionError, match="timeout"):
        site.add(page(2), timeout=-1)
    with pytest.raises(tamis.OptionError, match="URL"):
        site.add("https://example.org/")
    with pytest.raises(tamis.InputError):
        site.add(Path("there-is-no-such-file.html"))


@pytest.mark.slow
def test_it_keeps_the_contract_of_extractors() -> None:
    check_extractor(site_of(0, 1, 2).extractor)


def test_threads_may_share_it() -> None:
    site = site_of(0, 1, 2)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda number: (site.add(page(number)), site.extract(page(number)).text)[1], range(8)))
    assert all(paragraph in text for number, text in enumerate(found) for paragraph in article(number))


def test_it_is_saved_as_plain_data(tmp_path: Path) -> None:
    site = site_of(0, 1, 2)
    site.save(tmp_path / "site")
    again = Site.load(tmp_path / "site")
    assert again.pages == 3
    assert np.array_equal(again.extract(page(4)).labels.scores, site.extract(page(4)).labels.scores)
    assert again.add(page(5))
    assert not again.add(page(1))


@pytest.mark.parametrize(
    "data",
    [b"", b"no site", pickle.dumps({}), b"\xff" * 8 + b"{}", b"\x02\0\0\0\0\0\0\0{}", b"\x04\0\0\0\0\0\0\0null"],
)
def test_a_file_that_is_no_site_is_an_input_error(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "site").write_bytes(data)
    with pytest.raises(tamis.InputError, match="site"):
        Site.load(tmp_path / "site")


def test_a_damaged_or_missing_file_is_an_input_error(tmp_path: Path) -> None:
    site_of(0, 1).save(tmp_path / "site")
    data = (tmp_path / "site").read_bytes()
    (tmp_path / "site").write_bytes(data[: len(data) // 2])
    for name in ("site", "none"):
        with pytest.raises(tamis.InputError):
            Site.load(tmp_path / name)
    with pytest.raises(tamis.InputError):
        site_of(0).save(tmp_path / "none" / "site")


def evidence(runs: int, random: np.random.Generator) -> Evidence:
    texts = random.integers(1, 2**63, runs, dtype=np.uint64)
    logits = random.normal(1, 3, runs).astype(np.float32)
    words = random.integers(1, 60, runs).astype(np.float32)
    return Evidence(texts, random.integers(1, 50, runs, dtype=np.uint64), logits, words)


def test_options_are_those_of_extract_but_the_extractor() -> None:
    ours, theirs = (set(signature(function).parameters) for function in (Site.extract, tamis.extract))
    assert ours - {"self"} == theirs - {"extractor"}


@pytest.mark.nightly
def test_memory_is_bounded() -> None:
    random = np.random.default_rng(1)
    repeated = np.arange(1, 20, dtype=np.uint64)
    site = Site()
    tracemalloc.start()
    for _ in range(1_500):
        some = evidence(100, random)
        site.add_evidence(Evidence(np.concatenate([repeated, some.text[19:]]), some.place, some.logit, some.words))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 5e6
    assert len(site._counts.texts.keys) <= MOST_TEXTS
    assert site._counts.texts.of(repeated)[:, 0].min() >= 1_400, "what repeats is kept"


@given(st.integers(0, 2**32), st.integers(0, 12))
def test_columns_are_finite_and_of_the_runs_that_repeat(seed: int, pages: int) -> None:
    random = np.random.default_rng(seed)
    site = Site()
    known = [evidence(int(random.integers(0, 30)), random) for _ in range(pages)]
    for each in known:
        site.add_evidence(each)
    for each in [evidence(20, random), *known]:
        if (found := site.repeats(each)) is not None:
            assert len(found.which) == len(each)
            assert found.columns.shape == (found.which.sum(), len(COLUMNS))
            assert np.isfinite(found.columns).all()


@given(st.binary(max_size=200))
def test_evidence_is_read_or_refused(data: bytes) -> None:
    try:
        found = Evidence.from_bytes(data)
    except tamis.InputError:
        return
    assert found.to_bytes() == data


def test_evidence_survives_bytes() -> None:
    found = page_evidence(tamis.Document.from_html(page(0)))
    assert Evidence.from_bytes(found.to_bytes()).to_bytes() == found.to_bytes()
    assert len(found) > 0
