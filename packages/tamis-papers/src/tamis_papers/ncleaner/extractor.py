"""A Lightweight and Efficient Tool for Cleaning Web Pages (Evert; LREC 2008).

A page is read as plain text and divided into segments. Two language models, one of clean text and one of boilerplate,
give each segment a probability, character by character; a segment that the clean model finds more probable is kept.
The probability of a character is a mixture of its relative frequencies after the last 0 to n - 1 characters, with
weights that fall geometrically from the longest context to the shortest. HTML is not used but for the segments.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tamis import weights
from tamis.arrays import Bools, Bytes, Floats, Ints
from tamis.cached import cached_property
from tamis.document import Document, tags
from tamis.errors import WeightsError
from tamis.labels import Labels, from_text_scores
from tamis.weights import loaded
from tamis_papers.ncleaner import WEIGHTS

# Segments end at block-level elements and at line breaks.
_IS_BREAK = tags.lookup(*tags.BLOCK, "br")

# The alphabet is printable ASCII and these two.
OTHER = 1  # all other characters
BORDER = 2  # around each segment

# The longest n-grams. The borders between two segments are enough to keep each n-gram inside one.
ORDER = 4


@dataclass(frozen=True, eq=False)
class Segments:
    """The segments of a page."""

    number: Ints  # of each visible text: which segment it is in
    codes: Bytes  # the characters of all segments, with borders before and after each
    starts: Ints  # the first character of each segment, and the size at the end

    @classmethod
    def of(cls, document: Document) -> Segments:
        """Divide the visible texts of a page."""
        leaves = document.leaves
        texts = leaves.visible_text
        breaks = _breaks(document)
        number = breaks.cumsum() - 1
        parts: list[str] = []
        for leaf, breaks_here in zip(texts.tolist(), breaks.tolist(), strict=True):
            if breaks_here:
                parts.append("\n")
            elif leaves.gap[leaf]:
                parts.append(" ")
            parts.append(leaves.text[leaf].replace("\n", " "))
        lines = "".join(parts).split("\n")[1:]
        plain = [b" ".join(_ascii(line).split()) for line in lines]
        borders = bytes([BORDER]) * (ORDER - 1)
        codes = np.frombuffer(borders + b"".join(line + borders for line in plain), dtype=np.uint8)
        starts = np.cumsum([len(borders), *(len(line) + len(borders) for line in plain)])
        return cls(number, codes, starts)


def _breaks(document: Document) -> Bools:
    """For each visible text: does a segment begin with it?"""
    elements, leaves = document.elements, document.leaves
    texts = leaves.visible_text
    mask = _IS_BREAK[elements.code]
    opened = mask.cumsum()[leaves.opened[texts]]  # breaking elements opened up to each text
    closed = opened - elements.covering(mask)[leaves.element[texts]]
    begins: Bools = np.ones(len(texts), dtype=np.bool_)
    begins[1:] = (opened[1:] != opened[:-1]) | (closed[1:] != closed[:-1])
    return begins


def _ascii(text: str) -> bytes:
    """The text in ASCII: accents are dropped, and characters without an ASCII form become OTHER."""
    if not text.isascii():
        marked = unicodedata.normalize("NFKD", text.translate(_PUNCTUATION))
        text = _FOREIGN.sub(chr(OTHER), _ACCENTS.sub("", marked))
    return text.encode().translate(_CONTROLS)


_PUNCTUATION = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "•": "*", "·": "*"})
_ACCENTS = re.compile("[\u0300-\u036f]")
_FOREIGN = re.compile("[^\\x00-\\x7f]")

# Control characters but white space are OTHER.
_CONTROLS = bytes(code if code >= 32 or code in b"\t\n\r\v\f" else OTHER for code in range(256))


MODEL = "model.safetensors"

# The weight of all shorter contexts together against the longest one. In four folds of CleanEval's development pages,
# F1 of clean characters is 95.3 with 0.1 and 94.8 to 95.0 with 0.3 to 0.7; with n-grams of 2 or 3 it is 94.1 to 94.9.
SHORTER = 0.1

# The probability of a character of which nothing is known: all of the alphabet are alike.
_ALPHABET = 97

# Logarithms are rounded to whole numbers of this share, so that no rounding of the processor decides.
_STEP = 1e-9

Grams = NDArray[np.uint32]
CLASSES = ("dirty", "clean")


def grams(codes: Bytes, length: int) -> Grams:
    """For each character: it and those before it, `length` together; characters before the text are 0."""
    found = np.zeros(len(codes), dtype=np.uint32)
    for back in range(min(length, len(codes))):
        found[back:] |= codes[: len(codes) - back].astype(np.uint32) << np.uint32(8 * back)
    return found


@dataclass(frozen=True, eq=False)
class GramCounts:
    """How often each n-gram of one length is in clean and in dirty text."""

    keys: Grams  # ascending
    values: NDArray[np.uint32]  # (keys, 2), in the order of CLASSES

    def of(self, wanted: Grams) -> Floats:
        """(n-grams, 2)"""
        if not len(self.keys):
            return np.zeros((len(wanted), 2))
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        known = self.keys[place] == wanted
        found: Floats = np.zeros((len(wanted), 2))
        found[known] = self.values[place[known]]
        return found


@dataclass(frozen=True, eq=False)
class Models:
    """Both language models: the counts of n-grams of length 1 to n."""

    counts: tuple[GramCounts, ...]

    @cached_property
    def totals(self) -> Floats:
        """(2,) the number of characters that each model was trained on."""
        totals: Floats = self.counts[0].values.sum(axis=0).astype(np.float64)
        return totals

    def log_ratio(self, codes: Bytes) -> Floats:
        """For each character: the log of its probability in clean text against that in dirty text."""
        probability = np.full((len(codes), 2), 1 / _ALPHABET)
        context = np.broadcast_to(self.totals, (len(codes), 2))
        for length, table in enumerate(self.counts, start=1):
            found = table.of(grams(codes, length))
            # A context that was never seen changes nothing.
            share = np.divide(found, context, out=probability.copy(), where=context > 0)
            probability = (1 - SHORTER) * share + SHORTER * probability
            # The context of the next character is the n-gram that ends with the one before it.
            context = np.vstack([np.zeros((1, 2)), found[:-1]]) if length < len(self.counts) else context
        ratio: Floats = np.log(probability[:, 1]) - np.log(probability[:, 0])
        return np.rint(ratio / _STEP) * _STEP


@dataclass(frozen=True)
class NCleaner:
    """The extractor with the weights of a folder."""

    weights: Path = WEIGHTS

    def label(self, document: Document) -> Labels:
        """Segments, the ratio of their probabilities, and the texts of those that are clean."""
        segments = Segments.of(document)
        ratios = segment_ratios(segments, self.models)
        scores = np.zeros(len(document.leaves))
        scores[document.leaves.visible_text] = (1 / (1 + np.exp(-np.clip(ratios, -30, 30))))[segments.number]
        keep = np.zeros(len(document.leaves), dtype=np.bool_)
        keep[document.leaves.visible_text] = (ratios > 0)[segments.number]
        return from_text_scores(document, scores, keep=keep)

    @loaded
    def models(self) -> Models:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def segment_ratios(segments: Segments, models: Models) -> Floats:
    """For each segment, its end included: the log of its probability as clean text against that as dirty text."""
    total = np.zeros(len(segments.codes) + 1)
    models.log_ratio(segments.codes).cumsum(out=total[1:])
    at = total[segments.starts]
    return np.round(at[1:] - at[:-1], 6)


def load(where: Path) -> Models:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    weights.read_config(where)
    try:
        tensors = read_tensors(weights.read_weights(where, MODEL))
        counts = tuple(GramCounts(tensors[f"keys.{n}"], tensors[f"counts.{n}"].astype(np.uint32)) for n in _LENGTHS)
    except (SafetensorError, KeyError, ValueError) as error:
        raise WeightsError(f"the weights of {where} cannot be loaded: {error}") from error
    for table in counts:
        fits = table.keys.dtype == np.uint32 and table.keys.ndim == 1 and table.values.shape == (len(table.keys), 2)
        if not fits or not (table.keys[1:] > table.keys[:-1]).all():
            raise WeightsError(f"the n-grams of {where} do not fit together")
    return Models(counts)


_LENGTHS = range(1, ORDER + 1)

ncleaner = NCleaner()
