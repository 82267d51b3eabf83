"""TemEx, templates by an equal top-down mapping with linked pages (Alarte et al.; PSI 2015)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Alarte et al., Site-Level Web Template Extraction Based on DOM Analysis, PSI 2015"

PAPER = Paper(
    (Entry("temex", f"{__name__}.extractor:temex", "what pages that link to each other do not share", _TITLE),),
    Family.SITE,
    2015,
)
