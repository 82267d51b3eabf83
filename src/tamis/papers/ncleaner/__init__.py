"""NCleaner: A Lightweight and Efficient Tool for Cleaning Web Pages (Evert; LREC 2008)."""

from pathlib import Path

from tamis.registry import Entry, Family, Paper

_TITLE = "Evert, A Lightweight and Efficient Tool for Cleaning Web Pages, LREC 2008"
WEIGHTS = Path(__file__).parent / "weights"

PAPER = Paper(
    (
        Entry(
            "ncleaner", f"{__name__}.extractor:ncleaner", "character n-grams of clean and dirty text", _TITLE, WEIGHTS
        ),
    ),
    Family.BLOCKS,
    2008,
    recipes={"ncleaner": f"{__name__}.training:RECIPE"},
)
