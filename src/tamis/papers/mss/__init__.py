"""Maximum Subsequence Segmentation (Pasternack, Roth; WWW 2009)."""

from pathlib import Path

from tamis.registry import Entry, Family, Paper

_TITLE = "Pasternack and Roth, Extracting Article Text from the Web with Maximum Subsequence Segmentation, WWW 2009"
TRIGRAMS, UNIGRAMS = (Path(__file__).parent / "weights" / kind for kind in ("trigrams", "unigrams"))

PAPER = Paper(
    (
        Entry(
            "mss",
            f"{__name__}.extractor:trigrams",
            "the stretch of tokens that trigrams of articles speak for most",
            _TITLE,
            TRIGRAMS,
        ),
        Entry(
            "mss-unigram",
            f"{__name__}.extractor:unigrams",
            "the same by single tokens, learned from CleanEval",
            _TITLE,
            UNIGRAMS,
        ),
        Entry(
            "mss-baseline", f"{__name__}.extractor:baseline", "the same with fixed values for words and tags", _TITLE
        ),
    ),
    Family.SEQUENCE,
    2009,
    recipes={"mss": f"{__name__}.training:RECIPE", "mss-unigram": f"{__name__}.training:UNIGRAM_RECIPE"},
)
