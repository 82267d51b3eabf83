"""Content Code Blurring (Gottron; DEXA 2008)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Gottron, Content Code Blurring: A New Approach to Content Extraction, DEXA 2008"

PAPER = Paper(
    (
        Entry("ccb", f"{__name__}.extractor:ccb", "texts with little code around them", _TITLE),
        Entry("accb", f"{__name__}.extractor:accb", "texts with little code around them, links aside", _TITLE),
    ),
    Family.DENSITY,
    2008,
)
