"""Boilerplate Detection using Shallow Text Features (Kohlschütter, Fankhauser, Nejdl; WSDM 2010)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Kohlschütter et al., Boilerplate Detection using Shallow Text Features, WSDM 2010"


def _entry(name: str, location: str, summary: str) -> Entry:
    return Entry(name, f"{__name__}.{location}", summary, _TITLE)


PAPER = Paper(
    (
        _entry("min-words", "extractors:min_words", "blocks of at least 10 words"),
        _entry("boilerpipe-density", "extractors:density", "tree over text and link density (Algorithm 1)"),
        _entry("boilerpipe-words", "extractors:words", "tree over words and link density (Algorithm 2)"),
        _entry("boilerpipe-cleaneval", "extractors:cleaneval", "the one-line rule trained on CleanEval"),
        _entry("boilerpipe-largest", "extractors:largest", "Algorithm 2, then the largest stretch of content"),
        _entry("boilerpipe-article", "extractors:article", "the same between title and comments, for news"),
    ),
    Family.BLOCKS,
    2010,
    tables=f"{__name__}.tables:reproduce",
)
