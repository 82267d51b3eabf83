"""A unit of work."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Shard:
    """The items of `path` that begin from `start` on and before `end`.

    What is counted depends on the format: bytes of a file, row groups of Parquet, the sorted pages
    of a folder. `end` is None for all that is left.
    """

    format: str
    path: str
    start: int = 0
    end: int | None = None
    size: int = 0  # about how many bytes of input, for progress

    @property
    def name(self) -> str:
        """A file name of its own, the same in every run."""
        stem = re.sub(r"[^A-Za-z0-9.-]+", "_", Path(self.path).name).strip("._-")[:60] or "pages"
        place = f"{Path(self.path).absolute()}\0{self.start}".encode("utf-8", "surrogateescape")
        return f"{stem}-{hashlib.sha256(place).hexdigest()[:12]}"
