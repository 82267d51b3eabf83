"""The rules of a Fetcher: what each of them changes, and which errors tell what went wrong."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import tamis
from tamis.errors import FetchError, FetchRefused, FetchTimeout
from tamis.web import Fetcher, FetchRules
from tests.web.internet import Answer, Internet

OVEN = "http://oven.example/"


@pytest.fixture(autouse=True)
def _page(internet: Internet) -> None:
    internet.answers["oven.example/"] = Answer()


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (FetchRules(timeout=0), "a timeout is"),
        (FetchRules(max_bytes=0), "max_bytes is"),
        (FetchRules(max_redirects=-1), "max_redirects is"),
        (FetchRules(max_redirects=None), "max_redirects is"),  # type: ignore[arg-type]
        (FetchRules(ports={80}), "ports is"),  # type: ignore[arg-type]
        (FetchRules(ports=frozenset({0})), "ports is"),
        (FetchRules(ports=frozenset({"80"})), "ports is"),  # type: ignore[arg-type]
        (FetchRules(user_agent="a\r\nHost: mill.example"), "a user agent is"),
        (FetchRules(user_agent="брот"), "a user agent is"),
    ],
)
def test_rules_that_make_no_sense(rules: FetchRules, words: str) -> None:
    with pytest.raises(tamis.OptionError, match=words):
        Fetcher(rules)


def test_a_url_is_a_str() -> None:
    with pytest.raises(tamis.OptionError, match="a URL is a str, not bytes"):
        Fetcher().fetch(b"http://oven.example/")  # type: ignore[arg-type]


def test_a_port_that_is_allowed(internet: Internet) -> None:
    internet.answers["oven.example:8080/"] = Answer()
    for ports in (None, frozenset({8080})):
        assert Fetcher(FetchRules(ports=ports)).fetch("http://oven.example:8080/").url == "http://oven.example:8080/"
    with pytest.raises(FetchRefused, match="port 80 is not allowed, only 443"):
        Fetcher(FetchRules(ports=frozenset({443}))).fetch(OVEN)


@pytest.mark.parametrize("variable", ["http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"])
def test_without_proxies_those_of_the_environment_are_not_used(
    variable: str, internet: Internet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "http://mill.example:3128")
    assert Fetcher(FetchRules(proxies=False)).fetch(OVEN).data == b"<p>page"
    assert internet.looked_up == ["oven.example"]


def test_a_port_is_judged_behind_a_proxy_too(internet: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://mill.example:3128")
    with pytest.raises(FetchRefused, match="port 22"):
        Fetcher(FetchRules(ports=frozenset({80}))).fetch("http://oven.example:22/")
    assert not internet.looked_up


def test_the_user_agent_says_who_we_are(internet: Internet) -> None:
    Fetcher().fetch(OVEN)
    Fetcher(FetchRules(user_agent="mill/1.0")).fetch(OVEN)
    assert [asked.headers["user-agent"] for asked in internet.requests] == [
        f"Mozilla/5.0 (compatible; tamis/{tamis.__version__}; +https://github.com/tamis-extract/tamis)",
        "mill/1.0",
    ]


@pytest.mark.parametrize(("redirects", "allowed"), [(0, 0), (1, 1), (3, 3), (3, 10)])
def test_as_many_redirects_as_allowed_are_followed(redirects: int, allowed: int, internet: Internet) -> None:
    for number in range(redirects):
        internet.answers[f"oven.example/{number}"] = Answer.to(f"/{number + 1}")
    internet.answers[f"oven.example/{redirects}"] = Answer()
    assert Fetcher(FetchRules(max_redirects=allowed)).fetch(f"{OVEN}0").url == f"{OVEN}{redirects}"
    if redirects:
        with pytest.raises(FetchError, match=f"more than {redirects - 1} redirects"):
            Fetcher(FetchRules(max_redirects=redirects - 1)).fetch(f"{OVEN}0")


def test_other_errors_are_not_called_refused(internet: Internet) -> None:
    for answer, words in ((Answer(0), "disconnected"), (Answer(200, {}, bytes(11)), "larger than 10 bytes")):
        internet.answers["oven.example/"] = answer
        with pytest.raises(FetchError, match=words) as caught:
            Fetcher(FetchRules(max_bytes=10)).fetch(OVEN)
        assert type(caught.value) is FetchError


@pytest.mark.parametrize("url", [f"{OVEN}silent", "http://slow.example/"])
def test_a_timeout_has_an_error_of_its_own(url: str, internet: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = threading.Event()

    def resolve(host: str, *rest: Any, **options: Any) -> list[Any]:
        if host == "slow.example":
            waiting.wait(60)
        return internet.resolve(host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(FetchTimeout, match=r"took longer than 0\.3 s"):
        Fetcher(FetchRules(timeout=0.3)).fetch(url)
    waiting.set()


def test_private_addresses_may_be_allowed(internet: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.web.internet.PUBLIC", ("10.0.0.1",))
    internet.names["oven.example"] = [["10.0.0.1"]]
    assert Fetcher(FetchRules(allow_private=True)).fetch(OVEN).data == b"<p>page"
    with pytest.raises(FetchRefused, match="not a public address"):
        Fetcher().fetch(OVEN)


def test_threads_may_share_a_fetcher(internet: Internet) -> None:
    bodies = {f"oven.example/{number}": str(number).encode() for number in range(40)}
    internet.answers |= {url: Answer(body=body) for url, body in bodies.items()}
    fetcher = Fetcher()
    with ThreadPoolExecutor(4) as pool:
        pages = list(pool.map(fetcher.fetch, [f"http://{url}" for url in bodies]))
    assert [page.data for page in pages] == list(bodies.values())
