"""The one place that imports the packages of the extra `batch`."""

from __future__ import annotations

import warnings
from typing import Any

from tamis.errors import MissingExtra

_ROOM = 1 << 20


def arrow() -> Any:
    """The module pyarrow, with its Parquet. Raises MissingExtra."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet", "batch") from None
    return pyarrow


def fsspec() -> Any:
    """The module fsspec. Raises MissingExtra."""
    try:
        import fsspec
        import fsspec.core
    except ImportError:
        raise MissingExtra("an address", "batch") from None
    return fsspec


def check_memory(count: int) -> None:
    """Raise MemoryError unless this many bytes can be allocated: FastWARC itself hangs where they can't."""
    bytearray(count + _ROOM)


def fastwarc() -> Any:
    """The module fastwarc, with its streams. Raises MissingExtra."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of its own old names, which it loads itself
            import fastwarc
            import fastwarc.stream_io
            import fastwarc.warc
    except ImportError:
        raise MissingExtra("WARC", "batch") from None
    return fastwarc
