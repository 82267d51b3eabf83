"""Run the server: uvicorn, the limits that it lacks, and the log."""

from __future__ import annotations

import asyncio
import logging
import random
import signal
import sys

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tamis.errors import OptionError
from tamis.server.app import Server
from tamis.server.front import HEAD_BYTES, JsonLines
from tamis.server.problems import BUSY, HEAD_TOO_LARGE, HEAD_TOO_SLOW, Problem, ProblemKind
from tamis.server.settings import Settings

_HEAD_SECONDS = 10  # for the head of a request
_KEEP_SECONDS = 30  # until the next request on a connection starts
# A client that takes less than _TAKE_BYTES of an answer in this time is disconnected: the answer takes memory.
_TAKE_SECONDS = 30
_TAKE_BYTES = 65_536
_WAITING = 2_048  # connections that the system keeps until they are accepted
_CONNECTIONS = 512  # at the same time
_PIPELINED = 16  # requests of one connection that wait for the answer to an earlier one
_LINGER_SECONDS = 1  # for a client that is refused to read why

log = logging.getLogger("tamis.server")


class _LimitedProtocol(HttpToolsProtocol):
    """HTTP with limits that uvicorn lacks for httptools: connections, size and time of heads, time to take an answer.

    uvicorn's `limit_concurrency` reads whole heads before it refuses, and its limit on the size of a head is one of
    h11, which takes several times as long.
    """

    _taking: asyncio.TimerHandle | None = None
    _unread = 0  # bytes since the last complete head or part of a body: those of a head, or of a trailer
    _is_unread = _is_refused = False
    _idle_since: float | None = None  # when it started to wait for a request; None during a request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock. With too many connections, end one without a request, or else refuse this one."""
        super().connection_made(transport)
        self._wait(_HEAD_SECONDS)
        others: list[_LimitedProtocol] = [each for each in self.connections if isinstance(each, _LimitedProtocol)]
        if len(others) > _CONNECTIONS:
            idle = [(each._idle_since, id(each), each) for each in others if each._idle_since and each is not self]
            if idle:
                min(idle)[2].transport.abort()
            else:
                self._refuse(BUSY, "too many connections")

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        self._waiting.cancel()
        self._stop_taking()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless too much was read."""
        if self._is_refused:
            return
        self._is_unread = True
        super().data_received(data)
        self._unread = self._unread + len(data) if self._is_unread else 0
        if self._unread > HEAD_BYTES:
            self._refuse(HEAD_TOO_LARGE, f"address and headers have more than {HEAD_BYTES:,} bytes")
        elif len(self.pipeline) > _PIPELINED:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """Tell the application how to hang up."""
        super().on_message_begin()
        self.scope["state"]["hang_up"] = self.transport.abort

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._waiting.cancel()
        self._idle_since, self._is_unread = None, False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body is there."""
        self._is_unread = False
        super().on_body(body)

    def on_response_complete(self) -> None:
        """Start the clock for the next head, unless that is there."""
        super().on_response_complete()
        if self.timeout_keep_alive_task is not None:
            self._waiting.cancel()
            self._wait(_KEEP_SECONDS + _HEAD_SECONDS)

    def pause_writing(self) -> None:
        """The client takes the answer slower than it is written: write nothing until `resume_writing`."""
        super().pause_writing()
        self._look_again()

    def resume_writing(self) -> None:
        """The client has taken nearly everything."""
        self._stop_taking()
        super().resume_writing()

    def _wait(self, seconds: float) -> None:
        """Wait for the next request."""
        self._idle_since = self.loop.time()
        self._waiting = self.loop.call_later(seconds, self._give_up)

    def _look_again(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._taking = self.loop.call_later(_TAKE_SECONDS, self._check_taken, left)

    def _check_taken(self, before: int) -> None:
        if before - self.transport.get_write_buffer_size() < _TAKE_BYTES:
            self.transport.abort()
        else:
            self._look_again()

    def _stop_taking(self) -> None:
        if self._taking:
            self._taking.cancel()

    def _give_up(self) -> None:
        if self._unread:
            self._refuse(HEAD_TOO_SLOW, f"the head took longer than {_HEAD_SECONDS:g} s")
        elif not self.transport.is_closing():
            self.transport.close()

    def _refuse(self, kind: ProblemKind, detail: str) -> None:
        """Send the problem, unless an answer is being sent, and hang up; nothing more is read."""
        if self.transport.is_closing():
            return
        self._is_refused = True
        self.connections.discard(self)
        self._waiting.cancel()
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        headers, body = Problem(kind, detail).answer(f"{random.getrandbits(128):032x}")
        fields = [
            b"%s: %s\r\n" % field for field in (*self.server_state.default_headers, *headers, (b"connection", b"close"))
        ]
        self.transport.write(b"".join((STATUS_LINE[kind.status], *fields, b"\r\n", body)))
        self.transport.write_eof()
        self._waiting = self.loop.call_later(_LINGER_SECONDS, self.transport.abort)  # closed now, it could be lost
        log.info("refused", extra={"fields": {"problem": kind.name, "status": kind.status.value}})


def serve(settings: Settings, app: ASGIApp | None = None, *, json_log: bool = True) -> None:
    """Serve until SIGTERM or Ctrl-C, which finish the open requests; `app` is as for `config`.

    Raises OptionError if the address can't be used, and the error that keeps a worker process from starting.
    """
    _set_up_log(json_log)
    server = uvicorn.Server(config(settings, app))
    for each in (signal.SIGTERM, signal.SIGINT):  # uvicorn raises the signal again at the end
        signal.signal(each, lambda number, frame: None)
    try:
        server.run()
    except SystemExit:  # of uvicorn: the address is taken, or the start failed
        raise OptionError(f"no server could be started at {settings.host}:{settings.port}") from None


def config(settings: Settings, app: ASGIApp | None = None) -> uvicorn.Config:
    """The settings of uvicorn. `app` is by default the application of `tamis serve`."""
    return uvicorn.Config(
        app or Server(settings).app(),
        host=settings.host,
        port=settings.port,
        http=_LimitedProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=_KEEP_SECONDS,
        timeout_graceful_shutdown=int(settings.timeout + settings.patience) + 1,
        backlog=_WAITING,
    )


def _set_up_log(as_json: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else _TextLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)


class _TextLines(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, message and fields."""
        fields = " ".join(f"{name}={value}" for name, value in getattr(record, "fields", {}).items())
        line = " ".join(filter(None, (self.formatTime(record), record.getMessage(), fields)))
        line = "".join(each if each.isprintable() else "\ufffd" for each in line)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line
