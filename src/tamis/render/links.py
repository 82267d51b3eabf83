"""Links without code: safe URLs only."""

from __future__ import annotations

import re
from urllib.parse import urljoin

_SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
# Browsers remove these characters before they read the scheme, so "java\nscript:" is a script.
_IGNORED = re.compile(r"[\x00-\x20\x7f]+")
_INNER = re.compile(r"[\x00-\x1f\x7f]+")


def safe_url(url: str | None, base: str | None) -> str | None:
    """`url`, absolute if the base is known; None if it is empty, invalid or could run code."""
    url = _INNER.sub("", url or "").strip()
    scheme = _SCHEME.match(_IGNORED.sub("", url))
    if not url or (scheme and scheme.group(1).lower() not in _SAFE_SCHEMES):
        return None
    if base is None:
        return url
    try:
        return urljoin(base, url)
    except ValueError:  # not a URL, such as "http://["
        return None
