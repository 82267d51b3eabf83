"""Link Quota Filter (Mantratzis, Orgun, Cassidy; Hypertext 2005)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Mantratzis et al., Separating XHTML Content from Navigation Clutter, Hypertext 2005"

PAPER = Paper(
    (Entry("lqf", f"{__name__}.extractor:lqf", "all but blocks that are mostly links", _TITLE),),
    Family.DENSITY,
    2005,
)
