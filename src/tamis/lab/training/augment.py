"""Augmentation: new pages made of two labelled ones, with other menus and teasers or in another script.

A network learns little from seeing a page twice, but much from seeing its content in the frame of another
site. Only things that do not decide what is content are changed: the menus and teasers around it, and the script.
White space between texts changes no column, and names of classes are hidden at random in `training.tamis`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.arrays import Bools, Ints, Longs
from tamis.document import Document, parse, tags
from tamis.document.words import tokenize
from tamis.lab.training.edit import Draft
from tamis.lab.training.pages import LabelledPage

# How often the whole frame is swapped, and how often the script is.
_SWAP, _SCRIPT = 0.35, 0.15
_MOST_PARTS = 3  # of the frame that are removed, and that are inserted

_IS_BLOCK = tags.lookup(*tags.BLOCK)
_IS_PAGE = tags.lookup("html", "body", "head")

# Letters to letters of scripts with spaces; in Chinese the length of a word decides how many characters it gets.
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC = "абцдефгхийклмнопярстувжхыз"
_GREEK = "αβκδεφγηιξκλμνοπθρστυβωχψζ"
_SCRIPTS = (_CYRILLIC, _GREEK)
_HAN = "的一是不了人我在有他这中大来上国个到说们"
_FULL_WIDTH = str.maketrans({".": "。", ",": "，", "!": "！", "?": "？", ";": "；", ":": "："})

# Of each text node: is it content, and is that known?
Truth = dict[parse.Node, tuple[bool, bool]]


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

        def words_inside(weights: Longs) -> Longs:
            held = np.bincount(leaves.element[texts], weights, minlength=len(elements))
            return elements.sums(held.astype(np.int64))

        held, good = words_inside(words), words_inside(words * content[texts])
        block = _IS_BLOCK[elements.code] & ~_IS_PAGE[elements.code]
        frame = np.flatnonzero(block & (held > 0) & (good == 0) & (2 * held < held[0]))
        core = np.flatnonzero(block & (10 * good >= 9 * good[0])) if good[0] else np.zeros(0, dtype=np.int64)
        return cls(draft, frame.astype(np.int32), int(core[-1]) if core.size else -1)

    def some_frame(self, random: np.random.Generator) -> list[int]:
        """Some elements of the frame, at most _MOST_PARTS."""
        if not self.frame.size:
            return []
        count = int(random.integers(0, _MOST_PARTS + 1))
        return sorted({int(element) for element in random.choice(self.frame, count)})


def augmented(page: LabelledPage, other: LabelledPage, random: np.random.Generator) -> tuple[Document, Bools, Bools]:
    """A new page out of two: the content of the first, and a frame that has parts of both.

    Returns it with everything unfolded, and for each leaf whether it is content and whether that is known.
    """
    (first, truth), (second, other_truth) = _parts(page), _parts(other)
    whole = first
    if first.core >= 0 and second.core >= 0 and random.random() < _SWAP:
        second.draft.replace(second.core, first.draft, first.core)
        whole = second
    else:
        _exchange(first, second, random)
    if random.random() < _SCRIPT:
        _translate(whole.draft, random)
    document, texts = whole.draft.document()
    return document.unfolded, *_columns(document.unfolded, texts, truth | other_truth)


def _exchange(first: _Parts, second: _Parts, random: np.random.Generator) -> None:
    """Insert parts of another frame before parts of this one, and remove some of this one."""
    places = first.some_frame(random)
    for place, part in zip(places, second.some_frame(random), strict=False):
        first.draft.put_before(place, second.draft, part)
    for element in first.some_frame(random):
        first.draft.remove(element)


def _parts(page: LabelledPage) -> tuple[_Parts, Truth]:
    """What can be moved on a page, and the truth about its texts."""
    document, draft = page.document().unfolded, Draft(page.html)
    gold = page.gold.unfolded or page.gold
    texts = np.flatnonzero(~document.leaves.is_media).tolist()
    truth = {
        node: (bool(gold.content[leaf]), bool(gold.known[leaf])) for leaf, node in zip(texts, draft.texts, strict=True)
    }
    return _Parts.of(document, draft, gold.content), truth


def _columns(document: Document, texts: Sequence[parse.Node], truth: Truth) -> tuple[Bools, Bools]:
    leaves = document.leaves
    content, known = np.zeros(len(leaves), dtype=np.bool_), np.zeros(len(leaves), dtype=np.bool_)
    for leaf, node in zip(np.flatnonzero(~leaves.is_media).tolist(), texts, strict=True):
        content[leaf], known[leaf] = truth[node]
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
    """Words become one to four characters without spaces between them; punctuation becomes full-width."""
    found: list[str] = []
    for word in text.split():
        stem = word.rstrip(".,!?;:")
        signs = -(-len(stem) // 3) if any(map(str.isalpha, stem)) else 0
        start = sum(map(ord, stem))  # stable between runs, unlike hash()
        found.append("".join(_HAN[(start + 7 * place) % len(_HAN)] for place in range(signs)) if signs else stem)
        found.append(word[len(stem) :].translate(_FULL_WIDTH))
    return "".join(found)
