"""The addresses, attributes, texts and policies that may be written, and the length of an output.

Every page and fragment that tamis writes goes through here. An address is resolved as a browser does it (the URL
standard of the WHATWG), and only the result is judged.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from html import escape
from typing import NamedTuple
from unicodedata import normalize

from tamis.deadline import checked
from tamis.document import Document
from tamis.document.addresses import without_credentials
from tamis.errors import PageTooLarge

# The schemes that are written, and those of them that have a host, in which a browser reads \ as /.
_WITH_HOST = frozenset({"http", "https", "ftp"})
_SCHEMES = _WITH_HOST | {"mailto", "tel"}

# Servers and browsers refuse longer ones. A base is repeated in every relative link, so it has less.
LONGEST_ADDRESS = 8_000
_LONGEST_BASE = 2_000

# Browsers remove white space of these before they read the scheme, so "java\nscript:" is a script.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_PARTS = re.compile(r"(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_NO_HOST = re.compile(r"[\s<>^|%{}\[\]/?#@\\]")
_IPV6 = re.compile(r"\[[0-9a-fA-F:.]+\](?::\d*)?")
# A browser writes these so. Markdown would read them as the end of an address or the start of markup.
_ENCODED = str.maketrans({" ": "%20", "<": "%3C", ">": "%3E", '"': "%22", "`": "%60"})
_TO_ENCODE = re.compile(r'[ <>"`]')

# The attributes that hold an address, and all others that are ever written. None of them runs or loads anything.
_ADDRESSES = frozenset({"href", "src", "cite"})
NAMES = frozenset(
    """
    abbr align alt bgcolor border cellpadding cellspacing checked class clear color cols colspan controls datetime dir
    disabled face height hidden high id label lang low max media min noshade nowrap open optimum placeholder readonly
    reversed role rows rowspan rules sandbox scope selected size span start style summary title type valign value width

    clip-path clip-rule cx cy d dx dy fill fill-opacity fill-rule font-family font-size font-weight fx fy
    gradienttransform gradientunits mask offset opacity patternunits points preserveaspectratio r rx ry stop-color
    stop-opacity stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
    text-anchor transform viewbox x x1 x2 y y1 y2

    accent accentunder columnalign columnspan displaystyle fence form linebreak linethickness mathvariant movablelimits
    stretchy
    """.split()
)
_STYLES = frozenset({"clip-path", "fill", "mask", "stroke", "style"})
_SPECIAL = re.compile(r"""[&<>"']""")
_EMPTY = frozenset({"checked", "controls", "disabled", "hidden", "open", "readonly", "reversed", "sandbox", "selected"})

# A letter that is written as an escape in a style sheet, and what loads something there.
_HIDDEN_LETTER = re.compile(
    r"""\\(?:(\\) | ([g-zG-Z])
        | (?:0{4}(?=[4-7]) | 0{0,3}(?=[4-7][0-9a-fA-F](?![0-9a-fA-F])))
          (4[1-9a-fA-F]|5[0-9aA]|6[1-9a-fA-F]|7[0-9aA])\s?)
    """,
    re.VERBOSE,
)
_IMPORT = re.compile(r"@[iI][mM][pP][oO][rR][tT](?![\w-])")
_LOADERS = ("url", "image-set", "image", "src")
_LOADED_FROM_THE_PAGE = ("data:", "#", '"data:', "'data:", '"#', "'#")
# In a style sheet this could be the start of a tag. The escape means the same there.
_TAG_IN_STYLE = re.compile(r"<(?=[a-zA-Z/!?])")


class _BaseAddress(NamedTuple):
    """An address that others are relative to; each part but the path may be empty."""

    scheme: str
    host: str  # with the slashes before it
    path: str
    query: str


def safe_url(url: str | None, base: str | None) -> str | None:
    """`url` as a browser resolves it; None if it is empty, invalid, too long, or could run code.

    Without a base, or with a relative one, the result can be relative. It never changes the scheme of the base that a
    reader resolves it against, whatever rules that reader follows.
    """
    if not url or len(url) > LONGEST_ADDRESS:
        return None
    url = _CONTROLS.sub("", url).strip()
    scheme = found.group(1).lower() if (found := _SCHEME.match(url)) else ""
    if not url or (scheme and scheme not in _SCHEMES):
        return None
    if scheme in _WITH_HOST or not scheme:
        resolved = _resolved(scheme, url[len(scheme) + 1 :] if scheme else url, _base_address(base) if base else None)
    else:
        resolved = url
    if not resolved or len(resolved) > LONGEST_ADDRESS:
        return None
    return resolved.translate(_ENCODED) if _TO_ENCODE.search(resolved) else resolved


def text(value: str) -> str:
    """A text as HTML, outside of attributes."""
    return escape(value, quote=False) if _SPECIAL.search(value) else value


def attributes(values: Mapping[str, str], base: str | None = None) -> str:
    """Attributes as HTML with a space before each, without names and addresses that are not allowed.

    Addresses are resolved against `base`.
    """
    written = ""
    for name, value in values.items():
        if name in NAMES:
            if name in _STYLES:
                value = style(value)
            if _SPECIAL.search(value):
                value = escape(value)
            written += f' {name}="{value}"' if name not in _EMPTY else f" {name}"
        elif name in _ADDRESSES and (address := safe_url(value, base)):
            written += f' {name}="{escape(address)}"'
    return written


def style(css: str) -> str:
    """A style sheet that ends no element and, even where no policy holds, loads nothing."""
    if "\\" in css:  # an escaped letter is written as the letter; an escaped backslash stays
        css = _HIDDEN_LETTER.sub(lambda found: found[0] if found[1] else found[2] or chr(int(found[3], 16)), css)
    parts = _IMPORT.sub("@x-left-out", css).split("(")
    for place, part in enumerate(parts[:-1]):
        if part[-9:].lower().endswith(_LOADERS) and not parts[place + 1].startswith(_LOADED_FROM_THE_PAGE):
            parts[place + 1] = "#" + parts[place + 1]
    css = "(".join(parts)
    return _TAG_IN_STYLE.sub(r"\\3c ", css)


def policy(*, styles: str = "'unsafe-inline'", scripts: str = "'none'") -> str:
    """The first element of the head of every page: nothing is loaded, and nothing runs but what `scripts` names."""
    rules = (
        f"default-src 'none'; style-src {styles}; script-src {scripts}; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{escape(rules, quote=False)}">'
        '<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">'
    )


def digest(content: str) -> str:
    """The name by which a policy allows a style or script that is in the page."""
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


def _resolved(scheme: str, rest: str, base: _BaseAddress | None) -> str | None:
    """An address from what follows its scheme; the scheme may be empty."""
    if "\\" in rest:
        end = min((place for mark in "?#" if (place := rest.find(mark)) >= 0), default=len(rest))
        rest = rest[:end].replace("\\", "/") + rest[end:]
    if scheme and (base is None or scheme != base.scheme or rest.startswith("//")):
        rest = "//" + rest.lstrip("/")  # a browser forgives any number of slashes
    host, path, query, fragment = _PARTS.match(rest).groups("")  # type: ignore[union-attr]
    if host:
        if not _is_host(host[2:]):
            return None
        scheme = scheme or (base.scheme if base else "")
    elif base is None:
        # The first part of a relative path must not look like a scheme, also after "." and ".." are resolved.
        if ":" in path and path[0] != "/" and (":" in path.partition("/")[0] or "./" in path):
            path = path.replace(":", "%3A")
        return f"{path}{query}{fragment}"
    else:
        scheme, host = base.scheme, base.host
        if not path:
            path, query = base.path, query or base.query
        else:
            path = _without_dots(path if path[0] == "/" else base.path[: base.path.rfind("/") + 1] + path)
        if not host:
            if path.startswith("//"):
                path = f"/.{path}"  # else it would be read as a host
            elif ":" in path and path[0] != "/":
                path = path.replace(":", "%3A")
    if base:
        query, fragment = query if query != "?" else "", fragment if fragment != "#" else ""
    return f"{scheme}{':' if scheme else ''}{host}{path}{query}{fragment}"


@lru_cache(maxsize=16)
def _base_address(url: str) -> _BaseAddress | None:
    """The parts of a base without its credentials; None if nothing can be relative to it."""
    url = _CONTROLS.sub("", without_credentials(url)).strip()
    found = _SCHEME.match(url)
    scheme = found.group(1).lower() if found else ""
    if len(url) > _LONGEST_BASE or (scheme and scheme not in _WITH_HOST):
        return None
    resolved = _resolved(scheme, url[found.end() :] if found else url, None)
    if resolved is None:
        return None
    host, path, query, _ = _PARTS.match(resolved[len(scheme) + 1 if scheme else 0 :]).groups("")  # type: ignore[union-attr]
    return _BaseAddress(scheme, host, path or ("/" if host else ""), query)


def _is_host(name: str) -> bool:
    """Could this be a host, with or without credentials and a port?"""
    name = name.rpartition("@")[2]
    if "[" in name:
        return _IPV6.fullmatch(name) is not None
    if not name.isascii():
        name = normalize("NFKC", name)  # a browser does so, and then there could be a slash
    host, _, port = name.partition(":")
    return bool(host) and not _NO_HOST.search(host) and (not port or (port.isascii() and port.isdigit()))


def _without_dots(path: str) -> str:
    """A path without the segments "." and ".."; those that lead out of a relative path stay."""
    if "." not in path and "%2" not in path:
        return path
    segments: list[str] = []
    dots = ""
    for segment in path.split("/"):
        dots = segment.lower().replace("%2e", ".")
        if dots == "..":
            if segments[-1:] not in ([], [""], [".."]) or len(segments) > 1:
                segments.pop()
            elif segments != [""]:
                segments.append("..")
        elif dots != ".":
            segments.append(segment)
    if dots in (".", ".."):
        segments.append("")
    return "/".join(segments)


# The most characters of an output: a fixed number, and a multiple of those of the page. Links become longer when they
# are made absolute, cells when a table is made a grid, and JSON writes two paths for each block.
_AT_LEAST = 80_000_000
_TIMES = 4


class Room:
    """The characters that an output may still take."""

    def __init__(self, document: Document) -> None:
        self.most = self.left = _AT_LEAST + _TIMES * len(document.html)

    def take(self, characters: int) -> None:
        """Take this many characters. Raises PageTooLarge if fewer are left."""
        self.left -= characters
        if self.left < 0:
            raise PageTooLarge(f"the output has more than {self.most:,} characters")


def fitting(output: str, document: Document) -> str:
    """The same output. Raises PageTooLarge if it is too long."""
    return "".join(bounded([output], document))


def bounded(pieces: Iterable[str], document: Document) -> list[str]:
    """The pieces of an output. Raises PageTooLarge if they are too long altogether."""
    room = Room(document)
    written: list[str] = []
    for piece in checked(pieces):
        room.take(len(piece))
        written.append(piece)
    return written
