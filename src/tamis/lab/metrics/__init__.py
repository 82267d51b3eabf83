"""How far what an extractor kept is from the gold: pure functions, one definition each.

texts      bags of words, longest common subsequence, cosine, CleanEval's edit distance
rouge      ROUGE-LSum
leaves     labels and scores of leaves, sets of nodes
snippets   short texts that must or must not be there
"""

from tamis.lab.metrics.leaves import LeafScores, leaf_scores, node_scores, roc_auc, word_scores
from tamis.lab.metrics.prf import PRF, prf
from tamis.lab.metrics.rouge import rouge_lsum
from tamis.lab.metrics.snippets import SnippetScores, snippets
from tamis.lab.metrics.texts import cleaneval_score, cosine, lcs, token_bag
from tamis.lab.metrics.tokens import tokens

__all__ = [
    "PRF",
    "LeafScores",
    "SnippetScores",
    "cleaneval_score",
    "cosine",
    "lcs",
    "leaf_scores",
    "node_scores",
    "prf",
    "roc_auc",
    "rouge_lsum",
    "snippets",
    "token_bag",
    "tokens",
    "word_scores",
]
