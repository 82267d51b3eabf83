"""The features of a block: of its markup, of its text, and of the page.

A block is a visible text between two tags. Names are as in the paper. Every feature is a level: a flag has two, a
number is cut at fixed borders, because the random field takes values and no numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.cached import cached_property
from tamis.document import Document, characters, tags
from tamis.document.words import Tokens, tokenize

# Where numbers are cut. The paper does not give borders; these are round numbers, shares at steps that grow towards the
# middle, counts at about powers of two.
_SHARES = (0.001, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.999)
_COUNTS = (1, 2, 3, 5, 8, 12, 20, 40, 80)
_LARGE_COUNTS = (20, 50, 100, 200, 400, 800, 1600, 3200)
_LENGTHS = (1, 3, 5, 8, 12, 16, 24)

_CONTAINERS: dict[str, tuple[str, ...]] = {
    "p": ("p",),
    "a": ("a",),
    "u": ("u",),
    "img": ("img",),
    "class-header": tags.HEADINGS,
    "class-bold": ("b", "strong"),
    "class-italic": ("i", "em"),
    "class-list": ("ul", "ol", "li", "dl", "dt", "dd", "menu", "dir"),
    "class-form": ("form", "input", "select", "textarea", "button", "label", "fieldset"),
}
_SPLITS: dict[str, tuple[str, ...]] = {"p": ("p",), "br": ("br",), "hr": ("hr",)}
_IS_BLOCK = tags.lookup(*tags.BLOCK)

_URL = re.compile(r"https?://|\bwww\.\w|\S@\w+\.\w", re.IGNORECASE)
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(rf"\b\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}\b|\b(?:{_MONTH})[a-z]*\.? \d|\b\d+\.? (?:{_MONTH})", re.I)
_TIME = re.compile(r"\b\d{1,2}:\d\d\b|\b\d{1,2} ?[ap]\.?m\b", re.IGNORECASE)
_BULLET = re.compile(r"(?:[•·*»>○▪–-]\s|\(?\d{1,2}[.)]\s|\(?[a-z]\)\s)")
_SENTENCE_END = re.compile(r"[.!?](?=[\s\"')\]]|$)")


class Levels(NamedTuple):
    """One feature: the level of each block, from 0."""

    values: Ints
    size: int  # how many levels there are


@dataclass(frozen=True, eq=False)
class Features:
    """The features of all blocks of a page."""

    document: Document

    @cached_property
    def blocks(self) -> Ints:
        """The leaf of each block."""
        return self.document.leaves.visible_text

    @cached_property
    def levels(self) -> dict[str, Levels]:
        """The level of each block, by the name of the feature."""
        return {**self._markup_levels, **self._content_levels, **self._page_levels}

    @cached_property
    def _block_texts(self) -> list[str]:
        return [self.document.leaves.text[leaf] for leaf in self.blocks.tolist()]

    # Markup

    @property
    def _markup_levels(self) -> dict[str, Levels]:
        found = {f"container.{name}": _flag_levels(self._is_inside(members)) for name, members in _CONTAINERS.items()}
        for name, members in _SPLITS.items():
            found[f"split.{name}"] = _flag_levels(self._has_tag_before(_is_one(self.document, members)))
        is_block = _IS_BLOCK[self.document.elements.code]
        found["split.class-block"] = _flag_levels(self._has_tag_before(is_block))
        found["split.class-inline"] = _flag_levels(self._has_tag_before(~is_block))
        return found

    def _is_inside(self, members: tuple[str, ...]) -> Bools:
        """Is the block inside such an element?"""
        mask = _is_one(self.document, members)
        return self.document.elements.inside(mask)[self.document.leaves.element[self.blocks]]

    def _has_tag_before(self, mask: Bools) -> Bools:
        """Is a tag of such an element opened or closed between the block before and this one?"""
        elements, leaves = self.document.elements, self.document.leaves
        opened, around = leaves.opened[self.blocks], leaves.element[self.blocks]
        starts = mask.cumsum()[opened]
        open_still = elements.covering(mask)[around]
        ends = starts - open_still  # every element that was opened and is not around the block was closed
        changed: Bools = np.ones(len(opened), dtype=np.bool_)
        changed[1:] = (starts[1:] != starts[:-1]) | (ends[1:] != ends[:-1])
        if len(changed):
            changed[0] = starts[0] > 0
        return changed

    # Content

    @property
    def _content_levels(self) -> dict[str, Levels]:
        texts, tokens = self._block_texts, self._block_tokens
        classes = tokens.classes
        starts = tokens.starts[:-1]
        ends = starts + np.fromiter(map(len, texts), np.int64, len(texts))

        def share_level(mask: Bools) -> Levels:
            return _levels_by_borders(_characters_in_mask(mask, starts, ends) / np.maximum(1, ends - starts), _SHARES)

        points = characters.code_points(tokens.joined)
        digit = (points >= ord("0")) & (points <= ord("9"))
        white = (classes & characters.SPACE) > 0
        letter = ((classes & characters.ALNUM) > 0) & ~digit
        other = ~(digit | white | letter)
        ascii_mark = other & (points < 128)
        found = {
            "char.alpha-rel": share_level(letter),
            "char.num-rel": share_level(digit),
            "char.punct-rel": share_level(ascii_mark),
            "char.white-rel": share_level(white),
            "char.other-rel": share_level(other & ~ascii_mark),
        }
        found |= self._token_levels(letter, digit)
        sentences = np.array([len(_SENTENCE_END.findall(text)) for text in texts], dtype=np.float64)
        words = tokens.sum_per_text(tokens.weight)
        found["sentence.count"] = _levels_by_borders(sentences, _COUNTS)
        found["sentence.avg-length"] = _levels_by_borders(words / np.maximum(1, sentences), _LENGTHS)
        stripped = [text.strip() for text in texts]
        found["sentence-begin"] = _flag_levels(np.array([text[:1].isupper() for text in stripped], dtype=np.bool_))
        found["sentence-end"] = _flag_levels(
            np.array([text.endswith((".", "!", "?")) for text in stripped], dtype=np.bool_)
        )
        counts, first = _copies_and_firsts(stripped)
        found["first-duplicate"] = _flag_levels(first)
        found["duplicate-count"] = _levels_by_borders(counts.astype(np.float64), _COUNTS[:5])
        for name, pattern in (("url", _URL), ("date", _DATE), ("time", _TIME)):
            found[f"regexp.{name}"] = _flag_levels(
                np.array([bool(pattern.search(text)) for text in texts], dtype=np.bool_)
            )
        found["bullet"] = _flag_levels(np.array([bool(_BULLET.match(text.lstrip())) for text in texts], dtype=np.bool_))
        return found

    @cached_property
    def _block_tokens(self) -> Tokens:
        return tokenize(self._block_texts)

    def _token_levels(self, letter: Bools, digit: Bools) -> dict[str, Levels]:
        """Tokens of letters, of digits, of both, and of neither: how many, and which share."""
        tokens = self._block_tokens
        letters, digits = (
            _characters_in_mask(mask, tokens.start, tokens.start + tokens.length) > 0 for mask in (letter, digit)
        )
        every = np.maximum(1.0, tokens.sum_per_text(np.ones(len(tokens.start))))
        found = {}
        for name, mask in (
            ("alpha", letters & ~digits),
            ("num", digits & ~letters),
            ("mix", letters & digits),
            ("other", ~letters & ~digits),
        ):
            count = tokens.sum_per_text(mask.astype(np.float64))
            found[f"token.{name}-abs"] = _levels_by_borders(count, _COUNTS)
            found[f"token.{name}-rel"] = _levels_by_borders(count / every, _SHARES)
        return found

    # Page

    @property
    def _page_levels(self) -> dict[str, Levels]:
        words = self._block_tokens.sum_per_text(self._block_tokens.weight)
        size, total = len(words), max(1.0, float(words.sum()))
        sentences = sum(len(_SENTENCE_END.findall(text)) for text in self._block_texts)
        found = {"position": _levels_by_borders(np.arange(size) / max(1, size), _SHARES)}
        for tag in ("div", "td"):
            group = self._group_words(tag, words) / total
            found[f"{tag}-group.word-ratio"] = _levels_by_borders(group, _SHARES)
            found[f"document.max-{tag}-group"] = _levels_by_borders(np.full(size, group.max(initial=0.0)), _SHARES)
        found["document.word-count"] = _levels_by_borders(np.full(size, total), _LARGE_COUNTS)
        found["document.sentence-count"] = _levels_by_borders(np.full(size, float(sentences)), _COUNTS)
        found["document.block-count"] = _levels_by_borders(np.full(size, float(size)), _LARGE_COUNTS)
        return found

    def _group_words(self, tag: str, words: Floats) -> Floats:
        """The words that have the same nearest element of this tag around them as the block; 0 without one."""
        elements, leaves = self.document.elements, self.document.leaves
        nearest = elements.nearest(_is_one(self.document, (tag,)), leaves.element[self.blocks])
        sums: Floats = np.bincount(nearest + 1, words, minlength=len(elements) + 1).astype(np.float64)
        sums[0] = 0.0
        return sums[nearest + 1]


def _is_one(document: Document, members: tuple[str, ...]) -> Bools:
    """For each element: has it one of these tags?"""
    names = frozenset(members)
    return np.fromiter((tag in names for tag in document.elements.tag), np.bool_, len(document.elements))


def _flag_levels(mask: Bools) -> Levels:
    return Levels(mask.astype(np.int64), 2)


def _levels_by_borders(values: Floats, borders: tuple[float, ...]) -> Levels:
    """The number of borders that a value reaches. Rounded first: a share may be a hair off its border."""
    return Levels(np.searchsorted(np.array(borders), np.round(values, 9), side="right"), len(borders) + 1)


def _characters_in_mask(mask: Bools, starts: Ints, ends: Ints) -> Ints:
    """How many characters of each range are in the mask."""
    total = np.zeros(len(mask) + 1, dtype=np.int64)
    mask.cumsum(out=total[1:])
    return total[ends] - total[starts]


def _copies_and_firsts(texts: list[str]) -> tuple[Ints, Bools]:
    """How often each text is on the page besides, and is it the first of several?"""
    numbers: dict[str, int] = {}
    number = np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64)
    counts = np.bincount(number, minlength=len(numbers))[number] if len(texts) else number
    _, places = np.unique(number, return_index=True)
    first = np.zeros(len(texts), dtype=np.bool_)
    first[places] = True
    return counts - 1, first & (counts > 1)
