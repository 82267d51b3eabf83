"""POST /v1/extract, /v1/explain, /v1/extract/batch and GET /v1/extractors, as a client sees them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import ClassVar

import httpx
import pytest

import tamis
from tests.servers import LocalHandler, LocalServer, connection_to

WORDS = "The ferry leaves at half past six, and whoever is late walks around the bay for the rest of the morning. " * 3
PAGE = f"""<html lang=en><head><title>Ferry times | The Quay</title></head><body>
<nav><a href=/>Home</a> <a href=/news>News</a></nav>
<article><h1>Ferry times</h1><p>{WORDS}</p><p>See <a href="/map">the map</a>. {WORDS}</p></article>
<footer>Copyright The Quay</footer></body></html>"""
HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.fixture(scope="module")
def client(server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server, timeout=60) as client:
        yield client


def post(client: httpx.Client, page: str | bytes = PAGE, /, **options: object) -> httpx.Response:
    return client.post("/v1/extract", content=page, params=options, headers=HTML)  # type: ignore[arg-type]


def test_html_gives_what_extract_gives(client: httpx.Client) -> None:
    answer = post(client, url="https://quay.example/ferry", formats="text,markdown,html")
    page = tamis.extract(PAGE, url="https://quay.example/ferry")
    assert answer.status_code == 200
    found = answer.json()
    assert (found["text"], found["markdown"], found["html"]) == (page.text, page.markdown, page.html)
    assert (found["title"], found["page_type"], found["url"]) == (page.title, str(page.page_type), page.url)
    assert found["metadata"] == page.metadata.as_dict()
    assert "https://quay.example/map" in found["markdown"]
    assert answer.headers["x-word-count"] == str(page.words) == str(found["words"])
    assert answer.headers["x-token-count"] == str(page.tokens)


def test_json_gives_the_same(client: httpx.Client) -> None:
    wanted = {"html": PAGE, "url": "https://quay.example/ferry", "formats": ["markdown"]}
    answer = client.post("/v1/extract", json=wanted)
    assert answer.json() == post(client, url="https://quay.example/ferry", formats="markdown").json()


@pytest.mark.parametrize(
    "kind",
    ["", "text/html", "application/xhtml+xml", "application/x-www-form-urlencoded", "application/octet-stream"],
)
def test_a_page_may_be_sent_as_curl_sends_files(client: httpx.Client, kind: str) -> None:
    answer = client.post("/v1/extract", content=PAGE, headers={"content-type": kind} if kind else {})
    assert "half past six" in answer.json()["text"]


def test_formats_may_be_repeated(client: httpx.Client) -> None:
    answer = client.post("/v1/extract?formats=text&formats=markdown", content=PAGE, headers=HTML)
    assert {"text", "markdown"} < set(answer.json())


def test_all_formats_can_be_had_at_once(client: httpx.Client) -> None:
    names = "text,markdown,html,xml,tei,comments,media,chunks,structured_data,highlighted,annotated"
    found = post(client, formats=names, blocks="true").json()
    assert set(names.split(",")) < set(found)
    assert any(block["keep"] for block in found["blocks"])
    assert any("Copyright" in block["text"] and not block["keep"] for block in found["blocks"])
    assert "half past six" in found["chunks"][0]["text"]


def test_without_metadata_and_formats_little_is_answered(client: httpx.Client) -> None:
    found = post(client, formats="", metadata="false").json()
    assert "metadata" not in found
    assert "text" not in found
    assert found["words"] > 50


def test_the_charset_of_the_header_counts(client: httpx.Client) -> None:
    page = "<p>" + "Пекарь встаёт задолго до города, и печи горячи уже целый час. " * 5
    answer = client.post(
        "/v1/extract", content=page.encode("koi8-r"), headers={"content-type": "text/html; charset=koi8-r"}
    )
    assert "Пекарь" in answer.json()["text"]


def test_a_threshold_decides_what_stays(client: httpx.Client) -> None:
    everything = post(client, threshold="0").json()
    nothing = post(client, threshold="1").json()
    assert "Copyright" in everything["text"]
    assert everything["threshold"] == 0
    assert nothing["text"] == ""


def test_options_do_what_they_do_in_python(client: httpx.Client) -> None:
    found = post(client, include_title="true", include_links="false", extractor="keep-all", formats="markdown").json()
    page = tamis.extract(PAGE, include_title=True, include_links=False, extractor="keep-all")
    assert found["markdown"] == page.markdown
    assert found["extractor"] == "keep-all"


def test_the_body_counts_more_than_the_query(client: httpx.Client) -> None:
    wanted = {"html": PAGE, "formats": ["markdown"]}
    found = client.post("/v1/extract?formats=text&extractor=keep-all", json=wanted).json()
    assert "markdown" in found
    assert "text" not in found
    assert found["extractor"] == "keep-all"


def test_an_empty_page_is_no_error(client: httpx.Client) -> None:
    found = post(client, b"").json()
    assert (found["text"], found["words"]) == ("", 0)


@pytest.mark.parametrize(
    ("path", "kind", "body", "status", "problem", "words"),
    [
        ("?formats=pdf", "text/html", PAGE, 422, "wrong-option", "formats"),
        ("?nonsense=1", "text/html", PAGE, 422, "wrong-option", "nonsense"),
        ("?blocks=yes", "text/html", PAGE, 422, "wrong-option", "blocks"),
        ("?blocks=true&blocks=true", "text/html", PAGE, 422, "wrong-option", "twice"),
        ("?threshold=2", "text/html", PAGE, 422, "wrong-option", "threshold"),
        ("?threshold=nan", "text/html", PAGE, 422, "wrong-option", "threshold"),
        ("?url=file:///etc/passwd", "text/html", PAGE, 422, "wrong-option", "url"),
        ("?extractor=nope", "text/html", PAGE, 422, "wrong-option", "nope"),
        ("?extractor=./weights", "text/html", PAGE, 422, "wrong-option", "extractor"),
        ("?extractor=tamis=/tmp", "text/html", PAGE, 422, "wrong-option", "extractor"),
        ("?favor=speed", "text/html", PAGE, 422, "wrong-option", "favor"),
        ("?chunk_tokens=15", "text/html", PAGE, 422, "wrong-option", "chunk_tokens"),
        ("?chunk_tokens=20.5", "text/html", PAGE, 422, "wrong-option", "chunk_tokens"),
        ("", "text/html", "%PDF-1.7 ...", 415, "not-a-page", "PDF"),
        ("", "image/png", PAGE, 415, "wrong-type", "image/png"),
        ("", "text/html", "https://example.org/", 422, "wrong-option", "URL"),
        ("", "application/json", "{", 400, "bad-json", ""),
        ("", "application/json", "[]", 422, "wrong-option", ""),
        ("", "application/json", "{}", 422, "wrong-option", "html or url"),
        ("", "application/json", '{"html": 1}', 422, "wrong-option", "html"),
        ("", "application/json", '{"html": "<p>", "blocks": "true"}', 422, "wrong-option", "blocks"),
        ("?nonsense=1", "application/json", '{"html": "<p>"}', 422, "wrong-option", "nonsense"),
    ],
)
def test_what_is_wrong_is_said(
    client: httpx.Client, path: str, kind: str, body: str, status: int, problem: str, words: str
) -> None:
    answer = client.post(f"/v1/extract{path}", content=body, headers={"content-type": kind})
    found = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, found["status"], found["kind"]) == (status, status, problem)
    assert found["type"].endswith(f"#{problem}")
    assert words in found["detail"]
    assert answer.headers["x-request-id"] in found["instance"]
    assert "\n" not in found["detail"]


def test_surrogates_do_no_harm(client: httpx.Client) -> None:
    body = '{"html": "<p>half a pair \\ud83d of a picture, and many more words behind it to be kept.</p>"}'
    answer = client.post("/v1/extract", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (200, 400)  # JSON of half a character is read, or refused as no JSON


def test_each_block_is_explained(client: httpx.Client) -> None:
    found = client.post("/v1/explain", content=PAGE, headers=HTML).json()
    kept = [block for block in found["blocks"] if block["keep"]]
    assert "half past six" in kept[0]["text"]
    assert kept[0]["reasons"][0]["words"]
    assert {"group", "words", "effect", "without"} == set(kept[0]["reasons"][0])
    footer = next(block for block in found["blocks"] if "Copyright" in block["text"])
    assert not footer["keep"]


def test_extractors_are_those_that_need_no_browser(client: httpx.Client) -> None:
    found = client.get("/v1/extractors").json()
    names = [entry["name"] for entry in found["extractors"]]
    assert "tamis" in names
    assert "boilerpipe-article" in names
    assert [entry["name"] for entry in found["extractors"] if entry["default"]] == ["tamis"]
    assert not any(tamis.extractors()[name].draws for name in names)


class Site(LocalHandler):
    """/page is a page, /robots.txt forbids /private; all else is missing."""

    pages: ClassVar = {
        "/page": (200, {}, PAGE.encode()),
        "/private": (200, {}, PAGE.encode()),
        "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: tamis\nDisallow: /private\n"),
    }


@pytest.fixture(scope="module")
def site() -> Iterator[LocalServer]:
    with LocalServer(Site).running() as site:
        yield site


def test_a_url_is_fetched(open_server: str, site: LocalServer) -> None:
    answer = httpx.post(f"{open_server}/v1/extract", json={"url": site.address("/page")}, timeout=60)
    assert answer.json()["text"] == tamis.extract(PAGE).text
    assert answer.json()["url"] == site.address("/page")


@pytest.mark.parametrize(
    ("path", "status", "kind"), [("/missing", 502, "fetch-failed"), ("/private", 403, "fetch-refused")]
)
def test_a_url_that_fails_is_said(open_server: str, site: LocalServer, path: str, status: int, kind: str) -> None:
    answer = httpx.post(f"{open_server}/v1/extract", json={"url": site.address(path)}, timeout=60)
    assert (answer.status_code, answer.json()["kind"]) == (status, kind)


def test_private_addresses_are_refused(server: str, site: LocalServer) -> None:
    before = site.connections
    for path in (f"/read?url={site.address('/page')}", "/read?url=http://127.0.0.1/"):
        answer = httpx.get(f"{server}{path}", timeout=60)
        assert (answer.status_code, answer.json()["kind"]) == (403, "fetch-refused")
    assert site.connections == before


@pytest.mark.parametrize(
    ("accept", "kind", "words"),
    [
        ("", "text/markdown", "# Ferry times"),
        ("*/*", "text/markdown", "# Ferry times"),
        ("text/markdown", "text/markdown", "[the map]("),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html", "<h1>Ferry times</h1>"),
        ("application/json", "application/json", '"markdown": "# Ferry times'),
        ("text/plain, text/html;q=0.5", "text/plain", "Ferry times\n\nThe ferry"),
        ("text/*;q=0.3, application/json;q=0.9", "application/json", '"page_type"'),
    ],
)
def test_an_address_is_read_as_asked_for(
    open_server: str, site: LocalServer, accept: str, kind: str, words: str
) -> None:
    answer = httpx.get(f"{open_server}/read?url={site.address('/page')}", headers={"accept": accept}, timeout=60)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith(kind)
    assert words in answer.text
    assert int(answer.headers["x-word-count"]) > 50
    assert int(answer.headers["x-token-count"]) > 50
    assert answer.headers["vary"] == "accept"


def test_a_read_page_runs_nothing(open_server: str, site: LocalServer) -> None:
    answer = httpx.get(f"{open_server}/read?url={site.address('/page')}", headers={"accept": "text/html"}, timeout=60)
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("query", "accept", "status", "kind"),
    [
        ("", "*/*", 422, "wrong-option"),
        ("?url=ftp://example.org/", "*/*", 422, "wrong-option"),
        ("?url=https://example.org/", "image/png", 406, "not-acceptable"),
        ("?url=https://example.org/", "text/markdown;q=0", 406, "not-acceptable"),
    ],
)
def test_what_can_not_be_read_is_said(server: str, query: str, accept: str, status: int, kind: str) -> None:
    answer = httpx.get(f"{server}/read{query}", headers={"accept": accept})
    assert (answer.status_code, answer.json()["kind"]) == (status, kind)


def lines_of(*requests: object) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in requests)


def test_a_batch_is_answered_line_by_line_in_order(client: httpx.Client) -> None:
    pages = [f"<p>{'Page ' + str(number) + ' has some words of its own. ' * 6}</p>" for number in range(30)]
    body = lines_of(*({"html": page, "metadata": False} for page in pages))
    answer = client.post("/v1/extract/batch", content=body, headers={"content-type": "application/x-ndjson"})
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert [line["index"] for line in found] == list(range(30))
    assert [line["text"] for line in found] == [tamis.extract(page).text for page in pages]


def test_a_line_that_fails_costs_itself_alone(client: httpx.Client) -> None:
    body = lines_of({"html": PAGE}, {"html": 1}, {"url": "http://127.0.0.1/"}, {"html": PAGE}) + b"\n{broken"
    found = [json.loads(line) for line in client.post("/v1/extract/batch", content=body).text.splitlines()]
    assert [line["status"] for line in found] == [200, 422, 403, 200, 400]
    assert found[2]["problem"]["kind"] == "fetch-refused"
    assert found[3]["text"] == found[0]["text"]


def test_an_empty_batch_has_no_lines(client: httpx.Client) -> None:
    assert client.post("/v1/extract/batch", content=b"\n\n").text == ""


def test_a_line_is_answered_before_the_next_is_sent(server: str) -> None:
    line = lines_of({"html": PAGE})
    chunk = b"%x\r\n%s\r\n" % (len(line), line)
    with connection_to(server) as connection, connection.makefile("rb") as answer:
        head = "POST /v1/extract/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        for number in range(3):
            connection.sendall(chunk)
            while not (got := answer.readline()).startswith(b"{"):
                assert got, "the connection was closed"
            assert json.loads(got)["index"] == number
        connection.sendall(b"0\r\n\r\n")
        assert answer.readline() == b"\r\n"
        assert answer.readline() == b"0\r\n"
