"""Scores that compare an extraction with the gold.

texts       bags of words, longest common subsequence, cosine
leaves      labels and scores of leaves
snippets    short texts that must or must not be there
statistics  figures about the scores of many pages
"""

from tamis_lab.metrics.leaves import LeafScores, leaf_scores
from tamis_lab.metrics.prf import PRF, prf
from tamis_lab.metrics.snippets import SnippetScores, snippets
from tamis_lab.metrics.texts import cosine, lcs, token_bag
from tamis_lab.metrics.tokens import tokens

__all__ = [
    "PRF",
    "LeafScores",
    "SnippetScores",
    "cosine",
    "lcs",
    "leaf_scores",
    "prf",
    "snippets",
    "token_bag",
    "tokens",
]
