"""What every registered extractor owes its users. A new one is found by itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import tamis
from tamis import registry
from tamis.labels import Labels, Role
from tamis.protocol import read_by
from tests.golden import golden_pages
from tests.hostile import HOSTILE

NAMES = list(tamis.extractors())
GOLDEN = {page.name: page for page in golden_pages()}

pytestmark = pytest.mark.parametrize("name", NAMES)


def label(name: str, html: str | bytes) -> tuple[tamis.Document, Labels]:
    document = tamis.Document.from_html(html)
    return document, registry.get(name).label(document)


def read(name: str, document: tamis.Document) -> tamis.Document:
    """The page as the extractor wants to be asked about it."""
    extractor = registry.get(name)
    return read_by(extractor, document)


def check(document: tamis.Document, labels: Labels) -> None:
    leaves = len(document.leaves)
    assert labels.scores.shape == labels.keep.shape == (leaves,)
    assert labels.keep.dtype == np.bool_
    assert np.isfinite(labels.scores).all()
    assert ((labels.scores >= 0) & (labels.scores <= 1)).all()
    assert not labels.keep[~document.leaves.visible].any(), "something invisible was kept"
    assert not labels.scores[~document.leaves.visible].any(), "something invisible has a score"
    assert 0 < labels.threshold < 1
    assert labels.roles is None or len(labels.roles) == leaves
    assert all(isinstance(labels.role(leaf), Role) for leaf in range(min(leaves, 100)))


@pytest.mark.parametrize("page", GOLDEN.values(), ids=GOLDEN)
def test_labels_fit_the_document(name: str, page: object) -> None:
    document = GOLDEN[getattr(page, "name")].document()  # noqa: B009
    check(document, registry.get(name).label(document))


@pytest.mark.parametrize("page", GOLDEN.values(), ids=GOLDEN)
def test_labels_fit_the_document_as_the_extractor_reads_it(name: str, page: object) -> None:
    document = read(name, GOLDEN[getattr(page, "name")].document())  # noqa: B009
    check(document, registry.get(name).label(document))


FOLDS = """<title>t</title><p>shown words</p><div hidden><p>folded words</p><img src=x></div>
    <p style="display:none">more of them</p><template>never</template><video>fallback</video><p>end</p>"""


def test_reading_a_page_does_not_change_it(name: str) -> None:
    document = tamis.Document.from_html(FOLDS)
    before = document.leaves.visible.copy(), document.leaves.folded.copy()
    asked = read(name, document)
    assert np.array_equal(document.leaves.visible, before[0])
    assert np.array_equal(document.leaves.folded, before[1])
    assert not (document.leaves.visible & ~asked.leaves.visible).any(), "something that is shown is not read"
    check(asked, registry.get(name).label(asked))


def test_what_no_reader_can_see_is_never_kept(name: str) -> None:
    wishes: list[dict[str, Any]] = [{}, {"favor_precision": True}, {"favor_recall": True}, {"include_comments": True}]
    for options in wishes:
        page = tamis.extract(FOLDS, extractor=name, **options)
        leaves = page.document.leaves
        assert not page.labels.keep[~leaves.visible].any(), options
        assert not {"never", "fallback", "t"} & set(page.text.split()), options


@pytest.mark.parametrize("page", ["article-news", "forum-thread", "product", "documentation-code", "search-results"])
def test_precision_keeps_no_more_and_recall_no_less(name: str, page: str) -> None:
    html = GOLDEN[page].source
    precise, usual, complete = (
        tamis.extract(html, extractor=name, **wish)
        for wish in ({"favor_precision": True}, dict[str, Any](), {"favor_recall": True})
    )
    texts = usual.document.leaves.visible_text
    least, kept, most = (found.labels.keep[texts] for found in (precise, usual, complete))
    if np.array_equal(kept, usual.labels.scores[texts] >= usual.labels.threshold):  # where scores alone decide
        assert not (least & ~kept).any()
        assert not (kept & ~most).any()
    assert least.sum() <= kept.sum() <= most.sum()


def test_media_stay_or_go_and_are_not_shown_when_hidden(name: str) -> None:
    document = read(name, GOLDEN["article-news"].document())
    labels = registry.get(name).label(document)
    media = document.leaves.is_media
    assert media.any()
    if labels.nodes is None:  # else they have scores of their own
        assert np.array_equal(labels.scores[media], labels.keep[media].astype(np.float64))


def test_same_page_same_labels(name: str) -> None:
    for page in GOLDEN.values():
        first, second = (registry.get(name).label(page.document()) for _ in range(2))
        assert np.array_equal(first.scores, second.scores)
        assert np.array_equal(first.keep, second.keep)
        assert first.roles == second.roles


def test_the_document_stays_as_it_is(name: str) -> None:
    document = GOLDEN["forum-thread"].document()
    columns = [vars(document.leaves), vars(document.elements)]
    before = [{key: deepcopy(value) for key, value in table.items() if not key.startswith("_")} for table in columns]
    registry.get(name).label(document)
    for table, copy in zip(columns, before, strict=True):
        for key, value in copy.items():
            assert np.array_equal(table[key], value), key
    assert document.html == tamis.Document.from_html(GOLDEN["forum-thread"].source).html


@pytest.mark.parametrize("html", ["", " \n\t ", "<html></html>", "<!-- nothing -->", b"", "<script>var a;</script>"])
def test_a_page_without_text_has_no_content(name: str, html: str | bytes) -> None:
    document, labels = label(name, html)
    check(document, labels)
    assert tamis.extract(html, extractor=name).text == ""


def test_plain_text_is_a_page_of_one_leaf(name: str) -> None:
    document, labels = label(name, "Just a line of text without any markup at all, long enough to be a sentence.")
    check(document, labels)
    assert len(labels.keep) == 1


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 20, b"%PDF-1.7\n\x00\xff\xfe", b"\x89PNG\r\n\x1a\n" * 50, b"\xff" * 999]
)
def test_bytes_that_are_no_page_end_in_a_result(name: str, data: bytes) -> None:
    check(*label(name, data))


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages_end_in_a_result(name: str, kind: str) -> None:
    html = HOSTILE[kind](3_000)
    check(*label(name, html))
    page = tamis.extract(html, extractor=name)
    assert isinstance(page.text + page.markdown + page.html + page.json, str)


def test_str_and_bytes_give_the_same_answer(name: str) -> None:
    for page in GOLDEN.values():
        document = page.document()
        from_text = tamis.extract(document.html, extractor=name)
        from_bytes = tamis.extract(document.html.encode(), extractor=name)
        assert from_text.text == from_bytes.text
        assert np.array_equal(from_text.labels.keep, from_bytes.labels.keep)


def test_threads_do_not_disturb_each_other(name: str) -> None:
    pages = list(GOLDEN.values())
    expected = [tamis.extract(page.source, extractor=name).text for page in pages]
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(tamis.extract, page.source, extractor=name) for _ in range(4) for page in pages]
        assert [job.result().text for job in jobs] == expected * 4


def test_one_document_can_be_labelled_by_many_threads(name: str) -> None:
    document = GOLDEN["article-news"].document()
    expected = registry.get(name).label(GOLDEN["article-news"].document())
    with ThreadPoolExecutor(8) as pool:
        for labels in pool.map(lambda _: registry.get(name).label(document), range(16)):
            assert np.array_equal(labels.keep, expected.keep)


def test_it_is_listed_with_a_summary_and_a_paper(name: str) -> None:
    entry = tamis.extractors()[name]
    assert entry.name == name
    assert entry.summary
    assert entry.paper
