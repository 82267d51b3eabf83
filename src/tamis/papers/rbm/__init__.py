"""RBM-TD, templates by a restricted bottom-up mapping (Vieira et al.; World Wide Web 2009)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Vieira et al., On Finding Templates on Web Collections, World Wide Web 12(2), 2009"

PAPER = Paper(
    (Entry("rbm", f"{__name__}.extractor:rbm", "what is in no subtree that all pages of the site share", _TITLE),),
    Family.SITE,
    2009,
)
