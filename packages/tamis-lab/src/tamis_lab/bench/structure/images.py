"""Images by any of their addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tamis.document import parse
from tamis_lab.bench.structure.elements import Element, address
from tamis_lab.bench.structure.rows import Rows

_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:$|[?#&@:,/])", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"blank|placeholder|spacer|pixel|transparent|loading|lazy|1x1|grey\.|gray\.|empty", re.IGNORECASE
)
_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,])(?:\s+[\d.]+[wxh])?\s*(?:,|$)")  # of a srcset
_SOURCES = frozenset(
    "src data-src data-original data-lazy-src data-lazy data-original-src data-img-src data-image data-full-url".split()
)
_SMALL = 40  # pixels: an icon
_ICON = re.compile(r"(?:^|[\s_-])(?:emoji|icon|smiley|avatar|logo|badge|spinner|tracking|pixel)", re.IGNORECASE)


def images(page: Rows) -> tuple[list[Element], dict[str, str]]:
    """The images, and for each address the one by which its image is counted."""
    names: dict[str, str] = {}
    found: list[Element] = []
    for number, row in enumerate(page.rows):
        if row.tag != "img" or row.tex is not None:
            continue
        around = [page.rows[above] for above in page.around(number)]
        picture = next((above for above in around[:2] if above.tag == "picture"), None)
        figure = next((above for above in around[:6] if above.tag == "figure"), row)
        twins = [
            twin for above in (row.parent, page.rows[row.parent].parent) for twin in page.unscripted.get(above, ())
        ]
        nodes = [row.node, *(picture.node.select("source") if picture else ()), *(twins if len(twins) == 1 else ())]
        found += _image(nodes, page, names, (figure.start, figure.end), sure=_is_large(row.node))
    for number, nodes in page.unscripted.items():
        place = page.rows[number].start if number >= 0 else 0
        for node in nodes:
            known = [each for each in _addresses(node, page.base) if each in names]
            found += () if known else _image([node], page, names, (place, place), sure=False)
    return found, names


def _image(
    nodes: list[parse.Element], page: Rows, names: dict[str, str], place: tuple[int, int], *, sure: bool
) -> Iterator[Element]:
    own = [each for node in nodes for each in _addresses(node, page.base)]
    real = [each for each in own if not _PLACEHOLDER.search(each)] or own
    if real:
        name = next((names[each] for each in real if each in names), real[0])
        for each in real:
            names.setdefault(each, name)
        yield Element("image", (name,), *place, sure)


def _addresses(node: parse.Element, base: str) -> list[str]:
    found = []
    for name, value in parse.attributes(node):
        if "srcset" in name:
            candidates = _CANDIDATE.findall(value)
        elif name in _SOURCES or (name.startswith("data-") and _PICTURE.search(value) and " " not in value.strip()):
            candidates = [value]
        else:
            continue
        found += [address(each, base) for each in candidates if each.strip() and not each.startswith(("{", "data:"))]
    return [each for each in found if each]


def _is_large(node: parse.Element) -> bool:
    sizes = [node.attr("width") or "", node.attr("height") or ""]
    if any(size.isascii() and size.isdigit() and int(size) <= _SMALL for size in sizes):
        return False
    return not _ICON.search(node.attr("class") or "")
