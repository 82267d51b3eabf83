"""RTDM-TD, templates by a restricted top-down mapping (Vieira et al.; CIKM 2006)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Vieira et al., A Fast and Robust Method for Web Page Template Detection and Removal, CIKM 2006"

PAPER = Paper(
    (Entry("rtdm", f"{__name__}.extractor:rtdm", "what a top-down mapping finds on no other page", _TITLE),),
    Family.SITE,
    2006,
)
