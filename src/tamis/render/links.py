"""Links and image sources that are safe to hand on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urljoin

_SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
# Browsers drop these from a URL before they read its scheme, so "java\nscript:" is a script.
_IGNORED = re.compile(r"[\x00-\x20\x7f]+")
_INNER = re.compile(r"[\x00-\x1f\x7f]+")

# Where pages that load images late put the real source, most common first.
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-url")
_LAZY_SETS = ("srcset", "data-srcset", "data-lazy-srcset")


def safe_url(url: str | None, base: str | None) -> str | None:
    """`url` made absolute where the base is known, or None if it is empty or could run code."""
    url = _INNER.sub("", url or "").strip()
    scheme = _SCHEME.match(_IGNORED.sub("", url))
    if not url or (scheme and scheme.group(1).lower() not in _SAFE_SCHEMES):
        return None
    if base is None:
        return url
    try:
        return urljoin(base, url)
    except ValueError:  # not a URL at all, such as "http://["
        return None


def image_source(attributes: Mapping[str, str], base: str | None) -> str | None:
    """The best source of an <img>, <source> or its like: lazy ones and the largest of a set."""
    candidates = [attributes.get(name) for name in _LAZY_SOURCES]
    candidates += [_largest(attributes[name]) for name in _LAZY_SETS if attributes.get(name)]
    candidates.append(attributes.get("src"))
    return next((safe for url in candidates if (safe := safe_url(url, base))), None)


def _largest(srcset: str) -> str | None:
    """The URL with the largest width or density of a srcset."""
    best: tuple[float, str] | None = None
    for candidate in re.split(r",\s+", srcset.strip().strip(",")):
        url, _, descriptor = candidate.strip().partition(" ")
        size = re.match(r"\s*([\d.]+)[wx]", descriptor)
        rank = float(size.group(1)) if size and size.group(1).count(".") < 2 and size.group(1) != "." else 1.0
        if url and (best is None or rank > best[0]):
            best = (rank, url)
    return best[1] if best else None
