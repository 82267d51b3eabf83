"""Fetching what robots.txt allows, by RFC 9309."""

from __future__ import annotations

import gzip
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

import tamis
from tamis.errors import FetchRefused, FetchTimeout
from tamis.web import Fetcher, FetchRules, robots
from tests.web.internet import PUBLIC, Answer, Internet

RULES = FetchRules(robots=True, proxies=False, timeout=10)
PAGES = ("", "a", "private/1", "private/open/1", "x.pdf?y", "%7Ebaker/", "loaf$", "robots.txt", "Ёлка")
ROBOTS = "oven.example/robots.txt"


@pytest.fixture(autouse=True)
def _pages(internet: Internet) -> None:
    for host in ("oven.example", "mill.example"):
        internet.answers |= {f"{host}/{page}": Answer() for page in PAGES}
    internet.answers["oven.example/%D0%81%D0%BB%D0%BA%D0%B0"] = Answer()
    del internet.answers[ROBOTS], internet.answers["mill.example/robots.txt"]


def is_allowed(path: str, fetcher: Fetcher | None = None) -> bool:
    """May this page of oven.example be fetched? Fails for any other reason why not."""
    try:
        (fetcher or Fetcher(RULES)).fetch(f"http://oven.example/{path}")
    except FetchRefused as refused:
        if not str(refused).endswith(": the robots.txt of http://oven.example forbids it"):
            raise
        return False
    return True


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "a", True),
        ("User-agent: *\nDisallow: /", "a", False),
        ("User-agent: *\nDisallow: /", "", False),
        ("User-agent: *\nDisallow:", "a", True),
        ("User-agent: *\nDisallow: /private", "a", True),
        ("User-agent: *\nDisallow: /private", "private/1", False),
        ("User-agent: *\nDisallow: /private\nAllow: /private/open/", "private/open/1", True),
        ("User-agent: *\nAllow: /private/open/\nDisallow: /private", "private/1", False),
        ("User-agent: *\nDisallow: /*.pdf", "x.pdf?y", False),
        ("User-agent: *\nDisallow: /*.pdf$", "x.pdf?y", True),
        ("User-agent: *\nDisallow: /x.pdf?y", "x.pdf?y", False),
        ("User-agent: *\nDisallow: /~baker/", "%7Ebaker/", False),
        ("User-agent: *\nDisallow: /%7ebaker/", "%7Ebaker/", False),
        ("User-agent: *\nDisallow: /Ёлка", "Ёлка", False),
        ("User-agent: *\nDisallow: /a$", "a", False),
        ("user-AGENT : *\n\n# a comment\nDISALLOW : /a # another", "a", False),
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", "a", False),
        ("Disallow: /a", "a", True),
        ("<html><p>no rules</p>", "a", True),
        # names
        ("User-agent: tamis\nDisallow: /a", "a", False),
        ("User-agent: Tamis/0.1\nDisallow: /a", "a", False),
        ("User-agent: tamisbot\nDisallow: /a", "a", True),
        ("User-agent: ta\nDisallow: /a", "a", True),
        ("User-agent: mill\nDisallow: /a", "a", True),
        ("User-agent: another\nDisallow: /a", "a", True),
        ("User-agent: mozilla\nDisallow: /a", "a", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: tamis\nDisallow: /private", "a", True),
        ("User-agent: tamis\nDisallow: /private\n\nUser-agent: *\nDisallow: /", "private/1", False),
        ("User-agent: tamis\nDisallow: /a\nUser-agent: tamis\nDisallow: /private", "a", False),
        ("User-agent: mill\nUser-agent: tamis\nUser-agent: oven\nDisallow: /a", "a", False),
        ("User-agent: tamis\nCrawl-delay: 9\nSitemap: /s\nUser-agent: mill\nDisallow: /a", "a", False),
        ("User-agent: tamis\nDisallow:\nUser-agent: mill\nDisallow: /a", "a", True),
    ],
)
def test_what_a_file_allows(text: str, path: str, allowed: bool, internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.text(text)
    assert is_allowed(path) is allowed
    assert internet.urls[0] == ROBOTS
    assert len(internet.urls) == 1 + allowed  # a forbidden page is not asked for


def test_without_a_file_all_pages_are_allowed_and_the_file_always_is(internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.text("User-agent: *\nDisallow: /")
    assert is_allowed("robots.txt")
    for status in (400, 401, 403, 404, 410, 429):
        internet.answers[ROBOTS] = Answer(status, body=b"User-agent: *\nDisallow: /")
        assert is_allowed("a")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(500), "answered 500"),
        (Answer(503), "answered 503"),
        (Answer(300), "answered 300"),
        (Answer(0), "disconnected"),
        (Answer(200, {"Content-Encoding": "gzip"}, b"this is no gzip"), "error"),
        (Answer(200, {"Content-Encoding": "gzip"}, gzip.compress(b"User-agent: *")[:-9]), "cut off"),
        (Answer(200, {"Content-Encoding": "br"}, b""), "compressed"),
        (Answer(200, {"Content-Length": "100"}, b"User-agent: *\nDisallow:"), "closed connection"),
        (Answer.to("http://127.0.0.1/robots.txt"), "not a public address"),
        (Answer.to("http://mixed.example/robots.txt"), "not a public address"),
        (Answer.to("file:///etc/robots.txt"), "only http and https"),
        (Answer.to("http://oven.example:0/robots.txt"), "no port 0"),
        (Answer.to("http://nowhere.example/robots.txt"), "resolved"),
    ],
)
def test_where_the_file_can_not_be_read_nothing_is_allowed(answer: Answer, words: str, internet: Internet) -> None:
    internet.names["mixed.example"] = [[PUBLIC[0], "10.0.0.1"]]
    internet.answers[ROBOTS] = answer
    with pytest.raises(FetchRefused, match=rf"robots\.txt of http://oven\.example can't be read.*{words}"):
        Fetcher(RULES).fetch("http://oven.example/a")
    assert internet.urls == [ROBOTS]


def test_the_ports_of_the_rules_hold_for_the_file_too(internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.to("http://oven.example:8080/robots.txt")
    with pytest.raises(FetchRefused, match=r"robots\.txt .* port 8080 is not allowed"):
        Fetcher(RULES._replace(ports=frozenset({80}))).fetch("http://oven.example/a")


def test_a_server_that_does_not_answer_is_asked_again_for_the_next_page(internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.to("/silent")
    fetcher = Fetcher(RULES._replace(timeout=0.4))
    with pytest.raises(FetchRefused, match=r"robots\.txt .* takes too long"):
        fetcher.fetch("http://oven.example/a")
    internet.answers[ROBOTS] = Answer.text("")
    assert fetcher.fetch("http://oven.example/a").data == b"<p>page"


def test_a_page_that_does_not_answer_is_a_timeout(internet: Internet) -> None:
    with pytest.raises(FetchTimeout):
        Fetcher(RULES._replace(timeout=0.4)).fetch("http://oven.example/silent")


@pytest.mark.parametrize("redirects", [1, 5])
def test_the_file_may_redirect(redirects: int, internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.to("http://mill.example/1")
    for number in range(1, redirects):
        internet.answers[f"mill.example/{number}"] = Answer.to(f"{number + 1}")
    internet.answers[f"mill.example/{redirects}"] = Answer.text("User-agent: *\nDisallow: /a")
    assert not is_allowed("a")
    assert len(internet.urls) == 1 + redirects


def test_after_more_than_five_redirects_it_is_as_if_there_were_no_file(internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.to("/robots.txt")
    assert is_allowed("a", Fetcher(RULES._replace(max_redirects=0)))
    assert internet.urls == [ROBOTS] * 6 + ["oven.example/a"]


def test_the_beginning_of_a_large_file_counts(internet: Internet) -> None:
    start = b"User-agent: *\nDisallow: /private\n"
    padding = b"#" * (robots.MAX_BYTES - len(start) - 12) + b"\n"
    body = start + padding + b"Disallow: /a/loaf\nDisallow: /x\n" + b"#" * 5_000_000
    for answer in (Answer.text(body), Answer(200, {"Content-Encoding": "gzip"}, gzip.compress(body))):
        internet.answers[ROBOTS] = answer
        assert not is_allowed("private/1")
        assert is_allowed("x.pdf?y")
        assert is_allowed("a")  # the cut line is not read as one for /a


def test_many_names_before_many_rules_are_not_multiplied(internet: Internet) -> None:
    names = "\n".join(f"User agent: {number}" for number in range(12_000))
    internet.answers[ROBOTS] = Answer.text(f"{names}\nUser-agent: *\n" + "Disallow: /b\n" * 15_000 + "Disallow: /a\n")
    assert not is_allowed("a")


def test_a_file_is_fetched_once_for_all_pages_of_its_site(internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.text("User-agent: *\nDisallow: /private")
    fetcher = Fetcher(RULES)
    assert [is_allowed(path, fetcher) for path in ("a", "private/1", "")] == [True, False, True]
    assert internet.urls == [ROBOTS, "oven.example/a", "oven.example/"]


@pytest.mark.parametrize(("status", "seconds"), [(404, 3_600), (500, 60)])
def test_after_a_while_it_is_fetched_again(
    status: int, seconds: float, internet: Internet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask() -> int:
        with suppress(FetchRefused):
            fetcher.fetch("http://oven.example/a")
        return internet.urls.count(ROBOTS)

    internet.answers[ROBOTS] = Answer(status)
    fetcher = Fetcher(RULES)
    now = time.monotonic()
    assert [ask(), ask()] == [1, 1]
    monkeypatch.setattr(robots, "time", SimpleNamespace(monotonic=lambda: now + seconds - 20))
    assert ask() == 1
    monkeypatch.setattr(robots, "time", SimpleNamespace(monotonic=lambda: now + seconds + 20))
    assert ask() == 2


@pytest.mark.parametrize("limit", ["_MOST_SITES", "_MOST_CHARACTERS"])
def test_the_sites_that_were_asked_last_are_remembered(
    limit: str, internet: Internet, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "User-agent: *\nDisallow: /private"
    monkeypatch.setattr(robots, limit, 2 if limit == "_MOST_SITES" else 2 * len(lines))
    fetcher = Fetcher(RULES)
    for host in ("a.example", "b.example", "a.example", "c.example", "a.example", "b.example"):
        internet.names[host] = [[PUBLIC[0]]]
        internet.answers |= {f"{host}/": Answer(), f"{host}/robots.txt": Answer.text(lines)}
        fetcher.fetch(f"http://{host}/")
    files = [url.partition("/")[0] for url in internet.urls if url.endswith("robots.txt")]
    assert files == ["a.example", "b.example", "c.example", "b.example"]


def test_a_port_is_another_site(internet: Internet) -> None:
    internet.answers |= {ROBOTS: Answer.text("User-agent: *\nDisallow: /"), "oven.example:8080/a": Answer()}
    fetcher = Fetcher(RULES)
    assert not is_allowed("a", fetcher)
    assert fetcher.fetch("http://oven.example:8080/a").data == b"<p>page"
    assert "oven.example:8080/robots.txt" in internet.urls


def test_after_a_redirect_the_file_of_the_new_site_counts(internet: Internet) -> None:
    internet.answers |= {
        "oven.example/a": Answer.to("http://mill.example/a"),
        "mill.example/robots.txt": Answer.text("User-agent: tamis\nDisallow: /a"),
    }
    with pytest.raises(FetchRefused, match=r"the robots\.txt of http://mill\.example forbids it"):
        Fetcher(RULES).fetch("http://oven.example/a")
    assert internet.urls == [ROBOTS, "oven.example/a", "mill.example/robots.txt"]


def test_a_redirect_on_the_same_site_is_judged_too(internet: Internet) -> None:
    internet.answers |= {"oven.example/a": Answer.to("/private/1"), ROBOTS: Answer.text("User-agent: *\nDisallow: /p")}
    assert not is_allowed("a")
    assert internet.urls == [ROBOTS, "oven.example/a"]


def test_a_private_site_is_refused_before_its_file_is_asked_for(internet: Internet) -> None:
    internet.names["inside.example"] = [["10.0.0.1"]]
    with pytest.raises(FetchRefused, match="not a public address"):
        Fetcher(RULES).fetch("http://inside.example/")
    internet.names["rebinding.example"] = [[PUBLIC[0]], ["127.0.0.1"]]  # private when its file is fetched
    with pytest.raises(FetchRefused, match=r"robots\.txt .* not a public address"):
        Fetcher(RULES).fetch("http://rebinding.example/")
    assert not internet.connected


def test_the_file_is_asked_for_by_name_and_without_credentials(internet: Internet) -> None:
    Fetcher(RULES).fetch("http://baker:rye@oven.example/a")
    file, page = internet.requests
    assert (file.url, "authorization" in file.headers) == (ROBOTS, False)
    assert (page.url, "authorization" in page.headers) == ("oven.example/a", True)
    assert "tamis/" in file.headers["user-agent"]


def test_the_library_asks_for_no_file_unless_told_to(internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.text("User-agent: *\nDisallow: /")
    assert tamis.fetch("http://oven.example/a").data == b"<p>page"
    assert internet.urls == ["oven.example/a"]
    with pytest.raises(FetchRefused, match=r"robots\.txt"):
        tamis.fetch("http://oven.example/a", robots=True)


def test_threads_may_share_what_is_known(internet: Internet) -> None:
    internet.answers[ROBOTS] = Answer.text("User-agent: *\nDisallow: /private")
    fetcher = Fetcher(RULES)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda path: is_allowed(path, fetcher), ["a", "private/1"] * 20))
    assert answers == [True, False] * 20


def test_without_protego_the_error_names_the_pip_command(monkeypatch: pytest.MonkeyPatch, internet: Internet) -> None:
    hidden: Any = None
    monkeypatch.setitem(sys.modules, "protego", hidden)
    with pytest.raises(tamis.MissingExtra, match=r"pip install 'tamis\[server\]'"):
        Fetcher(RULES)
    with pytest.raises(tamis.MissingExtra):
        tamis.fetch("http://oven.example/", robots=True)
    assert not internet.connected
