"""Maximum Subsequence Segmentation (Pasternack, Roth; WWW 2009)."""

from pathlib import Path

TRIGRAMS, UNIGRAMS = (Path(__file__).parent / "weights" / kind for kind in ("trigrams", "unigrams"))
