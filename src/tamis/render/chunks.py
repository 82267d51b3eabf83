"""The Markdown of a page in chunks for retrieval: along its headings and blocks, up to a number of tokens.

Sections stay whole where they fit, and a heading stays with what follows it. A block is cut only if it is too large for
a chunk of its own: a table by rows, with its header repeated; code by lines, with its fences; a list by items; a
paragraph by sentences; and what is still too large by words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tamis.deadline import checked
from tamis.errors import OptionError
from tamis.render.cutting import parts_of, sentences
from tamis.render.markdown import Block
from tamis.render.plain import inline, plain
from tamis.render.tokens import Tokenizer, counter, counts

MAX_TOKENS = 512  # what most models that embed texts read at once
_LEAST_TOKENS = 16
# A chunk that is fuller than this is closed before a section that does not fit into it or is of a higher level.
_FULL_ENOUGH = 0.25

_NOTE = re.compile(r"\[\^([^\s\]]+)\]: ")
_REFERENCE = re.compile(r"\[\^([^\s\]]+)\](?!:)")
_HEADING = re.compile(r"(#{1,6}) (.*)", re.DOTALL)
_NO_PROSE = re.compile(r"[|<>$`#]|[-*] |[0-9]{1,9}[.)] ")


@dataclass(frozen=True)
class Chunk:
    """A part of a page.

    `page.markdown[start:end]` is its own part, which no other chunk has. `markdown` is that part with what it needs
    around it: `before` it the overlap with the chunk before, or the header of a table or the fence of code that was
    cut; `after` it the end of such code, and the footnotes that it refers to, whose places in the Markdown are `notes`.
    """

    markdown: str
    text: str  # `markdown` without markup
    headings: tuple[str, ...]  # above all of it, the outermost first
    start: int
    end: int
    tokens: int  # of `markdown`
    xpaths: tuple[str, ...] = ()  # of the elements that its blocks are, or stand in
    notes: tuple[tuple[int, int], ...] = ()
    before: str = ""
    after: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)  # of the page; the same in all its chunks

    def as_dict(self) -> dict[str, object]:
        """The chunk as plain data."""
        return {
            "text": self.text,
            "markdown": self.markdown,
            "headings": list(self.headings),
            "tokens": self.tokens,
            "start": self.start,
            "end": self.end,
            "xpaths": list(self.xpaths),
            "metadata": dict(self.metadata),
        }


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block, or a part of one that is too large."""

    start: int
    end: int
    row: int
    tokens: float
    level: int = 0  # of a heading
    path: tuple[str, ...] = ()  # the headings above it
    before: str = ""  # what it needs there, if it is not the first part of its block
    after: str = ""


def chunks(
    blocks: Sequence[Block],
    xpath: Callable[[int], str],
    metadata: Mapping[str, object],
    *,
    max_tokens: int = MAX_TOKENS,
    tokenizer: Tokenizer | None = None,
    overlap: int = 0,
) -> tuple[Chunk, ...]:
    """The chunks of some blocks of Markdown; `xpath` gives the path of an element. Raises OptionError."""
    for name, value, least in (("max_tokens", max_tokens, _LEAST_TOKENS), ("overlap", overlap, 0)):
        if not isinstance(value, int) or value < least:
            raise OptionError(f"{name} is a whole number of at least {least}, not {value!r}")
    if 2 * overlap > max_tokens:
        raise OptionError("overlap is at most half of max_tokens")
    found = _Cutter(blocks, counter(tokenizer), max_tokens, overlap).chunks()
    paths: dict[int, str] = {-1: ""}
    named = []
    for chunk, rows in checked(found):
        paths |= {row: xpath(row) for row in rows if row not in paths}
        named.append(replace(chunk, xpaths=tuple(filter(None, (paths[row] for row in rows))), metadata=metadata))
    return tuple(named)


class _Cutter:
    """Finds the pieces of a page and puts them together to chunks."""

    def __init__(self, blocks: Sequence[Block], count: Callable[[str], int], most: int, overlap: int) -> None:
        self.markdown = "\n\n".join([block.text for block in blocks])
        self.count, self.most, self.overlap = count, most, overlap
        self.room = most - overlap  # without the overlap
        self.between = count("\n\n")
        self.notes: dict[str, _Piece] = {}
        self.pieces: list[_Piece] = []
        path: list[tuple[int, str]] = []
        start, headings = 0, 0.0
        sizes = counts([block.text for block in blocks], count)
        for block, size in checked(zip(blocks, sizes, strict=True)):
            end, level = start + len(block.text), 0
            if found := _HEADING.match(block.text):
                level = len(found[1])
                path = [*(above for above in path if above[0] < level), (level, inline(found[2]))]
            note = _NOTE.match(block.text)
            above = () if note else tuple(text for _, text in path)
            piece = _Piece(start, end, block.row, size, level, above)
            if note:
                self.notes[note[1]] = piece
            else:
                self.pieces += self._cut(piece, headings)
                headings = headings + size + self.between if level else 0.0
            start = end + 2

    def _cut(self, piece: _Piece, headings: float = 0.0) -> Iterator[_Piece]:
        """The parts of a block, which is one if it is not too large; `headings` are the tokens directly above it."""
        if piece.tokens <= self.room:
            yield piece
            return
        text = self.markdown[piece.start : piece.end]
        above = math.ceil(headings + self.between) if headings else 0
        room = self.room - above if 2 * above < self.room else self.room
        for part in checked(parts_of(text, self.count, room)):
            before, after = part.before if part.start else "", part.after if part.end < len(text) else ""
            yield replace(
                piece,
                start=piece.start + part.start,
                end=piece.start + part.end,
                tokens=self.count(before + text[part.start : part.end] + after),
                level=0 if part.start else piece.level,
                before=before,
                after=after,
            )

    def chunks(self) -> Iterator[tuple[Chunk, list[int]]]:
        """The chunks in the order of the page, each with the rows of its elements. Notes that fit nowhere come last."""
        previous: list[_Piece] = []
        for group in self._groups(self.pieces):
            yield self._chunk(group, previous)
            previous = group
        left = [part for note in self.notes.values() for part in self._cut(note)]
        self.notes = {}
        for group in self._groups(left):
            yield self._chunk(group, [])

    def _groups(self, pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
        """Pieces that are a chunk together."""
        for group in self._drafts(pieces):
            yield from self._within_room(group)

    def _drafts(self, pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
        group: list[_Piece] = []
        used = 0.0
        for section in _sections(pieces):
            size = sum(map(self._size, section))
            is_full = used >= _FULL_ENOUGH * self.room
            leaves = is_full and section[0].level and section[0].level < group[0].level
            if group and (leaves or (used + size > self.room and (is_full or size <= self.room))):
                yield group
                group, used = [], 0.0
            for piece in section:
                if group and used + self._size(piece) > self.room:
                    # Headings at the end go with what follows them.
                    first = next((place for place in range(len(group), 0, -1) if not group[place - 1].level), 0)
                    body, group = group[:first], group[first:]
                    if body:
                        yield body
                    used = sum(map(self._size, group))
                    if group and used + self._size(piece) > self.room:
                        yield group
                        group, used = [], 0.0
                group.append(piece)
                used += self._size(piece)
        if group:
            yield group

    def _size(self, piece: _Piece) -> float:
        return piece.tokens + self.between

    def _within_room(self, group: list[_Piece]) -> Iterator[list[_Piece]]:
        """The group, divided if its tokens are more than those of its pieces."""
        if len(group) == 1 or self.count(self._written(group)) <= self.room:
            yield group
        else:
            half = len(group) // 2
            yield from self._within_room(group[:half])
            yield from self._within_room(group[half:])

    def _written(self, group: Sequence[_Piece]) -> str:
        return f"{group[0].before}{self.markdown[group[0].start : group[-1].end]}{group[-1].after}"

    def _chunk(self, group: Sequence[_Piece], previous: Sequence[_Piece]) -> tuple[Chunk, list[int]]:
        start, end, before, after = group[0].start, group[-1].end, group[0].before, group[-1].after
        own = self.markdown[start:end]
        if previous and self.overlap and not before and not group[0].level:
            before = self.markdown[self._overlap_start(previous, start) : start]
            if self.count(before + own + after) > self.most:
                before = ""
        rows = [piece.row for piece in group]
        notes: list[tuple[int, int]] = []
        for name in dict.fromkeys(_REFERENCE.findall(own)) if self.notes else ():
            note = self.notes.get(name)
            text = "" if note is None else f"\n\n{self.markdown[note.start : note.end]}"
            if note and self.count(before + own + after + text) <= self.most:
                after += text
                notes.append((note.start, note.end))
                rows.append(note.row)
                del self.notes[name]
        markdown = before + own + after
        path = _shared([piece.path for piece in group])
        tokens = self.count(markdown)
        chunk = Chunk(
            markdown, plain(markdown), path, start, end, tokens, notes=tuple(notes), before=before, after=after
        )
        return chunk, list(dict.fromkeys(rows))

    def _overlap_start(self, previous: Sequence[_Piece], start: int) -> int:
        """Where the overlap begins: with whole blocks, or else sentences, of the chunk before; `start` if none fits."""
        first = start
        for piece in reversed(previous):
            if piece.level or piece.before or piece.after:
                return first
            if self.count(self.markdown[piece.start : start]) <= self.overlap:
                first = piece.start
                continue
            if first == start and not _NO_PROSE.match(self.markdown, piece.start):
                for sentence, _ in reversed(sentences(self.markdown, (piece.start, piece.end))):
                    if self.count(self.markdown[sentence:start]) > self.overlap:
                        break
                    first = sentence
            return first
        return first


def _sections(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """A heading, or several that follow each other, and what is below."""
    section: list[_Piece] = []
    for piece in pieces:
        if piece.level and section and not section[-1].level:
            yield section
            section = []
        section.append(piece)
    if section:
        yield section


def _shared(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that all paths begin with."""
    shared = paths[0]
    for path in paths[1:]:
        same = [one == other for one, other in zip(shared, path, strict=False)]
        shared = shared[: same.index(False) if False in same else len(same)]
    return shared
