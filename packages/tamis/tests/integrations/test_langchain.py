from __future__ import annotations

import asyncio
import json
import pickle
import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langchain_core")

from langchain_core.documents import Document

import tamis
from tamis.errors import MissingExtra
from tamis.integrations.langchain import OnError, TamisLoader, TamisTransformer
from tests.batch.extractors import NeedsMore, Obedient
from tests.integrations.harbour import GREEK, HTML, PAGE, URL, warnings_of
from tests.project import PROJECT
from tests.servers import LocalServer


def order(name: str) -> str:
    """A page that makes `Obedient` fail."""
    return f"<p>ORDER:{name} is what this page is about, and nothing else.</p>"


def test_a_file_becomes_a_document_with_flat_metadata() -> None:
    (found,) = TamisLoader(PAGE).load()
    assert found.page_content == tamis.extract(PAGE).markdown
    assert found.metadata["source"] == str(PAGE)
    expected = {
        "title": "Swing bridge reopens after 14-month repair, but tolls stay",
        "author": "Maren Oddsdale",
        "date": "2024-03-05",
        "language": "en",
        "site_name": "Harbour Gazette",
        "page_type": "article",
    }
    assert {name: found.metadata[name] for name in expected} == expected
    assert all(isinstance(value, str | int | float | bool) for value in found.metadata.values())
    json.dumps(found.metadata)


def test_several_authors_are_one_text_that_every_store_can_write() -> None:
    data = {"@type": "Article", "headline": "A \ud800 title", "author": [{"name": "Ann Lee"}, {"name": "Bo Ek"}]}
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    (found,) = TamisLoader(pages=[HTML.replace("Maren Oddsdale", "").replace("</head>", f"{script}</head>")]).load()
    assert found.metadata["author"] == "Ann Lee, Bo Ek"
    str(found.metadata).encode()


def test_pages_are_fetched_and_keep_what_was_asked_for(site: LocalServer) -> None:
    old = site.address("/old")
    (found,) = TamisLoader(urls=old.replace("//", "//user:secret@"), allow_private=True).load()
    assert found.metadata["source"] == old
    assert found.metadata["url"] == site.address("/new")
    assert "swing bridge" in found.page_content
    assert site.address("/docs/plan.pdf") in found.page_content, "links are absolute"
    assert "secret" not in str(found)


def test_all_kinds_of_sources_together_and_in_order(site: LocalServer, tmp_path: Path) -> None:
    (tmp_path / "greek.html").write_bytes(GREEK.encode("iso-8859-7"))
    loader = TamisLoader(
        [tmp_path / "greek.html", str(PAGE)],
        urls=[site.address("/new")],
        pages=[HTML, (HTML.encode(), URL), tamis.RawPage(HTML.encode(), URL)],
        output_format="text",
        allow_private=True,
    )
    sources = [each.metadata.get("source") for each in loader.lazy_load()]
    assert sources == [str(tmp_path / "greek.html"), str(PAGE), site.address("/new"), None, URL, URL]
    assert [each.page_content for each in loader.load()][1:] == [tamis.extract(HTML).text] * 5, "loaded once more"


def test_loading_is_lazy_and_asynchronous() -> None:
    documents = TamisLoader(pages=[HTML, order("raise")], extractor=Obedient()).lazy_load()
    assert "swing bridge" in next(documents).page_content
    with pytest.raises(ValueError, match="told"):
        next(documents)
    loader = TamisLoader(pages=[HTML, GREEK], chunk_tokens=100)

    async def loaded() -> list[Document]:
        return [document async for document in loader.alazy_load()]

    assert asyncio.run(loaded()) == loader.load()


def test_loaders_and_transformers_can_be_sent_to_other_processes() -> None:
    loader, transformer = TamisLoader(PAGE, chunk_tokens=100), TamisTransformer(chunk_tokens=100)
    assert pickle.loads(pickle.dumps(loader)).load() == loader.load()
    found = transformer.transform_documents([Document(HTML)])
    assert pickle.loads(pickle.dumps(transformer)).transform_documents([Document(HTML)]) == found


def test_options_are_those_of_extract() -> None:
    options: dict[str, Any] = {"extractor": "keep-all", "include_title": True, "include_links": False}
    (found,) = TamisLoader(pages=[(HTML, URL)], output_format="markdown", **options).load()
    assert found.page_content == tamis.extract(HTML, url=URL, **options).markdown


def test_a_skipped_page_is_logged_and_counted(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    (tmp_path / "plan.pdf").write_bytes(b"%PDF-1.7")
    loader = TamisLoader(
        [tmp_path / "plan.pdf", tmp_path / "none.html"],
        pages=[HTML, (order("raise"), URL)],
        extractor=Obedient(),
        on_error="skip",
    )
    assert len(loader.load()) == 1
    assert warnings_of(caplog) == [
        f"{tmp_path}/plan.pdf failed and is skipped: {tmp_path}/plan.pdf: this is a PDF file, not a web page",
        f"{tmp_path}/none.html failed and is skipped: {tmp_path}/none.html: No such file or directory",
        f"{URL} failed and is skipped: as told",
        "3 of 4 pages failed and were skipped",
    ]


def test_a_failure_can_be_a_document() -> None:
    failed, good = TamisLoader(pages=[(order("raise"), URL), HTML], extractor=Obedient(), on_error="document").load()
    assert failed.page_content == ""
    assert failed.metadata == {"source": URL, "error": "ValueError", "reason": "as told"}
    assert "error" not in good.metadata


@pytest.mark.parametrize("on_error", ["raise", "skip", "document"])
def test_what_is_wrong_with_every_page_is_always_raised(on_error: OnError) -> None:
    with pytest.raises(MissingExtra):
        TamisLoader(pages=[HTML], extractor=NeedsMore(), on_error=on_error).load()


def test_an_empty_page_is_no_failure_and_not_silent(caplog: pytest.LogCaptureFixture) -> None:
    (found,) = TamisLoader(pages=[("<p></p>", URL)]).load()
    assert found.page_content == ""
    assert "error" not in found.metadata
    assert TamisLoader(pages=[("<p></p>", URL)], chunk_tokens=100).load() == []
    assert warnings_of(caplog) == [f"{URL} has no main content"] * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give paths, urls or pages"),
        ({"paths": "https://user:secret@a.example/"}, r"^https://a\.example/ is a URL, not a path: give urls="),
        ({"paths": HTML}, "this is HTML, not a path: give pages="),
        ({"paths": PAGE, "extractor": "none"}, "no extractor is called 'none'"),
        ({"paths": PAGE, "favor_precision": True, "favor_recall": True}, "exclude each other"),
        ({"paths": PAGE, "chunk_tokens": 3}, "chunk_tokens"),
        ({"paths": PAGE, "timeout": 0}, "seconds"),
        ({"paths": PAGE, "on_error": "ignore"}, "on_error is raise, skip or document, not 'ignore'"),
        ({"paths": PAGE, "output_format": "html"}, "output_format is markdown or text, not 'html'"),
        ({"urls": [1]}, "a URL is a str, not int"),
        ({"paths": [1], "timeout": None}, r"a path is a str or a pathlib\.Path, not int"),
        ({"pages": [(HTML, 1)]}, "a URL or None, not int"),
    ],
)
def test_wrong_options_are_reported_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(tamis.OptionError, match=message):
        TamisLoader(**options)


def test_the_transformer_keeps_what_is_given_and_changes_nothing() -> None:
    given = Document(HTML, metadata={"source": URL, "title": "Mine", "tags": ["a"]}, id="7")
    before = given.model_copy(deep=True)
    (found,) = TamisTransformer().transform_documents([given])
    assert given == before
    assert found.id == "7"
    assert found.page_content == tamis.extract(HTML, url=URL).markdown
    assert (found.metadata["title"], found.metadata["tags"]) == ("Mine", ["a"])
    assert found.metadata["author"] == "Maren Oddsdale"
    several = (Document(HTML, id=str(number)) for number in range(3))
    assert [each.id for each in TamisTransformer().transform_documents(several)] == ["0", "1", "2"]  # type: ignore[arg-type]


def test_chunks_have_their_place_in_the_page() -> None:
    given = Document(HTML, metadata={"source": URL, "crawl": 3})
    found = TamisTransformer(chunk_tokens=100, chunk_overlap=20).transform_documents([given, Document(GREEK)])
    expected = tamis.extract(HTML, url=URL).chunks(chunk_tokens=100, chunk_overlap=20)
    first = [each for each in found if each.metadata.get("source") == URL]
    assert [each.page_content for each in first] == [chunk.markdown for chunk in expected]
    assert [each.metadata["chunk"] for each in first] == [*range(len(expected))]
    assert first[-1].metadata["headings"] == "Why the toll is not going away"
    assert first[-1].metadata["xpath"].endswith("/p[5]")
    assert {each.metadata["crawl"] for each in first} == {3}
    assert len(found) > len(first)
    whole = TamisTransformer(chunk_tokens=100, tokenizer=lambda text: 1).transform_documents([given])
    assert len(whole) == 1, "the tokenizer counts"


def test_a_transformer_with_failing_documents(caplog: pytest.LogCaptureFixture) -> None:
    documents = [Document(order("raise"), metadata={"source": "a\nb"}), Document(HTML, id="2")]
    (found,) = TamisTransformer(extractor=Obedient(), on_error="skip").transform_documents(documents)
    assert found.id == "2"
    assert warnings_of(caplog) == ["a b failed and is skipped: as told", "1 of 2 pages failed and were skipped"]
    with pytest.raises(tamis.OptionError, match="give chunk_tokens to TamisTransformer"):
        TamisTransformer().transform_documents(documents, chunk_tokens=100)


def test_the_example_answers_its_question(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(PROJECT / "examples" / "langchain_loader.py"), run_name="__main__")
    written = capsys.readouterr().out
    assert "| Van | 80p | £1.40 |" in written
    assert "under: Why the toll is not going away" in written
