"""Words/leafs ratio (Insa, Silva, Tamarit; 2013)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Insa et al., Using the Words/Leafs Ratio in the DOM Tree for Content Extraction, JLAP 2013"

PAPER = Paper(
    (Entry("wlr", f"{__name__}.extractor:words_leafs", "the node around most words in few leaves", _TITLE),),
    Family.NODES,
    2013,
)
