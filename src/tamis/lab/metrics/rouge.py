"""ROUGE-LSum, the score of Bevendorff et al. (2023), made fast enough for whole pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from tamis.lab.metrics.prf import PRF, prf
from tamis.lab.metrics.tokens import tokens

# Sentences end at a line break, after . ! ? before white space, and after their full-width forms.
_SENTENCE_END = re.compile(r"[\n\r\u2028\u2029]+|(?<=[.!?…])\s+|(?<=[。！？])")

# How many columns of the table of an alignment are in memory at once, besides one in so many.
_STRIDE = 1024

Sentence = tuple[str, ...]


def rouge_lsum(found: str, gold: str) -> PRF:
    """ROUGE-L of a whole text: Lin (2004), section 3.2, as the rouge-score package computes it.

    For each gold sentence the longest common subsequence with every sentence found is taken; the
    gold tokens that are in any of them (their union) are hits. As in ROUGE-1.5.5 a token is a hit
    at most as often as it was found. Of subsequences of the same length the one that rouge-score
    reads off its table is taken.

    Two things differ from rouge-score as Bevendorff et al. (2023) use it: tokens are those of
    `tokens`, and sentences end at line breaks and end marks, not where NLTK's English model says.

    The union is one of gold positions, so exchanging the texts does not exactly exchange
    precision and recall.
    """
    found_sentences, gold_sentences = sentences(found), sentences(gold)
    found_bag = Counter(token for sentence in found_sentences for token in sentence)
    candidates = _Candidates(found_sentences)
    covered: Counter[str] = Counter()
    for sentence, times in Counter(gold_sentences).items():
        masks = _masks(sentence)
        # What was found no oftener than it is covered already can be no further hit.
        wanted = [token for token in masks if covered[token] < found_bag[token]]
        union = candidates.union_lcs(sentence, masks, wanted)
        for token in wanted:
            covered[token] += times * (masks[token] & union).bit_count()
    return prf((covered & found_bag).total(), found_bag.total(), sum(map(len, gold_sentences)))


def sentences(text: str) -> list[Sentence]:
    """The tokens of each sentence of a text; sentences without tokens are left out."""
    parts = (tuple(tokens(part)) for part in _SENTENCE_END.split(text))
    return [part for part in parts if part]


class _Candidates:
    """The different sentences of one text, and which of them hold a token."""

    def __init__(self, found: Iterable[Sentence]) -> None:
        self.sentences = list(dict.fromkeys(found))
        self.known = set(self.sentences)
        self.holders: dict[str, list[int]] = {}
        for number, sentence in enumerate(self.sentences):
            for token in set(sentence):
                self.holders.setdefault(token, []).append(number)

    def union_lcs(self, sentence: Sentence, masks: dict[str, int], wanted: Iterable[str]) -> int:
        """The positions of `sentence` that its LCS with any candidate covers, as bits.

        The answer is complete for the tokens in `wanted`, and need not be for others. Candidates
        without a token that is wanted and not yet covered cannot change it; rare tokens go first,
        so most candidates are never aligned.
        """
        every = (1 << len(sentence)) - 1
        if sentence in self.known:
            return every
        covered = 0
        aligned: set[int] = set()
        for token in sorted(wanted, key=lambda token: len(self.holders[token])):
            for number in self.holders[token]:
                if not masks[token] & ~covered:
                    break
                if number in aligned:
                    continue
                aligned.add(number)
                candidate = self.sentences[number]
                # The quick look pays where a whole page stands in one line.
                if len(candidate) > _STRIDE and _is_subsequence(sentence, candidate):
                    return every
                covered |= lcs_positions(masks, len(sentence), candidate)
        return covered


def _masks(sentence: Sentence) -> dict[str, int]:
    """For each token the bits of the positions where it stands."""
    masks: dict[str, int] = {}
    for position, token in enumerate(sentence):
        masks[token] = masks.get(token, 0) | 1 << position
    return masks


def _is_subsequence(sentence: Sentence, candidate: Sentence) -> bool:
    rest = iter(candidate)
    return all(token in rest for token in sentence)  # each search goes on where the last one ended


def lcs_positions(masks: dict[str, int], length: int, candidate: Sentence) -> int:
    """The positions, as bits, of one longest common subsequence of a sentence with a candidate.

    The table of lengths T[i, j] is kept one column a candidate token, as bits that say where
    T[i, j] equals T[i - 1, j] (Hyyrö 2004). It is read back from its last cell as rouge-score
    does: a pair of equal tokens is taken at once, else the sentence's token is dropped unless
    that costs length. Tokens that are not in the sentence leave the column as it is, but drop
    the sentence's tokens; one such column does as well as a row of them.
    """
    every = (1 << length) - 1
    equals = [masks.get(token, 0) for token in candidate]
    columns = [equal for before, equal in pairwise([0, *equals]) if before or equal]
    blocks = [columns[start : start + _STRIDE] for start in range(0, len(columns), _STRIDE)]
    starts = [every]
    for block in blocks[:-1]:
        starts.append(_table(starts[-1], block, every)[-1])
    below, taken = every, 0  # the rows not yet read, the rows taken
    for start, block in zip(reversed(starts), reversed(blocks), strict=False):
        for same, equal in zip(reversed(_table(start, block, every)), reversed(block), strict=True):
            stops = (~same | equal) & below
            if not stops:
                return taken
            row = 1 << stops.bit_length() - 1
            if equal & row:
                taken |= row
                below = row - 1
            else:
                below = (row << 1) - 1
    return taken


def _table(start: int, block: list[int], every: int) -> list[int]:
    """The columns that follow `start`, one for each token of a block."""
    same, table = start, []
    for equal in block:
        common = same & equal
        same = ((same + common) | (same - common)) & every
        table.append(same)
    return table
