"""How content is written: as Markdown or as plain text, and with or without the places where it may be cut.

A cut is written as a mark: NUL, the separator of the parts where they are not cut, NUL, its number, NUL. It travels
with the text through prefixes and joins, and is taken out at the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

# What a cut divides: up to a thousand, the parts of a container that is so deep; sentences, words, those of a link or
# of code, and words that are too long. A cut that would make markup of a text is never used.
SENTENCE, WORD, INNER, CHARACTER, NEVER = range(1_000, 1_005)

UNSEEN = "\x04"  # what plain text does not show, so that it has the same cuts as Markdown
_CUT = re.compile("\x00([^\x00]*)\x00([0-9]+)\x00")


class Context(NamedTuple):
    """The surroundings of a place: a text before and after it, or a prefix of each line."""

    above: Context | None
    opening: str
    closing: str = ""
    prefix: str = ""  # of the lines after the first


class Cut(NamedTuple):
    """A place between two parts of a block."""

    level: int  # those with the lowest are cut first
    context: Context | None

    def around(self) -> tuple[str, str]:
        """What the part after it needs before it, and the part before it needs after it."""
        before = after = ""
        context = self.context
        while context:
            line = f"\n{context.prefix}"
            before = context.opening + before.replace("\n", line)
            after = after.replace("\n", line) + context.closing
            context = context.above
        return before, after


class Written(NamedTuple):
    """A text and its parts."""

    text: str
    starts: list[int]
    ends: list[int]
    cuts: list[Cut]  # between the parts

    def part(self, first: int, last: int) -> str:
        """Some parts as they are."""
        return self.text[self.starts[first] : self.ends[last]]

    def around(self, first: int, last: int) -> tuple[str, str]:
        """What some parts need before and after them."""
        before = self.cuts[first - 1].around()[0] if first else ""
        return before, self.cuts[last].around()[1] if last < len(self.cuts) else ""

    def whole(self, first: int, last: int) -> str:
        """Some parts with what they need."""
        before, after = self.around(first, last)
        return f"{before}{self.part(first, last)}{after}"


class Pen:
    """Joins written parts, and marks where they may be cut.

    `records`: the parts of containers are marked. `step`: sentences and words, too, and each word that is longer is
    marked after every `step` characters; 0 for none.
    """

    def __init__(self, *, is_plain: bool = False, records: bool = False, step: int | None = None) -> None:
        self.is_plain, self.records, self.step = is_plain, records, step
        self.cuts: list[Cut] = []
        self.context: Context | None = None
        self.depth = 0

    def open(self, opening: str, closing: str = "", prefix: str = "") -> None:
        """Go into a context."""
        if self.records:
            self.context, self.depth = Context(self.context, opening, closing, prefix), self.depth + 1

    def close(self) -> None:
        """Leave the innermost context."""
        if self.context:
            self.context, self.depth = self.context.above, self.depth - 1

    def cut(self, separator: str, level: int | None = None, context: Context | None = None) -> str:
        """The separator of two parts, between which a chunk may end."""
        if not self.records:
            return separator
        self.cuts.append(Cut(self.depth if level is None else level, context or self.context))
        return f"\x00{separator}\x00{len(self.cuts) - 1}\x00"

    def join(self, separator: str, parts: Sequence[str], level: int | None = None) -> str:
        """The parts as one text."""
        if not self.records:
            return separator.join(parts)
        return "".join([self.cut(separator, level) + part if number else part for number, part in enumerate(parts)])

    def prefixed(self, text: str, first: str, others: str) -> str:
        """A text with a prefix for its first line and one for the others; plain text has none."""
        if self.is_plain:
            return text
        if "\n" not in text:
            return first + text
        line, *lines = text.split("\n")
        blank = others.rstrip()
        return "\n".join([first + line, *[others + each if each else blank for each in lines]])

    def without_marks(self, marked: str) -> Written:
        """A text without the marks of its cuts."""
        pieces = _CUT.split(marked)  # a part, what separates it from the next one, the number of the cut, a part, ...
        texts = [piece for number, piece in enumerate(pieces) if number % 3 != 2]
        places = [0, *accumulate(map(len, texts))]
        return Written("".join(texts), places[::2], places[1::2], [self.cuts[int(number)] for number in pieces[2::3]])


MARKDOWN, PLAIN = Pen(), Pen(is_plain=True)
