"""A page as bytes."""

from __future__ import annotations

from typing import NamedTuple


class RawPage(NamedTuple):
    """A page as bytes, with its address and the charset of its HTTP header, if they are known.

    It is what `tamis.fetch` returns and `tamis.extract` accepts. A page that another library has fetched becomes one,
    too: `tamis.RawPage(response.content, url)`.
    """

    data: bytes
    url: str | None = None
    charset: str | None = None

    def __repr__(self) -> str:
        return f"RawPage({len(self.data):,} bytes, url={self.url!r}, charset={self.charset!r})"
