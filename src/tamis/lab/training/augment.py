"""Pages that nobody wrote, out of pages that somebody did: other frames, other neighbours, other scripts.

A network that has seen a page twice as often has not learned twice as much; one that has seen its content
in the frame of another site has. What changes is what does not decide what is content: which menus and teasers
stand around it, and which script it is written in. White space between texts changes no column, and names of classes
are taken away while the network learns (`training.tamis`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Ints
from tamis.document import Document, parse, tags
from tamis.document.words import tokenize
from tamis.lab.training.edit import Draft
from tamis.lab.training.pages import LabelledPage

# How often each change is made.
_SWAP, _SCRIPT = 0.35, 0.15
_MOST_PARTS = 3  # that are taken out, and put in

_IS_BLOCK = tags.lookup(*tags.BLOCK)
_IS_PAGE = tags.lookup("html", "body", "head")

# Letters to letters of scripts with spaces; in Chinese, what a word is long decides how many signs it gets.
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC = "абцдефгхийклмнопярстувжхыз"
_GREEK = "αβκδεφγηιξκλμνοπθρστυβωχψζ"
_SCRIPTS = (_CYRILLIC, _GREEK)
_HAN = "的一是不了人我在有他这中大来上国个到说们"
_FULL_WIDTH = str.maketrans({".": "。", ",": "，", "!": "！", "?": "？", ";": "；", ":": "："})


@dataclass(frozen=True, eq=False)
class Truth:
    """What is known of a text."""

    content: bool
    known: bool


@dataclass(frozen=True, eq=False)
class _Parts:
    """What can be moved on a page."""

    draft: Draft
    frame: Ints  # block-level elements with words, none of them content
    core: int  # the smallest element that holds nearly all of the content; -1 without content

    @classmethod
    def of(cls, document: Document, draft: Draft, content: Bools) -> _Parts:
        elements, leaves = document.elements, document.leaves
        texts = leaves.visible_text
        tokens = tokenize([leaves.text[leaf] for leaf in texts.tolist()])
        words = np.rint(tokens.sum_per_text(tokens.weight)).astype(np.int64)
        holder, rows = leaves.element[texts], len(elements)
        held = elements.sums(np.bincount(holder, words, minlength=rows).astype(np.int64))
        good = elements.sums(np.bincount(holder, words * content[texts], minlength=rows).astype(np.int64))
        block = _IS_BLOCK[elements.code] & ~_IS_PAGE[elements.code]
        frame = np.flatnonzero(block & (held > 0) & (good == 0) & (2 * held < held[0]))
        core = np.flatnonzero(block & (10 * good >= 9 * good[0])) if good[0] else np.zeros(0, dtype=np.int64)
        return cls(draft, frame.astype(np.int32), int(core[-1]) if core.size else -1)

    def some_frame(self, random: np.random.Generator, most: int) -> list[int]:
        """Some parts of the frame, up to so many."""
        if not self.frame.size:
            return []
        count = int(random.integers(0, most + 1))
        return sorted({int(row) for row in random.choice(self.frame, count)})


def augmented(page: LabelledPage, other: LabelledPage, random: np.random.Generator) -> tuple[Document, Bools, Bools]:
    """A new page out of two: the content of the first, and a frame that has something of both.

    Returns it with everything unfolded, and for each leaf whether it is content and whether that is known.
    """
    truth: dict[parse.Node, Truth] = {}
    first, second = _parts(page, truth), _parts(other, truth)
    whole = first
    if first.core >= 0 and second.core >= 0 and random.random() < _SWAP:
        second.draft.replace(second.core, first.draft, first.core)
        whole = second
    else:
        _exchange(first, second, random)
    if random.random() < _SCRIPT:
        _translate(whole.draft, random)
    document, texts = whole.draft.document()
    return document.unfolded, *_columns(document.unfolded, texts, truth)


def _exchange(first: _Parts, second: _Parts, random: np.random.Generator) -> None:
    """Take parts of the frame out, and put parts of another frame where some of it stands."""
    places = first.some_frame(random, _MOST_PARTS)
    for place, part in zip(places, second.some_frame(random, _MOST_PARTS), strict=False):
        first.draft.put_before(place, second.draft, part)
    for row in first.some_frame(random, _MOST_PARTS):
        first.draft.remove(row)


def _parts(page: LabelledPage, truth: dict[parse.Node, Truth]) -> _Parts:
    document, draft = page.document().unfolded, Draft(page.html)
    gold = page.gold.unfolded or page.gold
    texts = np.flatnonzero(~document.leaves.is_media).tolist()
    for leaf, node in zip(texts, draft.texts, strict=True):
        truth[node] = Truth(bool(gold.content[leaf]), bool(gold.known[leaf]))
    return _Parts.of(document, draft, gold.content)


def _columns(document: Document, texts: Sequence[parse.Node], truth: Mapping[parse.Node, Truth]) -> tuple[Bools, Bools]:
    leaves = document.leaves
    content, known = np.zeros(len(leaves), dtype=np.bool_), np.zeros(len(leaves), dtype=np.bool_)
    for leaf, node in zip(np.flatnonzero(~leaves.is_media).tolist(), texts, strict=True):
        content[leaf], known[leaf] = truth[node].content, truth[node].known
    return content & leaves.visible, known & leaves.visible


def _translate(draft: Draft, random: np.random.Generator) -> None:
    """Write every text in another script."""
    choice = int(random.integers(0, len(_SCRIPTS) + 1))
    if choice == len(_SCRIPTS):
        draft.rewrite(_in_han)
        return
    letters = _SCRIPTS[choice]
    table = str.maketrans(_LATIN + _LATIN.upper(), letters + letters.upper())
    draft.rewrite(lambda text: text.translate(table))


def _in_han(text: str) -> str:
    """Words become one to four signs without spaces between them; marks their full-width forms."""
    found: list[str] = []
    for word in text.split():
        stem = word.rstrip(".,!?;:")
        signs = -(-len(stem) // 3) if any(map(str.isalpha, stem)) else 0
        start = _number_of(stem)
        found.append("".join(_HAN[(start + 7 * place) % len(_HAN)] for place in range(signs)) if signs else stem)
        found.append(word[len(stem) :].translate(_FULL_WIDTH))
    return "".join(found)


def _number_of(word: str) -> int:
    """A number for a word that is the same in every run."""
    return sum(map(ord, word))
