"""Document Slope Curves (Pinto et al.: QuASM; JCDL 2002)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Pinto et al., QuASM: A System for Question Answering Using Semi-Structured Data, JCDL 2002"

PAPER = Paper(
    (Entry("dsc", f"{__name__}.extractor:dsc", "sections where the curve of tags is flat", _TITLE),),
    Family.DENSITY,
    2002,
)
