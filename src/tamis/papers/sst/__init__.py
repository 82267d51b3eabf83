"""The Site Style Tree (Yi, Liu, Li; KDD 2003)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Yi, Liu, Li, Eliminating Noisy Information in Web Pages for Data Mining, KDD 2003"

PAPER = Paper(
    (Entry("sst", f"{__name__}.extractor:sst", "what differs between pages in style or content", _TITLE),),
    Family.SITE,
    2003,
)
