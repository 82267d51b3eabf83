"""Page-Level Main Content Extraction from Heterogeneous Webpages (Alarte, Silva; 2020)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Alarte, Silva, Page-Level Main Content Extraction from Heterogeneous Webpages, 2020"

PAPER = Paper(
    (Entry("r4", f"{__name__}.extractor:r4", "the DOM nodes farthest from the rest, with their media", _TITLE),),
    Family.NODES,
    2020,
    tables=f"{__name__}.tables:reproduce",
)
