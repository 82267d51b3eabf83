"""The elements that a user's selectors match, in linear time on every page.

Selectors are the user's, pages are hostile: forms for which the parser's engines take quadratic time are refused. Of
XPath this leaves paths of children and descendants; each of their steps is one query of the parser, and the tables of
elements join the steps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools
from tamis.document import parse
from tamis.document.table import Document
from tamis.errors import OptionError

_MOST_CHARACTERS = 1_000  # of a selector
_MOST_SELECTORS = 200

# The strings, escapes, names and marks of CSS, and the strings, names and marks of XPath, which has no escapes.
_CSS_TOKEN = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|[\w-]+|.""", re.DOTALL)
_XPATH_TOKEN = re.compile(r""""[^"]*"|'[^']*'|[\w-]+|::|//|\.\.|.""", re.DOTALL)


def checked_selectors(name: str, given: str | Sequence[str]) -> tuple[str, ...]:
    """CSS selectors as a tuple. Raises OptionError, which names the option, unless each is valid and fast."""
    selectors = _as_tuple(name, given)
    for selector in selectors:
        if error := _css_error(selector):
            raise OptionError(f"{name}: {error}")
    return selectors


def css_rows(document: Document, selectors: Sequence[str]) -> Bools:
    """For each element: does one of the checked selectors match it?"""
    return _mask(document, [node for selector in selectors for node in parse.select(document.tree, selector)])


def _as_tuple(name: str, given: str | Sequence[str]) -> tuple[str, ...]:
    selectors = (given,) if isinstance(given, str) else given
    if not isinstance(selectors, list | tuple) or not all(isinstance(each, str) for each in selectors):
        raise OptionError(f"{name} is a selector or a list of selectors, not {given!r}"[:300])
    if len(selectors) > _MOST_SELECTORS or any(len(each) > _MOST_CHARACTERS for each in selectors):
        raise OptionError(f"{name} has at most {_MOST_SELECTORS} selectors of at most {_MOST_CHARACTERS:,} characters")
    return tuple(selectors)


@lru_cache(maxsize=1024)  # each page of a batch has the same
def _css_error(selector: str) -> str:
    """Why this can't be a selector, in one line; empty if it can."""
    shown = repr(selector)
    if not selector.strip():
        return "a selector is empty"
    if error := parse.selector_error(selector):
        return f"{shown} is not a CSS selector: {error}"
    if not _has_fast_has(selector):
        return f"{shown}: :has() can only be in the last part of a selector and outside of other parentheses"
    return ""


def _has_fast_has(selector: str) -> bool:
    """Does `:has()` test only the elements that are selected? The parser repeats the test for each descendant."""
    depth, has_has, before = 0, False, ["", ""]
    for mark in _CSS_TOKEN.findall(selector):
        if mark == "(" and before[0] == ":" and before[1].lower() == "has":
            if depth:
                return False
            has_has = True
        if before[0] == ":" and mark[0] == "\\":  # an escape could hide the name
            return False
        if not depth and mark == ",":
            has_has = False
        elif not depth and has_has and not mark.isspace() and (before[1].isspace() or mark in ">+~"):
            return False
        depth += (mark == "(") - (mark == ")")
        before = [before[1], mark]
    return True


class _Step(NamedTuple):
    """A step of a path: `query` selects the elements that pass its test anywhere on a page."""

    query: str
    is_child: bool  # of the elements of the step before, not any descendant; empty `query` is their parents


# `/` or `//`, and a name or `*`; the predicates are read by `_predicates_end`.
_STEP = re.compile(r"\s*(?P<slashes>//?)\s*(?:(?P<parent>\.\.)|(?:child::)?(?P<name>\*|[A-Za-z][\w-]*))\s*")
# A path that starts at its context, which is the root element, and the slashes that follow.
_START = re.compile(r"\s*(?:\.(?P<slashes>//?)|(?=[A-Za-z*]))\s*")
# Axes that a predicate may use, and names of operators, after which a path would start at the root.
_NEAR_AXES = ("self", "child", "attribute")
_OPERATORS = ("and", "or", "div", "mod")


def checked_xpaths(name: str, given: str | Sequence[str]) -> tuple[str, ...]:
    """XPath expressions as a tuple. Raises OptionError, which names the option, unless each is valid and fast."""
    expressions = _as_tuple(name, given)
    for expression in expressions:
        try:
            paths(expression)
        except ValueError as error:
            raise OptionError(f"{name}: {expression!r}: {error}") from None
    return expressions


def xpath_rows(document: Document, expressions: Sequence[str]) -> Bools:
    """For each element: does one of the checked expressions select it?"""
    found = np.zeros(len(document.elements), dtype=np.bool_)
    for expression in expressions:
        for steps in paths(expression):
            found |= _selected(document, steps)
    return found


def _selected(document: Document, steps: Sequence[_Step]) -> Bools:
    elements = document.elements
    chosen: Bools | None = None  # None is the page, above all elements
    up = elements.parent
    for query, is_child in steps:
        if not query:
            chosen = _parents(chosen, up)
            continue
        passed = _mask(document, parse.xpath(document.tree, query))
        if is_child:
            passed &= (up < 0) if chosen is None else np.append(chosen, False).take(up)
        elif chosen is not None:
            passed &= elements.covering(chosen).take(up) > 0
        chosen = passed
    return np.zeros(len(elements), dtype=np.bool_) if chosen is None else chosen


def _parents(chosen: Bools | None, up: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Bools:
    rows = up[np.zeros(len(up), np.bool_) if chosen is None else chosen]
    found = np.zeros(len(up), dtype=np.bool_)
    found[rows[rows >= 0]] = True
    return found


@lru_cache(maxsize=1024)
def paths(expression: str) -> tuple[tuple[_Step, ...], ...]:
    """The paths of a union. Raises ValueError for other expressions, with the reason."""
    if not expression.strip():
        raise ValueError("an XPath is empty")
    found, place = [], 0
    while True:
        start = _START.match(expression, place)
        steps = [_Step("//*", is_child=True)] if start else []
        place, prefix = (start.end(), start["slashes"] or "/") if start else (place, "")
        while True:
            step = _STEP.match(f"{prefix}{expression[place:]}")
            if not step:
                break
            place += step.end() - len(prefix)
            end = _predicates_end(expression, place)
            query = "" if step["parent"] else f"//{step['name']}{expression[place:end]}"
            if query and (error := parse.xpath_error(query)):
                raise ValueError(f"not an XPath: {error}")
            steps.append(_Step(query, is_child=step["slashes"] == "/"))
            place, prefix = end, ""
        rest = expression[place:].lstrip()
        if len(steps) == bool(start) or (rest and not rest.startswith("|")):
            raise ValueError(
                f"can't be honoured from {rest[:40] or 'its start'!r} on: a path has names, *, /, // and predicates in "
                "brackets; for siblings give the CSS selector to tamis.extract(prune=...)"
            )
        found.append(tuple(steps))
        if not rest:
            return tuple(found)
        place = len(expression) - len(rest) + 1


def _predicates_end(expression: str, place: int) -> int:
    """The end of the predicates from here on. Raises ValueError for what would take quadratic time."""
    depth, slashes, end = 0, 0, place
    before = ""
    for mark in _XPATH_TOKEN.findall(expression[place:]):
        if not depth and mark != "[" and not mark.isspace():
            break
        depth += (mark == "[") - (mark == "]")
        end += len(mark)
        if mark == "//":
            slashes += 1
            if before != "." or slashes > 1:
                raise ValueError("a predicate can look for descendants once, as [.//name]")
        is_far_axis = mark == "::" and before not in _NEAR_AXES
        starts_at_root = mark == "/" and (before in _OPERATORS or not re.fullmatch(r"[\w-]+|[].]", before))
        if mark == ".." or is_far_axis or starts_at_root:
            raise ValueError("a predicate can't use other axes, parents or the whole page: write a path of steps")
        before = before if mark.isspace() else mark
    if depth:
        raise ValueError("a bracket is not closed")
    return end


def _mask(document: Document, nodes: Sequence[object]) -> Bools:
    wanted = set(nodes)
    elements = document.elements
    if not wanted:
        return np.zeros(len(elements), dtype=np.bool_)
    return np.fromiter((node in wanted for node in elements.all_nodes), np.bool_, len(elements))
