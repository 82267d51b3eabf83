"""What hides an element, and whether something on the page opens it.

Hidden text that something opens is folded: a reader can come to see it. Other hidden text is never shown: nobody reads
it, and what it says is not for readers. How many words of the gold texts of the training pages each way of hiding holds
is in docs/tamis.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from itertools import islice
from typing import NamedTuple

from tamis.document import parse
from tamis.document.tags import BLOCK, HEADINGS


class Way(Enum):
    """How an element is hidden."""

    CLOSED = auto()  # by what pages close and open their own parts with
    UNSEEN = auto()  # it has a place on the page, and is drawn so that nobody sees it
    FADED = auto()  # by opacity alone, with which scripts also begin to show a part


# The ids of the parts of a streamed page: hidden elements that a script puts in place as soon as they arrive.
_STREAMED_PART = re.compile(r"S:[0-9a-f]+")

# Most style attributes have none of these and are not read any further.
_SUSPICIOUS = re.compile(r"none|hidden|collapse|opacity|font-size|clip|-\d{3}|-\d\dr?em|transparent|scale|color")
_NUMBER = re.compile(r"(-?\d*\.?\d+)(px|r?em|pt|)")
_PIXELS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0}
# An element so far to the left or above is off every screen.
_OFF_SCREEN = -900.0
_SHIFTS = ("left", "top", "right", "bottom", "margin-left", "margin-right", "text-indent")
_SIZES = ("height", "width", "max-height", "max-width")
_SHIFTED = re.compile(r"translate(?:x|y|3d)?\([^)]*?(-\d{3,}(?:px|r?em))")
_NO_CLIP_LEFT = re.compile(r"rect\(\s*([01])(?:px)?[\s,]+\1|inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0|polygon\(\s*0[^1-9]*\)")
_SCALED_TO_NOTHING = re.compile(r"scale(?:x|y|3d)?\(\s*0\s*[,)]")
_MOVES = ("transform", "transition", "animation", "will-change")
_HEX = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_COLOURS = {"white": "#ffffff", "black": "#000000", "rgb(255,255,255)": "#ffffff", "rgb(0,0,0)": "#000000"}
_NO_COLOURS = {"", "none", "inherit", "initial", "unset", "transparent", "currentcolor"}

# A page with more elements that are only faded shows them with a script while the reader scrolls.
_MOST_FADED = 2

# Names of parts that open: in the class, the id, the role and the names of attributes.
_OPENS = re.compile(
    r"(?<![a-z])tab(?!l|index)|tabpan|tabbed|accord|collaps|panel|pane(?![a-z])|toggl|expand|(?<![a-z])(?:more|less)(?![a-z])"
    r"|faq|answer|carousel|slide|swiper|(?<![a-z])fold|drawer|reveal|spoiler|trunc|clamp|disclos|dropdown|popup|popover"
    r"|modal|dialog|lightbox|overlay|tooltip|subscriber|paywall|premium|lazy|defer|labelledby|(?:x|v|ng)-(?:show|if|cloak)"
    r"|(?<![a-z])(?:region|menu|listbox|wow|aos)(?![a-z])"
)
# What a reader clicks on, as a start tag with its attributes.
_CLICKED = {"button", "summary"}
_CLICKABLE = frozenset({"aria-expanded", "aria-controls", "onclick", "data-toggle", "data-bs-toggle", "tabindex"})
_POINTERS = ("href", "aria-controls", "data-target", "data-bs-target")
_POINTING = '[href*="#"], [aria-controls], [data-target], [data-bs-target]'
# Of the element beside a hidden one, this many elements are looked at for something to click on.
_LOOKED_AT = 6
# Names above an element say what it is only for a part of the page, not for a paragraph or a word in such a part.
_PARTS = BLOCK - {"p", "td", "th", "li", *HEADINGS}
_BLOCKS = _PARTS | {"p", "li"}
_HEADS = {*HEADINGS, "dt"}
_WHOLES = {"html", "body", "main", "article"}


class Hidden(NamedTuple):
    """An element that is hidden by itself."""

    row: int
    node: parse.Element
    way: Way


def hidden(rows: Sequence[int], nodes: Sequence[parse.Element]) -> list[Hidden]:
    """Those of these elements that are hidden; `rows` are theirs."""
    found = [Hidden(row, node, way) for row, node in zip(rows, nodes, strict=True) if (way := way_of(node))]
    faded = sum(each.way is Way.FADED for each in found)
    return [each for each in found if each.way is not Way.FADED] if faded > _MOST_FADED else found


def way_of(node: parse.Element) -> Way | None:
    """How an element is hidden by itself; None if it is not."""
    attributes = node.attrs
    if "hidden" in attributes:
        # "until-found" folds content away like a closed <details>: a reader can open it.
        is_openable = (node.attr("hidden") or "").strip().lower() == "until-found"
        if not is_openable and _STREAMED_PART.fullmatch(node.attr("id") or "") is None:
            return Way.CLOSED
    if (style := node.attr("style")) and _SUSPICIOUS.search(style := style.lower()) and (found := _styled(node, style)):
        return found
    if "popover" in attributes or (node.tag == "dialog" and "open" not in attributes):
        return Way.CLOSED
    # Words with this mark are seen, as icons, prices and formulas are; a block with it is written for nobody.
    if node.tag in _BLOCKS and (node.attr("aria-hidden") or "").lower() == "true":
        return Way.UNSEEN
    return None


def _styled(node: parse.Element, style: str) -> Way | None:
    """How a style attribute in lower case hides an element."""
    given: dict[str, str] = {}
    for declaration in style.replace("!important", "").split(";"):
        name, _, value = declaration.partition(":")
        given[name.strip()] = value.strip()
    if given.get("display") == "none" or given.get("visibility") in ("hidden", "collapse"):
        return Way.CLOSED
    if given.get("content-visibility") == "hidden" or _has_no_room(given):
        return Way.CLOSED
    transform = given.get("transform", "")
    if (
        any(_pixels(given[name]) <= _OFF_SCREEN for name in _SHIFTS if name in given and not _is_replaced(node, name))
        or ((shift := _SHIFTED.search(transform)) and _pixels(shift[1]) <= _OFF_SCREEN)
        or _NO_CLIP_LEFT.match(given.get("clip", "") or given.get("clip-path", ""))
        or _SCALED_TO_NOTHING.search(transform)
    ):
        return Way.UNSEEN
    if (_is_tiny(given.get("font-size")) or _has_no_colour(given)) and not _restyled(node):
        return Way.UNSEEN
    if _pixels(given.get("opacity", "1")) <= 0.01 and not any(move in style for move in _MOVES):
        return Way.FADED
    return None


def _pixels(length: str) -> float:
    """A length in pixels, roughly; 100 for what is no length."""
    found = _NUMBER.match(length)
    return float(found[1]) * _PIXELS[found[2]] if found and not length.endswith("%") else 100.0


def _has_no_room(given: dict[str, str]) -> bool:
    """Is it cut to a size of nothing? Padding gives it room, as of a video that keeps its shape."""
    if not any(given.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")):
        return False
    padded = any(value[:1] not in ("", "0") for name, value in given.items() if name.startswith("padding"))
    return not padded and any(0 <= _pixels(given[name]) <= 1 for name in _SIZES if name in given)


def _is_tiny(size: str | None) -> bool:
    return size is not None and (size in ("0", "0%") or (0 <= _pixels(size) <= 1))


def _is_replaced(node: parse.Element, name: str) -> bool:
    """Is it a link whose picture stands for its words?"""
    return name == "text-indent" and node.tag == "a"


def _has_no_colour(given: dict[str, str]) -> bool:
    """Are the letters transparent, or of the colour of their background? Gradients are drawn through transparent ones."""
    colour = _colour(given.get("color", ""))
    if colour == "transparent":
        return not any("background" in name for name in given)
    return colour not in _NO_COLOURS and colour in (
        _colour(given.get("background-color", "")),
        _colour(given.get("background", "")),
    )


def _colour(value: str) -> str:
    value = value.replace(" ", "")
    return _COLOURS.get(value) or _HEX.sub(r"#\1\1\2\2\3\3", value) if len(value) == 4 else _COLOURS.get(value, value)


def _restyled(node: parse.Element) -> bool:
    """May something inside have a size and a colour of its own?"""
    return any("class" in inner.attrs or "style" in inner.attrs for inner in node.iter_elements())


def opened(elements: Sequence[Hidden], tree: parse.Tree) -> list[bool]:
    """For each hidden element: does something on the page open it?

    Its names, those of the part that it is in, something to click on beside it, and what points to it tell.
    """
    nodes = [each.node for each in elements]
    found = [_named(node) or _clicked(node) for node in nodes]
    # One hidden part below a heading may be anything. Where there are several such pairs, the upper ones open the lower.
    pairs = [None if is_open else _pair(node) for is_open, node in zip(found, nodes, strict=True)]
    if any(pairs):
        counts = Counter(pairs)
        found = [is_open or (pair is not None and counts[pair] > 1) for is_open, pair in zip(found, pairs, strict=True)]
    if all(is_open or not node.attr("id") for is_open, node in zip(found, nodes, strict=True)):
        return found
    targets = _targets(parse.select(tree, _POINTING))
    return [is_open or node.attr("id") in targets for is_open, node in zip(found, nodes, strict=True)]


def _named(node: parse.Element) -> bool:
    """Is it, or the part that it is in, named for what opens?"""
    if _OPENS.search(_names(node)):
        return True
    if node.tag not in _PARTS:
        return False
    outer = parse.parents(node, 2)
    return any(above.tag not in _WHOLES and _OPENS.search(_names(above)) for above in outer)


def _names(node: parse.Element) -> str:
    # The classes come as a list.
    words = [*node.attrs, node.attr("class") or "", node.attr("id") or "", node.attr("role") or "", node.tag]
    return " ".join(words).lower()


def _clicked(node: parse.Element) -> bool:
    """Is something to click on beside it?"""
    return any(beside is not None and _is_clickable(beside) for beside in parse.beside(node))


def _is_clickable(node: parse.Element) -> bool:
    return any(
        inner.tag in _CLICKED
        or not _CLICKABLE.isdisjoint(inner.attrs)
        or inner.attr("role") in ("button", "tab")
        or (inner.attr("href") or "").startswith(("javascript:", "#"))
        for inner in (node, *islice(node.iter_elements(), _LOOKED_AT))
    )


def _pair(node: parse.Element) -> tuple[str | None, ...] | None:
    """Tags and classes of a hidden part and of what stands above it, if that may be its heading."""
    above = parse.beside(node)[0]
    if above is None or node.tag not in _PARTS or (above.tag not in _HEADS and not above.attr("class")):
        return None
    return above.tag, above.attr("class"), node.tag, node.attr("class")


def _targets(nodes: Iterable[parse.Element]) -> set[str]:
    """The ids that links and buttons point to."""
    values = (node.attr(name) or "" for node in nodes for name in _POINTERS)
    return {word.rpartition("#")[2] for value in values for word in value.split()}
