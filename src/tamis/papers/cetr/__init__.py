"""Content Extraction via Tag Ratios (Weninger, Hsu, Han; WWW 2010)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Weninger et al., CETR: Content Extraction via Tag Ratios, WWW 2010"

PAPER = Paper(
    (
        Entry("cetr", f"{__name__}.extractor:cetr", "lines with many characters per tag, by clustering", _TITLE),
        Entry(
            "cetr-threshold",
            f"{__name__}.extractor:cetr_threshold",
            "lines with many characters per tag, by a threshold",
            _TITLE,
        ),
    ),
    Family.DENSITY,
    2010,
)
