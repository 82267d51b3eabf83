"""A block of Markdown that is too large, cut where it hurts least."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from tamis.deadline import checked
from tamis.render.tokens import counts

Span = tuple[int, int]
Count = Callable[[str], int]

_FENCE = re.compile(r"(`{3,}+)[^\n]*+\n")
_ITEM = re.compile(r"[-*] |[0-9]{1,9}[.)] ")
_SENTENCE_END = re.compile(r"""[.!?…]["'”’)\]*_]{0,9}\s+|[。！？]["”’」』）]{0,9}\s*|\n\s*""")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\S+")
# Formulas, code and links, which are cut last.
_WHOLE = re.compile(
    r"\$(?!\s)[^$\n]{1,2000}(?<!\s)\$(?!\d)|`[^`\n]{1,2000}`|!?\[[^\[\]\n]{0,2000}\]\([^()\s]{0,2000}\)"
)


class Part(NamedTuple):
    """A part of a text, and what it needs before it if it is not the first, and after it if it is not the last."""

    start: int
    end: int
    before: str = ""
    after: str = ""


def parts_of(text: str, count: Count, room: int) -> list[Part]:
    """A block in parts of at most `room` tokens each, as long as a single character has no more."""
    before, after, divisions = _kind(text)
    if before and 2 * count(before + after) > room:
        before = after = ""
    room = max(1, room - count(before + after) - 2) if before else room
    return [Part(*span, before, after) for span in _divided(text, (0, len(text)), divisions, count, room)]


def sentences(text: str, span: Span) -> list[Span]:
    """The sentences in a part of a text; no formula, code or link is divided."""
    return _at(text, span, _SENTENCE_END)


Division = Callable[[str, Span], list[Span]]


def _kind(text: str) -> tuple[str, str, Sequence[Division]]:
    """What each part needs around it, and how the text is divided."""
    if found := _FENCE.match(text):
        return found[0], f"\n{found[1]}", (_inner_lines, *_LAST)
    if text.startswith("$$\n"):
        return "$$\n", "\n$$", (_inner_lines, *_LAST)
    if text.startswith("<table>"):
        return "<table>\n", "\n</table>", (_html_rows, _lines, *_LAST)
    if text.startswith("|"):
        header = text.split("\n", 2)[:2]
        return "\n".join([*header, ""]), "", (_rows, *_LAST)
    return "", "", (_items, _paragraphs, _whole_lines, _lines, *_LAST)


def _divided(text: str, span: Span, divisions: Sequence[Division], count: Count, room: int) -> list[Span]:
    """The parts of a span: by the first division that finds some, each divided further if it has to be."""
    if count(text[slice(*span)]) <= room:
        return [span]
    for number, divide in enumerate(divisions):
        if len(spans := divide(text, span)) > 1:
            sizes = counts([text[slice(*each)] for each in spans], count)
            smaller: list[Span] = []
            for each, size in checked(zip(spans, sizes, strict=True)):
                fits = round(size) <= room
                smaller += [each] if fits else _divided(text, each, divisions[number + 1 :], count, room)
            return _joined(text, smaller, count, room)
    return _characters(text, span, count, room)


def _joined(text: str, spans: Sequence[Span], count: Count, room: int) -> list[Span]:
    """As many neighbours together as there is room for."""
    ends = [spans[0][0], *(end for _, end in spans)]
    sizes = counts([text[start:end] for start, end in pairwise(ends)], count)  # with the space before each
    found: list[Span] = []
    first, used = 0, 0.0
    for number, size in enumerate([*sizes, float("inf")]):
        used += size
        if used > room and number > first:
            found += _halved(text, spans[first:number], count, room)
            first, used = number, size
    return found


def _halved(text: str, spans: Sequence[Span], count: Count, room: int) -> list[Span]:
    """Neighbours together, or in parts if their tokens are more than the sum."""
    whole = (spans[0][0], spans[-1][1])
    if len(spans) == 1 or count(text[slice(*whole)]) <= room:
        return [whole]
    half = len(spans) // 2
    return _halved(text, spans[:half], count, room) + _halved(text, spans[half:], count, room)


def _characters(text: str, span: Span, count: Count, room: int) -> list[Span]:
    """A text without any place to cut, such as a very long word."""
    found: list[Span] = []
    start, end = span
    step = max(1, (end - start) * room // max(1, count(text[start:end])))
    while start < end:
        stop = min(end, start + step)
        while stop > start + 1 and count(text[start:stop]) > room:
            stop = start + (stop - start) // 2
        found.append((start, stop))
        start = stop
    return found


def _line_spans(text: str, span: Span) -> list[Span]:
    found = []
    place = span[0]
    for line in text[slice(*span)].split("\n"):
        found.append((place, place + len(line)))
        place += len(line) + 1
    return found


def _lines(text: str, span: Span) -> list[Span]:
    return [line for line in _line_spans(text, span) if text[slice(*line)].strip(" >")]


def _inner_lines(text: str, span: Span) -> list[Span]:
    """Lines, the first and last of which are no content."""
    lines = _line_spans(text, span)
    if len(lines) < 4:
        return [span]
    return [(lines[0][0], lines[1][1]), *lines[2:-2], (lines[-2][0], lines[-1][1])]


def _rows(text: str, span: Span) -> list[Span]:
    """The rows of a table; the header and the line below it stay with the first."""
    lines = _line_spans(text, span)
    return [(lines[0][0], lines[2][1]), *lines[3:]] if len(lines) > 3 else [span]


def _html_rows(text: str, span: Span) -> list[Span]:
    return _grouped(text, span, lambda before, line: before.startswith("<tr") and line.startswith("<tr"))


def _items(text: str, span: Span) -> list[Span]:
    return _grouped(text, span, lambda _, line: _ITEM.match(line) is not None)


def _paragraphs(text: str, span: Span) -> list[Span]:
    return _grouped(text, span, lambda before, line: not before.strip(" >") and bool(line.strip(" >")))


def _whole_lines(text: str, span: Span) -> list[Span]:
    return _grouped(text, span, lambda _, line: bool(line.strip(" >")))


def _grouped(text: str, span: Span, begins: Callable[[str, str], bool]) -> list[Span]:
    """Lines in groups; `begins` says by the line before whether a line begins one. None begins in code or a formula."""
    groups: list[list[Span]] = []
    before, fence = "", ""
    for line in _line_spans(text, span):
        content = text[slice(*line)]
        bare = content.lstrip(" >-*0123456789.)")
        if not groups or (not fence and begins(before, content)):
            groups.append([])
        if bare.startswith(("```", "$$")):
            fence = "" if fence and bare.startswith(fence) else fence or ("$$" if bare[0] == "$" else "```")
        groups[-1].append(line)
        before = content
    spans = []
    for group in groups:
        filled = [line for line in group if text[slice(*line)].strip(" >")]
        if filled:
            spans.append((filled[0][0], filled[-1][1]))
    return spans


def _sentences(text: str, span: Span) -> list[Span]:
    return sentences(text, span)


def _words(text: str, span: Span) -> list[Span]:
    return _at(text, span, _SPACE)


def _all_words(text: str, span: Span) -> list[Span]:
    return [found.span() for found in _WORD.finditer(text, *span)]


def _after_wholes(text: str, span: Span) -> list[Span]:
    """Divided behind each formula, code and link: many images may follow each other without a space."""
    ends = [found.end() for found in _WHOLE.finditer(text, *span)]
    borders = [span[0], *(end for end in ends if not text[end : end + 1].isalnum()), span[1]]  # words stay whole
    return [(first, last) for first, last in pairwise(borders) if text[first:last].strip()]


_LAST: tuple[Division, ...] = (_sentences, _words, _after_wholes, _all_words)


def _at(text: str, span: Span, border: re.Pattern[str]) -> list[Span]:
    """A span divided at the ends of matches, which are not in a formula, in code or in a link."""
    whole = iter([*(found.span() for found in _WHOLE.finditer(text, *span)), (len(text) + 1, len(text) + 1)])
    start, end = next(whole)
    borders = [span[0]]
    for found in border.finditer(text, *span):
        while end <= found.start():
            start, end = next(whole)
        if found.end() <= start:
            borders.append(found.end())
    borders.append(span[1])
    trimmed = ((first, first + len(text[first:last].rstrip())) for first, last in pairwise(borders))
    return [each for each in trimmed if each[0] < each[1]]
