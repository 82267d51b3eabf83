"""ConEx, the main branch of what is not in the template (Alarte et al.; WISE 2018)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Alarte et al., Main Content Extraction from Heterogeneous Webpages, WISE 2018"

PAPER = Paper(
    (Entry("conex", f"{__name__}.extractor:conex", "the main branch of what other pages do not have", _TITLE),),
    Family.SITE,
    2018,
)
