"""Web2Text: Deep Structured Boilerplate Removal (Vogels, Ganea, Eickhoff; ECIR 2018)."""

from pathlib import Path

from tamis.registry import Entry, Family, Paper

_TITLE = "Vogels et al., Web2Text: Deep Structured Boilerplate Removal, ECIR 2018"
_MODULE = f"{__name__}.extractor"
WEIGHTS = Path(__file__).parent / "weights"

PAPER = Paper(
    (
        Entry(
            "web2text", f"{_MODULE}:viterbi_decoded", "convolutions over DOM features, then Viterbi", _TITLE, WEIGHTS
        ),
        Entry(
            "web2text-unary",
            f"{_MODULE}:unary_only",
            "the same, each text by itself",
            _TITLE,
            WEIGHTS,
            model="web2text",
        ),
    ),
    Family.SEQUENCE,
    2018,
    recipes={"web2text": f"{__name__}.training:RECIPE"},
    tables=f"{__name__}.tables:reproduce",
)
