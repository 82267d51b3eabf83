"""The features of the HTML classifier, numbers about a page as a whole and names in its markup; and those of the SVM.

The former are not in the paper, whose SVM is given eleven features (§4.2).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.document import Document, characters, parse
from tamis.document.words import tokenize
from tamis.extractor.declared import NAME_PART

# Another number means other features: weights say which one they were trained with.
VERSION = 1

_COUNTED = """
    a article aside blockquote br button code dd details div dl dt em figcaption figure footer form h1 h2 h3 h4 h5 h6
    header hr iframe img input label li main nav noscript ol p picture pre script section select span strong style
    summary svg table td textarea th time tr ul video
""".split()
_HOLDERS = """
    article aside blockquote dl figure footer form h1 h2 h3 header li main nav p pre section table td
""".split()
_HTML_MARKS = {
    "periods": ".", "commas": ",", "semicolons": ";", "colons": ":", "questions": "?", "exclamations": "!",
    "pipes": "|", "slashes": "/", "ats": "@", "hashes": "#", "quotes": '"',
}  # fmt: skip

# Words of a block: a long one is a paragraph rather than a teaser. A block with a larger share of its words in links
# does not count as one.
_LONG = 20
_VERY_LONG = 60
_SHORT = 5
_LINKED = 1 / 3

# Elements of the same tag, class and depth form a group if there are at least _GROUP, with enough words on average.
_GROUP = 3
_GROUP_WORDS = (10, 30, 60)

# Prices and dates are counted in this many characters; only the longest pages have more.
_SEARCHED = 200_000
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|zł|kr|₽|USD|EUR|GBP)")
_DATE = re.compile(r"\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d\b")

_MOST_TYPES = 200  # of JSON-LD, which can be as long as its author likes


def numbers(document: Document) -> dict[str, float]:
    """Named numbers about a page."""
    page = _CountedPage(document)
    return {**page.size(), **page.blocks(), **page.tags(), **page.characters(), **page.groups(), **page.body()}


class _CountedPage:
    """The numbers by topic, and the counts that they share."""

    def __init__(self, document: Document) -> None:
        self.document = document
        leaves = document.leaves
        self._texts: Ints = leaves.visible_text
        self._holder: Ints = leaves.element[self._texts]
        self._strings = [leaves.text[leaf] for leaf in self._texts.tolist()]
        tokens = tokenize(self._strings)
        self._words = tokens.sum_per_text(tokens.weight)  # of each visible text
        self._linked = self._words * leaves.in_link[self._texts]  # those of them in links
        self._total = max(1.0, float(self._words.sum()))
        self._below, self._linked_below = (self._summed(words) for words in (self._words, self._linked))

    def _summed(self, words: Floats) -> Floats:
        """The words in each element, given those of each text. (elements,)"""
        elements = self.document.elements
        running = np.zeros(len(elements) + 1)
        np.cumsum(np.bincount(self._holder, words, minlength=len(elements)), out=running[1:])
        return running[elements.end] - running[:-1]

    def size(self) -> dict[str, float]:
        return {
            "words": _log(self._words.sum()),
            "texts": _log(len(self._texts)),
            "elements": _log(len(self.document.elements)),
            "title_words": _log(len(self.document.title.split())),
            "linked": float(self._linked.sum()) / self._total,
            "texts_linked": _mean(self.document.leaves.in_link[self._texts]),
        }

    def blocks(self) -> dict[str, float]:
        _, block = np.unique(self.document.leaves.block[self._texts], return_inverse=True)
        words: Floats = np.bincount(block, self._words).astype(np.float64)
        linked = np.bincount(block, self._linked)
        is_linked = linked > _LINKED * words
        long, very_long = (words >= _LONG) & ~is_linked, (words >= _VERY_LONG) & ~is_linked
        place = np.arange(len(words)) / max(1, len(words))
        weight = np.where(long, words, 0.0) / max(1.0, float(words[long].sum()))
        centre = float((weight * place).sum())
        quantiles = np.percentile(words, (50, 75, 90, 97)) if len(words) else np.zeros(4)
        stretches = np.cumsum((linked > 0.5 * words) & (words > 0))  # a new one begins at each block of links
        return {
            "blocks": _log(len(words)),
            "long_blocks": _log(long.sum()),
            "in_long_blocks": float(words[long].sum()) / self._total,
            "in_very_long_blocks": float(words[very_long].sum()) / self._total,
            "short_blocks": _mean(words < _SHORT),
            "block_words": _log(_mean(words)),
            "longest_block": _log(words.max(initial=0)),
            **{f"block_words_{at}": _log(value) for at, value in zip((50, 75, 90, 97), quantiles, strict=True)},
            "text_centre": centre,
            "text_spread": float(np.sqrt((weight * (place - centre) ** 2).sum())),
            "text_begins": float(place[long][0]) if long.any() else 1.0,
            "longest_stretch": float(np.bincount(stretches, words).max(initial=0)) / self._total if len(words) else 0.0,
        }

    def tags(self) -> dict[str, float]:
        elements = self.document.elements
        counts = Counter(elements.tag)
        found = {f"count_{tag}": _log(counts[tag]) for tag in _COUNTED}
        for tag in _HOLDERS:
            share = 0.0
            if counts[tag]:
                inside = elements.inside(np.fromiter((name == tag for name in elements.tag), np.bool_, len(elements)))
                share = float(self._words[inside[self._holder]].sum()) / self._total
            found[f"in_{tag}"] = share
        return found

    def characters(self) -> dict[str, float]:
        joined = " ".join(self._strings)
        points = characters.code_points(joined)
        searched = joined[:_SEARCHED]
        prices, dates = len(_PRICE.findall(searched)), len(_DATE.findall(searched))
        return {
            **{name: joined.count(mark) / self._total for name, mark in _HTML_MARKS.items()},
            "all_questions": _log(joined.count("?")),
            "all_periods": _log(joined.count(".")),
            "digits": _mean((points >= ord("0")) & (points <= ord("9"))),
            "capitals": _mean((points >= ord("A")) & (points <= ord("Z"))),
            "prices": _log(prices),
            "prices_a_word": prices / self._total,
            "dates": _log(dates),
            "dates_a_word": dates / self._total,
        }

    def groups(self) -> dict[str, float]:
        elements, below = self.document.elements, self._below
        worded = np.flatnonzero(below > 0)
        numbers: dict[tuple[str, str, int], int] = {}
        kinds = [
            numbers.setdefault((elements.tag[element], elements.class_[element], depth), len(numbers))
            for element, depth in zip(worded.tolist(), elements.depth[worded].tolist(), strict=True)
        ]
        kind: Ints = np.array(kinds, dtype=np.int64)
        sizes = np.bincount(kind)
        words, linked = np.bincount(kind, below[worded]), np.bincount(kind, self._linked_below[worded])
        mean = words / np.maximum(1, sizes)
        squares = np.bincount(kind, below[worded] ** 2) / np.maximum(1, sizes)
        variation = np.sqrt(np.maximum(0.0, squares - mean**2)) / np.maximum(1e-9, mean)
        repeated = sizes >= _GROUP
        found = {"groups": _log(repeated.sum()), "largest_group": _log(sizes[repeated].max(initial=0))}
        for least in _GROUP_WORDS:
            candidates = np.flatnonzero(repeated & (mean >= least))
            share = size = average = spread = in_links = 0.0
            if candidates.size:
                best = candidates[words[candidates].argmax()]  # the group with most of the page's words
                share, size, average = words[best] / self._total, _log(sizes[best]), _log(mean[best])
                spread, in_links = variation[best], linked[best] / words[best]
            found |= {
                f"groups_{least}": _log(len(candidates)),
                f"group_{least}_share": share,
                f"group_{least}_size": size,
                f"group_{least}_words": average,
                f"group_{least}_variation": spread,
                f"group_{least}_linked": in_links,
            }
        return found

    def body(self) -> dict[str, float]:
        """About the smallest element that holds half of the page's words, and its children."""
        elements, below = self.document.elements, self._below
        large = np.flatnonzero(2 * below >= self._total)
        body = int(large[elements.depth[large].argmax()]) if large.size else 0
        children = np.flatnonzero((elements.parent == body) & (below > 0))
        words = below[children]
        held = max(1.0, float(below[body])) if len(below) else 1.0
        return {
            "body_depth": float(elements.depth[body]) if len(elements) else 0.0,
            "body_share": held / self._total,
            "body_linked": float(self._linked_below[body]) / held if len(below) else 0.0,
            "body_children": _log(len(children)),
            "body_variation": float(words.std() / words.mean()) if len(words) else 0.0,
            "body_largest": float(words.max(initial=0)) / held,
            "body_paragraphs": _mean(np.array([elements.tag[child] == "p" for child in children.tolist()])),
        }


def names(document: Document) -> frozenset[str]:
    """Words of the markup, each with its place: class:card, json:Product, generator:discourse."""
    return frozenset(_names(document))


def _names(document: Document) -> Iterator[str]:
    elements = document.elements
    for value in {*elements.class_, *elements.id}:
        yield from _parts("class", value)
    for row, tag in enumerate(elements.tag[:_HEAD]):
        if tag in ("html", "body"):
            yield from _parts("body", f"{elements.class_[row]} {elements.id[row]}")
        elif tag == "meta":
            name = (elements.attribute(row, "name") or elements.attribute(row, "property") or "").lower()
            yield f"meta:{name}"
            if name == "generator":
                yield from _parts("generator", elements.attribute(row, "content") or "")
        elif tag == "link":
            yield f"rel:{(elements.attribute(row, 'rel') or '').lower()}"
    typed = ((thing.keys, kind) for thing in document.linked_data.things for kind in thing.types)
    for keys, kind in islice(typed, _MOST_TYPES):
        yield f"{'inner' if {*keys} - {'@graph'} else 'json'}:{kind.lower()}"
    for node in parse.select(document.tree, "[itemscope]:not([itemprop])"):
        yield f"item:{(node.attr('itemtype') or '').rpartition('/')[2].lower()}"
    for key, value in parse.opengraph(document.tree).items():
        if key.endswith("type"):
            yield f"og:{value.lower()}"


_HEAD = 2_000  # elements among which meta, link and body are looked for


def _parts(where: str, value: str) -> Iterator[str]:
    return (f"{where}:{part.lower()}" for part in NAME_PART.findall(value))


def _log(value: float) -> float:
    return float(np.log1p(value))


def _mean(values: Floats | Bools) -> float:
    return float(np.mean(values)) if len(values) else 0.0


_SVM_MARKS = {
    "periods": ".", "commas": ",", "semicolons": ";", "colons": ":", "questions": "?", "exclamations": "!",
}  # fmt: skip


def svm_features(document: Document) -> dict[str, float]:
    """The features of one page, by name, in the paper's order."""
    leaves, elements = document.leaves, document.elements
    text = " ".join(leaves.text[leaf] for leaf in leaves.visible_text.tolist())
    alike = [count for count in _shapes(document).values() if count > 1]
    images = sum(tag == "img" and bool(elements.attribute(row, "src")) for row, tag in enumerate(elements.tag))
    found = {
        "text length": len(text),
        "clusters of elements alike": len(alike),
        "elements alike": sum(alike),
        "image URLs": images,
        **{name: text.count(mark) for name, mark in _SVM_MARKS.items()},
        "digits": sum(map(text.count, "0123456789")),
    }
    return {name: float(value) for name, value in found.items()}


def _shapes(document: Document) -> Counter[tuple[int, int]]:
    """How many elements have the same tag, class, and children of the same tags and classes in the same order.

    The number of children follows from these. Kinds of children are summed up as a running hash, so that
    an element with thousands of them costs no more than its children do.
    """
    elements = document.elements
    numbers: dict[tuple[str, str], int] = {}
    kind = np.array(
        [numbers.setdefault(name, len(numbers) + 1) for name in zip(elements.tag, elements.class_, strict=True)],
        dtype=np.int64,
    )
    children = [0] * (len(elements) + 1)  # the last entry is that of the parent of the root
    for own, parent in zip(kind.tolist(), elements.parent.tolist(), strict=True):
        children[parent] = hash((children[parent], own))
    return Counter(zip(kind.tolist(), children, strict=False))
