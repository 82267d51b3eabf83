"""The Markdown of a page in chunks for retrieval: along its headings and blocks, up to a number of tokens.

Sections stay whole where they fit, and a heading stays with what follows it. A block is cut only if it is too large for
a chunk of its own: a table by rows, with its header repeated; code by lines, with its fences; a list by items; a
paragraph by sentences; and a part that is still too large by words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, chain, takewhile
from math import ceil

from tamis.cached import cached_property
from tamis.deadline import checked
from tamis.errors import OptionError
from tamis.page_data import CHUNK
from tamis.render.citing import ShownText, cited
from tamis.render.content import Child, Node
from tamis.render.markdown import MarkdownBlock
from tamis.render.pen import NEVER, SENTENCE, UNSEEN, Pen, Written
from tamis.render.tokens import Tokenizer, counter, counts

_LEAST_TOKENS = 16
# A chunk that is fuller than this is closed before a section that does not fit into it or is of a higher level.
_FULL_ENOUGH = 0.25
# A part of a word that is too long, as a share of a chunk: a character has one or two tokens.
_STEPS = 8

_NOTE = re.compile(r"\[\^([^\s\]]+)\]: ")
_REFERENCE = re.compile(r"\[\^([^\s\]]+)\](?!:)")


@dataclass(frozen=True)
class Chunk:
    """A part of a page.

    `page.markdown[start:end]` is its own part, which no other chunk has; both are None if the chunk is not written as
    there. `markdown` is `before`, that part and `after`. `before` is the overlap with the chunk before, or the header
    of a table, the marks of a list or the fence of code that was cut. `after` is the end of such code, and the
    footnotes that the chunk refers to; `notes` are their places in the Markdown.
    """

    markdown: str
    text: str  # the same as plain text
    headings: tuple[str, ...]  # above the whole chunk, the outermost first
    start: int | None
    end: int | None
    tokens: int  # of `markdown`
    xpaths: tuple[str, ...] = ()  # of the elements that its blocks are, or are in
    notes: tuple[tuple[int, int], ...] = ()
    before: str = ""
    after: str = ""
    url: str | None = None  # that a browser opens at its own part; None if the page's address is unknown
    metadata: Mapping[str, object] = field(default_factory=dict)  # of the page; the same in all its chunks

    def as_dict(self) -> dict[str, object]:
        """The chunk as plain data."""
        return CHUNK.read(self)


class _BlockParts:
    """A block and the parts that it can be cut into."""

    def __init__(self, rewritten: Callable[[Pen], str], count: Callable[[str], int], step: int | None) -> None:
        self._rewritten, self._step, self.count = rewritten, step, lru_cache(maxsize=256)(count)
        pen = Pen(records=True, step=step)
        self.written = pen.without_marks(rewritten(pen))
        ends = [*self.written.starts[1:], len(self.written.text)]
        texts = [self.written.text[start:end] for start, end in zip(self.written.starts, ends, strict=True)]
        self.sizes = [0.0, *accumulate(counts(texts, count))]

    @cached_property
    def plain(self) -> Written:
        pen = Pen(records=True, step=self._step, is_plain=True)
        return pen.without_marks(self._rewritten(pen))

    def divided(self, room: int) -> list[tuple[int, int]] | None:
        """The first and the last of the parts that are written together; None if one doesn't fit with what it needs."""
        cuts, found = self.written.cuts, []
        first, last = 0, len(cuts)
        while first <= last:
            around = cuts[max(first - 1, 0)].around() if cuts else ("", "")
            left = room - sum(self.count(text) for text in (around if first else around[1:]) if text)
            end = min(last, max(first, bisect_right(self.sizes, self.sizes[first] + left + 1) - 2))
            while end >= first:
                levels = [cut.level for cut in cuts[first : end + 1]]
                best = end if end == last else end - levels[::-1].index(min(levels))  # where it hurts least to cut
                if self.count(self.written.whole(first, best)) <= room:
                    break
                end = best - max(1, (best - first) // 8)
            if end < first or (best < last and cuts[best].level == NEVER):
                return None
            found.append((first, best))
            first = best + 1
        return found

    def text(self, first: int, last: int) -> str:
        return self.plain.whole(first, last).replace(UNSEEN, "").strip("\n")


@dataclass(slots=True)
class _ChunkPiece:
    """A block, or a part of one that is too large."""

    block: MarkdownBlock
    own: str
    start: int | None  # in the Markdown of the page
    tokens: float
    level: int = 0  # of a heading
    path: tuple[str, ...] = ()  # the headings above it
    before: str = ""  # what it needs there, if it is not the first part of its block
    after: str = ""
    parts: _BlockParts | None = None  # those of its block, if it is cut, and which of them it is
    at: tuple[int, int] = (0, 0)

    @property
    def is_above(self) -> bool:
        """Does it belong to what follows it, as a heading and the line above a post?"""
        return bool(self.level) or self.block.kind == "header"

    @property
    def text(self) -> str:
        return self.parts.text(*self.at) if self.parts else self.block.plain

    @property
    def markdown(self) -> str:
        return f"{self.before}{self.own}{self.after}"


def chunks(
    blocks: Sequence[MarkdownBlock],
    xpath: Callable[[int], str],
    metadata: Mapping[str, object],
    *,
    chunk_tokens: int,
    tokenizer: Tokenizer | None = None,
    chunk_overlap: int = 0,
    shown: str | None = None,
) -> tuple[Chunk, ...]:
    """The chunks of some blocks of Markdown. Raises OptionError.

    `xpath` gives the path of an element. `shown` is the visible text of the page, of which the addresses have words.
    """
    for name, value, least in (("chunk_tokens", chunk_tokens, _LEAST_TOKENS), ("chunk_overlap", chunk_overlap, 0)):
        if not isinstance(value, int) or value < least:
            raise OptionError(f"{name} is a whole number of at least {least}, not {value!r}")
    if 2 * chunk_overlap > chunk_tokens:
        raise OptionError("chunk_overlap is at most half of chunk_tokens")
    found = _ChunkCutter(blocks, counter(tokenizer), chunk_tokens, chunk_overlap).chunks()
    paths: dict[int, str] = {-1: ""}
    named = []
    address, page = str(metadata.get("url") or ""), None if shown is None else ShownText(shown)
    for chunk, rows, text in checked(found):
        paths |= {row: xpath(row) for row in rows if row not in paths}
        xpaths = tuple(filter(None, (paths[row] for row in rows)))
        named.append(replace(chunk, xpaths=xpaths, url=cited(address, text, page), metadata=metadata))
    return tuple(named)


class _ChunkCutter:
    """Finds the pieces of a page and puts them together to chunks."""

    def __init__(self, blocks: Sequence[MarkdownBlock], count: Callable[[str], int], most: int, overlap: int) -> None:
        self.markdown = "\n\n".join([block.text for block in blocks])
        self.raw, self.count = count, lru_cache(maxsize=4_096)(count)  # most texts are counted more than once
        self.most, self.overlap = most, overlap
        self.room = most - overlap  # without the overlap
        self.between = count("\n\n")
        self.notes: dict[str, _ChunkPiece] = {}
        self.pieces: list[_ChunkPiece] = []
        path: list[tuple[int, str]] = []
        above: tuple[str, ...] = ()
        start, headings = 0, 0.0
        sizes = counts([block.text for block in blocks], count)
        for block, size in checked(zip(blocks, sizes, strict=True)):
            if block.level:
                path = [*(each for each in path if each[0] < block.level), (block.level, block.plain)]
                above = tuple(text for _, text in path)
            note = _NOTE.match(block.text) if block.kind == "note" else None
            piece = _ChunkPiece(block, block.text, start, size, block.level, () if note else above)
            if note:
                self.notes[note[1]] = piece
            else:
                self.pieces += self._cut(piece, headings)
                headings = headings + size + self.between if block.level else 0.0
            start += len(block.text) + 2

    def _cut(self, piece: _ChunkPiece, headings: float = 0.0) -> Iterator[_ChunkPiece]:
        """The parts of a block, which is one if it is not too large; `headings` are the tokens directly above it."""
        if piece.tokens <= self.room:
            yield piece
            return
        above = ceil(headings + self.between) if headings else 0
        room = self.room - above if 2 * above < self.room else self.room
        step = max(1, room // _STEPS)
        for each in (None, 0, step):
            parts = _BlockParts(piece.block.rewritten, self.raw, each)
            if divided := parts.divided(room):
                break
        else:  # without markup
            lines: list[Child] = [each for line in piece.block.plain.splitlines() for each in (line, Node("br"))]
            parts = _BlockParts(MarkdownBlock("", lines).rewritten, self.raw, step)
            divided = parts.divided(room) or [(at, at) for at in range(len(parts.written.starts))]
        is_found = parts.written.text == piece.own and piece.start is not None
        for at in checked(divided):
            first, (before, after), own = at[0], parts.written.around(*at), parts.written.part(*at)
            if own.startswith("[^") and piece.block.kind == "note" and " " not in own.partition(": ")[2]:
                before = "\\"  # a single word would be the address of a link
            start = piece.start + parts.written.starts[first] if is_found and piece.start is not None else None
            tokens, level = self.count(f"{before}{own}{after}"), 0 if first else piece.level
            yield replace(
                piece, own=own, start=start, tokens=tokens, level=level, before=before, after=after, parts=parts, at=at
            )

    def chunks(self) -> Iterator[tuple[Chunk, list[int], str]]:
        """The chunks in the order of the page, each with the rows of its elements and the plain text of its own part.

        Notes that fit nowhere come last.
        """
        previous: list[_ChunkPiece] = []
        for group in chain.from_iterable(map(self._within_room, self._groups(self.pieces))):
            yield self._chunk(group, previous)
            previous = group
        left = [part for note in self.notes.values() for part in self._cut(note)]
        self.notes = {}
        for group in chain.from_iterable(map(self._within_room, self._groups(left))):
            yield self._chunk(group, [])

    def _groups(self, pieces: Sequence[_ChunkPiece]) -> Iterator[list[_ChunkPiece]]:
        """Pieces that are a chunk together, by their own tokens."""
        group: list[_ChunkPiece] = []
        used = 0.0
        for section in _sections(pieces):
            size = sum(piece.tokens + self.between for piece in section)
            is_full = used >= _FULL_ENOUGH * self.room
            leaves = is_full and section[0].level and section[0].level < group[0].level
            if group and (leaves or (used + size > self.room and (is_full or size <= self.room))):
                yield group
                group, used = [], 0.0
            for piece in section:
                size = piece.tokens + self.between
                if group and used + size > self.room:
                    # Headings at the end go with what follows them.
                    first = next((place for place in range(len(group), 0, -1) if not group[place - 1].is_above), 0)
                    body, group = group[:first], group[first:]
                    if body:
                        yield body
                    used = sum(each.tokens + self.between for each in group)
                    if group and used + size > self.room:
                        yield group
                        group, used = [], 0.0
                group.append(piece)
                used += size
        if group:
            yield group

    def _within_room(self, group: list[_ChunkPiece]) -> Iterator[list[_ChunkPiece]]:
        """The group, divided if its tokens are more than those of its pieces."""
        if len(group) == 1 or self.count("".join(self._own(group)[:3])) <= self.room:
            yield group
        else:
            half = len(group) // 2
            yield from self._within_room(group[:half])
            yield from self._within_room(group[half:])

    def _own(self, group: Sequence[_ChunkPiece]) -> tuple[str, str, str, int | None]:
        """What some pieces need before them, their own Markdown, what they need after it, and where it is."""
        start, end = group[0].start, group[-1].start
        if start is None or end is None or any(piece.start is None for piece in group):
            return "", "\n\n".join([piece.markdown for piece in group]), "", None
        return group[0].before, self.markdown[start : end + len(group[-1].own)], group[-1].after, start

    def _chunk(self, group: Sequence[_ChunkPiece], previous: Sequence[_ChunkPiece]) -> tuple[Chunk, list[int], str]:
        before, own, after, start = self._own(group)
        texts = [piece.text for piece in group]
        own_text = "\n".join(texts)
        if previous and self.overlap and not before and not group[0].level and start is not None:
            overlap, overlapping = self._overlap(previous, start)
            if overlap and self.count(overlap + own + after) <= self.most:
                before = overlap
                is_same = previous[-1].block is group[0].block
                texts = [f"{overlapping} {texts[0]}", *texts[1:]] if is_same else [overlapping, *texts]
        rows = [piece.block.row for piece in group]
        notes: list[tuple[int, int]] = []
        for name in dict.fromkeys(_REFERENCE.findall(own)) if self.notes else ():
            note = self.notes.get(name)
            text = "" if note is None else f"\n\n{note.own}"
            if note and note.start is not None and self.count(before + own + after + text) <= self.most:
                after += text
                texts.append(note.text)
                notes.append((note.start, note.start + len(note.own)))
                rows.append(note.block.row)
                del self.notes[name]
        markdown, end = before + own + after, None if start is None else start + len(own)
        text = "\n\n".join(filter(str.strip, texts))
        levels = zip(*(piece.path for piece in group), strict=False)
        path = tuple(names[0] for names in takewhile(lambda names: len({*names}) == 1, levels))
        chunk = Chunk(markdown, text, path, start, end, self.count(markdown), (), tuple(notes), before, after)
        return chunk, list(dict.fromkeys(rows)), own_text

    def _overlap(self, previous: Sequence[_ChunkPiece], start: int) -> tuple[str, str]:
        """The end of the chunk before, up to `start`: whole blocks, or else sentences; and the same as plain text."""
        first = start
        texts: list[str] = []
        for piece in reversed(previous):
            if piece.level or piece.before or piece.after or piece.start is None:
                break
            if self.count(self.markdown[piece.start : start]) <= self.overlap:
                first, texts = piece.start, [piece.text, *texts]
                continue
            if first == start:
                parts = piece.parts or _BlockParts(piece.block.rewritten, self.raw, 0)
                base = piece.start - parts.written.starts[piece.at[0]]
                last = piece.at[1] if piece.parts else len(parts.written.cuts)
                for at in range(last, piece.at[0], -1):
                    cut = parts.written.cuts[at - 1]
                    if self.count(self.markdown[base + parts.written.starts[at] : start]) > self.overlap:
                        break
                    if cut.level <= SENTENCE and cut.context is None:
                        first, texts = base + parts.written.starts[at], [parts.text(at, last)]
            break
        return self.markdown[first:start], "\n\n".join(texts)


def _sections(pieces: Sequence[_ChunkPiece]) -> Iterator[list[_ChunkPiece]]:
    """A heading, or several that follow each other, or the line above a post, with the pieces below."""
    section: list[_ChunkPiece] = []
    for piece in pieces:
        if piece.is_above and section and not section[-1].is_above:
            yield section
            section = []
        section.append(piece)
    if section:
        yield section
