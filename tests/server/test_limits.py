"""What one page or client may do to a server, and that the others do not notice."""

from __future__ import annotations

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
from pathlib import Path
from typing import Any

import httpx
import pytest

from tamis.server import app
from tests.server.conftest import serving
from tests.server.tasks import ObedientTask
from tests.server.test_extract import PAGE

HTML = {"content-type": "text/html"}


@pytest.fixture(scope="module")
def strict() -> Iterator[str]:
    """A server with low limits, whose workers obey pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "PageTask", ObedientTask)
        low: dict[str, Any] = {"deadline": 0.5, "max_bytes": 1_000_000, "body_seconds": 1.0, "queue": 3, "workers": 1}
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


def raw(address: str, *parts: bytes, pause: float = 0.0) -> bytes:
    """Send bytes as they are, and read until the server closes the connection or says nothing for a while."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
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
    host, _, port = strict.removeprefix("http://").partition(":")
    for _ in range(4):
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            connection.sendall(request)
            time.sleep(0.02)
    start = time.monotonic()
    assert post(strict).status_code == 200
    assert time.monotonic() - start < 1.2  # four pages of 0.4 s each would take longer


def test_a_batch_waits_where_a_page_is_refused(strict: str) -> None:
    lines = b'{"html": "SLEEP 0.05"}\n' * 20
    answer = httpx.post(f"{strict}/v1/extract/batch", content=lines, timeout=60)
    assert answer.text.count('"status": 200') == 20


def test_batches_leave_room_for_others(strict: str) -> None:
    lines = b'{"html": "SLEEP 0.05"}\n' * 30
    with ThreadPoolExecutor(1) as threads:
        batch = threads.submit(httpx.post, f"{strict}/v1/extract/batch", content=lines, timeout=60)
        time.sleep(0.2)
        assert post(strict).status_code == 200
        assert not batch.done()
        assert batch.result().text.count('"status": 200') == 30


def children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task")
    return [int(word) for task in tasks.iterdir() for word in (task / "children").read_text().split()]


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


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_a_killed_worker_costs_one_page_at_most(own_process: tuple[str, subprocess.Popen[bytes]]) -> None:
    address, process = own_process
    page = PAGE + "<p>More words, so that the work takes a moment.</p>" * 2_000
    stop = time.monotonic() + 4
    statuses: Counter[int] = Counter()

    def load() -> None:
        with httpx.Client(base_url=address, timeout=60, headers=HTML) as client:
            while time.monotonic() < stop:
                statuses[client.post("/v1/extract", content=page).status_code] += 1

    kills = 0
    with ThreadPoolExecutor(8) as threads:
        running = [threads.submit(load) for _ in range(8)]
        for _ in range(3):
            time.sleep(0.8)
            os.kill(children(process.pid)[0], signal.SIGKILL)
            kills += 1
        for each in running:
            each.result()
    metrics = httpx.get(f"{address}/metrics").text
    crashed = [line for line in metrics.splitlines() if line.startswith("tamis_pages_total") and '"crash"' in line]
    assert set(statuses) <= {200, 502}
    assert statuses[502] <= kills
    assert statuses[200] > 20
    assert sum(float(line.split()[-1]) for line in crashed) == statuses[502]


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_when_all_is_answered(
    own_process: tuple[str, subprocess.Popen[bytes]], number: signal.Signals
) -> None:
    address, process = own_process
    workers = children(process.pid)
    page = PAGE + "<p>More words, so that the work takes a moment.</p>" * 30_000
    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(post, address, page) for _ in range(4)]
        time.sleep(0.15)
        process.send_signal(number)
        assert [each.result().status_code for each in answers] == [200] * 4
    assert process.wait(30) == 0
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
