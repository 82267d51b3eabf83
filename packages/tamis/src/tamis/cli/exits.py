"""Exit codes."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of the command line."""

    FINE = 0
    NOTHING = 1
    WRONG_USE = 2
    UNREADABLE = 3
    INTERRUPTED = 130
