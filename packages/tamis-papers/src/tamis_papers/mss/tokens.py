"""A page as a sequence of tokens: the tags and, between them, the words, numbers and symbols of visible texts."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tamis.arrays import Bools, Ints
from tamis.document import Document, tags

# A token, or three of them in sequence, as a number. Weights are kept by these numbers and not by the words.
Hashes = NDArray[np.uint32]

_PART = re.compile(r"[^\W\d_]+|\d+|_|[^\w\s]")
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_IS_NO_TOKEN = tags.lookup("script", "style", "link", "meta", "noscript")
_IS_HEAD = tags.lookup("head")

# Odd numbers that spread the hashes of three tokens over 64 bits.
_SPREAD = tuple(np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
_MIX = np.uint64(0xFF51AFD7ED558CCD)


class _Numbers(dict[str, int]):
    """The number of each token, computed once a page; all figures are one token."""

    def __missing__(self, token: str) -> int:
        self[token] = number = hash_of("1" if token.isdecimal() else token.lower())
        return number


@dataclass(frozen=True, eq=False)
class PageTokens:
    """The tokens of a page in document order; one row a token."""

    token: Hashes
    unclosed: Hashes  # the tag that was opened last before the token and is not closed
    leaf: Ints  # the text that a word is from; -1 for tags

    @classmethod
    def of(cls, document: Document) -> PageTokens:
        """Read the tags and the visible texts of a page."""
        texts = document.leaves.visible_text
        numbers = _Numbers()
        words: list[int] = []
        sizes = np.empty(len(texts), dtype=np.int64)
        for place, leaf in enumerate(texts.tolist()):
            before = len(words)
            words += [numbers[part] for part in _PART.findall(document.leaves.text[leaf])]
            sizes[place] = len(words) - before
        return _merged(document, texts, np.array(words, dtype=np.uint32), sizes)

    @property
    def trigrams(self) -> Hashes:
        """Each token with the two after it; the page ends with empty ones."""
        padded = np.append(self.token, np.zeros(2, np.uint32)).astype(np.uint64)
        size = len(self.token)
        mixed = padded[:size] * _SPREAD[0] + padded[1 : size + 1] * _SPREAD[1] + padded[2:] * _SPREAD[2]
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX
        found: Hashes = (mixed >> np.uint64(32)).astype(np.uint32)
        return found


def hash_of(token: str) -> int:
    """The number of a token, the same on every machine."""
    return zlib.crc32(token.encode("utf-8", "surrogatepass"))


def _merged(document: Document, texts: Ints, words: Hashes, sizes: Ints) -> PageTokens:
    """Put the words of each text between the tags around it."""
    elements, leaves = document.elements, document.leaves
    names, code = _named(elements.tag)
    starts, ends, unclosed = names["<{}>"][code], names["</{}>"][code], names["{}"][code]
    above = np.append(unclosed, np.uint32(0))[elements.parent]
    rows, depth = np.arange(len(elements)), elements.depth
    # Before the start tag of a row there are as many start tags as rows, and the end tags of all rows before it but its
    # ancestors. After its end tag, its ancestors alone are open.
    place = np.concatenate([2 * rows - depth, 2 * elements.end - depth - 1])
    tokens, parents = np.concatenate([starts, ends]), np.concatenate([above, above])
    counted = _has_tokens(document)
    has_end = counted & np.fromiter((tag not in _VOID for tag in elements.tag), np.bool_, len(elements))
    mask = np.concatenate([counted, has_end])
    tag_order = np.argsort(place[mask], kind="stable")
    place, tokens, parents = (column[mask][tag_order] for column in (place, tokens, parents))
    # A text comes after the start tags up to `opened` and the end tags of those that are not around it.
    tags_before = 2 * leaves.opened[texts] + 1 - depth[leaves.element[texts]]
    before_word = np.repeat(np.searchsorted(place, tags_before), sizes)  # how many tags are before each word
    at_word = before_word + np.arange(len(words))
    at_tag = np.arange(len(place)) + np.searchsorted(before_word, np.arange(len(place)), side="right")
    size = len(words) + len(place)
    token, around = np.empty(size, np.uint32), np.empty(size, np.uint32)
    leaf = np.full(size, -1, dtype=np.int64)
    token[at_word], token[at_tag] = words, tokens
    around[at_word], around[at_tag] = np.repeat(unclosed[leaves.element[texts]], sizes), parents
    leaf[at_word] = np.repeat(texts, sizes)
    return PageTokens(token, around, leaf)


def _named(names: list[str]) -> tuple[dict[str, Hashes], Ints]:
    """The hashes of start tag, end tag and name of each tag of the page, and which of them each element has."""
    distinct = {name: number for number, name in enumerate(dict.fromkeys(names))}
    forms = {
        form: np.array([hash_of(form.format(name)) for name in distinct], dtype=np.uint32)
        for form in ("<{}>", "</{}>", "{}")
    }
    return forms, np.fromiter((distinct[name] for name in names), np.int64, len(names))


def _has_tokens(document: Document) -> Bools:
    """For each element: are its tags tokens? Those of the head and of code are not."""
    elements = document.elements
    dropped = elements.inside(_IS_HEAD[elements.code]) | _IS_NO_TOKEN[elements.code]
    return ~dropped
