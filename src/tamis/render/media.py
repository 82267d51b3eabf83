"""Media elements: where they come from and how they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from tamis.document import Elements
from tamis.render.links import safe_url

# Where pages that load media late put the real source, most common first.
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-url")
_SETS = ("srcset", "data-srcset", "data-lazy-srcset")

# One image of a srcset: its address, and its width or density where it has one.
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+(\d+(?:\.\d+)?)[wx])?\s*(?:,|$)")

_IMAGES = ("img", "picture", "amp-img")
_PLAYERS = ("video", "audio")


def medium_source(elements: Elements, row: int, base: str | None) -> str | None:
    """The address of what a media element shows: lazy ones, the largest of a set, inner sources.

    None where there is none or where it could run code (svg, canvas, object and embed).
    """
    tag = elements.tag[row]
    if tag not in (*_IMAGES, *_PLAYERS, "iframe"):
        return None
    inner = [each for each in range(row + 1, int(elements.end[row])) if elements.tag[each] in ("img", "source")]
    # The <img> of a <picture> comes last in it and is the one that every browser understands.
    order = [row, *inner] if tag != "picture" else inner[::-1]
    return next((url for each in order if (url := _source(dict(elements.attributes(each)), base))), None)


def medium_html(elements: Elements, row: int, source: str, *, as_link: bool) -> str:
    """The element as clean HTML; players and frames as a link where asked for."""
    tag = elements.tag[row]
    if tag in _IMAGES:
        every = [row, *range(row + 1, int(elements.end[row]))]
        alt = next((alt for each in every if (alt := elements.attribute(each, "alt"))), "")
        return f"<img{written({'src': source, 'alt': ' '.join(alt.split())})}>"
    title = " ".join((elements.attribute(row, "title") or "").split())
    if as_link:
        return f"<a{written({'href': source})}>{escape(title or source)}</a>"
    if tag == "iframe":
        return f"<iframe{written({'src': source, 'title': title})} sandbox></iframe>"
    return f"<{tag}{written({'src': source})} controls></{tag}>"


def written(values: Mapping[str, str | None]) -> str:
    """Attributes as they stand in a start tag."""
    return "".join(f' {key}="{escape(value)}"' for key, value in values.items() if value is not None)


def _source(attributes: Mapping[str, str], base: str | None) -> str | None:
    candidates = [attributes.get(name) for name in _LAZY_SOURCES]
    candidates += [_largest(attributes[name]) for name in _SETS if attributes.get(name)]
    candidates.append(attributes.get("src"))
    return next((safe for url in candidates if (safe := safe_url(url, base))), None)


def _largest(srcset: str) -> str | None:
    """The URL with the largest width or density of a srcset."""
    found = [(float(size or 1), url) for url, size in _CANDIDATE.findall(srcset)]
    return max(found, key=lambda candidate: candidate[0])[1] if found else None
