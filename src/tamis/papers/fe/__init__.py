"""FeatureExtractor and K-FeatureExtractor (Debnath, Mitra, Giles; 2005)."""

from tamis.registry import Entry, Family, Paper

_FE = "Debnath et al., Automatic Extraction of Informative Blocks from Webpages, SAC 2005"
_K_FE = "Debnath et al., Identifying Content Blocks from Web Documents, ISMIS 2005"

PAPER = Paper(
    (
        Entry("fe", f"{__name__}.extractor:fe", "the one block that is most purely text", _FE),
        Entry("k-fe", f"{__name__}.extractor:k_fe", "the blocks whose features are like those of the best one", _K_FE),
    ),
    Family.BLOCKS,
    2005,
)
