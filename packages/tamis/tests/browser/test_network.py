"""Without network nothing leaves; with it, the same page does reach a server, so that this can fail."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

import tamis
from tamis.web.browser import Browser, RenderError, show
from tests.browser.conftest import Server
from tests.browser.pictures import RED, WHITE, pixel

pytestmark = pytest.mark.xdist_group("browser")

WAYS = """
<link rel=stylesheet href={http}/css><link rel=icon href={http}/icon><link rel=preload as=image href={http}/preload>
<link rel=prefetch href={http}/prefetch><link rel=preconnect href={http}><link rel=dns-prefetch href={http}>
<link rel=modulepreload href={http}/modulepreload>
<style>@import "{http}/import"; @font-face {{ font-family: f; src: url({http}/font) }}
body {{ background: url({http}/background); font-family: f }}</style>
<img src={http}/img><picture><source srcset={http}/srcset><img src={http}/fallback></picture>
<iframe src={http}/iframe></iframe><object data={http}/object></object><embed src={http}/embed>
<video src={http}/video poster={http}/poster></video><audio src={http}/audio autoplay></audio>
<svg width=9 height=9><image href={http}/svg /></svg><input type=image src={http}/input>
<script src={http}/script></script>
"""
SCRIPT = """<p>words</p><script>
fetch("{http}/fetch", {{mode: "no-cors"}}).catch(() => 0);
navigator.sendBeacon("{http}/beacon");
new WebSocket("ws{rest}/socket");
new EventSource("{http}/events");
const worker = new Worker(URL.createObjectURL(new Blob(["fetch('{http}/worker', {{mode: 'no-cors'}})"])));
const link = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:{udp}"}}]}});
link.createDataChannel("x"); link.createOffer().then(offer => link.setLocalDescription(offer));
window.open("{http}/window");
</script>"""


def page_for(server: Server, udp: int) -> str:
    """A page that tries to reach the server in every way we know."""
    http = server.address("")
    return (WAYS + SCRIPT).format(http=http, rest=http.removeprefix("http"), udp=udp)


def leave(server: Server) -> str:
    return f"<meta http-equiv=refresh content='0;url={server.address('/refresh')}'><p>words"


@pytest.fixture
def stun() -> socket.socket:
    """A UDP socket that waits for WebRTC."""
    waiting = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    waiting.bind(("127.0.0.1", 0))
    waiting.setblocking(False)
    return waiting


def heard(stun: socket.socket) -> bool:
    try:
        return bool(stun.recv(100))
    except BlockingIOError:
        return False


def test_nothing_leaves_without_network(
    server: Server, stun: socket.socket, browser: Browser, scripted: Browser
) -> None:
    with stun:
        page = page_for(server, stun.getsockname()[1])
        for each in (browser, scripted):
            assert each.screenshot(page, url=server.address("/page"))
            assert each.screenshot(leave(server))
        # What a page has started goes on until its window is closed, which it was before the next page.
        scripted.screenshot("the next page")
        assert (server.asked, server.connections, heard(stun)) == ([], 0, False)


def test_the_same_page_reaches_out_with_network(server: Server, stun: socket.socket, networked: Browser) -> None:
    # The server's own page: Chromium itself keeps strangers from a machine's own servers.
    ways = {f"/{way}" for way in "css import img iframe object video script fetch socket worker background".split()}
    with stun:
        server.page = page_for(server, stun.getsockname()[1])
        called = False
        for _ in range(5):  # a script's requests may come too late for one picture
            networked.screenshot_of(server.address("/page"))
            called = called or heard(stun)
            if called and ways <= set(server.asked):
                break
    assert ways - set(server.asked) == set()
    assert called


def test_style_sheets_are_loaded_with_network(server: Server, networked: Browser) -> None:
    page = "<link rel=stylesheet href=/red.css>"
    assert pixel(networked.screenshot(page, url=server.address("/page")), 100, 100) == RED
    assert "/page" not in server.asked
    assert pixel(networked.screenshot_of(server.address("/page")), 100, 100) == RED
    assert "/page" in server.asked


def test_what_the_web_answers_instead_of_a_page(server: Server, networked: Browser) -> None:
    with pytest.raises(RenderError, match=r"^the server answered 404 Not Found$") as error:
        networked.screenshot_of(server.address("/missing"))
    assert error.value.kind == "error"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(RenderError, match="ERR_CONNECTION_REFUSED") as error:
        networked.screenshot_of(f"http://127.0.0.1:{port}/")
    assert (error.value.kind, str(error.value).count("\n")) == ("error", 0)
    with pytest.raises(tamis.FetchError, match="only http and https"):
        networked.screenshot_of("file:///etc/passwd")


def test_a_page_that_never_ends_is_drawn_as_far_as_it_came(
    server: Server, networked: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "LOADING_SHARE", 0.1)  # of 15 seconds
    silent = server.address("/silent")
    page = f"<body style='background:red'>words<img src={silent}><script src={silent}></script>"
    assert pixel(networked.screenshot(page, url=server.address("/page")), 100, 100) == RED
    assert "/silent" in server.asked


def test_a_url_is_opened_only_with_network() -> None:
    with pytest.raises(tamis.OptionError, match="without network"):
        Browser().screenshot_of("https://oven.example/")


@pytest.mark.parametrize("name", ["browser", "networked"])
def test_files_are_out_of_reach(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    browser: Browser = request.getfixturevalue(name)
    secret, missing = tmp_path / "secret.html", tmp_path / "missing.html"
    secret.write_text("<body style='background:red'>", encoding="utf-8")
    frame = "<style>*{{margin:0;border:0}}</style><iframe src='{}' style='width:100vw;height:100vh'></iframe>"
    shown = browser.screenshot(frame.format(secret.as_uri()))
    assert pixel(shown, 100, 100) != RED
    assert shown == browser.screenshot(frame.format(missing.as_uri()))
    assert pixel(browser.screenshot(f"<style>@import '{secret.as_uri()}'</style><p>words"), 100, 100) == WHITE
