"""The server under load, compared with `extract_many` on the same pages, all on this machine.

    python -m benchmarks.server                    a minute each: as fast as it can, at steady rates, and under attack
    python -m benchmarks.server --seconds 10 --pages 200
    python -m benchmarks.server --doors --seconds 60    clients that read nothing, and heads without an end

`extract_many` and the server take turns. 64 connections first send the next page as soon as the last is answered, which
shows the most pages a second. The time of a page is then that of the queue: 64 pages wait for two workers. So the time
of a page is measured at steady rates, half and 80 % of what `extract_many` reaches. At last, one connection in ten
sends hostile pages, 20 MB, slow bodies, or hangs up. The client takes part of the same processors: its share is shown.

With --doors, 64 clients of batches read no answer and 64 send heads of 17 MB, while eight others send pages. What
counts is the most memory that the server itself took, without its workers, and that the others see no error.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import NamedTuple, cast

import tamis
from benchmarks.pages import wcxb_pages

CONNECTIONS = 64
SHARES = (0.5, 0.8)  # of the rate of `extract_many`
_QUERY = "/v1/extract?metadata=false"
_PATIENCE = 120.0  # seconds for an answer, before it counts as lost


class Answer(NamedTuple):
    """One answer: when it was due to be sent, when it came, and its status; 0 is a lost connection."""

    sent: float
    came: float
    status: int

    @property
    def seconds(self) -> float:
        """From the time it was due."""
        return self.came - self.sent


class Client(asyncio.Protocol):
    """One connection. It knows as much of HTTP as the server's answers need, to cost little."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._answered: asyncio.Future[int] | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The answer is lost."""
        self.transport = None
        self._tell(0)

    def data_received(self, data: bytes) -> None:
        """Wait for the whole answer."""
        self._data += data
        end = self._data.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._data[:end]).lower()
        begin = head.index(b"content-length: ") + 16
        length = int(head[begin : begin + 12].partition(b"\r")[0])
        if len(self._data) >= end + 4 + length:
            self._data.clear()
            self._tell(int(head[9:12]))

    async def ask(self, request: bytes) -> int:
        """Send a request; the status of the answer."""
        if self.transport is None:
            return 0
        self._answered = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        try:
            return await asyncio.wait_for(self._answered, _PATIENCE)
        except TimeoutError:
            return 0

    def _tell(self, status: int) -> None:
        if self._answered and not self._answered.done():
            self._answered.set_result(status)


def request_of(page: bytes) -> bytes:
    """A page as a request."""
    head = (
        f"POST {_QUERY} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n"
    )
    return head.encode() + page


async def connect(port: int) -> Client:
    """A new connection."""
    return (await asyncio.get_running_loop().create_connection(Client, "127.0.0.1", port))[1]


async def closed_loop(port: int, requests: Sequence[bytes], seconds: float, connections: int) -> list[Answer]:
    """Each connection sends the next page when the last is answered."""
    answers: list[Answer] = []
    end = time.perf_counter() + seconds

    async def run(first: int) -> None:
        client, number = await connect(port), first
        while (start := time.perf_counter()) < end:
            status = await client.ask(requests[number % len(requests)])
            answers.append(Answer(start, time.perf_counter(), status))
            number += connections
            if client.transport is None:
                client = await connect(port)

    await asyncio.gather(*map(run, range(connections)))
    return answers


async def steady(port: int, requests: Sequence[bytes], seconds: float, rate: float) -> list[Answer]:
    """Pages at a steady rate, with times between them as of visitors who do not know each other (exponential).

    A page that finds no free connection waits, and that counts.
    """
    free: asyncio.Queue[Client] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        free.put_nowait(await connect(port))
    answers: list[Answer] = []
    dice = random.Random(1)
    due, end = time.perf_counter(), time.perf_counter() + seconds
    running: set[asyncio.Task[None]] = set()

    async def send(due: float, request: bytes) -> None:
        client = await free.get()
        status = await client.ask(request)
        answers.append(Answer(due, time.perf_counter(), status))
        free.put_nowait(client if client.transport else await connect(port))

    number = 0
    while due < end:
        due += dice.expovariate(rate)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.create_task(send(due, requests[number % len(requests)]))
        running.add(task)
        task.add_done_callback(running.discard)
        number += 1
    await asyncio.gather(*running)
    return answers


def bombs() -> list[bytes]:
    """Pages that were made to take long, to grow or to be large."""
    return [
        b"<div>" * 300_000,
        b"<a><b><i><u><font>" * 20_000 + b"<p>" * 2_000,
        b"<table><tr><td>" * 20_000,
        b"<p class=x>word</p>" * 1_000_000,
        bytes(20_000_000),
        b"<p>" + b"word " * 4_000_000,
        b"<ul><li><dl><dd>" * 30_000 + b"text",
        b"%PDF-1.7 no page at all",
        b"<svg><style><!--" * 10_000,
    ]


async def attack(port: int, seconds: float, connections: int) -> Counter[str]:
    """Hostile clients for a while; what they got, by kind."""
    got: Counter[str] = Counter()
    end = time.perf_counter() + seconds
    pages = bombs()

    async def bomb(dice: random.Random) -> None:
        client = await connect(port)
        got[f"bomb {await client.ask(request_of(dice.choice(pages)))}"] += 1
        if client.transport:
            client.transport.close()

    async def too_large(dice: random.Random) -> None:
        client = await connect(port)
        got[f"21 MB {await client.ask(request_of(bytes(21_000_000)))}"] += 1
        if client.transport:
            client.transport.close()

    async def slow(dice: random.Random) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(request_of(bytes(1_000_000))[:200])
            while time.perf_counter() < end:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.5)
                if reader.at_eof():
                    break
        except OSError:
            pass
        got["slow body"] += 1
        writer.close()

    async def hang_up(dice: random.Random) -> None:
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request_of(dice.choice(pages[:4]))[: dice.randint(1, 300_000)])
            await asyncio.sleep(0.02)
            writer.transport.abort()
            got["hung up"] += 1

    async def run(number: int) -> None:
        dice = random.Random(number)
        kinds = (bomb, too_large, slow, hang_up)
        while time.perf_counter() < end:
            await kinds[number % len(kinds)](dice)
            await asyncio.sleep(0.05)

    await asyncio.gather(*map(run, range(connections)))
    return got


_HOSTILE = 64  # clients of each kind
_HEAD_BYTES = 17_000_000
_CHUNK = 65_536


async def stall(port: int, end: float, lines: Sequence[bytes], number: int) -> Counter[str]:
    """A client that sends batches and reads nothing; again where it is hung up on."""
    loop = asyncio.get_running_loop()
    got: Counter[str] = Counter()
    head = b"POST /v1/extract/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    while time.perf_counter() < end:
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _CHUNK)
            connection.setblocking(False)
            try:
                async with asyncio.timeout(end - time.perf_counter()):
                    await loop.sock_connect(connection, ("127.0.0.1", port))
                    await loop.sock_sendall(connection, head)
                    while True:
                        line = lines[number % len(lines)]
                        await loop.sock_sendall(connection, b"%x\r\n%s\r\n" % (len(line), line))
                        number += 1
            except TimeoutError:
                got["stalled to the end"] += 1
            except OSError:
                got["stalled reader hung up on"] += 1
                await asyncio.sleep(0.2)
    return got


async def giant_head(port: int, end: float) -> Counter[str]:
    """A client that sends heads of `_HEAD_BYTES`, and what it is answered."""
    got: Counter[str] = Counter()
    while time.perf_counter() < end:
        status = "nothing"
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            answer = asyncio.ensure_future(reader.read(12))
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
            left = _HEAD_BYTES // _CHUNK
            while left and not answer.done():
                writer.write(b"x" * _CHUNK)
                await writer.drain()
                left -= 1
            status = (await answer).decode()[9:] or status
            writer.close()
        except OSError:
            pass
        got[f"giant head {status}"] += 1
        await asyncio.sleep(0.2)
    return got


def long_lines() -> list[bytes]:
    """Lines of a batch whose answers have megabytes."""
    return [
        b'{"html": "<article>%s", "formats": ["text", "markdown", "html", "xml"]}\n'
        % (b"<p>Words of a page that is long and says little." * count)
        for count in (100, 20_000, 20_000, 100_000)
    ]


async def doors(port: int, requests: Sequence[bytes], seconds: float) -> tuple[list[Answer], Counter[str]]:
    """What others are answered meanwhile, and what became of the hostile ones."""
    end, lines = time.perf_counter() + seconds, long_lines()
    hostile = [stall(port, end, lines, number) for number in range(_HOSTILE)]
    hostile += [giant_head(port, end) for _ in range(_HOSTILE)]
    answers, found = await asyncio.gather(closed_loop(port, requests, seconds, 8), asyncio.gather(*hostile))
    return answers, sum(found, Counter())


def peak(process: int) -> float:
    """The most megabytes that a process itself has taken."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1e3


@contextmanager
def running_server(workers: int) -> Iterator[tuple[int, int]]:
    """A server on a free port; its port and its process."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    words = [sys.executable, "-m", "tamis", "serve", "--no-config", "--port", str(port), "--workers", str(workers)]
    with subprocess.Popen([*words, "--no-fetch"], stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(200):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(60)


def family(process: int) -> list[int]:
    """A process and its children."""
    found = [process]
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        found += map(int, task.read_text().split())
    return found


def memory(process: int) -> float:
    """Megabytes of a process and its children."""
    pages = [int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in family(process)]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor_seconds(process: int) -> list[float]:
    """Processor time of a process and of each of its children."""
    ticks = [Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split() for each in family(process)]
    return [(int(each[11]) + int(each[12])) / os.sysconf("SC_CLK_TCK") for each in ticks]


def many_rate(pages: Sequence[bytes], seconds: float, workers: int) -> float:
    """Pages a second of `extract_many`, without the start of its processes."""
    end = [float("inf")]

    def stream() -> Iterator[bytes]:
        for page in cycle(pages):
            if time.perf_counter() >= end[0]:
                return
            yield page

    done, begin = 0, 0.0
    for result in tamis.extract_many(stream(), workers=workers):
        if done == 0:
            begin = time.perf_counter()
            end[0] = begin + seconds
        done += not isinstance(result, tamis.PageFailed)
    return (done - 1) / (time.perf_counter() - begin)


def shown(name: str, answers: Sequence[Answer], one_page: float) -> str:
    """A line about some answers; `one_page` is the mean time of one page alone, in seconds."""
    times = sorted(answer.seconds for answer in answers)
    span = max(answer.came for answer in answers) - min(answer.sent for answer in answers)
    p99 = times[int(len(times) * 0.99)]
    failed = Counter(answer.status for answer in answers if answer.status != 200)
    return (
        f"{name:<22} {len(answers) / span:7.1f} pages/s   mean {statistics.mean(times) * 1e3:6.1f} ms   "
        f"p50 {times[len(times) // 2] * 1e3:6.1f}   p99 {p99 * 1e3:7.1f} ms = {p99 / one_page:5.1f} x one page, "
        f"{p99 / statistics.mean(times):4.1f} x mean   not 200: {dict(failed) or 'none'}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--doors", action="store_true", help="only clients that read nothing and heads without an end")
    options = parser.parse_args()
    import uvloop

    run = uvloop.run
    pages = wcxb_pages(options.pages)
    requests = [request_of(page) for page in pages]
    tamis.extract(pages[0])
    start = time.perf_counter()
    for page in pages:
        tamis.extract(page).text  # noqa: B018 (to render it)
    one_page = (time.perf_counter() - start) / len(pages)
    print(f"one page in this process: {one_page * 1e3:.2f} ms on average")
    if options.doors:
        with running_server(options.workers) as (port, process):
            run(closed_loop(port, requests, 3, 8))  # warm
            before = peak(process)
            answers, got = run(doors(port, requests, options.seconds))
            print(shown("beside 128 hostile", answers, one_page))
            print(f"{'':<22} hostile clients got: {dict(sorted(got.items()))}")
            print(f"memory of the server without workers: {before:.0f} MB before, {peak(process):.0f} MB at most")
        return
    with running_server(options.workers) as (port, process):
        run(closed_loop(port, requests, 3, CONNECTIONS))  # warm
        before = memory(process)
        turns = 4
        rates: list[float] = []
        loaded: list[list[Answer]] = []
        used, own = processor_seconds(process), 0.0
        for _ in range(turns):
            rates.append(many_rate(pages, options.seconds / turns, options.workers))
            start = time.process_time()
            loaded.append(run(closed_loop(port, requests, options.seconds / turns, CONNECTIONS)))
            own += time.process_time() - start
        many = statistics.mean(rates)
        spent = [b - a for a, b in zip(used, processor_seconds(process), strict=True)]
        count = sum(map(len, loaded))
        print(f"extract_many           {many:7.1f} pages/s   ({', '.join(f'{each:.0f}' for each in rates)})")
        print(shown("as fast as it can", loaded[-1], one_page))
        print(
            f"{'':<22} {count / options.seconds / many:.1%} of extract_many; ms of processor time a page: event loop "
            f"{spent[0] / count * 1e3:.2f}, workers {sum(spent[1:]) / count * 1e3:.2f}, client {own / count * 1e3:.2f}"
        )
        for rate in (share * many for share in SHARES):
            print(shown(f"steady, {rate:.0f} pages/s", run(steady(port, requests, options.seconds, rate)), one_page))

        async def attacked() -> tuple[list[Answer], Counter[str]]:
            hostile = CONNECTIONS // 10
            return await asyncio.gather(
                closed_loop(port, requests, options.seconds, CONNECTIONS - hostile),
                attack(port, options.seconds, hostile),
            )

        answers, got = run(attacked())
        print(shown("under attack", answers, one_page))
        print(f"{'':<22} hostile clients got: {dict(sorted(got.items()))}")
        at_end = memory(process)
        run(closed_loop(port, requests, 5, CONNECTIONS))
        print(
            f"memory: {before:.0f} MB before, {at_end:.0f} MB at the end of the attack, {memory(process):.0f} MB after"
        )


if __name__ == "__main__":
    main()
