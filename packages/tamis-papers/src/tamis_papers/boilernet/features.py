"""BoilerNet's input (§3.1): for each text, the tags above it and the words in it, counted.

The columns are k tags, one for all other tags, l words, one for all other words. A `Vocabulary`, made
from training pages, says which tags and words have a column.

`extension/src/core/extractors/boilernet/tokens.js` finds words by the same rule. It names code points
only, so that no version of Unicode and no programming language can change what a token is:

1. Code points in DROPPED (soft hyphens, joiners, direction marks) are removed.
2. Capitals become small letters: A-Z, and those of Latin-1, Greek and Cyrillic at a fixed distance from
   their small letters. All other letters stay, and nothing is normalised.
3. Code points in SPACE separate tokens.
4. Each code point in ALONE is a token: punctuation, symbols, and the letters of scripts that put no
   spaces between words.
5. A run of any others is a token.

`tests/papers/boilernet/vectors.json` tests both languages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Bytes, Ints
from tamis.cached import cached_property
from tamis.document import Document

# Raised when the same page would give other columns or counts. Weights name the version they were trained with.
VERSION = 1

# First and last code point of each range; tokens.js has the same tables.
# fmt: off
DROPPED = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x200C, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),  # joiners and direction marks; 200B is a space
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFFF, 0xFFFF),  # variation selectors, byte order mark, no character
)
SPACE = (
    (0x0000, 0x0020), (0x007F, 0x00A0), (0x1680, 0x1680), (0x2000, 0x200B),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)
ALONE = (
    (0x0021, 0x002F), (0x003A, 0x0040), (0x005B, 0x0060), (0x007B, 0x007E),  # ASCII but letters and digits
    (0x00A1, 0x00A9), (0x00AB, 0x00AC), (0x00AE, 0x00B4), (0x00B6, 0x00B9),  # Latin-1 but letters, ª, µ and º
    (0x00BB, 0x00BF), (0x00D7, 0x00D7), (0x00F7, 0x00F7),
    (0x037E, 0x037E), (0x0387, 0x0387),  # Greek question mark and middle dot
    (0x055A, 0x055F), (0x0589, 0x058A),  # Armenian
    (0x05BE, 0x05BE), (0x05C0, 0x05C0), (0x05C3, 0x05C3), (0x05F3, 0x05F4),  # Hebrew
    (0x060C, 0x060D), (0x061B, 0x061F), (0x066A, 0x066D), (0x06D4, 0x06D4),  # Arabic
    (0x0964, 0x0965),  # danda
    (0x0E00, 0x0EFF), (0x0F00, 0x0F14),  # Thai and Lao, Tibetan signs
    (0x1000, 0x109F), (0x1780, 0x17FF),  # Burmese, Khmer
    (0x2010, 0x2027), (0x2030, 0x205E),  # punctuation; SPACE and DROPPED lie between the ranges
    (0x2070, 0x2BFF), (0x2E00, 0x2FFF),  # currencies, arrows, mathematics, dingbats; punctuation, radicals
    (0x3001, 0x312F), (0x3190, 0x9FFF),  # CJK punctuation, kana, Bopomofo; enclosed letters, Han
    (0xD800, 0xF8FF), (0xF900, 0xFAFF),  # single surrogates, private use (icon fonts); Han
    (0xFE10, 0xFE1F), (0xFE30, 0xFE6F), (0xFF00, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40),  # full-width forms
    (0xFF5B, 0xFF9F), (0xFFE0, 0xFFFE),  # half-width kana among them
    (0x1B000, 0x1B16F), (0x1F000, 0x10FFFF),  # old kana; emoji, Han
)
# First and last capital of a range, and the distance to its small letters.
CAPITALS = (
    (0x0041, 0x005A, 32), (0x00C0, 0x00D6, 32), (0x00D8, 0x00DE, 32),  # Latin
    (0x0391, 0x03A1, 32), (0x03A3, 0x03AB, 32), (0x0400, 0x040F, 80), (0x0410, 0x042F, 32),  # Greek, Cyrillic
)
# fmt: on

# Stands between the texts of a page, so that one pass finds the tokens of all texts. To the rule it is a
# space, so it can be taken out of the texts; here it is a token of its own.
_JOINT = "\0"

# From here on every code point stands alone.
_LAST = 0x1F000
_WORD, _SPACE, _ALONE, _DROPPED = range(4)

# Every token ends before one of these.
_BREAK = re.compile("[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in (*SPACE, *ALONE)) + "]")

# How many characters, and elements that hold text, one pass reads: this bounds memory on huge pages.
_CHUNK = 1_000_000
_HOLDERS = 50_000

Singles = NDArray[np.float32]


@dataclass(frozen=True)
class Vocabulary:
    """The tags and words that have a column of their own, most common first."""

    tags: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def build(cls, documents: Iterable[Document], *, tags: int, words: int) -> Vocabulary:
        """The most common tags and words of some pages; of equally common ones the first by name.

        A tag counts once for each visible text below it, a word each time that it occurs in one.
        """
        by_tag: Counter[str] = Counter()
        by_word: Counter[str] = Counter()
        for document in documents:
            leaves, elements = document.leaves, document.elements
            held = np.bincount(leaves.element[leaves.visible_text], minlength=len(elements))
            for tag, below in zip(elements.tag, elements.sums(held).tolist(), strict=True):
                by_tag[tag] += below
            for part in _token_lists(_visible_texts(document)):
                by_word.update(part)
        del by_word[_JOINT]
        return cls(_most_common(by_tag, tags), _most_common(by_word, words))

    @property
    def dims(self) -> int:
        """The number of columns."""
        return len(self.tags) + 1 + len(self.words) + 1

    @property
    def unknown_tag(self) -> int:
        """The column of all other tags."""
        return len(self.tags)

    @property
    def unknown_word(self) -> int:
        """The column of all other words."""
        return self.dims - 1

    @cached_property
    def tag_columns(self) -> dict[str, int]:
        """The column of each tag."""
        return {tag: column for column, tag in enumerate(self.tags)}

    @cached_property
    def word_columns(self) -> dict[str, int]:
        """The column of each word."""
        return {word: column for column, word in enumerate(self.words, self.unknown_tag + 1)}

    def to_json(self) -> dict[str, list[str]]:
        """As lists, for a config."""
        return {"tags": list(self.tags), "words": list(self.words)}

    @classmethod
    def from_json(cls, value: object) -> Vocabulary:
        """Read the result of `to_json`. Raises ValueError for other values."""
        if not isinstance(value, dict) or value.keys() != {"tags", "words"}:
            raise ValueError("a vocabulary has tags and words")
        for names in value.values():
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise ValueError("the tags and words of a vocabulary are lists of strings")
            if len(set(names)) < len(names):
                raise ValueError("a vocabulary has a name twice")
        return cls(tuple(value["tags"]), tuple(value["words"]))


@dataclass(frozen=True, eq=False)
class LeafCounts:
    """One sparse row for each visible text of a page, in document order.

    Row i has counts[j] in column columns[j], for j from bounds[i] up to bounds[i + 1]; its columns ascend.
    """

    leaves: Ints  # the rows of the texts among the leaves of the document
    bounds: Ints
    columns: Ints
    counts: Singles
    dims: int

    def __len__(self) -> int:
        return len(self.leaves)

    def part(self, lower: int, upper: int) -> LeafCounts:
        """The rows from `lower` up to `upper`, or up to the last."""
        bounds = self.bounds[lower : upper + 1]
        entries = slice(bounds[0], bounds[-1])
        return LeafCounts(
            self.leaves[lower:upper], bounds - bounds[0], self.columns[entries], self.counts[entries], self.dims
        )

    def dense(self) -> Singles:
        """The rows as a matrix (rows, dims)."""
        matrix = np.zeros((len(self), self.dims), dtype=np.float32)
        matrix[np.repeat(np.arange(len(self)), np.diff(self.bounds)), self.columns] = self.counts
        return matrix


def tokens(text: str) -> list[str]:
    """The tokens of a text, by the rule above."""
    return [token for part in _token_lists([text]) for token in part]


def counts(document: Document, vocabulary: Vocabulary) -> LeafCounts:
    """The input of the network for a page.

    Time and memory grow with the page and not with its depth: a row has at most one entry for each tag of
    the vocabulary and each different word of its text.
    """
    leaves = document.leaves.visible_text
    tag_sizes, tag_columns, tag_counts = _tags(document, leaves, vocabulary)
    word_sizes, word_columns, word_counts = _words(_visible_texts(document), vocabulary)
    bounds = _offsets(tag_sizes + word_sizes)
    # In each row tags come before words.
    tag_at = np.arange(len(tag_columns)) + np.repeat(_offsets(word_sizes)[:-1], tag_sizes)
    word_at = np.arange(len(word_columns)) + np.repeat(_offsets(tag_sizes)[1:], word_sizes)
    columns = np.empty(bounds[-1], dtype=np.int32)
    values = np.empty(bounds[-1], dtype=np.float32)
    columns[tag_at], values[tag_at] = tag_columns, tag_counts
    columns[word_at], values[word_at] = word_columns, word_counts
    return LeafCounts(leaves, bounds, columns, values, vocabulary.dims)


def _visible_texts(document: Document) -> list[str]:
    texts = document.leaves.text
    return [texts[leaf] for leaf in document.leaves.visible_text.tolist()]


def _most_common(counter: Counter[str], number: int) -> tuple[str, ...]:
    ranked = sorted((item for item in counter.items() if item[1]), key=lambda item: (-item[1], item[0]))
    return tuple(name for name, _ in ranked[:number])


def _offsets(sizes: Ints | Bools) -> Ints:
    """Where each of some consecutive ranges begins, and where the last ends."""
    offsets: Ints = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def _tags(document: Document, leaves: Ints, vocabulary: Vocabulary) -> tuple[Ints, Ints, Ints]:
    """The tags above each leaf: how many columns it has, and the columns and counts of all, concatenated.

    A holder is an element that has text of its own. An element adds 1 to its tag for all holders in its
    range of rows, so the counts are running sums along the document: +1 where it begins, -1 where it ends.
    """
    elements = document.elements
    element = document.leaves.element[leaves]
    is_holder = np.zeros(len(elements), dtype=np.bool_)
    is_holder[element] = True
    before = _offsets(is_holder)  # how many holders lie before each element
    begin, end = before[:-1], before[elements.end]
    rows = np.flatnonzero(begin < end)  # the elements with text somewhere in them
    holders, holder_of = int(before[-1]), begin[element]
    begin, end = begin[rows], end[rows]
    tag = elements.tag
    found = map(vocabulary.tag_columns.get, [tag[row] for row in rows.tolist()], repeat(vocabulary.unknown_tag))
    column = np.fromiter(found, np.int64, len(rows))
    width = len(vocabulary.tags) + 1

    sizes, columns, values = [], [], []
    above = np.zeros(width, dtype=np.int64)
    for lower in range(0, holders, _HOLDERS):
        upper = min(lower + _HOLDERS, holders)
        change = np.zeros((upper - lower) * width, dtype=np.int64)
        for at, step in ((begin, 1), (end, -1)):
            here = (lower <= at) & (at < upper)
            change += step * np.bincount((at[here] - lower) * width + column[here], minlength=len(change))
        table = change.reshape(-1, width)  # (holders, tags)
        table[0] += above
        np.cumsum(table, axis=0, out=table)
        above = table[-1].copy()
        sizes.append(np.count_nonzero(table, axis=1))
        flat = np.flatnonzero(change)
        columns.append((flat % width).astype(np.int32))
        values.append(change[flat])
    if not sizes:
        return np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64)

    # From holders to leaves: each text gets a copy of its holder's entries.
    size = np.concatenate(sizes)
    leaf_sizes = size[holder_of]
    first = _offsets(size)[holder_of]
    entry = np.repeat(first - _offsets(leaf_sizes)[:-1], leaf_sizes) + np.arange(leaf_sizes.sum())
    return leaf_sizes, np.concatenate(columns)[entry], np.concatenate(values)[entry]


def _words(texts: Sequence[str], vocabulary: Vocabulary) -> tuple[Ints, Ints, Ints]:
    """The words of each text: how many columns it has, and the columns and counts of all, concatenated."""
    column_of = vocabulary.word_columns | {_JOINT: -1}
    unknown, dims = vocabulary.unknown_word, vocabulary.dims
    keys, values = [], []
    text = 0  # the one that the pass begins with
    for part in _token_lists(texts):
        column = np.fromiter(map(column_of.get, part, repeat(unknown)), np.int64, len(part))
        joint = column < 0
        row = text + np.cumsum(joint)
        text = int(row[-1]) if len(row) else text
        key, number = np.unique((row * dims + column)[~joint], return_counts=True)
        keys.append(key)
        values.append(number)
    if len(keys) == 1:
        key, number = keys[0], values[0]
    else:
        # A text that two passes read may have a column twice.
        key, which = np.unique(np.concatenate(keys), return_inverse=True)
        number = np.bincount(which, weights=np.concatenate(values), minlength=len(key)).astype(np.int64)
    row, column = np.divmod(key, dims)
    return np.bincount(row, minlength=len(texts)), column.astype(np.int32), number


def _token_lists(texts: Sequence[str]) -> Iterator[list[str]]:
    """The tokens of all texts, a list for each pass, with a joint between each text and the next."""
    joined = _JOINT.join(texts)
    if joined.count(_JOINT) >= max(len(texts), 1):
        joined = _JOINT.join(text.replace(_JOINT, " ") for text in texts)
    start = 0
    while len(joined) - start > _CHUNK:
        found = _BREAK.search(joined, start + _CHUNK)
        if found is None:
            break
        yield _split(joined[start : found.start()])
        start = found.start()
    yield _split(joined[start:])


def _split(text: str) -> list[str]:
    """The tokens of joined texts.

    Spaces are put around what stands alone, and str.split finds the tokens: several times as fast as a pattern.
    """
    codec = "utf-16-le"
    points: NDArray[np.uint16] | NDArray[np.uint32] = np.frombuffer(text.encode(codec, "surrogatepass"), np.uint16)
    if len(points) != len(text):
        codec = "utf-32-le"
        points = np.frombuffer(text.encode(codec, "surrogatepass"), np.uint32)
    kind = _kinds().take(points, mode="clip")
    points = points + _steps().take(points, mode="clip")
    dropped = kind == _DROPPED
    if dropped.any():
        points, kind = points[~dropped], kind[~dropped]
    points[kind == _SPACE] = ord(" ")
    alone = kind == _ALONE
    place = np.arange(len(points)) + 2 * np.cumsum(alone) - alone
    spaced = np.full(len(points) + 2 * np.count_nonzero(alone), ord(" "), dtype=points.dtype)
    spaced[place] = points
    return spaced.tobytes().decode(codec, "surrogatepass").split()


@cache
def _kinds() -> Bytes:
    """The kind of each code point up to _LAST, which also holds for all later ones."""
    table = np.full(_LAST + 1, _WORD, dtype=np.uint8)
    for kind, ranges in ((_SPACE, SPACE), (_ALONE, ALONE), (_DROPPED, DROPPED)):
        for first, last in ranges:
            table[first : last + 1] = kind
    table[ord(_JOINT)] = _ALONE
    return table


@cache
def _steps() -> Bytes:
    """The distance of each code point to its small letter."""
    table = np.zeros(_LAST + 1, dtype=np.uint8)
    for first, last, step in CAPITALS:
        table[first : last + 1] = step
    return table
