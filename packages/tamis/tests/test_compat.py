"""`tamis.compat.trafilatura`: documented uses give the same kinds of results as the original, where it is installed."""

from __future__ import annotations

import csv
import inspect
import io
import json
import re
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import tamis
from tamis.compat import trafilatura as compat
from tamis.errors import FetchError, OptionError

WORDS = "The ferry leaves the quay at seven each morning, and its crew has long had coffee by then, says the harbour."
HTML = f"""<html lang="en"><head><title>The early ferry</title><meta name="author" content="Ida Holm">
<meta property="article:published_time" content="2023-05-04"><meta property="og:site_name" content="Quay News">
<link rel="canonical" href="https://quay.example/ferry"></head><body>
<nav><a href="/">Home</a> <a href="/map">Map</a></nav>
<article><h1>The early ferry</h1><p>{WORDS} It is <b>never</b> late. <a href="/times">All times</a></p>
<p class="note">A note: {WORDS}</p><p>{WORDS}</p><img src="/ferry.jpg" alt="A ferry">
<table><tr><th>Day</th><th>First ferry</th></tr><tr><td>Sunday</td><td>Nine thirty</td></tr></table>
<p>{WORDS}</p></article>
<section id="comments" class="comments"><h3>2 comments</h3>
<div class="comment"><cite>Ann</cite><p>I took it once and it was rather early for me, I must say.</p></div>
<div class="comment"><cite>Bob</cite><p>The coffee on board is as good as they all tell you.</p></div></section>
<footer>About us</footer></body></html>"""
FORMATS = ("txt", "markdown", "html", "json", "xml", "xmltei", "csv")


@pytest.fixture(params=["tamis", "trafilatura"])
def module(request: pytest.FixtureRequest) -> Any:
    """Ours and the original: each use of this file holds for both."""
    return compat if request.param == "tamis" else pytest.importorskip("trafilatura")


def extract(module: ModuleType, **options: Any) -> str:
    found = module.extract(HTML, **options)
    assert isinstance(found, str)
    return found


def test_signatures_are_those_of_the_original() -> None:
    original = pytest.importorskip("trafilatura")
    for name in ("extract", "bare_extraction", "fetch_url", "extract_metadata"):
        ours, theirs = (inspect.signature(getattr(each, name)).parameters for each in (compat, original))
        assert list(ours) == list(theirs), name
        for key, parameter in theirs.items():
            if key != "config":
                assert ours[key].default == parameter.default, (name, key)


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_has_the_content(module: Any, form: str) -> None:
    found = extract(module, output_format=form)
    assert "seven each morning" in found
    assert "About us" not in found


def test_text_and_its_options(module: Any) -> None:
    assert "**never**" not in extract(module)
    assert "**never**" in extract(module, include_formatting=True)
    assert "**never**" in extract(module, output_format="markdown")
    assert "**never**" not in extract(module, output_format="markdown", include_formatting=False)
    assert "/times" not in extract(module)
    assert "(/times)" in extract(module, include_links=True).replace("https://quay.example", "")
    assert "ferry.jpg" in extract(module, include_images=True)
    assert "Nine thirty" in extract(module)
    assert "Nine thirty" not in extract(module, include_tables=False)
    for favor in ("favor_precision", "favor_recall", "fast"):
        assert WORDS in extract(module, **{favor: True})


def test_comments_are_apart(module: Any) -> None:
    assert "coffee on board" in extract(module)
    assert "coffee on board" not in extract(module, include_comments=False)
    found = json.loads(extract(module, output_format="json"))
    assert "coffee on board" in found["comments"]
    assert "coffee on board" not in found["text"]
    assert "coffee on board" not in extract(module, include_comments=False, output_format="xml")


def test_json_has_the_same_keys(module: Any) -> None:
    assert json.loads(extract(module, output_format="json")).keys() == {"text", "comments"}
    found = json.loads(extract(module, output_format="json", with_metadata=True, url="https://quay.example/ferry"))
    assert found.keys() == {
        *("title", "author", "hostname", "date", "fingerprint", "id", "license", "comments", "raw_text", "text"),
        *("language", "image", "pagetype", "filedate", "source", "source-hostname", "excerpt", "categories", "tags"),
    }
    assert (found["title"], found["author"], found["date"]) == ("The early ferry", "Ida Holm", "2023-05-04")
    assert (found["source"], found["hostname"]) == ("https://quay.example/ferry", "quay.example")


def test_xml_has_the_same_root_and_attributes(module: Any) -> None:
    plain = ElementTree.fromstring(extract(module, output_format="xml").encode())
    assert plain.tag == "doc"
    assert plain.find("main") is not None
    assert plain.find(".//hi") is None
    assert not {"title", "author"} & plain.attrib.keys()
    assert "<hi" in extract(module, output_format="xml", include_formatting=True)
    full = ElementTree.fromstring(extract(module, output_format="xml", with_metadata=True, record_id="7").encode())
    assert {"sitename", "title", "author", "date", "url", "hostname", "id", "fingerprint"} <= full.attrib.keys()
    assert (full.attrib["id"], full.attrib["date"]) == ("7", "2023-05-04")


def test_tei_and_html(module: Any) -> None:
    root = ElementTree.fromstring(extract(module, output_format="xmltei").encode())
    assert root.tag == "{http://www.tei-c.org/ns/1.0}TEI"
    found = extract(module, output_format="html", with_metadata=True)
    assert found.startswith("<html>")
    assert '<meta name="author" content="Ida Holm"' in found
    assert not re.search("<(b|strong)>", found)
    assert re.search("<(b|strong)>", extract(module, output_format="html", include_formatting=True))


def test_csv_is_a_row_of_eleven_columns(module: Any) -> None:
    (row,) = csv.reader(io.StringIO(extract(module, output_format="csv", with_metadata=True)), delimiter="\t")
    assert len(row) == 11
    assert (row[0], row[1], row[3], row[6]) == ("https://quay.example/ferry", "null", "quay.example", "2023-05-04")
    assert WORDS in row[7]


def test_metadata_as_a_header(module: Any) -> None:
    found = extract(module, with_metadata=True)
    assert found.startswith("---\ntitle: ")
    assert "Ida Holm" in found.split("---")[1]


def test_conditions_refuse_a_page(module: Any) -> None:
    assert module.extract(HTML, only_with_metadata=True)
    assert module.extract(f"<p>{WORDS}</p>" * 4, only_with_metadata=True) is None
    assert module.extract(HTML, url_blacklist={"https://quay.example/ferry"}) is None
    assert module.extract("") is None
    assert module.bare_extraction("") is None
    found = module.bare_extraction(HTML, author_blacklist={"ida holm"}, with_metadata=True)
    assert not found.author


def test_conditions_that_this_version_of_the_original_lacks() -> None:
    """It needs py3langid for languages, and has dropped `max_tree_size`."""
    assert compat.extract(HTML, max_tree_size=3) is None
    assert compat.extract(HTML, max_tree_size=5_000)
    assert compat.extract(HTML, target_language="en")
    assert compat.extract(HTML, target_language="de") is None
    with pytest.raises(OptionError, match="target_language is a code"):
        compat.extract(HTML, target_language="?")


@pytest.mark.parametrize(
    "expression",
    [
        "//p[@class='note']",
        "//*[contains(@class, 'note')]",
        ["//article/p[2]"],
        "//ul | .//p[starts-with(., 'A note')]",
    ],
)
def test_prune_xpath(module: Any, expression: str | list[str]) -> None:
    found = extract(module, prune_xpath=expression)
    assert "A note" not in found
    assert "never late" in found


def test_bare_extraction(module: Any) -> None:
    found = module.bare_extraction(HTML, with_metadata=True)
    assert (found.title, found.author, found.date) == ("The early ferry", "Ida Holm", "2023-05-04")
    assert found.hostname == "quay.example"
    assert found.sitename == "Quay News"
    assert "seven each morning" in found.text
    assert found.body.tag == "body"
    assert found.commentsbody.tag == "body"
    assert {"text", "raw_text", "comments", "body", "filedate", "tags"} <= found.as_dict().keys()
    assert module.bare_extraction(HTML).title is None


def test_extract_metadata(module: Any) -> None:
    found = module.extract_metadata(HTML)
    assert (found.title, found.author, found.date) == ("The early ferry", "Ida Holm", "2023-05-04")
    assert found.as_dict()["url"] == "https://quay.example/ferry"
    assert found.text is None
    assert found.categories == []


def test_dates_follow_their_parameters() -> None:
    changed = HTML.replace("<link", '<meta property="article:modified_time" content="2024-01-02"><link', 1)

    def date(**given: Any) -> str | None:
        return compat.extract_metadata(changed, date_config=given).date

    assert date() == date(original_date=True, extensive_search=True) == "2023-05-04"
    assert date(original_date=False) == "2024-01-02"
    assert date(outputformat="%d.%m.%Y") == "04.05.2023"
    assert date(max_date="2023-01-01") is None
    assert date(min_date="2023-05-05") is None
    assert date(min_date="2023-05-04", max_date="2023-05-04") == "2023-05-04"


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"deduplicate": True}, "tamis.Site"),
        ({"tei_validation": True}, "lxml"),
        ({"settingsfile": "settings.cfg"}, "as keywords"),
        ({"config": object()}, "as keywords"),
        ({"options": object()}, "as keywords"),
        ({"output_format": "pdf"}, "one of csv"),
        ({"output_format": "python"}, "bare_extraction"),
        ({"favor_precision": True, "favor_recall": True}, "exclude each other"),
        ({"date_extraction_params": {"deferred_url_extractor": True}}, "tamis honours"),
        ({"date_extraction_params": {"min_date": "May"}}, "YYYY-MM-DD"),
        ({"prune_xpath": "//p/following-sibling::p"}, "CSS selector"),
        ({"prune_xpath": "//p[ancestor::div]"}, "steps"),
        ({"prune_xpath": "//p["}, "not closed"),
    ],
)
def test_what_cannot_be_honoured_raises(options: dict[str, Any], advice: str) -> None:
    with pytest.raises(OptionError, match=advice) as raised:
        compat.extract(HTML, **options)
    assert "\n" not in str(raised.value)


def test_fetch_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tamis, "fetch", lambda url: tamis.RawPage("<p>Grün</p>".encode("latin-1"), url, "latin-1"))
    assert compat.fetch_url("https://quay.example/") == "<p>Grün</p>"

    def fail(url: str) -> tamis.RawPage:
        raise FetchError(url)

    monkeypatch.setattr(tamis, "fetch", fail)
    assert compat.fetch_url("https://quay.example/") is None
    with pytest.raises(OptionError, match="certificates"):
        compat.fetch_url("https://quay.example/", no_ssl=True)
    with pytest.raises(OptionError, match=r"tamis\.fetch"):
        compat.fetch_url("https://quay.example/", config=object())
    with pytest.raises(OptionError, match="extensive"):
        compat.extract_metadata(HTML, extensive=False)


def test_responses_and_trees(module: Any) -> None:
    lxml = pytest.importorskip("lxml.html")
    assert "seven each morning" in module.extract(lxml.fromstring(HTML))
    if module is compat:
        response = SimpleNamespace(data=HTML.encode(), url="https://quay.example/a")
        assert "seven each morning" in (compat.extract(response) or "")
