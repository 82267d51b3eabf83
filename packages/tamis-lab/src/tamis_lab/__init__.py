"""What research needs: corpora, alignment, metrics, benchmark, report, gate, training and reproduced tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tamis.errors import MissingExtra

__version__ = "0.2.0"


@contextmanager
def needs(extra: str, purpose: str) -> Iterator[None]:
    """Turn a missing module into MissingExtra, which says how to install it; wrap the import statements."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise MissingExtra(f"{purpose} ({package})", extra, "tamis-lab") from None
