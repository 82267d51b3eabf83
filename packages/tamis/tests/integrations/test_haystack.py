from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("haystack")

import tamis
from tamis.extractor.keep_all import keep_all
from tests.servers import LocalServer

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # it is read when Haystack is imported; tests do not reach the web

from haystack import Document, Pipeline
from haystack.components.fetchers import LinkContentFetcher
from haystack.components.joiners import DocumentJoiner
from haystack.core.errors import DeserializationError
from haystack.dataclasses import ByteStream

from tamis.integrations.haystack import TamisConverter
from tests.integrations.harbour import GREEK, HTML, PAGE, URL, warnings_of
from tests.project import PROJECT

MODULE = "tamis.integrations.haystack"


@pytest.fixture
def pipeline() -> Pipeline:
    """From addresses to documents."""
    built = Pipeline()
    built.add_component("fetcher", LinkContentFetcher(raise_on_failure=False, retry_attempts=0))
    built.add_component("converter", TamisConverter(favor_recall=True, timeout=20))
    built.add_component("joiner", DocumentJoiner())
    built.connect("fetcher.streams", "converter.sources")
    built.connect("converter.documents", "joiner.documents")
    return built


def converted(*sources: str | Path | ByteStream, **options: Any) -> list[Document]:
    return TamisConverter(**options).run([*sources])["documents"]


def test_files_and_streams_become_documents() -> None:
    first, second, third = converted(str(PAGE), PAGE, ByteStream(HTML.encode(), meta={"url": URL}))
    assert first.content == second.content == tamis.extract(PAGE).markdown
    assert third.content == tamis.extract(HTML, url=URL).markdown
    assert "https://harbour.example/docs/plan.pdf" in third.content, "links are absolute"
    assert first.meta["file_path"] == "harbour.html"
    assert (third.meta["url"], third.meta["author"], third.meta["date"]) == (URL, "Maren Oddsdale", "2024-03-05")
    assert (third.meta["language"], third.meta["page_type"]) == ("en", "article")
    assert all(isinstance(value, str | bool | float) for value in third.meta.values())
    stream = ByteStream(HTML.encode(), meta={"file_path": str(PAGE)})  # as routers and fetchers of files give it
    assert [each.meta["file_path"] for each in converted(PAGE, stream, store_full_path=True)] == [str(PAGE)] * 2
    assert converted(stream)[0].meta["file_path"] == "harbour.html"


def test_what_is_given_counts_and_is_not_changed() -> None:
    stream = ByteStream(HTML.encode(), meta={"url": URL, "title": "Mine", "author": "Me"})
    before = dict(stream.meta)
    converter = TamisConverter()
    (found,) = converter.run([stream], meta={"author": "You", "crawl": 3})["documents"]
    assert (found.meta["title"], found.meta["author"], found.meta["crawl"]) == ("Mine", "You", 3)
    assert found.meta["date"] == "2024-03-05"
    assert stream.meta == before
    first, second = converter.run([PAGE, stream], meta=[{"n": 1}, {"n": 2}])["documents"]
    assert (first.meta["n"], second.meta["n"]) == (1, 2)
    (file,) = converter.run([PAGE], meta=[{"url": URL}])["documents"]
    assert file.content == found.content, "links are absolute"
    with pytest.raises(ValueError, match="length"):
        converter.run([PAGE], meta=[{}, {}])


def test_options_are_those_of_extract() -> None:
    (found,) = converted(PAGE, extractor="keep-all", include_title=True, include_links=False, include_tables=False)
    page = tamis.extract(HTML, extractor="keep-all", include_title=True, include_links=False, include_tables=False)
    assert found.content == page.markdown
    (plain,) = converted(PAGE, output_format="text", favor_precision=True)
    assert plain.content == tamis.extract(HTML, favor_precision=True).text


def test_charsets() -> None:
    data = GREEK.encode("iso-8859-7")
    (guessed,) = converted(ByteStream(data))
    (named,) = converted(ByteStream(data, meta={"encoding": "iso-8859-7"}))
    assert guessed.content == named.content == tamis.extract(GREEK).markdown
    assert (guessed.meta["title"], guessed.meta["language"]) == ("Το γεφύρι", "el")


def test_failing_sources_are_skipped_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    found = converted(
        "none.html",
        "https://user:secret@a.example/",
        ByteStream(b"", meta={"url": URL}),
        PAGE,
        ByteStream(b"%PDF-1.7"),
        ByteStream(HTML.encode(), meta={"encoding": "no-such"}),
        ByteStream(b"<p></p>"),
        3,  # type: ignore[arg-type]
    )
    assert [each.meta["file_path"] for each in found] == ["harbour.html"]
    assert warnings_of(caplog) == [
        "Failed to convert none.html. Skipping it. Error: none.html: No such file or directory",
        "Failed to convert https://a.example/. Skipping it. Error: this is a URL, not a file: fetch it first, with "
        "LinkContentFetcher or tamis.fetch",
        f"Failed to convert {URL}. Skipping it. Error: the stream is empty; the page was probably not fetched",
        "Failed to convert source 5. Skipping it. Error: this is a PDF file, not a web page",
        "Failed to convert source 6. Skipping it. Error: no encoding is called 'no-such'",
        "source 7 has no main content. Skipping it.",
        "Failed to convert source 8. Skipping it. Error: a source is a path or a ByteStream, not int",
        "7 of 8 pages were skipped.",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"extractor": "none"}, "no extractor is called"),
        ({"extractor": keep_all}, "name or a folder"),
        ({"favor_precision": True, "favor_recall": True}, "exclude each other"),
        ({"output_format": "html"}, "output_format is markdown or text, not 'html'"),
        ({"timeout": 0}, "seconds"),
    ],
)
def test_wrong_options_are_reported_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(tamis.OptionError, match=message):
        TamisConverter(**options)


def test_a_pipeline_from_addresses_to_documents(
    pipeline: Pipeline, site: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    urls = [site.address(path) for path in ("/new", "/empty", "/greek")]
    found = pipeline.run({"fetcher": {"urls": urls}})["joiner"]["documents"]
    assert {each.meta["url"] for each in found} == {urls[0], urls[2]}
    (english,) = [each for each in found if each.meta["url"] == urls[0]]
    assert english.content == tamis.extract(HTML, url=urls[0], favor_recall=True).markdown
    assert english.meta["content_type"] == "text/html"
    (greek,) = [each for each in found if each.meta["url"] == urls[2]]
    assert "Το γεφύρι άνοιξε ξανά" in greek.content
    assert any(urls[1] in message and "empty" in message for message in warnings_of(caplog))


def test_a_pipeline_that_was_written_and_loaded(pipeline: Pipeline, site: LocalServer) -> None:
    loaded = Pipeline.loads(pipeline.dumps(), allowed_modules=[MODULE])
    assert loaded.to_dict()["components"] == pipeline.to_dict()["components"]
    converter = loaded.get_component("converter")
    assert isinstance(converter, TamisConverter)
    assert vars(converter).items() >= {"favor_recall": True, "timeout": 20}.items()
    inputs = {"fetcher": {"urls": [site.address("/new")]}}
    assert loaded.run(inputs) == pipeline.run(inputs)
    assert Pipeline.from_dict(pipeline.to_dict(), allowed_modules=[MODULE]).run(inputs) == pipeline.run(inputs)


def test_a_written_pipeline_with_a_wrong_option_is_not_loaded(pipeline: Pipeline) -> None:
    written = pipeline.dumps()
    assert "extractor: tamis" in written
    with pytest.raises(DeserializationError, match="no extractor is called 'none'"):
        Pipeline.loads(written.replace("extractor: tamis", "extractor: none"), allowed_modules=[MODULE])


def test_a_failing_source_can_be_raised() -> None:
    with pytest.raises(tamis.InputError, match="PDF"):
        converted(PAGE, ByteStream(b"%PDF-1.7"), raise_on_failure=True)


def test_the_example_answers_its_question(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    runpy.run_path(str(PROJECT / "examples" / "haystack_pipeline.py"), run_name="__main__")
    assert "Ferry timetable (https://harbour.example/ferry)" in capsys.readouterr().out
    assert warnings_of(caplog)[-1] == "1 of 3 pages were skipped."
