"""Content extraction with hybrid text density (Song, Sun, Liao; 2015)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Song et al., A Hybrid Approach for Content Extraction with Text Density and Visual Importance, KAIS 2015"

PAPER = Paper(
    (Entry("cehtd-ds", f"{__name__}.extractor:cehtd_ds", "cectd-ds with text weighted by place and width", _TITLE),),
    Family.NODES,
    2015,
)
