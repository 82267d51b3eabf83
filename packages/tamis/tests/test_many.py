from __future__ import annotations

import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.batch import many
from tamis.batch.rows import BatchOptions, answer
from tamis.batch.workers import PageTask
from tamis.document import Document
from tamis.worker.limits import Limits
from tamis.worker.pool import Part, Pool
from tests.batch.archives import SENTENCE, page
from tests.batch.extractors import Obedient

pytestmark = pytest.mark.xdist_group("batch-workers")


def children() -> int:
    return len(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())


def test_results_are_those_of_extract_in_the_same_order() -> None:
    pages = [page(number, "word " * (number % 7)) for number in range(60)]
    found = list(tamis.extract_many(pages, workers=2, extractor="keep-all", markdown=True, chunk_tokens=40))
    assert len(found) == 60
    for html, result in zip(pages, found, strict=True):
        alone = tamis.extract(html, extractor="keep-all")
        assert isinstance(result, tamis.Extracted)
        assert (result.text, result.markdown, result.title) == (alone.text, alone.markdown, alone.title)
        assert result.chunks
        assert [chunk["text"] for chunk in result.chunks] == [chunk.text for chunk in alone.chunks(chunk_tokens=40)]
        assert result.page_type == str(alone.page_type)
        assert (result.language, result.extractor, result.url) == ("en", "keep-all", None)


@pytest.mark.slow
def test_metadata_with_and_without_text() -> None:
    html = page(1).replace(
        b"</head>", b'<meta name=author content="Ann Lee"><meta name=date content=2020-01-02></head>'
    )
    expected = tamis.read_metadata(html)
    for text in (True, False):
        (found,) = tamis.extract_many([html], workers=1, text=text, metadata=True)
        assert isinstance(found, tamis.Extracted)
        assert bool(found.text) == text
        assert found.metadata is not None
        confidences = found.metadata.pop("confidences")
        values = {name: value for name, value in expected.values().items() if name != "language"}
        assert found.metadata == values
        assert (found.title, found.metadata["authors"], found.metadata["date"]) == (
            "Page 1",
            ["Ann Lee"],
            "2020-01-02",
        )
        assert {"title", "authors", "date"} <= set(confidences)
    (plain,) = tamis.extract_many([html], workers=1)
    assert isinstance(plain, tamis.Extracted)
    assert plain.metadata is None
    (bare,) = tamis.extract_many([html], workers=1, text=False, title=False, page_type=False, metadata=True)
    assert isinstance(bare, tamis.Extracted)
    assert (bare.title, bare.page_type, bare.page_type_confidence, bare.markdown, bare.chunks) == (None,) * 5
    assert (bare.text, bare.language, bare.extractor, bare.seconds > 0) == ("", "en", "tamis", True)
    assert bare.metadata
    assert "title" not in bare.metadata


def test_pages_are_text_or_bytes_with_or_without_a_url() -> None:
    text = "<meta charset=latin1><p>Größe \ud800</p>"
    pages: list[str | bytes | tuple[str | bytes, str | None]] = [
        text,
        text.encode("utf-8", "replace"),
        (text, "https://example.org/"),
        (text.encode("latin-1", "replace"), None),
    ]
    found = list(tamis.extract_many(pages, workers=1, extractor="keep-all", title=False, page_type=False))
    assert [result.text[:5] for result in found if isinstance(result, tamis.Extracted)] == ["Größe"] * 4
    assert [result.url for result in found] == [None, None, "https://example.org/", None]


def test_a_failure_is_a_value_in_its_place() -> None:
    orders = ["", "kill", "", "hang", "raise", ""]
    pages = [(page(number, f"ORDER:{order} " if order else ""), f"u:{number}") for number, order in enumerate(orders)]
    found = list(tamis.extract_many(pages, workers=2, extractor=Obedient(), timeout=0.5))
    kinds = [result.kind if isinstance(result, tamis.PageFailed) else "" for result in found]
    assert kinds == ["", "crash", "", "timeout", "parse-error", ""]
    assert [result.url for result in found] == [f"u:{number}" for number in range(6)]
    with pytest.raises(tamis.TamisError, match="ValueError: as told"):
        raise found[4]  # type: ignore[misc]


@pytest.mark.slow
def test_pages_are_taken_only_a_little_ahead() -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield page(taken)

    before = children()
    results = tamis.extract_many(endless(), workers=2, extractor="keep-all", title=False, page_type=False)
    assert taken == 0, "nothing happens before a result is asked for"
    assert children() == before
    for _ in range(100):
        next(results)
    assert taken <= 100 + 16 * 2 * 5
    results.close()  # type: ignore[attr-defined]
    assert children() == before


@pytest.mark.slow
def test_a_slow_page_does_not_let_the_others_run_away() -> None:
    taken = 0

    def pages() -> Iterator[bytes]:
        nonlocal taken
        for number in range(2_000):
            taken += 1
            yield page(number, "ORDER:hang " if number == 0 else "")

    results = tamis.extract_many(pages(), workers=2, extractor=Obedient(), title=False, page_type=False, timeout=2.0)
    start = time.monotonic()
    assert isinstance(next(results), tamis.PageFailed)
    assert time.monotonic() - start >= 2.0
    assert taken <= 16 * 2 * 5
    assert sum(1 for _ in results) == 1_999


def test_wrong_pages_and_options_are_refused() -> None:
    with pytest.raises(tamis.OptionError, match=r"page 1: a page is str.* this is int"):
        list(tamis.extract_many([page(0), 5], workers=1))
    html = "<p>a page</p>"
    data, tree = html.encode(), ET.fromstring(html)
    for one in (html, data, memoryview(data), tamis.RawPage(data), Path("page.html"), Document.from_html(html), tree):
        with pytest.raises(tamis.OptionError, match=f"give a list of pages, .* this is one {type(one).__name__}$"):
            tamis.extract_many(one)  # type: ignore[arg-type]
    with pytest.raises(tamis.OptionError, match="page 0: a Document can't be sent to other processes; give its HTML"):
        list(tamis.extract_many([Document.from_html(html)], workers=1))
    with pytest.raises(tamis.OptionError, match="page 0: the second of a pair is a URL or None, not int"):
        list(tamis.extract_many([(page(0), 5)], workers=1))
    with pytest.raises(tamis.UnknownExtractor):
        tamis.extract_many([], extractor="none")
    with pytest.raises(tamis.OptionError):
        tamis.extract_many([], workers=0)
    assert list(tamis.extract_many([])) == []


def test_results_come_before_an_error_of_what_follows() -> None:
    def broken() -> Iterator[bytes]:
        yield from map(page, range(20))
        raise LookupError("no more pages")

    good = [page(number) for number in range(20)]
    for pages, error in (([*good, 5, page(0)], tamis.OptionError), (broken(), LookupError)):
        results = tamis.extract_many(pages, workers=1, extractor="keep-all", title=False, page_type=False)
        found = [next(results) for _ in good]
        assert all(isinstance(result, tamis.Extracted) for result in found)
        with pytest.raises(error, match=r"page 20: a page is|no more pages"):
            next(results)


def test_pages_are_what_extract_accepts(tmp_path: Path) -> None:
    file, url = tmp_path / "page.html", "https://a.example/"
    file.write_text("<p>A café", encoding="latin-1")
    pages = [bytearray(b"<p>Bytes"), file, tamis.RawPage("<p>A café".encode("utf-16"), url, "utf-16"), (file, url)]
    found = list(tamis.extract_many(pages, workers=1, extractor="keep-all", title=False, page_type=False))
    assert all(isinstance(each, tamis.Extracted) for each in found)
    assert [(each.text, each.url) for each in found if isinstance(each, tamis.Extracted)] == [
        ("Bytes", None),
        ("A café", None),
        ("A café", url),
        ("A café", url),
    ]


def test_a_page_that_is_only_named_fails_alone(tmp_path: Path) -> None:
    url = "https://a.example/"
    pages = [url, ("page.html", url), tmp_path / "none.html", "<p>A page"]
    *named, good = tamis.extract_many(pages, workers=1, extractor="keep-all")
    assert isinstance(good, tamis.Extracted)
    assert all(isinstance(each, tamis.PageFailed) and each.kind == "unreadable" for each in named)
    words = [str(each) for each in named]
    assert words[0] == f"{url!r} is a URL, not a page: give tamis.fetch(url) instead"
    assert "'page.html' is a file name" in words[1]
    assert "No such file" in words[2]


@pytest.mark.slow
def test_it_needs_no_guard_around_a_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import tamis\n"
        "for result in tamis.extract_many(['<p>One page of text.</p>'] * 3, workers=2, extractor='keep-all'):\n"
        "    print(result.text)\n"
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, encoding="utf-8", check=True)
    assert ran.stdout == "One page of text.\n" * 3
    assert ran.stderr == ""


def test_pages_of_a_chunk_that_can_not_be_finished_are_failures_and_the_rest_goes_on() -> None:
    class Broken(Pool[Any, Any]):
        def answers(self, works: Iterable[Any], *, window: int | None = None) -> Iterator[Part[Any]]:
            first, second = works
            row = answer(first[0], BatchOptions(columns="all"))
            yield Part(0, [row], False)
            yield Part(1, [answer(record, BatchOptions(columns="all")) for record in second], True)
            yield Part(0, [], False, "reading item 1 ended 2 workers")

    pages = [f"<p>{number} {SENTENCE * 5}" for number in range(18)]
    pool = Broken(PageTask(BatchOptions(columns="all")), Limits(1.0), workers=1)
    found = list(many._in_order(pool, pages, 1))
    assert len(found) == 18
    assert [type(result) for result in found] == [tamis.Extracted, *[tamis.PageFailed] * 15, *[tamis.Extracted] * 2]
    assert "reading item 1" in str(found[1])
