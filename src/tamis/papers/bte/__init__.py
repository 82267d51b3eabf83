"""Body Text Extraction (Finn, Kushmerick, Smyth; DELOS 2001)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Finn et al., Fact or Fiction: Content Classification for Digital Libraries, DELOS 2001"

PAPER = Paper(
    (Entry("bte", f"{__name__}.extractor:body_text", "the stretch with most words for its tags", _TITLE),),
    Family.DENSITY,
    2001,
)
