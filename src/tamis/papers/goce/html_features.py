"""What tells the type of a page: numbers about it as a whole, and words of its markup.

The eleven features of GOCE's own classifier are in `features.goce`; these are many more, for seven types.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from tamis.arrays import Bools, Floats, Ints, Longs
from tamis.document import Document, characters, parse
from tamis.document.words import tokenize
from tamis.extractor.conventions import NAME_PART

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
_MARKS = {
    "periods": ".", "commas": ",", "semicolons": ";", "colons": ":", "questions": "?", "exclamations": "!",
    "pipes": "|", "slashes": "/", "ats": "@", "hashes": "#", "quotes": '"',
}  # fmt: skip

# A long block is a paragraph and no teaser; most of its words are not links.
_LONG, _VERY_LONG, _SHORT = 20, 60, 5
_LINKED = 1 / 3

# Elements are alike when tag, class and depth are; a group has at least this many, of at least so many words.
_GROUP = 3
_GROUP_WORDS = (10, 30, 60)

# Prices and dates are looked for in this many characters, which is more than all but the longest pages have.
_LOOKED_AT = 200_000
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|zł|kr|₽|USD|EUR|GBP)")
_DATE = re.compile(r"\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d\b")

_MOST_TYPES = 200  # of JSON-LD, which can be as long as its author likes


def numbers(document: Document) -> dict[str, float]:
    """Named numbers about a page."""
    return _Counts(document).all


@dataclass(frozen=True, eq=False)
class _Counts:
    """The counts that several numbers share."""

    document: Document

    @property
    def all(self) -> dict[str, float]:
        return {**self._size, **self._blocks, **self._tags, **self._characters, **self._groups, **self._body}

    @cached_property
    def _texts(self) -> Ints:
        return self.document.leaves.visible_text

    @cached_property
    def _holder(self) -> Ints:
        """The element that holds each visible text."""
        return self.document.leaves.element[self._texts]

    @cached_property
    def _strings(self) -> list[str]:
        return [self.document.leaves.text[leaf] for leaf in self._texts.tolist()]

    @cached_property
    def _words(self) -> Floats:
        """How many words each visible text has."""
        tokens = tokenize(self._strings)
        return tokens.sum_per_text(tokens.weight)

    @cached_property
    def _total(self) -> float:
        return max(1.0, float(self._words.sum()))

    @cached_property
    def _linked(self) -> Floats:
        """How many of these are in links."""
        return self._words * self.document.leaves.in_link[self._texts]

    @property
    def _size(self) -> dict[str, float]:
        return {
            "words": _log(self._words.sum()),
            "texts": _log(len(self._texts)),
            "elements": _log(len(self.document.elements)),
            "title_words": _log(len(self.document.title.split())),
            "linked": float(self._linked.sum()) / self._total,
            "texts_linked": _mean(self.document.leaves.in_link[self._texts]),
        }

    @property
    def _blocks(self) -> dict[str, float]:
        _, block = np.unique(self.document.leaves.block[self._texts], return_inverse=True)
        words: Floats = np.bincount(block, self._words).astype(np.float64)
        linked = np.bincount(block, self._linked)
        is_linked = linked > _LINKED * words
        long, very_long = (words >= _LONG) & ~is_linked, (words >= _VERY_LONG) & ~is_linked
        place = np.arange(len(words)) / max(1, len(words))
        weight = np.where(long, words, 0.0) / max(1.0, float(words[long].sum()))
        centre = float((weight * place).sum())
        quantiles = np.percentile(words, (50, 75, 90, 97)) if len(words) else np.zeros(4)
        stretches = np.cumsum((linked > 0.5 * words) & (words > 0))  # a new one begins at each list of links
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

    @property
    def _tags(self) -> dict[str, float]:
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

    @property
    def _characters(self) -> dict[str, float]:
        joined = " ".join(self._strings)
        points = characters.code_points(joined)
        looked_at = joined[:_LOOKED_AT]
        prices, dates = len(_PRICE.findall(looked_at)), len(_DATE.findall(looked_at))
        return {
            **{name: joined.count(mark) / self._total for name, mark in _MARKS.items()},
            "all_questions": _log(joined.count("?")),
            "all_periods": _log(joined.count(".")),
            "digits": _mean((points >= ord("0")) & (points <= ord("9"))),
            "capitals": _mean((points >= ord("A")) & (points <= ord("Z"))),
            "prices": _log(prices),
            "prices_a_word": prices / self._total,
            "dates": _log(dates),
            "dates_a_word": dates / self._total,
        }

    @cached_property
    def _below(self) -> Floats:
        """How many words each element holds."""
        return self._summed(self._words)

    @cached_property
    def _linked_below(self) -> Floats:
        return self._summed(self._linked)

    def _summed(self, words: Floats) -> Floats:
        elements = self.document.elements
        running = np.zeros(len(elements) + 1)
        np.cumsum(np.bincount(self._holder, words, minlength=len(elements)), out=running[1:])
        return running[elements.end] - running[:-1]

    @property
    def _groups(self) -> dict[str, float]:
        elements, below = self.document.elements, self._below
        rows = np.flatnonzero(below > 0)
        numbers: dict[tuple[str, str, int], int] = {}
        kinds = [
            numbers.setdefault((elements.tag[row], elements.class_[row], depth), len(numbers))
            for row, depth in zip(rows.tolist(), elements.depth[rows].tolist(), strict=True)
        ]
        kind: Longs = np.array(kinds, dtype=np.int64)
        sizes = np.bincount(kind)
        words, linked = np.bincount(kind, below[rows]), np.bincount(kind, self._linked_below[rows])
        mean = words / np.maximum(1, sizes)
        squares = np.bincount(kind, below[rows] ** 2) / np.maximum(1, sizes)
        variation = np.sqrt(np.maximum(0.0, squares - mean**2)) / np.maximum(1e-9, mean)
        repeated = sizes >= _GROUP
        found = {"groups": _log(repeated.sum()), "largest_group": _log(sizes[repeated].max(initial=0))}
        for least in _GROUP_WORDS:
            candidates = np.flatnonzero(repeated & (mean >= least))
            found[f"groups_{least}"] = _log(len(candidates))
            # the one with most of the page's words
            best = candidates[words[candidates].argmax()] if candidates.size else None
            found |= {
                f"group_{least}_share": 0.0 if best is None else words[best] / self._total,
                f"group_{least}_size": 0.0 if best is None else _log(sizes[best]),
                f"group_{least}_words": 0.0 if best is None else _log(mean[best]),
                f"group_{least}_variation": 0.0 if best is None else variation[best],
                f"group_{least}_linked": 0.0 if best is None else linked[best] / words[best],
            }
        return found

    @property
    def _body(self) -> dict[str, float]:
        """About the smallest element that holds half of the page's words, and its children."""
        elements, below = self.document.elements, self._below
        rows = np.flatnonzero(2 * below >= self._total)
        body = int(rows[elements.depth[rows].argmax()]) if rows.size else 0
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
            "body_paragraphs": _mean(np.array([elements.tag[row] == "p" for row in children.tolist()])),
        }


def names(document: Document) -> frozenset[str]:
    """Words of the markup, each with where it stands: class:card, json:Product, generator:discourse."""
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
    for kind, _ in parse.microdata(document.tree):
        yield f"item:{kind.rpartition('/')[2].lower()}"
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
