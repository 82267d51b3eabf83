"""What one page or client may do to a server, and that the others do not notice."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import httpx
import pytest
from starlette.requests import ClientDisconnect, Request

from tamis.cli.main import main
from tamis.server import app, jobs, run
from tamis.server.account import Account, Bodies
from tamis.server.problems import RequestError
from tamis.server.settings import Settings
from tamis.worker.service import ServiceBusy
from tests.processes import children, is_alive, needs_proc
from tests.server.conftest import serving
from tests.server.tasks import ObedientTask
from tests.server.test_extract import PAGE
from tests.servers import connection_to

HTML = {"content-type": "text/html"}


@pytest.fixture(scope="module")
def strict() -> Iterator[str]:
    """A server with low limits, whose workers obey pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "PageTask", ObedientTask)
        low: dict[str, Any] = {"timeout": 0.5, "max_bytes": 1_000_000, "body_seconds": 1.0, "queue": 3, "workers": 1}
        with serving(**low, memory=256 if sys.platform == "linux" else None) as address:
            yield address


def post(address: str, page: str | bytes = PAGE) -> httpx.Response:
    return httpx.post(f"{address}/v1/extract", content=page, headers=HTML, timeout=60)


@pytest.mark.parametrize(
    ("page", "status", "kind"),
    [
        ("SLEEP 30", 504, "page-too-slow"),
        ("HANG", 504, "page-too-slow"),
        ("CRASH", 502, "crash"),
        pytest.param(
            *("GROW", 413, "out-of-memory"),
            marks=pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only"),
        ),
        (PAGE + "x" * 1_000_000, 413, "page-too-large"),
    ],
)
def test_a_page_that_breaks_a_limit_gets_its_status(strict: str, page: str, status: int, kind: str) -> None:
    answer = post(strict, page)
    assert (answer.status_code, answer.json()["kind"]) == (status, kind)
    assert post(strict).status_code == 200
    assert f'outcome="{kind}"' in httpx.get(f"{strict}/metrics").text or kind == "page-too-large"


def test_an_error_of_ours_tells_nothing(strict: str) -> None:
    answer = post(strict, "ERROR")
    assert answer.status_code in (500, 502)
    assert "secret" not in answer.text
    assert post(strict).status_code == 200


def all_of(connection: socket.socket) -> bytes:
    """What the server sends until it hangs up."""
    got = b""
    with suppress(ConnectionResetError):
        while more := connection.recv(1 << 20):
            got += more
    return got


def raw(address: str, *parts: bytes, pause: float = 0.0) -> bytes:
    """Send bytes as they are, and read until the server closes the connection or says nothing for a while."""
    with connection_to(address) as connection:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        got = b""
        while b"\r\n\r\n" not in got and (more := connection.recv(65_536)):
            got += more
        return got


def test_a_body_without_a_length_is_cut_off_where_it_is_too_long(strict: str) -> None:
    chunk = b"%x\r\n%s\r\n" % (65_536, bytes(65_536))
    head = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert raw(strict, head, *[chunk] * 20).startswith(b"HTTP/1.1 413")


def test_a_body_that_never_comes_is_given_up(strict: str) -> None:
    head = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n<p>"
    assert raw(strict, head).startswith(b"HTTP/1.1 408")


def test_a_full_queue_answers_at_once_that_it_is_busy(strict: str) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: post(strict, "SLEEP 0.3"), range(8)))
    got = Counter(answer.status_code for answer in answers)
    assert set(got) == {200, 503}
    assert got[200] >= 4
    busy = next(answer for answer in answers if answer.status_code == 503)
    assert busy.headers["retry-after"] == "1"
    assert busy.json()["kind"] == "busy"


def test_clients_that_hang_up_leave_their_place(strict: str) -> None:
    request = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nSLEEP 0.4"
    for _ in range(4):
        with connection_to(strict) as connection:
            connection.sendall(request)
            time.sleep(0.02)
    start = time.monotonic()
    assert post(strict).status_code == 200
    assert time.monotonic() - start < 1.2  # four pages of 0.4 s each would take longer


def test_batches_leave_room_for_others(strict: str) -> None:
    lines = b'{"html": "SLEEP 0.05"}\n' * 30
    with ThreadPoolExecutor(1) as threads:
        batch = threads.submit(httpx.post, f"{strict}/v1/extract/batch", content=lines, timeout=60)
        time.sleep(0.2)
        assert post(strict).status_code == 200
        assert not batch.done()
        assert batch.result().text.count('"status": 200') == 30


def test_the_time_of_a_line_ends_even_if_bytes_come(strict: str) -> None:
    head = b"POST /v1/extract/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    start = time.monotonic()
    assert raw(strict, head, *[b"1\r\n \r\n"] * 8, pause=0.2).startswith(b"HTTP/1.1 408")
    assert time.monotonic() - start < 2.5


def test_bodies_pages_and_answers_are_one_account() -> None:
    """A page that waits in the queue takes as much memory as one that is read."""

    async def run() -> list[int]:
        account, bodies = Account(250), Bodies(100, 1.0)
        found = []
        with account.share() as one, account.share() as other:
            with one.holding(100), other.holding(100):
                found.append(account.held)
                with pytest.raises(ServiceBusy), account.share() as third:
                    await bodies.whole(body_of(b"x" * 30, b"x" * 30), third)
                assert await bodies.whole(body_of(b"x" * 40), other) == b"x" * 40
                found.append(account.held)
            with pytest.raises(ServiceBusy):
                one.add(251)
            one.add(50)
            found.append(account.held)
        with pytest.raises(ClientDisconnect):
            one.add(1)
        return [*found, account.held]

    assert asyncio.run(run()) == [200, 200, 50, 0]


def test_lines_count_and_wait_for_room() -> None:
    parts = (b"one\ntw", b"o\n", b" \n", b"x" * 60, b"x" * 30 + b"\nlast")

    async def run() -> None:
        account, bodies = Account(200), Bodies(100, 0.3)
        with account.share() as share:
            found = []
            async for line in bodies.lines(body_of(*parts), share):
                found.append((len(line), account.held))
                share.drop(len(line))
            assert found == [(3, 5), (3, 3), (90, 94), (4, 4)]
            assert account.held == 0
        with account.share() as other, account.share() as share, other.holding(50):
            lines = bodies.lines(body_of(b"x" * 60, b"\n"), share)
            with pytest.raises(RequestError, match=r"for 0\.3 s"):  # half of the account is for those who can't wait
                await anext(lines)
            lines = bodies.lines(body_of(b"x" * 60, b"\n"), share)
            asyncio.get_running_loop().call_later(0.1, other.drop, 50)
            assert await anext(lines) == b"x" * 60
        for each in ((b"x" * 101,), (b"x" * 60, b"x" * 60 + b"\n")):
            with account.share() as share, pytest.raises(RequestError):
                assert [line async for line in bodies.lines(body_of(*each), share)] == []
        assert account.held == 0

    asyncio.run(run())


def test_where_memory_is_short_the_longest_stalled_client_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    account, gone = Account(100), list[str]()
    with (
        account.share(lambda: gone.append("first")) as first,
        account.share(lambda: gone.append("second")) as second,
        account.share(lambda: gone.append("reading")) as reading,
        account.share() as other,
    ):
        for share in (first, second, reading):
            share.add(30)
        with first.waiting():
            now += 5
            with second.waiting():
                now += 0.5
                with pytest.raises(ServiceBusy):
                    other.add(71)  # more than what the stalled one has
                assert gone == ["first"]
                now += 5
                other.add(40)
                assert (gone, account.held) == (["first"], 100)
                other.add(30)
                assert (gone, account.held) == (["first", "second"], 100)
                with pytest.raises(ServiceBusy):
                    other.add(1)
        assert "reading" not in gone


def body_of(*parts: bytes) -> Request:
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    rest = iter([*messages, {"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Any:
        return next(rest)

    return Request({"type": "http", "headers": []}, receive)


def test_the_second_head_of_a_connection_has_its_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_HEAD_SECONDS", 0.5)
    monkeypatch.setattr(run, "_KEEP_SECONDS", 0.5)
    with serving() as address:
        for begun in (b"GET /healthz HTTP/1.1\r\nHo", b"\r\n"):
            with connection_to(address) as connection:
                connection.sendall(_HEAD + b"\r\n" + begun)
                assert all_of(connection).startswith(b"HTTP/1.1 200")


_HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    "parts",
    [
        (_HEAD, b"X: " + b"x" * 60_000, b"x" * 60_000, b"x" * 60_000),
        (_HEAD, *[b"X: %s\r\n" % (b"x" * 999)] * 200),
        (_HEAD + b"X: " + b"x" * 66_000 + b"\r\n\r\n",),
        (b"GET /healthz?" + b"x" * 60_000, b"x" * 60_000, b"x" * 60_000),
    ],
    ids=["one header", "many headers", "at once", "an address"],
)
def test_a_head_has_a_size(strict: str, parts: tuple[bytes, ...]) -> None:
    with connection_to(strict) as connection:
        for part in parts:
            connection.sendall(part)
            time.sleep(0.001)
        is_whole = parts[-1].endswith(b"\r\n\r\n")  # then the connection stays
        got = connection.recv(65_536) if is_whole else all_of(connection)
    assert got.startswith(b"HTTP/1.1 431")
    assert b"head-too-large" in got
    assert httpx.get(f"{strict}/healthz").status_code == 200


def test_a_trailer_has_a_size_too(strict: str) -> None:
    head = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n"
    with connection_to(strict) as connection:
        connection.sendall(head)
        start = time.monotonic()
        with suppress(ConnectionError):
            for _ in range(200):
                connection.sendall(b"X: %s\r\n" % (b"x" * 999))
        answer = all_of(connection)  # none, if the body was taken for whole before
        assert not answer or answer.startswith(b"HTTP/1.1 431")
        assert time.monotonic() - start < 0.9  # the body has a second


def test_requests_that_wait_on_one_connection_have_a_limit(strict: str) -> None:
    with connection_to(strict) as connection:
        connection.sendall((_HEAD + b"\r\n") * 2_000)
        assert all_of(connection).count(b"HTTP/1.1 200") < 20


def test_a_head_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_HEAD_SECONDS", 0.2)
    with serving() as address, connection_to(address) as silent, connection_to(address) as begun:
        begun.sendall(_HEAD)
        got = all_of(begun)
        assert got.startswith(b"HTTP/1.1 408")
        assert b"head-too-slow" in got
        assert all_of(silent) == b""


def test_connections_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_CONNECTIONS", 3)
    request = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n<p>"
    with serving() as address:
        idle = [connection_to(address) for _ in range(3)]
        assert httpx.get(f"{address}/healthz").status_code == 200
        assert idle[0].recv(1) == b""  # the longest without a request
        busy = [connection_to(address) for _ in range(3)]
        for connection in busy:
            connection.sendall(request)
        assert idle[1].recv(1) == idle[2].recv(1) == b""
        time.sleep(0.2)
        answer = httpx.get(f"{address}/healthz")
        assert (answer.status_code, answer.json()["kind"], answer.headers["retry-after"]) == (503, "busy", "1")
        busy[0].sendall(b"words.")
        assert busy[0].recv(12) == b"HTTP/1.1 200"
        for connection in (*idle, *busy):
            connection.close()


_LONG_LINE = (
    b'{"html": "<article>' + b"<p>" + b"Words of a long page. " * 40_000 + b'", "formats": ["text", "html", "xml"]}\n'
)


def batch_of(lines: bytes) -> bytes:
    return b"POST /v1/extract/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(lines), lines)


@pytest.mark.parametrize("kind", ["a page", "a batch"])
def test_a_client_that_does_not_take_its_answer_is_hung_up_on(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_TAKE_SECONDS", 0.5)
    page = b"<article><p>" + b"Words of a long page. " * 500_000 + b"</p></article>"
    head = b"POST /v1/extract?formats=text,html,markdown,xml&blocks=true HTTP/1.1\r\nHost: localhost\r\n"
    requests = {
        "a page": head + b"Content-Length: %d\r\n\r\n%s" % (len(page), page),
        "a batch": batch_of(_LONG_LINE * 8),
    }
    with serving() as address, connection_to(address, room=65_536) as connection:
        connection.sendall(requests[kind])
        assert connection.recv(12) == b"HTTP/1.1 200"
        time.sleep(3)
        assert len(all_of(connection)) < (30_000_000 if kind == "a page" else 15_000_000)


def test_stalled_readers_cost_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Watched(Account):
        most_seen = 0

        def make_room(self, size: int, *, for_patient: bool = False) -> None:
            super().make_room(size, for_patient=for_patient)
            Watched.most_seen = max(self.most_seen, self.held + size)

    monkeypatch.setattr(app, "Account", Watched)
    with serving(max_bytes=2_000_000, timeout=60.0) as address, ThreadPoolExecutor(8) as threads:
        stalled = [connection_to(address, room=65_536) for _ in range(8)]
        sent = [threads.submit(each.sendall, batch_of(_LONG_LINE * 8)) for each in stalled]
        end = time.monotonic() + 6
        statuses = Counter(post(address).status_code for _ in iter(lambda: time.monotonic() < end, False))
        for each in stalled:
            each.close()
        for one in sent:
            one.exception()
    assert set(statuses) == {200}
    assert 12_000_000 < Watched.most_seen <= 16_000_000


def test_the_limit_of_a_body_is_that_of_a_fetched_page_too(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Settings] = []
    monkeypatch.setattr(run, "serve", lambda settings, **others: given.append(settings))
    assert main(["serve", "--no-config", "--max-bytes", "1000"]) == 0
    (settings,) = given
    assert settings.fetch is not None
    assert (settings.max_bytes, settings.fetch.max_bytes) == (1_000, 1_000)


@pytest.fixture
def own_process() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server as people start it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "tamis", "serve", "--no-config", "--port", str(port), "--workers", "2"]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
        assert process.stderr
        log = process.stderr
        lines: list[bytes] = []
        threading.Thread(target=lambda: lines.extend(log), daemon=True).start()
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(1_200):
                try:
                    httpx.get(f"{address}/healthz")
                    break
                except httpx.TransportError:
                    assert process.poll() is None, lines
                    time.sleep(0.05)
            yield address, process
        finally:
            process.kill()


@needs_proc
def test_a_killed_worker_costs_its_page_alone(own_process: tuple[str, subprocess.Popen[bytes]]) -> None:
    address, process = own_process
    page = PAGE + "<p>More words, so that the work takes a moment.</p>" * 2_000
    end = time.monotonic() + 60
    done = threading.Event()
    statuses: Counter[int] = Counter()

    def load() -> None:
        with httpx.Client(base_url=address, timeout=60, headers=HTML) as client:
            while not done.is_set():
                statuses[client.post("/v1/extract", content=page).status_code] += 1

    def fine(more: int) -> None:
        enough = statuses[200] + more
        while statuses[200] < enough and time.monotonic() < end:
            time.sleep(0.02)

    kills = 0
    with ThreadPoolExecutor(8) as threads:
        running = [threads.submit(load) for _ in range(8)]
        while statuses[502] < 2 and time.monotonic() < end:  # a process that just starts has no page to lose
            fine(6)
            os.kill(min(children(process.pid)), signal.SIGKILL)
            kills += 1
        fine(6)
        done.set()
        for each in running:
            each.result()
    metrics = httpx.get(f"{address}/metrics").text
    crashed = [line for line in metrics.splitlines() if line.startswith("tamis_pages_total") and '"crash"' in line]
    assert set(statuses) == {200, 502}
    assert 2 <= statuses[502] <= kills
    assert sum(float(line.split()[-1]) for line in crashed) == statuses[502]


def pages_that_came(address: str) -> int:
    """Pages that wait, are in work or answered."""
    metrics = httpx.get(f"{address}/metrics").text.splitlines()
    counts = [line for line in metrics if line.startswith(("tamis_pages_pending ", "tamis_pages_total{"))]
    return int(sum(float(line.split()[-1]) for line in counts))


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)])
def test_a_signal_ends_it_when_all_is_answered(
    own_process: tuple[str, subprocess.Popen[bytes]], number: signal.Signals
) -> None:
    address, process = own_process
    workers = children(process.pid)
    page = PAGE + "<p>More words, so that the work takes a moment.</p>" * 30_000
    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(post, address, page) for _ in range(4)]
        while pages_that_came(address) < 4:
            time.sleep(0.01)
        process.send_signal(number)
        assert [each.result().status_code for each in answers] == [200] * 4
    assert process.wait(30) == 0
    assert not any(map(is_alive, workers))
