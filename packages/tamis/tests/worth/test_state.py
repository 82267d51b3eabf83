"""The state of a page: what it shows in place of content."""

from __future__ import annotations

from collections import Counter
from time import process_time

import pytest

import tamis
from tamis.worth.state import PageState, StateGuess, page_state
from tests.golden import GoldenPage, golden_pages, state_pages

PAGES = state_pages()
_PARAGRAPH = "The harbour was dredged in spring, and since then even the larger boats moor at the inner quay. "
_LEAST = 20  # golden pages of each state


def guess(html: str, **answer: object) -> StateGuess:
    page = tamis.extract(html)
    return page_state(page.document, page.labels, **answer)  # type: ignore[arg-type]


@pytest.mark.parametrize("page", PAGES, ids=[f"{page.group}-{page.name}" for page in PAGES])
def test_a_golden_page_is_in_its_state(page: GoldenPage) -> None:
    found = guess(page.html, status=page.head.get("status"), headers=page.head.get("headers"))
    assert found.state == page.group, found
    assert 1 / len(PageState) < found.probability <= 1


def test_there_are_enough_pages_of_each_state() -> None:
    counts = Counter(page.group for page in PAGES)
    assert counts.keys() == set(PageState)
    assert min(counts.values()) >= _LEAST


@pytest.mark.parametrize("page", golden_pages(), ids=lambda page: page.name)
def test_other_golden_pages_are_content(page: GoldenPage) -> None:
    expected = PageState.EMPTY_SHELL if page.name == "spa-shell" else PageState.CONTENT
    assert guess(page.html).state is expected


def test_the_evidence_is_in_words() -> None:
    html = "<title>Just a moment...</title><h1>tidewise.example</h1><p>Verifying you are human.</p>"
    found = guess(html, status=403)
    assert found.state is PageState.BOT_CHALLENGE
    assert "the title says 'Just a moment...'" in found.evidence
    assert "the HTTP status is 403" in found.evidence


def test_an_article_needs_more_than_a_status_to_be_an_error() -> None:
    article = f"<article><h1>The harbour</h1>{f'<p>{_PARAGRAPH * 4}</p>' * 6}</article>"
    assert guess(article, status=404).state is PageState.CONTENT
    assert guess("<p>The harbour", status=404).state is PageState.ERROR_PAGE


def test_names_of_headers_are_compared_in_any_case() -> None:
    assert guess("<p>Hello there", headers={"CF-Mitigated": "challenge"}).state is PageState.BOT_CHALLENGE
    assert guess("<p>Hello there", headers={"Server": "cloudflare"}).state is PageState.CONTENT


def test_any_extractor_will_do() -> None:
    page = tamis.extract("<title>404 Not Found</title><h1>404 Not Found</h1>", extractor="keep-all")
    assert page_state(page.document, page.labels).state is PageState.ERROR_PAGE


@pytest.mark.nightly
@pytest.mark.parametrize(
    "part",
    [
        "<a>we use cookies accept all</a>",
        "<main><div id=app>not a robot ",
        "<h1>404 page not found ",
        "page not found ",
        "<p>subscribe to continue reading",
    ],
)
def test_linear(part: str) -> None:
    times = []
    for count in (5_000, 20_000):
        page = tamis.extract(part * count)
        start = process_time()
        page_state(page.document, page.labels)
        times.append(process_time() - start)
    assert times[1] < 8 * times[0] + 0.1
