"""The processes of a Chromium, found by an argument that only this Chromium was started with.

Playwright does not give the process id of a browser, and a browser that hangs may not close when asked to.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from uuid import uuid4


def new_marker() -> str:
    """An argument that no other process has."""
    return f"--tamis-browser={uuid4().hex}"


def marked_processes(marker: str) -> list[int]:
    """The processes that were started with this argument; none on systems without /proc."""
    return [process for process in _all_processes() if marker.encode() in _process_arguments(process)]


def marked_process_groups(marker: str) -> list[int]:
    """The marked processes and all others of their process groups: Chromium's renderers don't have the argument."""
    processes = marked_processes(marker)
    # Playwright gives each browser a process group of its own; the current group is excluded for safety.
    groups = {_group_of(process) for process in processes} - {None, os.getpgrp()}
    return sorted({*processes, *(process for process in _all_processes() if _group_of(process) in groups)})


def marked_profile_folder(marker: str) -> Path | None:
    """The profile folder that Playwright made for the marked Chromium."""
    for process in marked_processes(marker):
        for argument in _process_arguments(process):
            name, _, value = argument.partition(b"=")
            if name == b"--user-data-dir" and b"playwright" in value:
                return Path(os.fsdecode(value))
    return None


def kill_marked_groups(marker: str) -> None:
    """Kill the marked processes and their groups."""
    for process in marked_process_groups(marker):
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)


def _all_processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]


def _process_arguments(process: int) -> list[bytes]:
    with suppress(OSError):  # it has ended, or belongs to another user
        return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    return []


def _group_of(process: int) -> int | None:
    with suppress(OSError):
        return os.getpgid(process)
    return None
