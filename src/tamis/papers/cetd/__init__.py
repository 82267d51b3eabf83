"""Content Extraction via Text Density (Sun, Song, Liao; SIGIR 2011)."""

from tamis.registry import Entry, Family, Paper

_TITLE = "Sun et al., DOM Based Content Extraction via Text Density, SIGIR 2011"
_MODULE = f"{__name__}.extractor"

PAPER = Paper(
    (
        Entry("cetd-ds", f"{_MODULE}:cetd_ds", "nodes by characters per tag, summed over children", _TITLE),
        Entry("cectd-s", f"{_MODULE}:cectd_s", "nodes by text density with links, smoothed", _TITLE),
        Entry("cectd-ds", f"{_MODULE}:cectd_ds", "nodes by text density with links, summed over children", _TITLE),
    ),
    Family.NODES,
    2011,
)
