from __future__ import annotations

import asyncio
import pickle
import runpy
import uuid
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llama_index")

import fsspec
from llama_index.core import SimpleDirectoryReader
from llama_index.core.ingestion import IngestionCache, IngestionPipeline
from llama_index.core.schema import BaseNode, Document, MetadataMode

import tamis
from tamis.integrations.llama_index import TamisNodeParser, TamisReader
from tests.integrations.harbour import GREEK, HTML, PAGE, URL, warnings_of
from tests.project import PROJECT
from tests.servers import LocalServer

PDF = b"%PDF-1.7"


def html_document(html: str = HTML, **metadata: object) -> Document:
    return Document(text=html, id_="given", metadata=metadata)


def test_a_file_becomes_a_document() -> None:
    (found,) = TamisReader().load_data(PAGE)
    assert found.text == tamis.extract(PAGE).markdown
    assert found.id_ == found.metadata["source"] == str(PAGE)
    assert (found.metadata["author"], found.metadata["date"]) == ("Maren Oddsdale", "2024-03-05")
    assert (found.metadata["language"], found.metadata["page_type"]) == ("en", "article")
    assert all(isinstance(value, str | bool | float) for value in found.metadata.values())


def test_models_see_the_metadata_that_help_them() -> None:
    (found,) = TamisReader().load_data(pages=[(HTML, URL)])
    embedded, shown = found.get_content(MetadataMode.EMBED), found.get_content(MetadataMode.LLM)
    assert "author: Maren Oddsdale" in embedded
    assert "author: Maren Oddsdale" in shown
    assert f"source: {URL}" in shown
    assert "source:" not in embedded
    assert "page_type:" not in embedded + shown
    assert "canonical_url:" not in embedded + shown


def test_pages_are_fetched_under_the_address_that_was_asked_for(site: LocalServer) -> None:
    old = site.address("/old")
    (found,) = TamisReader(allow_private=True).load_data(urls=old.replace("//", "//user:secret@"))
    assert found.id_ == found.metadata["source"] == old
    assert found.metadata["url"] == site.address("/new")
    assert "secret" not in found.to_json()
    with pytest.raises(tamis.FetchError):
        TamisReader().load_data(urls=[old])


def test_ids_are_the_same_each_time(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    reader = TamisReader()
    given = [HTML, (GREEK, URL), tamis.RawPage(HTML.encode(), "https://b.example/")]
    once = [each.id_ for each in reader.load_data(tmp_path / "a.html", pages=given)]
    again = [each.id_ for each in reader.load_data(tmp_path / "a.html", pages=given)]
    assert once == again
    assert once[0] == str(tmp_path / "a.html")
    assert once[2:] == [URL, "https://b.example/"]
    assert len(set(once)) == 4


def test_reading_is_lazy_and_asynchronous() -> None:
    documents = iter(TamisReader().lazy_load_data(pages=[HTML, PDF]))
    assert "swing bridge" in next(documents).text
    with pytest.raises(tamis.InputError):
        next(documents)
    found = asyncio.run(TamisReader().aload_data(pages=[HTML, GREEK]))
    assert [each.metadata["language"] for each in found] == ["en", "el"]


def test_what_is_given_counts() -> None:
    (found,) = TamisReader().load_data(pages=[(HTML, URL)], extra_info={"title": "Mine", "crawl": 3})
    assert (found.metadata["title"], found.metadata["crawl"], found.metadata["source"]) == ("Mine", 3, URL)


def test_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    (tmp_path / "b.html").write_bytes(GREEK.encode("iso-8859-7"))
    folder = SimpleDirectoryReader(str(tmp_path), file_extractor={".html": TamisReader()}, raise_on_error=True)
    first, second = sorted(folder.load_data(), key=lambda each: str(each.metadata["file_name"]))
    assert first.text == tamis.extract(HTML).markdown
    assert second.metadata["title"] == "Το γεφύρι"
    assert second.metadata["file_path"] == str(tmp_path / "b.html")


def test_files_of_another_file_system() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe("/archive/a.html", HTML.encode())
    reader = TamisReader()
    folder = SimpleDirectoryReader("/archive", fs=memory, file_extractor={".html": reader}, raise_on_error=True)
    (found,) = folder.load_data()
    assert found.text == tamis.extract(HTML).markdown
    assert found.id_ == "/archive/a.html"
    with pytest.raises(tamis.InputError, match=r"^/none\.html: "):
        reader.load_data("/none.html", fs=memory)


def test_a_skipped_page_is_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    (found,) = TamisReader(on_error="skip").load_data(pages=[(PDF, URL), HTML, "https://only.example/"])
    assert "swing bridge" in found.text
    first, second, last = warnings_of(caplog)
    assert first == f"{URL} failed and is skipped: this is a PDF file, not a web page"
    assert second.startswith("page 3 failed and is skipped: 'https://only.example/' is a URL, not a page")
    assert last == "2 of 3 pages failed and were skipped"


def test_an_empty_page_is_no_failure_and_not_silent(caplog: pytest.LogCaptureFixture) -> None:
    (found,) = TamisReader().load_data(pages=[("<p></p>", URL)])
    assert found.text == ""
    assert "error" not in found.metadata
    assert TamisNodeParser().get_nodes_from_documents([html_document("<p></p>", source=URL)]) == []
    assert warnings_of(caplog) == [f"{URL} has no main content"] * 2


@pytest.mark.parametrize(
    ("made", "options", "message"),
    [
        (TamisReader, {"extractor": "none"}, "no extractor is called 'none'"),
        (TamisNodeParser, {"favor_precision": True, "favor_recall": True}, "exclude each other"),
        (TamisReader, {"favour_recall": True}, "favour_recall"),
        (TamisReader, {"timeout": -1}, "seconds"),
        (TamisNodeParser, {"chunk_tokens": 100, "chunk_overlap": 90}, "twice chunk_overlap"),
    ],
)
def test_wrong_options_are_reported_at_once(made: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        made(**options)


def test_a_reader_needs_a_source() -> None:
    with pytest.raises(tamis.OptionError, match="give paths, urls or pages"):
        TamisReader().load_data()


def test_a_reader_can_be_written_and_read_again() -> None:
    reader = TamisReader(favor_recall=True, timeout=7, on_error="skip")
    assert TamisReader.from_dict(reader.to_dict()) == reader
    assert TamisReader.from_json(reader.to_json()) == reader
    assert pickle.loads(pickle.dumps(reader)) == reader


def test_options_are_those_of_extract() -> None:
    (found,) = TamisReader(extractor="keep-all", include_title=True, include_links=False).load_data(pages=[HTML])
    page = tamis.extract(HTML, extractor="keep-all", include_title=True, include_links=False)
    assert found.text == page.markdown
    (raw,) = TamisReader(output_format="raw").load_data(pages=[GREEK.encode("iso-8859-7")])
    assert raw.text == GREEK


def test_nodes_are_the_chunks_of_a_page() -> None:
    given = html_document(source=URL, title="Mine")
    nodes = TamisNodeParser(chunk_tokens=100, chunk_overlap=20).get_nodes_from_documents([given])
    chunks = tamis.extract(HTML, url=URL).chunks(chunk_tokens=100, chunk_overlap=20)
    assert [node.get_content() for node in nodes] == [chunk.markdown for chunk in chunks]
    assert nodes[-1].metadata["headings"] == "Why the toll is not going away"
    assert [node.metadata["chunk"] for node in nodes] == [*range(len(chunks))]
    assert {node.metadata["title"] for node in nodes} == {"Mine"}
    assert {node.metadata["author"] for node in nodes} == {"Maren Oddsdale"}
    embedded = nodes[-1].get_content(MetadataMode.EMBED)
    assert "headings: Why the toll" in embedded
    assert "xpath" not in embedded
    assert given.metadata == {"source": URL, "title": "Mine"}


def test_nodes_know_their_page_and_their_neighbours() -> None:
    parser = TamisNodeParser(chunk_tokens=100)
    other = Document(text=GREEK, id_="other")
    nodes = parser.get_nodes_from_documents([html_document(), other])
    mine = [node for node in nodes if node.ref_doc_id == "given"]
    assert [node.ref_doc_id for node in nodes[len(mine) :]] == ["other"] * (len(nodes) - len(mine))
    for before, after in pairwise(mine):
        assert before.next_node is not None
        assert after.prev_node is not None
        assert (before.next_node.node_id, after.prev_node.node_id) == (after.node_id, before.node_id)
    assert mine[0].prev_node is None
    assert mine[-1].next_node is None
    assert [node.node_id for node in parser([html_document(), other])] == [node.node_id for node in nodes]
    assert len({uuid.UUID(node.node_id) for node in nodes}) == len(nodes), "as some stores want them"


def test_settings_of_every_node_parser() -> None:
    plain = TamisNodeParser(
        chunk_tokens=100,
        include_metadata=False,
        include_prev_next_rel=False,
        id_func=lambda number, document: f"{document.node_id}/{number}",
        output_format="text",
    )
    first, *_ = plain.get_nodes_from_documents([html_document(source=URL)])
    assert first.metadata == {}
    assert first.next_node is None
    assert first.node_id == "given/0"
    assert first.get_content() == tamis.extract(HTML).chunks(chunk_tokens=100)[0].text


def test_a_tokenizer_counts_and_is_seen_by_the_cache() -> None:
    def words(text: str) -> list[str]:
        return text.split()

    cache = IngestionCache()
    found: list[list[BaseNode]] = []
    for tokenizer in (None, words, len):
        pipeline = IngestionPipeline(
            transformations=[TamisNodeParser(chunk_tokens=60, tokenizer=tokenizer)], cache=cache
        )
        found.append([*pipeline.run(documents=[html_document()])])
    estimated, by_words, by_characters = found
    assert all(len(words(node.get_content())) <= 60 for node in by_words)
    assert all(len(node.get_content()) <= 60 for node in by_characters)
    assert len(by_words) < len(estimated) < len(by_characters)


def test_failing_pages_of_a_parser(caplog: pytest.LogCaptureFixture) -> None:
    bad = html_document("https://only.example/", source=URL)
    nodes = TamisNodeParser(on_error="skip").get_nodes_from_documents([bad, Document(text=HTML, id_="good")])
    assert {node.ref_doc_id for node in nodes} == {"good"}
    first, last = warnings_of(caplog)
    assert first.startswith(f"{URL} failed and is skipped: ")
    assert last == "1 of 2 pages failed and were skipped"
    with pytest.raises(tamis.OptionError):
        TamisNodeParser().get_nodes_from_documents([bad])


def test_an_asynchronous_pipeline() -> None:
    parser = TamisNodeParser(chunk_tokens=100)
    nodes = asyncio.run(IngestionPipeline(transformations=[parser]).arun(documents=[html_document()]))
    assert [node.get_content() for node in nodes] == [node.get_content() for node in parser([html_document()])]


def test_the_example_runs_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(PROJECT / "examples" / "llama_index_reader.py"), run_name="__main__")
    first, again = capsys.readouterr().out.split("one of them has changed: ")
    assert "https://harbour.example/bridge | Why the toll is not going away" in first
    assert "https://harbour.example/ferry" in again
    assert "https://harbour.example/bridge" not in again
