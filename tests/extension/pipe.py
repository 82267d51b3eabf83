"""Chromium with the extension, at the end of a pipe: who holds the pipe may press the extension's button.

A page's driver cannot do that, and without it the extension has no right to a page (activeTab). Chromium's own
protocol has `Extensions.triggerAction` for it, over a pipe only. Pages are driven by Playwright over a port beside it.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import time
from collections import deque
from pathlib import Path
from typing import Any

LIMIT = 20.0  # seconds that an answer may take on a busy machine
_ABOVE = 64  # file descriptors that are not in the way of 3 and 4, where Chromium listens and speaks


class Failed(Exception):
    """Chromium refused a command, or did not answer."""


class Pipe:
    """A started Chromium. Close it when done."""

    def __init__(self, program: str, arguments: list[str], profile: Path) -> None:
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        listens, speaks = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _ABOVE) for end in (to_read, to_write))
        log = os.open(profile / "chromium.log", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        self._process = os.posix_spawn(
            program,
            [program, "--remote-debugging-pipe", f"--user-data-dir={profile}", *arguments],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, log, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
                (os.POSIX_SPAWN_DUP2, listens, 3),
                (os.POSIX_SPAWN_DUP2, speaks, 4),
            ],
            setpgroup=0,
        )
        for end in (to_read, to_write, listens, speaks, log):
            os.close(end)
        self._begun: list[bytes] = []  # pieces of a message
        self._messages: deque[bytes] = deque()
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Carry out a command; its result. What Chromium says meanwhile is kept in `events`."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + LIMIT
        while (answer := self._next(deadline)).get("id") != self._last:
            self.events.append(answer)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _next(self, deadline: float) -> dict[str, Any]:
        while not self._messages:
            if not select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise Failed("no answer from Chromium")
            read = os.read(self._read, 1 << 20)
            if not read:
                raise Failed("Chromium is gone")
            first, *others = read.split(b"\0")
            self._begun.append(first)
            for other in others:  # each ends the message before it; some are megabytes, so they are joined only once
                self._messages.append(b"".join(self._begun))
                self._begun = [other]
        message = self._messages.popleft()
        answer: dict[str, Any] = json.loads(message)
        return answer

    def close(self) -> None:
        """End Chromium and all that it started."""
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._write)
        os.close(self._read)
