from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("starlette")


_START_SECONDS = 60
_STOP_SECONDS = 60


@contextmanager
def serving(**settings: Any) -> Iterator[str]:
    """The address of a server with these settings, on a free port of this machine."""
    import uvicorn  # a core install, which reads this file too, does not have it

    from tamis.server.run import uvicorn_config
    from tamis.server.settings import Settings

    server = uvicorn.Server(uvicorn_config(Settings(**{"port": 0, "workers": 1} | settings)))
    thread = threading.Thread(target=server.run, daemon=True)  # one that hangs must not keep the tests from ending
    thread.start()
    try:
        end = time.monotonic() + _START_SECONDS
        while not server.started:
            assert thread.is_alive(), "the server has ended"
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(_STOP_SECONDS)
        assert not thread.is_alive(), "the server does not end"


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """The address of a server with the playground; it fetches public addresses, so nothing in tests."""
    with serving() as address:
        yield address


@pytest.fixture(scope="package")
def open_server() -> Iterator[str]:
    """The address of a server that fetches from this machine, too."""
    from tamis.server.settings import default_rules

    with serving(fetch=default_rules(allow_private=True)) as address:
        yield address
