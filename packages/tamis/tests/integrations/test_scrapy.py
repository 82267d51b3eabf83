from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy")

import attrs
import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, JsonResponse, Request, Response, XmlResponse
from scrapy.statscollectors import MemoryStatsCollector

import tamis
from tamis.errors import InputError, OptionError
from tamis.integrations.scrapy import SETTINGS, TamisPipeline, extract
from tamis.options import ContentOptions, options_of
from tests.batch.archives import page
from tests.docs.files import the_web
from tests.docs.pages import blocks, text
from tests.project import PACKAGE, PROJECT
from tests.servers import LocalHandler, LocalServer

URL = "https://harbour.example/a"
# What a page orders the extractor of these tests to do, by its path.
ORDERS = {"/good": "", "/kill": "kill", "/hang": "hang", "/raise": "raise", "/last": ""}

# A crawl of the pages that its arguments name. It prints items, events and stats as JSON.
CRAWL = """
import json
import sys

import scrapy
from scrapy.crawler import {process}

from tests.batch import extractors


class Pages(scrapy.Spider):
    name = "pages"

    def parse(self, response):
        events.append(f"response {{response.url}}")
        yield {{"url": response.url, "html": response}}
        for address in chain.pop(response.url, []):
            yield scrapy.Request(address)


def scraped(item):
    events.append(f"item {{item['url']}}")
    items.append(item)


items, events, options = [], [], json.loads(sys.argv[1])
chain, settings = options["chain"], options["settings"]
if settings["TAMIS_EXTRACTOR"] in vars(extractors):
    settings["TAMIS_EXTRACTOR"] = getattr(extractors, settings["TAMIS_EXTRACTOR"])()
process = {process}(settings)
crawler = process.create_crawler(Pages)
crawler.signals.connect(scraped, scrapy.signals.item_scraped)
process.crawl(crawler, start_urls=options["start"])
process.start()
stats = {{name: count for name, count in crawler.stats.get_stats().items() if isinstance(count, int)}}
print(json.dumps({{"items": items, "events": events, "stats": stats}}))
"""

pytestmark = pytest.mark.xdist_group("batch-workers")


class Site(LocalHandler):
    def answer(self) -> None:
        order = ORDERS.get(self.path, "")
        body = b"%PDF-1.7" if self.path == "/pdf" else page(1, f"ORDER:{order} " if order else "")
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if self.path == "/json" else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def site() -> Iterator[LocalServer]:
    with LocalServer(Site).running() as running:
        yield running


def run(
    start: list[str],
    settings: dict[str, object],
    *,
    process: str = "CrawlerProcess",
    chain: dict[str, list[str]] | None = None,
) -> subprocess.CompletedProcess[str]:
    """A crawl in a process of its own. `chain` has the addresses that follow on an address."""
    own: dict[str, object] = {
        "ITEM_PIPELINES": {"tamis.integrations.scrapy.TamisPipeline": 300},
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "WARNING",
        "TAMIS_EXTRACTOR": "Obedient",
        "TAMIS_TIMEOUT": 1,
        "TAMIS_KEEP_PAGE": False,
    }
    options = json.dumps({"start": start, "chain": chain or {}, "settings": own | settings})
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", CRAWL.format(process=process), options],
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(PACKAGE), str(PACKAGE / "src")))},
        capture_output=True,
        text=True,
        timeout=120,
    )


def printed(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The items, events and stats of a crawl."""
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def counted(found: dict[str, Any]) -> dict[str, int]:
    return {name: count for name, count in found["stats"].items() if name.startswith("tamis/")}


@pytest.mark.parametrize(
    ("process", "settings"),
    [
        ("CrawlerProcess", {}),
        pytest.param(
            "CrawlerProcess",
            {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"},
            marks=pytest.mark.nightly,
        ),
        ("AsyncCrawlerProcess", {"TWISTED_REACTOR_ENABLED": False}),
    ],
    ids=["asyncio", "select", "no reactor"],
)
def test_no_page_ends_a_crawl(site: LocalServer, process: str, settings: dict[str, object]) -> None:
    done = run([site.address(path) for path in (*ORDERS, "/json", "/pdf")], settings, process=process)
    found = printed(done)
    items = {item["url"].removeprefix(site.address("")): item for item in found["items"]}
    assert {path: item["error"] for path, item in items.items()} == {
        "/good": None,
        "/kill": "crash",
        "/hang": "timeout",
        "/raise": "parse-error",
        "/last": None,
        "/json": "unreadable",
        "/pdf": "unreadable",
    }
    assert items["/last"]["text"] == tamis.extract(page(1), extractor="keep-all").text
    assert items["/last"]["title"] == "Page 1"
    assert (items["/raise"]["text"], items["/raise"]["reason"]) == (None, "ValueError: as told")
    assert items["/json"]["reason"].endswith("/json: this is application/json, not a web page")
    assert items["/pdf"]["reason"] == "this is a PDF file, not a web page"
    assert "html" not in items["/good"]
    assert counted(found) == {
        "tamis/pages": 7,
        "tamis/failed": 5,
        "tamis/failed/crash": 1,
        "tamis/failed/timeout": 1,
        "tamis/failed/parse-error": 1,
        "tamis/failed/unreadable": 2,
    }
    assert f"no content of {site.address('/hang')}: timeout: " in done.stderr


def test_items_of_failed_pages_can_be_dropped(site: LocalServer) -> None:
    start = [site.address(path) for path in ("/good", "/kill", "/raise")]
    done = run(start, {"TAMIS_ON_ERROR": "drop"})
    found = printed(done)
    assert [item["url"] for item in found["items"]] == [site.address("/good")]
    assert found["stats"]["item_dropped_count"] == 2
    assert counted(found)["tamis/failed"] == 2
    assert "Dropped: no content of" in done.stderr


def test_downloads_go_on_while_a_page_is_slow(site: LocalServer) -> None:
    slow, following = site.address("/hang"), [site.address(f"/{number}") for number in range(3)]
    chain = dict(zip([slow, *following[:-1]], [[address] for address in following], strict=True))
    found = printed(run([slow], {"TAMIS_WORKERS": 1}, chain=chain))
    assert found["events"].index(f"item {slow}") > found["events"].index(f"response {following[-1]}")
    assert len(found["items"]) == 4


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"TAMIS_EXTRACTOR": "NeedsMore"}, "this extractor needs an extra: pip install 'tamis[neural]'"),
        ({"TAMIS_EXTRACTOR": "none"}, "no extractor is called 'none'"),
    ],
)
def test_what_is_wrong_with_every_page_is_said_before_the_first(
    site: LocalServer, settings: dict[str, object], message: str
) -> None:
    assert message in run([site.address("/good")], settings).stderr
    assert site.asked == []


def crawler(**settings: object) -> Any:
    own = Crawler(scrapy.Spider, {f"TAMIS_{name}": value for name, value in settings.items()})
    own.stats = MemoryStatsCollector(own)
    return own


def processed(item: Any, **settings: object) -> Any:
    """An item behind the pipeline, or the error that it raised, and the stats."""
    own = crawler(**{"EXTRACTOR": "keep-all", "FIELDS": "title,text", **settings})

    async def through() -> Any:
        pipeline = TamisPipeline.from_crawler(own)
        await pipeline.open_spider()
        try:
            return await pipeline.process_item(item)
        finally:
            await pipeline.close_spider()

    try:
        return asyncio.run(through()), own.stats.get_stats()
    except OptionError as error:
        return error, own.stats.get_stats()


class ScrapyItem(scrapy.Item):  # type: ignore[misc, name-defined, unused-ignore]
    html = scrapy.Field()
    title = scrapy.Field()
    text = scrapy.Field()


@dataclass
class DataItem:
    html: Any
    title: str | None = None
    text: str | None = None


@attrs.define
class AttrsItem:
    html: Any
    title: str | None = None
    text: str | None = None


@pytest.mark.parametrize("kind", [dict, ScrapyItem, DataItem, AttrsItem])
@pytest.mark.parametrize("keep", [True, False])
def test_items_of_all_kinds(kind: Any, keep: bool) -> None:
    item, stats = processed(kind(html=page(1).decode()), KEEP_PAGE=keep)
    assert isinstance(item, kind)
    values = dict(ItemAdapter(item))
    assert (values["title"], values["text"]) == ("Page 1", tamis.extract(page(1), extractor="keep-all").text)
    assert values.get("html") == (page(1).decode() if keep else None)
    assert repr(item), "Scrapy logs it"
    assert stats["tamis/pages"] == 1


def test_a_field_that_is_not_declared_is_named() -> None:
    error, stats = processed(DataItem(page(1)), FIELDS="text,markdown,language")
    assert str(error).startswith("the item class DataItem has no language, markdown: declare such fields")
    assert stats["tamis/failed/undeclared"] == 1


def test_fields_can_have_other_names() -> None:
    names = {"text": "content", "authors": "by", "error": "tamis_error"}
    item, _ = processed({"page": page(1)}, FIELDS=names, PAGE_FIELD="page")
    assert item["content"].startswith("The harbour of the old town")
    assert (item["by"], item["tamis_error"]) == ([], None)
    assert set(item) == {"page", *names.values()}
    same, _ = processed({"page": page(1)}, FIELDS=json.dumps(names), PAGE_FIELD="page")  # as on the command line
    assert same == item


def test_items_without_a_page_pass() -> None:
    for item in ({"name": "Ann Lee"}, {"html": None}):
        same, stats = processed(dict(item))
        assert same == item
        assert stats["tamis/no_page"] == 1


def test_an_empty_page_is_no_failed_page() -> None:
    item, stats = processed({"html": "<p></p>"}, FIELDS="text,error,reason")
    assert item == {"html": "<p></p>", "text": "", "error": "empty", "reason": None}
    assert stats["tamis/empty"] == 1
    assert "tamis/failed" not in stats


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (URL, "is a URL, not a page"),
        (17, "a page is text, bytes or a response, not int"),
        (Path("/etc/hostname"), "not PosixPath"),
    ],
)
def test_what_is_no_page_is_a_failed_page(value: object, reason: str) -> None:
    item, stats = processed({"html": value}, FIELDS="text,error,reason")
    assert (item["text"], item["error"]) == (None, "unreadable")
    assert reason in item["reason"]
    assert stats["tamis/failed/unreadable"] == 1


def test_options_are_those_of_extract() -> None:
    html = page(1).replace(b"This", b"<a href=/this>This</a>")
    item, _ = processed({"html": html, "url": URL}, FIELDS="markdown", INCLUDE_TITLE=True, EXTRACTOR="tamis")
    assert item["markdown"] == tamis.extract(html, url=URL, include_title=True).markdown
    assert "(https://harbour.example/this)" in item["markdown"]
    assert item["markdown"].startswith("# Page 1")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ON_EROR": "drop"}, "unknown setting TAMIS_ON_EROR; did you mean TAMIS_ON_ERROR?"),
        ({"ON_ERROR": "ignore"}, "TAMIS_ON_ERROR is keep or drop, not 'ignore'"),
        ({"FIELDS": "text,txet"}, "no column is called 'txet'; did you mean text?"),
        ({"FIELDS": "text,url"}, "TAMIS_FIELDS: url is not a field of pages"),
        ({"FIELDS": {"metadata": "about"}}, "TAMIS_FIELDS that gives new names takes single columns only"),
        ({"FAVOR_PRECISION": True, "FAVOR_RECALL": True}, "exclude each other"),
        ({"TIMEOUT": "soon"}, "TAMIS_TIMEOUT is a number, not 'soon'"),
        ({"KEEP_PAGE": "perhaps"}, "TAMIS_KEEP_PAGE is True or False, not 'perhaps'"),
        ({"WORKERS": 0}, "TAMIS_WORKERS is at least 1"),
        ({"WORKERS": "inf"}, "TAMIS_WORKERS is a whole number, not 'inf'"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        TamisPipeline.from_crawler(crawler(**settings))
    assert message in str(caught.value)


def test_a_response_is_read_with_its_url_and_encoding() -> None:
    russian = "<p>" + "Старый мост снова открыт для движения после ремонта. " * 5 + "<a href=/x>Подробнее</a>"
    response = HtmlResponse(URL, body=russian.encode("koi8-r"), encoding="koi8-r")
    found = extract(response, extractor="keep-all")
    assert found.url == URL
    assert "Старый мост снова открыт" in found.text
    assert "(https://harbour.example/x)" in found.markdown
    assert "](" not in extract(response, extractor="keep-all", include_links=False).markdown


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (JsonResponse(URL, body=b"{}", headers={"Content-Type": "application/json"}), "this is application/json, not"),
        (Response(URL, body=b"\x89PNG", headers={"Content-Type": "image/png"}), "this is image/png, not a web page"),
        (XmlResponse(URL, body=b"<rss/>"), "this is a XmlResponse, not a web page"),
        (HtmlResponse(URL, body=b"%PDF-1.7"), "this is a PDF file, not a web page"),
        (Request(URL), "a Scrapy response is wanted, not Request"),
    ],
    ids=["json", "image", "xml", "pdf", "request"],
)
def test_a_response_that_is_no_page_is_refused(response: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        extract(response)
    assert message in str(caught.value)


def test_the_example_prints_what_it_found() -> None:
    command = [sys.executable, "-W", "error", "examples/scrapy_spider.py"]
    done = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True)
    assert "Swing bridge reopens" in done.stdout
    assert "unreadable: this is a PDF file, not a web page" in done.stdout
    assert "'tamis/pages': 3" in done.stdout
    assert done.stderr == ""


def test_the_spider_of_the_documentation_writes_its_file(tmp_path: Path) -> None:
    (spider,) = (block for block in blocks("docs/how-to/scrapy.md") if "CrawlerProcess" in block.code)
    with the_web() as address:
        script = tmp_path / "spider.py"
        script.write_text(spider.code.replace("https://example.org/", address), encoding="utf-8")
        subprocess.run([sys.executable, "-W", "error", script], cwd=tmp_path, check=True, capture_output=True)
    (article,) = map(json.loads, (tmp_path / "articles.jsonl").read_text(encoding="utf-8").splitlines())
    assert article["title"].startswith("Swing bridge reopens")
    assert article["error"] is None
    assert "html" not in article


def test_every_setting_is_documented() -> None:
    page = text("docs/how-to/scrapy.md")
    options = {f"TAMIS_{name.upper()}" for name in options_of(ContentOptions)}  # in docs/reference/options.md
    assert [name for name in SETTINGS if f"| `{name}` |" not in page and name not in options] == []
