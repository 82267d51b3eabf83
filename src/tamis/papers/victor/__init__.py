"""Victor: the Web-Page Cleaning Tool (Spousta, Marek, Pecina; WAC4 2008)."""

from pathlib import Path

from tamis.registry import Entry, Family, Paper

_TITLE = "Spousta et al., Victor: the Web-Page Cleaning Tool, WAC4 2008"
WEIGHTS = Path(__file__).parent / "weights"

PAPER = Paper(
    (Entry("crf", f"{__name__}.extractor:victor", "a conditional random field over blocks", _TITLE, WEIGHTS),),
    Family.SEQUENCE,
    2008,
    recipes={"crf": f"{__name__}.training:RECIPE"},
)
