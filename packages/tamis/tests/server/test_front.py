"""Key, host, CORS, request ids, the log and the metrics."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tamis.errors import OptionError
from tamis.server.app import preferred
from tamis.server.front import JsonLines
from tamis.server.settings import Settings, default_rules
from tests.server.conftest import serving
from tests.server.test_extract import PAGE
from tests.servers import connection_to


@pytest.fixture(scope="module")
def locked() -> Iterator[str]:
    """A server with a key, for the pages of one origin, without a playground."""
    with serving(key="open sesame", cors=("https://app.example",), playground=False, fetch=None) as address:
        yield address


@pytest.mark.parametrize("path", ["/v1/extractors", "/metrics", "/read?url=https://example.org/"])
@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}, {"x-api-key": ""}, {"x-api-key": "öpen"}])
def test_without_the_key_nothing_is_answered(locked: str, path: str, headers: dict[str, str]) -> None:
    raw = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
    answer = httpx.get(f"{locked}{path}", headers=raw)
    assert (answer.status_code, answer.json()["kind"]) == (401, "no-key")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "sesame" not in answer.text


@pytest.mark.parametrize("headers", [{"authorization": "bearer open sesame"}, {"x-api-key": "open sesame"}])
def test_the_key_opens(locked: str, headers: dict[str, str]) -> None:
    assert httpx.get(f"{locked}/v1/extractors", headers=headers).status_code == 200


def test_health_and_description_need_no_key(locked: str) -> None:
    assert httpx.get(f"{locked}/healthz").json()["status"] == "ok"
    assert "securitySchemes" in httpx.get(f"{locked}/openapi.json").json()["components"]


def test_without_a_playground_there_is_no_page(locked: str) -> None:
    assert httpx.get(f"{locked}/", headers={"x-api-key": "open sesame"}).status_code == 404


def test_a_server_that_fetches_nothing_says_so(locked: str) -> None:
    answer = httpx.get(f"{locked}/read?url=https://example.org/", headers={"x-api-key": "open sesame"})
    assert (answer.status_code, answer.json()["kind"]) == (403, "fetch-refused")
    assert "fetches nothing" in answer.json()["detail"]


def test_only_the_origins_that_were_named_may_read(locked: str) -> None:
    key = {"x-api-key": "open sesame"}
    allowed = httpx.get(f"{locked}/v1/extractors", headers=key | {"origin": "https://app.example"})
    assert allowed.headers["access-control-allow-origin"] == "https://app.example"
    other = httpx.get(f"{locked}/v1/extractors", headers=key | {"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in other.headers
    asked = {
        "origin": "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-api-key",
    }
    assert httpx.options(f"{locked}/v1/extract", headers=asked).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", ""])
def test_a_name_that_points_here_is_not_answered(server: str, host: str) -> None:
    answer = httpx.get(f"{server}/v1/extractors", headers={"host": host})
    assert (answer.status_code, answer.json()["kind"]) == (400, "bad-host")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}, 200),
        ({"sec-fetch-site": "same-origin", "origin": "https://pages.example"}, 200),  # a proxy has changed the host
        ({"sec-fetch-site": "none"}, 200),
        ({"origin": "http://127.0.0.1:5000"}, 200),
        ({}, 200),
    ],
)
def test_web_pages_of_others_may_not_ask(server: str, headers: dict[str, str], status: int) -> None:
    """They could not read the answer, but have addresses fetched from here, such as those of the local network."""
    answer = httpx.get(f"{server}/v1/extractors", headers=headers)
    assert answer.status_code == status
    assert status == 200 or answer.json()["kind"] == "cross-origin"


def test_with_cors_for_all_every_origin_may_ask() -> None:
    with serving(cors=("*",)) as address:
        headers = {"origin": "https://any.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}
        assert httpx.get(f"{address}/v1/extractors", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        ["Host: localhost", "Host: evil.example"],
        ["Host: evil.example", "Host: localhost"],
        ["Host: localhost", "Host: localhost"],
        ["Host: localhost", "Origin: https://evil.example", "Origin: http://localhost"],
    ],
)
def test_a_header_that_is_judged_stands_there_once(server: str, headers: list[str]) -> None:
    """Which of two counts would be a matter of opinion: ours, a proxy's, or the browser's."""
    with connection_to(server) as connection:
        connection.sendall("\r\n".join(["GET /v1/extractors HTTP/1.1", *headers, "", ""]).encode())
        got = connection.recv(65_536)
    assert got.startswith(b"HTTP/1.1 400")
    assert b"bad-host" in got


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:99", "[::1]:8000"])
def test_names_of_this_machine_are(server: str, host: str) -> None:
    assert httpx.get(f"{server}/healthz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, {"localhost", "127.0.0.1", "[::1]"}),
        ({"host": "127.0.0.2"}, {"localhost", "127.0.0.1", "[::1]", "127.0.0.2"}),
        ({"host": "0.0.0.0"}, None),
        ({"host": "0.0.0.0", "allowed_hosts": ("Quay",)}, {"localhost", "127.0.0.1", "[::1]", "quay"}),
        ({"allowed_hosts": ("*",)}, None),
    ],
)
def test_the_names_of_a_server(settings: dict[str, Any], names: set[str] | None) -> None:
    assert Settings(**settings).hosts == names


def test_private_addresses_are_not_for_everybody() -> None:
    private = default_rules(allow_private=True)
    with pytest.raises(OptionError, match="open to other machines"):
        Settings(host="0.0.0.0", fetch=private)
    given: list[dict[str, Any]] = [
        {"host": "127.0.0.1"},
        {"host": "::", "key": "k"},
        {"host": "::", "allowed_hosts": ("quay",)},
    ]
    for each in given:
        assert Settings(**each, fetch=private).fetch == private


def test_a_request_id_is_kept_or_made(server: str) -> None:
    assert httpx.get(f"{server}/healthz", headers={"x-request-id": "a.b-1"}).headers["x-request-id"] == "a.b-1"
    made = httpx.get(f"{server}/healthz", headers={"x-request-id": "a b\tc"}).headers["x-request-id"]
    assert made != "a b\tc"
    assert len(made) == 32


def wait_for_line(caplog: pytest.LogCaptureFixture, request_id: str) -> None:
    """Wait for the line of a request, which is written behind its answer."""
    for _ in range(500):
        if any(getattr(record, "fields", {}).get("request_id") == request_id for record in caplog.records):
            return
        time.sleep(0.01)
    raise AssertionError(f"no line of the log is about {request_id}")


def test_each_request_is_one_line_of_json(server: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "tamis.server"):
        httpx.post(f"{server}/v1/extract?formats=nope", content=PAGE, headers={"x-request-id": "mine"})
        wait_for_line(caplog, "mine")
    lines = [JsonLines().format(record) for record in caplog.records if record.name == "tamis.server"]
    found = next(line for line in map(json.loads, lines) if line.get("request_id") == "mine")
    assert (found["method"], found["path"], found["status"]) == ("POST", "/v1/extract", 422)
    assert found["problem"] == "wrong-option"
    assert {"time", "level", "event", "seconds", "bytes"} < set(found)
    assert not any("\n" in line for line in lines)


def test_pages_do_not_reach_the_log(server: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        httpx.post(f"{server}/v1/extract", content=PAGE)
        httpx.post(f"{server}/v1/extract", json={"html": PAGE, "formats": "x"})
    assert "half past six" not in caplog.text


def test_addresses_do_not_reach_the_log(server: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "tamis.server"):
        address = f"{server}/read?url=http://user:word@127.0.0.1/a-secret-page"
        answer = httpx.get(address, headers={"x-request-id": "secret"})
        wait_for_line(caplog, "secret")
    assert "a-secret-page" in answer.json()["detail"]
    assert "fetch-refused" in JsonLines().format(caplog.records[-1])
    assert "a-secret-page" not in "".join(map(JsonLines().format, caplog.records))


def test_metrics_count_requests_and_pages(server: str) -> None:
    def count(start: str) -> float:
        lines = httpx.get(f"{server}/metrics").text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(start))

    requests = 'tamis_requests_total{method="POST",path="/v1/extract",status="200"}'
    pages = 'tamis_pages_total{extractor="tamis",outcome="fine"}'
    before = count(requests), count(pages)
    httpx.post(f"{server}/v1/extract", content=PAGE)
    assert (count(requests), count(pages)) == (before[0] + 1, before[1] + 1)
    assert count("tamis_workers ") == 1
    assert count("tamis_pages_pending ") == 0
    assert count("tamis_page_seconds_count") >= 1


def test_invented_paths_and_methods_make_no_new_counters(server: str) -> None:
    for number in range(5):
        httpx.request(f"MAKE{number}", f"{server}/invented/{number}")
    text = httpx.get(f"{server}/metrics").text
    assert "invented" not in text
    assert "MAKE" not in text


_FILES = ("", "none.js", "..%2fapp.py", "n" * 300, "n" * 300 + ".html", "%00.html", "%2e%2e")


@pytest.mark.parametrize("path", ["/nothing", "/v1/extract/", *(f"/playground/{name}" for name in _FILES)])
def test_what_is_not_there_is_a_problem(server: str, path: str) -> None:
    answer = httpx.get(f"{server}{path}")
    assert (answer.status_code, answer.json()["kind"]) == (404, "not-found")


def test_a_wrong_method_names_the_right_one(server: str) -> None:
    answer = httpx.get(f"{server}/v1/extract")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", "a/x"),
        ("b/*", "b/y"),
        ("*/*", "a/x"),
        ("b/y, a/x", "a/x"),
        ("a/x;q=0.1, b/y;q=0.2", "b/y"),
        ("*/*, a/x;q=0", "b/y"),
        ("A/X ; Q=1", "a/x"),
        ("a/x;q=nonsense", None),
        ("c/z", None),
        (",,;", None),
    ],
)
def test_the_preferred_type_is_found(header: str, expected: str | None) -> None:
    assert preferred(header, ("a/x", "b/y")) == expected
