"""Why a paragraph is missing: each block of a page with its score, its role and the reasons."""

from tamis.explain.effects import Group
from tamis.explain.explanation import ExplainedBlock, Explanation, Reason, explain

__all__ = ["ExplainedBlock", "Explanation", "Group", "Reason", "explain"]
