"""Pages that a server fetches for its clients: how many, and what happens when a client leaves."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tamis.server.fetching import FetchQueue
from tamis.server.settings import default_rules
from tamis.worker.service import ServiceBusy
from tests.server.conftest import serving
from tests.server.test_extract import PAGE, Site
from tests.servers import LocalServer, connection_to

RULES = default_rules(allow_private=True, robots=False)


@pytest.fixture
def site() -> Iterator[LocalServer]:
    with LocalServer(Site).running() as site:
        yield site


async def until_asked(site: LocalServer, times: int) -> None:
    async with asyncio.timeout(30):
        while len(site.asked) < times:
            await asyncio.sleep(0.01)


def test_a_fetch_that_nobody_waits_for_still_counts(site: LocalServer) -> None:
    """Otherwise clients that come and go could start any number of threads."""

    async def come_and_go() -> None:
        fetching = FetchQueue(RULES, 2)
        for times in (1, 2):
            gone = asyncio.ensure_future(fetching.page(site.address("/silent")))
            await until_asked(site, times)
            gone.cancel()
        waiting = [asyncio.ensure_future(fetching.page(site.address("/page"))) for _ in range(2)]
        await asyncio.sleep(0.2)
        with pytest.raises(ServiceBusy):
            await fetching.page(site.address("/page"))
        patient = asyncio.ensure_future(fetching.page(site.address("/page"), wait=True))
        await asyncio.sleep(0.2)
        assert len(site.asked) == 2
        site.stopping.set()
        for each in (*waiting, patient):
            assert (await each).data == PAGE.encode()

    asyncio.run(come_and_go())


def test_who_leaves_the_queue_leaves_room_in_it(site: LocalServer) -> None:
    async def leave() -> None:
        fetching = FetchQueue(RULES, 1)
        held = asyncio.ensure_future(fetching.page(site.address("/silent")))
        await until_asked(site, 1)
        waiting = asyncio.ensure_future(fetching.page(site.address("/page")))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        second = asyncio.ensure_future(fetching.page(site.address("/page")))
        await asyncio.sleep(0)
        site.stopping.set()
        assert (await second).data == PAGE.encode()
        await asyncio.wait([held])

    asyncio.run(leave())


def test_batches_wait_for_their_turn_to_fetch(site: LocalServer) -> None:
    lines = b"".join(b'{"url": "%s"}\n' % site.address("/page").encode() for _ in range(8))
    with serving(fetches=1, fetch=RULES) as address, ThreadPoolExecutor(3) as threads:
        answers = [
            threads.submit(httpx.post, f"{address}/v1/extract/batch", content=lines, timeout=60) for _ in range(3)
        ]
        assert sum(each.result().text.count('"status": 200') for each in answers) == 24


@pytest.mark.parametrize("path", ["/v1/extract", "/read"])
def test_the_server_ends_without_a_site_that_nobody_waits_for(site: LocalServer, path: str) -> None:
    page = site.address("/silent")
    body = b'{"url": "%s"}' % page.encode()
    request = {
        "/read": f"GET /read?url={page} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
        "/v1/extract": b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(body), body),
    }[path]
    with serving(fetch=RULES) as address:
        with connection_to(address) as connection:
            connection.sendall(request)
            while not site.asked:
                time.sleep(0.01)
        start = time.monotonic()
    assert time.monotonic() - start < 8  # the site has 20 seconds
    assert any(thread.name == "fetch" for thread in threading.enumerate())
