"""Run the server: uvicorn, the limits that it lacks, and the log."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tamis.errors import OptionError
from tamis.server.app import Server
from tamis.server.front import JsonLines
from tamis.server.settings import Settings

# Seconds for the head of a request, and for the next request on a connection.
_HEAD_SECONDS = 10
_KEEP_SECONDS = 30
_WAITING = 2_048  # connections that the system keeps until they are accepted


class _Protocol(HttpToolsProtocol):
    """HTTP with a limit on the time for the first head of a connection; uvicorn has one only for those that follow."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(_HEAD_SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._waiting.cancel()
        super().connection_lost(exc)

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._waiting.cancel()
        super().on_headers_complete()

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


def serve(settings: Settings, app: ASGIApp | None = None, *, json_log: bool = True, **others: Any) -> None:
    """Serve until a signal ends it: SIGTERM and Ctrl-C finish the requests that are there.

    `app` and `others` are as for `config`.
    Raises OptionError if the address can't be listened at, and what keeps a worker process from starting.
    """
    _set_up_log(json_log)
    server = uvicorn.Server(config(settings, app, **others))
    for each in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises the signal again when all is done; that is no error
        signal.signal(each, lambda number, frame: None)
    try:
        server.run()
    except SystemExit:  # uvicorn's way to say that the address is taken, or that the start failed
        raise OptionError(f"no server could be started at {settings.host}:{settings.port}") from None


def config(settings: Settings, app: ASGIApp | None = None, **others: Any) -> uvicorn.Config:
    """The settings of uvicorn, and `others` of them. `app` is by default the application of `tamis serve`."""
    return uvicorn.Config(
        app or Server(settings).app(),
        host=settings.host,
        port=settings.port,
        http=_Protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=_KEEP_SECONDS,
        timeout_graceful_shutdown=int(settings.deadline + settings.patience) + 1,
        backlog=_WAITING,
        **others,
    )


def _set_up_log(as_json: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else _Words())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)


class _Words(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, message and fields."""
        fields = " ".join(f"{name}={value}" for name, value in getattr(record, "fields", {}).items())
        line = " ".join(filter(None, (self.formatTime(record), record.getMessage(), fields)))
        line = "".join(each if each.isprintable() else "\ufffd" for each in line)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line
