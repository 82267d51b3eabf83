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

# Seconds for the head of a request, and for the next request on a connection to begin.
_HEAD_SECONDS = 10
_KEEP_SECONDS = 30
# A client that takes less of an answer in this time is hung up on: until then, the answer takes memory.
_TAKE_SECONDS, _TAKE_BYTES = 30, 65_536
_WAITING = 2_048  # connections that the system keeps until they are accepted


class _Protocol(HttpToolsProtocol):
    """HTTP with limits on the time for the head of a request and for taking its answer.

    uvicorn has one only for the pause between two requests, and any byte ends a pause.
    """

    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(_HEAD_SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        self._waiting.cancel()
        self._stop_taking()
        super().connection_lost(exc)

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._waiting.cancel()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Start the clock for the next head, unless that is there."""
        super().on_response_complete()
        if self.timeout_keep_alive_task is not None:
            self._waiting.cancel()
            self._waiting = self.loop.call_later(_KEEP_SECONDS + _HEAD_SECONDS, self._give_up)

    def pause_writing(self) -> None:
        """The client takes the answer slower than it is written."""
        super().pause_writing()
        self._look_again()

    def resume_writing(self) -> None:
        """It has taken nearly all of it."""
        self._stop_taking()
        super().resume_writing()

    def _look_again(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._taking = self.loop.call_later(_TAKE_SECONDS, self._check_taken, left)

    def _check_taken(self, before: int) -> None:
        is_whole = self.cycle is None or self.cycle.response_complete  # of a batch, the next lines wait for the client
        if is_whole and before - self.transport.get_write_buffer_size() < _TAKE_BYTES:
            self.transport.abort()
        else:
            self._look_again()

    def _stop_taking(self) -> None:
        if self._taking:
            self._taking.cancel()

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
