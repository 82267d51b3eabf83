"""Importing what only an extra of the package brings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tamis.errors import MissingExtra


@contextmanager
def needs(extra: str, purpose: str) -> Iterator[None]:
    """Turn a missing module into MissingExtra, which says how to install it; wrap the import statements."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise MissingExtra(f"{purpose} ({package})", extra, "tamis-lab") from None
