"""How styles, attributes and style rules hide an element."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.document.parse import Element


class Way(Enum):
    """How an element is hidden."""

    CLOSED = auto()  # in the ways in which pages close and open their own parts
    MOVING = auto()  # the same with a transition: a script shows it while its reader scrolls
    UNSEEN = auto()  # it takes part in the layout, but is drawn where or so that it can't be seen
    INDENTED = auto()  # the same by an indent; a picture may replace the words of a link
    DRAWN = auto()  # the same by the size or the colour of its letters; an inner element may set its own
    FADED = auto()  # by opacity alone, from which scripts also fade a part in


Rules = dict[str, Way]  # by .class or #id

# The ids of the parts of a streamed page: hidden elements that a script puts in place as soon as they arrive.
_STREAMED_PART = re.compile(r"S:[0-9a-f]+")

# Most style attributes contain none of these and are not read any further.
_SUSPICIOUS = (
    "none", "visib", "hidden", "opacity", "font-size:0", "font-size: 0", "font-size:1px", "font-size: 1px", ":-", ": -",
    "(-", "clip", "transparent", "scale(0", "scale3d(0",
)  # fmt: skip
_COLOURED = re.compile(r"(?:^|[;\s])color\s*:")
_NUMBER = re.compile(r"(-?[0-9]*\.?[0-9]+)(px|r?em|pt|v[wh]|%|)")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "vw": 10.0, "vh": 10.0}
# Pixels. An element this far to the left or above is off every screen.
_OFF_SCREEN = -900.0
_SHIFTS = ("left", "top", "right", "bottom", "margin-left", "margin-right")
_SIZES = ("height", "width", "max-height", "max-width")
_SHIFTED = re.compile(r"translate(?:x|y|3d)?\([^)]*?(-[0-9]{3,}(?:px|r?em))")
_NO_CLIP_LEFT = re.compile(
    r"rect\(\s*([01])(?:px)?[\s,]+\1|inset\(\s*(?:[5-9][0-9]|100)%|circle\(\s*0|polygon\(\s*0[^1-9]*\)"
)
_SCALED_TO_NOTHING = re.compile(r"scale(?:x|y|3d)?\(\s*0\s*[,)]")
_MOVES = ("transform", "transition", "animation", "will-change")
_HEX = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_COLOURS = {"white": "#ffffff", "black": "#000000", "rgb(255,255,255)": "#ffffff", "rgb(0,0,0)": "#000000"}
_NO_COLOURS = {"", "none", "inherit", "initial", "unset", "transparent", "currentcolor"}

_LONGEST = 1_000  # characters of a style
# Longer sheets belong to a site: other sheets and scripts show again what they hide.
_LONGEST_SHEET = 2_000
_MOST_RULES = 20
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PLAIN = re.compile(r"(?:p|div|span)?([.#][a-zA-Z][\w-]*)")
_MARKED = frozenset({"div", "li", "p", "section", "ul"})

# The elements that `way_of` may find hidden, and those marked as aria-hidden.
MARKED = f"[aria-hidden=true i]:is({', '.join(sorted(_MARKED))})"
_ATTRIBUTES = f"[hidden], [popover], {MARKED}"
SELECTOR = f"[style], {_ATTRIBUTES}"


def way_of(node: Element, style: str | None) -> Way | None:
    """How an element with this style attribute is hidden by itself; None if it is not."""
    if style and (found := _way_of_style(style)):
        return None if _is_exempt(node, found) else found
    if not node.matches(_ATTRIBUTES):
        return None
    attribute = node.attr
    if (hidden := attribute("hidden")) is not None:
        # "until-found" folds content away like a closed <details>: a reader can open it.
        is_openable = hidden.strip().lower() == "until-found"
        if not is_openable and _STREAMED_PART.fullmatch(attribute("id") or "") is None:
            return Way.CLOSED
    if attribute("popover") is not None:
        return Way.CLOSED
    # Words with this mark are visible, such as icons, prices and formulas; treat a block with it as hidden.
    return Way.UNSEEN if node.matches(MARKED) else None


def _is_exempt(node: Element, way: Way) -> bool:
    """Is an element that its style hides in this way shown after all?"""
    if way is Way.INDENTED:
        return node.tag == "a"
    if way is Way.DRAWN:
        # Some frameworks make the letters of an image's alternative text transparent.
        return node.tag in ("img", "amp-img") or any(
            "class" in inner.attrs or "style" in inner.attrs for inner in node.iter_elements()
        )
    # Scripts fade in parts of a page.
    return way is Way.FADED and node.tag in ("div", "section") and "class" in node.attrs


@lru_cache(maxsize=1_024)  # the same few styles recur on a page
def _way_of_style(style: str) -> Way | None:
    """How a style attribute hides an element."""
    style = style[:_LONGEST].lower()
    if not any(map(style.__contains__, _SUSPICIOUS)) and not ("background" in style and _COLOURED.search(style)):
        return None
    given: dict[str, str] = {}
    for declaration in style.replace("!important", "").split(";"):
        name, _, value = declaration.partition(":")
        given[name.strip()] = value.strip()
    is_invisible = given.get("visibility") in ("hidden", "collapse")
    if is_invisible and _moves(style):
        return Way.MOVING
    is_gone = given.get("display") == "none" or given.get("content-visibility") == "hidden"
    if is_invisible or is_gone or _has_no_room(given):
        return Way.CLOSED
    if (
        any(_pixels(given[name]) <= _OFF_SCREEN for name in _SHIFTS if name in given)
        or ("transform" in given and _is_transformed_away(given["transform"]))
        or ("clip" in style and _NO_CLIP_LEFT.match(given.get("clip", "") or given.get("clip-path", "")))
    ):
        return Way.UNSEEN
    if "text-indent" in given and _pixels(given["text-indent"]) <= _OFF_SCREEN:
        return Way.INDENTED
    if ("font-size" in given and 0 <= _pixels(given["font-size"]) <= 1) or _has_no_colour(given):
        return Way.DRAWN
    if "opacity" in given and _pixels(given["opacity"]) <= 0.01 and not _moves(style):
        return Way.FADED
    return None


def _is_transformed_away(transform: str) -> bool:
    """Is it moved off the screen, or scaled to nothing?"""
    shift = _SHIFTED.search(transform)
    return bool((shift and _pixels(shift[1]) <= _OFF_SCREEN) or _SCALED_TO_NOTHING.search(transform))


def _moves(style: str) -> bool:
    return any(move in style for move in _MOVES)


def hiding_rules(sheets: Sequence[str]) -> Rules:
    """How the rules of a page's style elements hide elements.

    Only unconditional rules in short sheets count, for a single class or id that no other rule names: another rule may
    show the element again.
    """
    found: Rules = {}
    for sheet in sheets:
        if len(sheet) > _LONGEST_SHEET or "@" in sheet or not any(map(sheet.__contains__, _SUSPICIOUS)):
            continue
        lowered = sheet.lower()
        marks = [mark for mark in (*_SUSPICIOUS, "background") if mark in lowered]  # most rules contain none of them
        for rule in _COMMENT.sub("", sheet).split("}")[:-1]:
            before, _, style = rule.rpartition("{")
            if any(map(style.lower().__contains__, marks)):
                name = _PLAIN.fullmatch(before.rpartition("{")[2].strip())
                if name and (way := _way_of_style(style)):
                    found[name[1]] = way
    if len(found) > _MOST_RULES:
        return {}
    return {name: way for name, way in found.items() if sum(sheet.count(name[1:]) for sheet in sheets) == 1}


def way_by_rules(node: Element, rules: Rules) -> Way | None:
    """How a rule hides an element."""
    classes = (node.attr("class") or "").split()
    return next(filter(None, map(rules.get, [f"#{node.attr('id')}", *(f".{name}" for name in classes)])), None)


def _pixels(length: str) -> float:
    """A length in pixels, roughly; 100 for a percentage and for anything else."""
    found = _NUMBER.match(length)
    if not found:
        return 100.0
    number, unit = float(found[1]), found[2]
    return 100.0 if unit == "%" and number else number * _PIXELS.get(unit, 0.0)


def _has_no_room(given: dict[str, str]) -> bool:
    """Is it cut to a size of nothing? Padding gives it room, as for a video that keeps its shape."""
    if not any(given.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")):
        return False
    padded = any(value[:1] not in ("", "0") for name, value in given.items() if name.startswith("padding"))
    return not padded and any(0 <= _pixels(given[name]) <= 1 for name in _SIZES if name in given)


def _has_no_colour(given: dict[str, str]) -> bool:
    """Are the letters transparent, or of the colour of their background? Gradients show through transparent letters."""
    colour = _colour(given.get("color", ""))
    if colour == "transparent":
        return not any("background" in name for name in given)
    backgrounds = [_colour(given.get(name, "")) for name in ("background-color", "background")]
    return colour not in _NO_COLOURS and colour in backgrounds


def _colour(value: str) -> str:
    value = value.replace(" ", "")
    return _COLOURS.get(value) or _HEX.sub(r"#\1\1\2\2\3\3", value) if len(value) == 4 else _COLOURS.get(value, value)
