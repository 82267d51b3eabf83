"""The programming language that the markup of a block of code names.

Languages are written as the page writes them, in lower case, but for a few names that no highlighter of Markdown knows
(`ipython3`, `c++`, `css-scss`). A block of plain text (`plaintext`, `none`, `highlight-default`) has no language.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from tamis.document import parse
from tamis.render.content.source import Source

TABLE: Mapping[str, Any] = json.loads(files("tamis.render.content").joinpath("code.json").read_text(encoding="utf-8"))
_KNOWN = frozenset(TABLE["languages"])
_ALIASES: Mapping[str, str] = TABLE["aliases"]
_NONE = frozenset(TABLE["none"])
_NATURAL = frozenset(TABLE["natural"])  # `lang` has the codes of human languages, too
_PREFIXES = tuple(TABLE["prefixes"])
_MARKERS = frozenset(TABLE["markers"])
_ATTRIBUTES = tuple(TABLE["attributes"])
_PARAMETERS = tuple(TABLE["parameters"])

# Other characters could end the line of a fence.
_NAME = re.compile(r"[a-z0-9_+#.\-]{1,40}")
# How many elements of a block, and how many above it, are asked for its language.
_INSIDE, _ABOVE = 24, 3
_MOST_CODE = 8  # of each tag: a column of line numbers may come first
_CODE_TAGS = ("pre", "code", "listing", "xmp")
_LONGEST_CLASS = 1_000
_VAGUE = ("highlight-", "src-", "hl-")  # what follows may be anything


def language(source: Source, row: int) -> str:
    """The language of the block of code in an element; empty if it is not known."""
    end = int(source.elements.end[row])
    inner = [place for place in range(row, min(end, row + _INSIDE)) if place in source.nodes]
    code: list[int] = []
    for tag in _CODE_TAGS:
        rows = source.tagged(tag)
        first = bisect_left(rows, row)
        code += [place for place in rows[first : first + _MOST_CODE] if place < end]
    # The innermost says it best: a wrapper may be named for the page.
    for place in sorted(code)[::-1]:
        if (found := _own(source, place, is_code=True)) is not None:
            return found
    for place in inner:
        if source.tag(place) not in ("span", *_CODE_TAGS) and (found := _own(source, place, is_code=False)) is not None:
            return found
    above = int(source.elements.parent[row])
    for _ in range(_ABOVE):
        if above < 0:
            break
        if (found := _own(source, above, is_code=source.tag(above) in _CODE_TAGS)) is not None:
            return found
        above = int(source.elements.parent[above])
    return ""


def known(name: str) -> str:
    """The language of this name, if it is a known one; else empty."""
    name = name.strip().lower()
    named = _ALIASES.get(name, name)
    return named if named in _KNOWN else ""


def _own(source: Source, row: int, *, is_code: bool) -> str | None:
    """What one element names, empty if that is no language. Elements that are not of code name known languages only."""
    attributes = dict(parse.attributes(source.nodes[row]))  # one by one they would be slow to ask for
    if not attributes:
        return None
    words = attributes.get("class", "")[:_LONGEST_CLASS].split()
    for prefix in _PREFIXES:
        for place, word in enumerate(words):
            if not word.lower().startswith(prefix):
                continue
            name = word[len(prefix) :] or (words[place + 1] if place + 1 < len(words) else "")
            if (found := _named(name, any_name=is_code and prefix not in _VAGUE)) is not None:
                return found
    for attribute in _ATTRIBUTES:
        if (value := attributes.get(attribute)) and (found := _named(value, any_name=is_code)) is not None:
            return found
    for attribute in _PARAMETERS:
        value = attributes.get(attribute, "")[:_LONGEST_CLASS]
        if "brush:" in value and (found := _named(value.split("brush:")[1].split(";")[0])) is not None:
            return found
    if is_code or not _MARKERS.isdisjoint(words):
        for word in words:
            if word not in _MARKERS and (found := _named(word)):
                return found
    value = attributes.get("lang") if is_code else None
    return (_named(value) or None) if value and value.lower() not in _NATURAL else None


def _named(name: str, *, any_name: bool = False) -> str | None:
    """The language of this name; empty for plain text, None for what is no name of a language."""
    name = name.strip(" ;,").lower()
    name = _ALIASES.get(name, name)
    if name in _NONE:
        return ""
    is_known = name in _KNOWN or name.split("+")[0] in _KNOWN  # html+jinja
    return name if (is_known or any_name) and _NAME.fullmatch(name) else None
