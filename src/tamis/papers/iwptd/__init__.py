"""Incremental web page template detection (Wang et al.; WWW 2008)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Wang et al., Incremental Web Page Template Detection, WWW 2008"

PAPER = Paper(
    (Entry("iwptd", f"{__name__}.extractor:iwptd", "blocks whose texts other pages do not repeat", _TITLE),),
    Family.SITE,
    2008,
)
