"""Boilerplate Removal using a Neural Sequence Labeling Model (Leonhardt, Anand, Khosla; WWW 2020 Companion)."""

from pathlib import Path

from tamis.registry import Entry, Family, Paper

_TITLE = "Leonhardt et al., Boilerplate Removal using a Neural Sequence Labeling Model, WWW 2020 Companion"
_MODULE = f"{__name__}.extractor"
FULL, SMALL = (Path(__file__).parent / "weights" / size for size in ("full", "small"))

PAPER = Paper(
    (
        Entry("boilernet", f"{_MODULE}:full", "LSTMs over the tags and words of each text", _TITLE, FULL),
        Entry("boilernet-small", f"{_MODULE}:small", "the same, small enough for a browser", _TITLE, SMALL),
    ),
    Family.SEQUENCE,
    2020,
    recipes={"boilernet": f"{__name__}.training:FULL", "boilernet-small": f"{__name__}.training:SMALL"},
    tables=f"{__name__}.tables:reproduce",
)
