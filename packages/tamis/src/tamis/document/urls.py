"""Addresses of pages."""

from __future__ import annotations

import re

# What stands between the slashes and the last @ of the host's part. A password may hold an @ of its own.
_CREDENTIALS = re.compile(r"(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2,})[^/\\?#]*@")


def without_credentials(url: str) -> str:
    """The address without a user name and password; unchanged where it has none."""
    return _CREDENTIALS.sub(r"\1", url, count=1) if _CREDENTIALS.match(url) else url
