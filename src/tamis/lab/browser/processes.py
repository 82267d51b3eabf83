"""The processes of a Chromium, found by an argument that only it was started with.

Playwright does not tell the process number of a browser it starts, and a browser that is stuck may
not close when asked to.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

_PROCESSES = Path("/proc")


def new_marker() -> str:
    """An argument that no other process of this machine has."""
    return f"--tamis-browser={uuid4().hex}"


def marked(marker: str) -> list[int]:
    """The processes that were started with this argument; none where there is no /proc."""
    found = []
    for entry in _PROCESSES.glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile, or is somebody else's
            if marker.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


def group(marker: str) -> list[int]:
    """These processes and all in their process groups: Chromium's renderers don't have the argument."""
    groups = set()
    for process in marked(marker):
        with suppress(OSError):
            groups.add(os.getpgid(process))
    groups.discard(os.getpgrp())  # Playwright gives a browser a group of its own; never end our own
    found = []
    for entry in _PROCESSES.glob("[0-9]*"):
        with suppress(OSError):
            if os.getpgid(int(entry.name)) in groups:
                found.append(int(entry.name))
    return sorted({*found, *marked(marker)})


def profile(marker: str) -> Path | None:
    """The folder that Playwright has made for the Chromium with this argument."""
    for process in marked(marker):
        with suppress(OSError):
            for argument in (_PROCESSES / str(process) / "cmdline").read_bytes().split(b"\0"):
                name, _, value = argument.partition(b"=")
                if name == b"--user-data-dir" and b"playwright" in value:
                    return Path(os.fsdecode(value))
    return None


def kill(marker: str) -> None:
    """End these processes at once, without asking."""
    for process in group(marker):
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
