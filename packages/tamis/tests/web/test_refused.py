"""What the rules for strangers' URLs refuse: addresses and redirect chains, each before a connection to it is made."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest

from tamis.errors import FetchError, FetchRefused
from tamis.web import Fetcher, FetchRules
from tamis.web.connection import Stream
from tests.web.internet import PUBLIC, Answer, Internet

STRANGERS = FetchRules(ports=frozenset({80, 443}), proxies=False, timeout=10, max_redirects=4)

# Look-up by look-up.
NAMES: dict[str, list[list[str]]] = {
    "private.example": [["10.0.0.1"]],
    "loopback.example": [["127.0.0.1"]],
    "loopback6.example": [["::1"]],
    "nothing.example": [["0.0.0.0"]],
    "mapped.example": [["::ffff:192.168.0.1"]],
    "nat64.example": [["64:ff9b::10.0.0.1"]],
    "linklocal.example": [["fe80::1"]],
    "mixed.example": [[PUBLIC[0], "192.168.0.1"]],
    "mixed6.example": [["fd00::1", PUBLIC[2]]],
    "mixed-families.example": [[PUBLIC[2], "127.0.0.1"]],
    "metadata.google.internal": [["169.254.169.254"]],
    "intranet": [["172.16.0.9"]],
    "rebinding.example": [[PUBLIC[0]], ["127.0.0.1"]],
    "silent.example": [[]],
    "strange.example": [["unix"]],
    "packed.example": [["packed"]],
}

OVEN = "http://oven.example/"
MILL = "https://mill.example/"


class Row(NamedTuple):
    chain: tuple[str, ...]  # the URL, and where each redirects to
    error: type[FetchError]
    reason: str
    connections: int

    @property
    def name(self) -> str:
        return " > ".join(url[:60] for url in self.chain)


def rows(
    error: type[FetchError], reason: str, *chains: str | tuple[str, ...], connections: int | None = None
) -> list[Row]:
    """Rows of one reason. The last URL of each chain is the refused one, so there is one connection less."""
    tuples = [(chain,) if isinstance(chain, str) else chain for chain in chains]
    return [Row(chain, error, reason, len(chain) - 1 if connections is None else connections) for chain in tuples]


def redirected(urls: str) -> list[tuple[str, ...]]:
    """Chains from a public address to each of these."""
    return [(OVEN, url) for url in urls.split()]


TABLE = [
    *rows(
        FetchRefused,
        "not a public address",
        # IPv4, in all of its spellings
        *"""
            http://127.0.0.1/ http://127.0.0.1:80/ https://127.0.0.1/ HTTP://127.0.0.1/ http://127.1/ http://127.0.1/
            http://127.255.255.254/ http://2130706433/ http://0x7f000001/ http://0x7F.1/ http://0x7f.0x0.0x0.0x1/
            http://017700000001/ http://0177.0x0.1/ http://127.0.0.1./ http://127。0。0。1/ http://127．0．0．1/
            http://127｡1/ http://0/ http://0.0.0.0/ http://00/ http://255.255.255.255/ http://10.0.0.1/
            http://167772161/ http://172.16.0.1/ http://172.31.255.255/ http://192.168.1.1/ http://192.168.257/
            http://192.0.0.192/ http://192.0.2.1/ http://198.18.0.1/ http://198.51.100.1/ http://203.0.113.1/
            http://224.0.0.1/ http://240.0.0.1/
        """.split(),
        # metadata of clouds
        *"""
            http://169.254.169.254/latest/meta-data/ http://2852039166/latest/meta-data/ http://0xA9.0xFE.0xA9.0xFE/
            http://169.254.43518/ http://100.100.100.200/latest/meta-data/ http://168.63.129.16/machine/
            http://[fd00:ec2::254]/latest/meta-data/ http://[fd20:ce::254]/
            http://metadata.google.internal/computeMetadata/v1/ http://METADATA.google.internal/
        """.split(),
        # IPv6
        *"""
            http://[::1]/ http://[::1]:443/ http://[0:0:0:0:0:0:0:1]/ http://[0000::0001]/ http://[::]/
            http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::ffff:169.254.169.254]/ http://[::127.0.0.1]/
            http://[::10.0.0.1]/ http://[::ffff:0:127.0.0.1]/ http://[64:ff9b::127.0.0.1]/ http://[64:ff9b::a9fe:a9fe]/
            http://[64:ff9b:1::1]/ http://[64:ff9b:1:fffe::10.0.0.1]/ http://[2002:7f00:1::1]/ http://[2002:a00:1::]/
            http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ http://[2001:db8::1]/
            http://[2a00:1450:4001::5efe:10.0.0.1]/ http://[2a00:1450:4001::200:5efe:7f00:1]/ http://[100::1]/
            http://[3fff::1]/ http://[fc00::1]/ http://[fd12:3456::1]/ http://[fe80::1]/ http://[fe80::1%25eth0]/
            http://[fe80::1%eth0]/ http://[2606:4700::1111%25lo]/ http://[::1%25lo]/ http://[fec0::1]/
            http://[ff02::1]/
        """.split(),
        # this machine by name
        *"""
            http://localhost/ http://LOCALHOST/ http://localhost./ http://LocalHost.:443/ http://oven.localhost/
            http://a.b.LOCALHOST./
        """.split(),
        # names, by their addresses: one that is private is enough
        *"""
            http://private.example/ http://loopback.example/ http://loopback6.example/ http://nothing.example/
            http://mapped.example/ http://nat64.example/ http://linklocal.example/ http://mixed.example/
            http://mixed6.example/ https://mixed-families.example/ http://intranet/
        """.split(),
        # a host that looks like another
        *"""
            http://oven.example@127.0.0.1/ http://oven.example:80@127.0.0.1/ http://oven.example%2f@127.0.0.1/
            http://a@oven.example@127.0.0.1/ http://127.0.0.1#@oven.example/ http://127.0.0.1?@oven.example/
            http://127.0.0.1/@oven.example/ http://127.0.0.1;@127.0.0.1/
        """.split(),
        # redirects
        *redirected(
            """
            http://127.0.0.1/ http://2130706433/ http://localhost./ http://169.254.169.254/latest/meta-data/
            http://metadata.google.internal/ http://[::1]/ http://[::ffff:a00:1]/
            http://[64:ff9b::a9fe:a9fe]/ http://[2002:7f00:1::1]/ http://[fe80::1%25eth0]/ http://127。0。0。1/
            http://private.example/ http://mixed.example/ http://oven.example@10.0.0.1/
            http://10.0.0.1#@oven.example/ //10.0.0.1/ //0x7f.1:443/
            """
        ),
        (OVEN, MILL, "http://192.168.0.1/"),
        (OVEN, MILL, "https://private.example/"),
        (OVEN, MILL, OVEN + "again", "https://[fd00::1]/"),
        ("http://rebinding.example/", "http://rebinding.example/again"),
    ),
    *rows(
        FetchRefused,
        "only http and https",
        *"""
            file:///etc/passwd FILE:///etc/passwd file://localhost/etc/passwd ftp://oven.example/
            gopher://oven.example:80/_GET data:text/html,<p>page javascript:alert(1) ws://oven.example/
            wss://oven.example/ jar:http://oven.example/a.jar!/b dict://oven.example:11211/stat ldap://oven.example/
            view-source:http://oven.example/ blob:http://oven.example/1 unix:/run/oven.sock
        """.split(),
        *redirected(
            """
            file:///etc/passwd ftp://oven.example/ gopher://127.0.0.1:6379/_FLUSHALL data:text/html,<p>page
            javascript:alert(1) ws://oven.example/ jar:http://oven.example/a.jar!/b
            dict://oven.example:11211/stat
            """
        ),
        (OVEN, MILL, "file:///proc/self/environ"),
    ),
    *rows(
        FetchRefused,
        "is not allowed, only 80, 443",
        *"""
            http://oven.example:22/ http://oven.example:25/ http://oven.example:6379/ http://oven.example:8080/
            http://oven.example:65535/ https://oven.example:8443/ http://127.0.0.1:6379/ http://oven.example:00022/
            http://oven.example:２２/
        """.split(),
        *redirected("http://oven.example:22/ //oven.example:6379/"),
        (OVEN, MILL, "http://oven.example:25/"),
    ),
    *rows(
        FetchError,
        "there is no port",
        *"http://oven.example:0/ http://oven.example:65536/ http://oven.example:-1/".split(),
        *redirected("http://oven.example:0/ http://oven.example:99999999/"),
    ),
    *rows(FetchError, "Invalid port", "http://oven.example:0x50/", "http://oven.example:80:80/", "http://::1/"),
    *rows(
        FetchError,
        *"""
            escaped http://127%2e0%2e0%2e1/ http://%31%32%37.0.0.1/ http://loc%61lhost/
            http://oven.example%00.mill.example/
        """.split(),
        "http://127.0.0.1 .oven.example/",
        *redirected("http://%6c%6f%63alhost/ http://127.0.0.1%2f.oven.example/"),
    ),
    *rows(
        FetchError,
        "backslash",
        "http://oven.example\\@127.0.0.1/",
        "http://127.0.0.1\\@oven.example/",
        "http://127.0.0.1\\.oven.example/",
        "//127.0.0.1\\oven.example",
        (OVEN, "http://127.0.0.1\\@oven.example/"),
        (OVEN, "//oven.example\\@127.0.0.1/"),
    ),
    *rows(
        FetchError,
        "Invalid",
        "http://127.0.0.1\t/",
        "http://oven.example\n/",
        "http://oven.\r\nexample/",
        "http://oven.example/\r\nHost: 127.0.0.1",
        "ht\ttp://oven.example/",
        "\nhttp://oven.example/",
        "http://oven.example\0.mill.example/",
        "http://１２７.０.０.１/",
        "http://①②⑦.⓪.⓪.①/",
        "http://ⓛocalhost/",
        "http://local\u00adhost/",
        *"""
            http://127.0.0.256/ http://0177.0.0.1/ http://127.0.0.01/ http://[127.0.0.1]/ http://[::1/ http://[::1]]/
            http://[::g]/ http://[v1.oven]/
        """.split(),
        *redirected("http://[::g]/ http://１２７.０.０.１/ http://0177.0.0.1/"),
    ),
    *rows(
        FetchError,
        "has no host",
        *"""
            http:// http:///127.0.0.1/ http:127.0.0.1 http:/127.0.0.1/
        """.split(),
        *r"http:\\127.0.0.1\ http://@/ http://:80/ http://#127.0.0.1".split(),
    ),
    *rows(
        FetchError, "not a URL", "", "127.0.0.1", "//127.0.0.1/", "page.html", "/etc/passwd", " http://oven.example/"
    ),
    *rows(
        FetchError,
        "can't be resolved",
        *"""
            http://nowhere.example/ http://silent.example/ http://strange.example/ http://packed.example/
        """.split(),
        *f"http://{'a' * 64}.example/ http://oven..example/ http://-/ http://127.0.0.1.oven.invalid/".split(),
        *redirected("http://silent.example/ http://strange.example/"),
    ),
    *rows(FetchError, "too long", "http://oven.example/" + "a" * 70_000, (OVEN, "/" + "a" * 66_000)),
    *rows(FetchError, "RemoteProtocolError", (OVEN, "/" + "a" * 200_000)),
    *rows(
        FetchError,
        "more than 4 redirects",
        (OVEN, OVEN),
        (OVEN, ""),
        (OVEN, "#part"),
        (OVEN, MILL, OVEN),
        connections=5,
    ),
    *rows(FetchError, "more than 4 redirects", (OVEN, *(f"{OVEN}{number}" for number in range(1, 6))), connections=5),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name.encode("unicode_escape").decode())
def test_refused_before_a_connection_is_made(row: Row, internet: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stream, "start_tls", lambda stream, *_, **__: stream)  # the server of the tests speaks plain
    internet.names |= {name: [*answers] for name, answers in NAMES.items()}
    for url, location in pairwise(row.chain):
        internet.answers[url.partition("//")[2]] = Answer.to(location)
    with pytest.raises(FetchError) as caught:
        Fetcher(STRANGERS).fetch(row.chain[0])
    message = str(caught.value)
    assert type(caught.value) is row.error, message
    assert row.reason in message
    assert message.isprintable()
    assert len(internet.connected) == row.connections


def test_a_host_that_needs_no_name_server_is_refused_without_one(internet: Internet) -> None:
    for host in ("localhost", "oven.localhost.", "0x7f.1", "127.0.0.1.", "[fe80::1%25eth0]", "10.0.0.1"):
        with pytest.raises(FetchRefused):
            Fetcher(STRANGERS).fetch(f"http://{host}/")
    assert not internet.looked_up


def test_the_address_that_was_judged_is_the_one_that_is_connected_to(internet: Internet) -> None:
    internet.names["rebinding.example"] = [[PUBLIC[1]], ["127.0.0.1"]]
    internet.answers["rebinding.example/"] = Answer()
    assert Fetcher(STRANGERS).fetch("http://rebinding.example/").data == b"<p>page"
    assert internet.connected == [(PUBLIC[1], 80)]
    assert internet.looked_up == ["rebinding.example"]


@pytest.mark.parametrize(
    ("given", "final"),
    [
        ("http://OVEN.example:80/", OVEN),
        ("http://baker:rye@oven.example/", OVEN),
        ("http://oven.example:443/", "http://oven.example:443/"),
        ("http://[2606:4700::1111]/", "http://[2606:4700::1111]/"),
        ("http://1572394766/", "http://1572394766/"),  # 93.184.215.14
        ("http://oven。example/", OVEN),
    ],
)
def test_what_is_public_is_fetched_in_any_spelling(given: str, final: str, internet: Internet) -> None:
    internet.answers[final.removeprefix("http://")] = Answer()
    assert Fetcher(STRANGERS).fetch(given)[:3] == (b"<p>page", final, None)


def test_credentials_of_a_redirect_are_not_sent(internet: Internet) -> None:
    internet.answers |= {"oven.example/": Answer.to("http://baker:rye@mill.example/"), "mill.example/": Answer()}
    assert Fetcher(STRANGERS).fetch(OVEN).url == "http://mill.example/"
    assert not [asked for asked in internet.requests if "authorization" in asked.headers]


def test_a_page_behind_redirects_of_all_kinds_is_fetched(internet: Internet) -> None:
    locations = ["http://oven.example/a", "b", "//mill.example/c", "/d?e#f"]
    urls = ["oven.example/", "oven.example/a", "oven.example/b", "mill.example/c", "mill.example/d?e"]
    answers = [*(Answer.to(location) for location in locations), Answer()]
    internet.answers |= dict(zip(urls, answers, strict=True))
    assert Fetcher(STRANGERS).fetch(OVEN).url == "http://mill.example/d?e#f"
    assert internet.urls == urls


def test_an_address_of_a_strange_family_is_left_out(internet: Internet) -> None:
    internet.names["oven.example"] = [["unix", PUBLIC[0]]]
    internet.answers["oven.example/"] = Answer()
    assert Fetcher(STRANGERS).fetch(OVEN).data == b"<p>page"
    assert internet.connected == [(PUBLIC[0], 80)]
