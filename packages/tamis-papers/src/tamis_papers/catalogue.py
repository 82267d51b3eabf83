"""Which published extractors there are, by what each decides, and where its code is.

The product finds this table by the entry point `tamis.extractors`. A new paper is a module or a folder here, and its
rows. Modules are imported on first use.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from tamis.registry import Entry

_HERE = Path(__file__).parent


class Family(StrEnum):
    """What a published method decides by."""

    DENSITY = "text, tags and links along the source"
    NODES = "nodes of the tree"
    BLOCKS = "features of each block"
    SEQUENCE = "blocks in their sequence"
    SITE = "other pages of the site"


class Method(NamedTuple):
    """One extractor of a paper."""

    name: str
    location: str  # module:attribute in this package
    summary: str
    weights: str = ""  # the folder of its weights in this package, if it was trained
    model: str = ""  # that its weights are of, if it has another name
    draws: bool = False  # does it render pages in a browser?


def _paper_entries(title: str, family: Family, year: int, *methods: Method) -> Iterator[Entry]:
    """An entry for each extractor of a paper."""
    for method in methods:
        yield Entry(
            method.name,
            f"{__package__}.{method.location}",
            method.summary,
            title,
            weights=_HERE / method.weights if method.weights else None,
            draws=method.draws,
            model=method.model,
            family=family,
            year=year,
            learns_sites=family is Family.SITE,
        )


# By family, the oldest paper first.
EXTRACTORS = (
    *_paper_entries(
        "Finn et al., Fact or Fiction: Content Classification for Digital Libraries, DELOS 2001",
        Family.DENSITY,
        2001,
        Method("bte", "bte:body_text", "the stretch with most words for its tags"),
    ),
    *_paper_entries(
        "Pinto et al., QuASM: A System for Question Answering Using Semi-Structured Data, JCDL 2002",
        Family.DENSITY,
        2002,
        Method("dsc", "dsc:dsc", "sections where the curve of tags is flat"),
    ),
    *_paper_entries(
        "Mantratzis et al., Separating XHTML Content from Navigation Clutter, Hypertext 2005",
        Family.DENSITY,
        2005,
        Method("lqf", "lqf:lqf", "all but blocks that are mostly links"),
    ),
    *_paper_entries(
        "Gottron, Content Code Blurring: A New Approach to Content Extraction, DEXA 2008",
        Family.DENSITY,
        2008,
        Method("ccb", "ccb:ccb", "texts with little code around them"),
        Method("accb", "ccb:accb", "texts with little code around them, links aside"),
    ),
    *_paper_entries(
        "Weninger et al., CETR: Content Extraction via Tag Ratios, WWW 2010",
        Family.DENSITY,
        2010,
        Method("cetr", "cetr:cetr", "lines with many characters per tag, by clustering"),
        Method("cetr-threshold", "cetr:cetr_threshold", "lines with many characters per tag, by a threshold"),
    ),
    *_paper_entries(
        "Sun et al., DOM Based Content Extraction via Text Density, SIGIR 2011",
        Family.NODES,
        2011,
        Method("cetd-ds", "cetd:cetd_ds", "nodes by characters per tag, summed over children"),
        Method("cectd-s", "cetd:cectd_s", "nodes by text density with links, smoothed"),
        Method("cectd-ds", "cetd:cectd_ds", "nodes by text density with links, summed over children"),
    ),
    *_paper_entries(
        "Insa et al., Using the Words/Leafs Ratio in the DOM Tree for Content Extraction, JLAP 2013",
        Family.NODES,
        2013,
        Method("wlr", "wlr:words_leafs", "the node around most words in few leaves"),
    ),
    *_paper_entries(
        "Song et al., A Hybrid Approach for Content Extraction with Text Density and Visual Importance, KAIS 2015",
        Family.NODES,
        2015,
        Method("cehtd-ds", "cetd:cehtd_ds", "cectd-ds with text weighted by place and width"),
    ),
    *_paper_entries(
        "Nguyen-Hoang et al., Genre-Oriented Web Content Extraction with Deep Convolutional Neural Networks and "
        "Statistical Methods, PACLIC 2018",
        Family.NODES,
        2018,
        Method(
            "goce",
            "goce.extractor:goce",
            "the genre by a picture, then an algorithm for it",
            weights="goce/weights/pictures",
            model="goce-pictures",
            draws=True,
        ),
        Method(
            "goce-html",
            "goce.extractor:goce_html",
            "the genre by HTML, then an algorithm for it",
            weights="goce/weights/html",
        ),
        Method("goce-article", "goce.extractor:article", "the child with by far the most words"),
        Method("goce-list", "goce.extractor:list_view", "all elements of one class at one depth"),
    ),
    *_paper_entries(
        "Alarte, Silva, Page-Level Main Content Extraction from Heterogeneous Webpages, 2020",
        Family.NODES,
        2020,
        Method("r4", "r4.extractor:r4", "the DOM nodes farthest from the rest, with their media"),
    ),
    *_paper_entries(
        "Debnath et al., Automatic Extraction of Informative Blocks from Webpages, SAC 2005",
        Family.BLOCKS,
        2005,
        Method("fe", "fe:fe", "the one block that is most purely text"),
    ),
    *_paper_entries(
        "Debnath et al., Identifying Content Blocks from Web Documents, ISMIS 2005",
        Family.BLOCKS,
        2005,
        Method("k-fe", "fe:k_fe", "the blocks whose features are like those of the best one"),
    ),
    *_paper_entries(
        "Evert, A Lightweight and Efficient Tool for Cleaning Web Pages, LREC 2008",
        Family.BLOCKS,
        2008,
        Method(
            "ncleaner",
            "ncleaner.extractor:ncleaner",
            "character n-grams of clean and dirty text",
            weights="ncleaner/weights",
        ),
    ),
    *_paper_entries(
        "Kohlschütter et al., Boilerplate Detection using Shallow Text Features, WSDM 2010",
        Family.BLOCKS,
        2010,
        Method("min-words", "boilerpipe.extractors:min_words", "blocks of at least 10 words"),
        Method("boilerpipe-density", "boilerpipe.extractors:density", "tree over text and link density (Algorithm 1)"),
        Method("boilerpipe-words", "boilerpipe.extractors:words", "tree over words and link density (Algorithm 2)"),
        Method("boilerpipe-cleaneval", "boilerpipe.extractors:cleaneval", "the one-line rule trained on CleanEval"),
        Method(
            "boilerpipe-largest", "boilerpipe.extractors:largest", "Algorithm 2, then the largest stretch of content"
        ),
        Method("boilerpipe-article", "boilerpipe.extractors:article", "the same between title and comments, for news"),
    ),
    *_paper_entries(
        "Spousta et al., Victor: the Web-Page Cleaning Tool, WAC4 2008",
        Family.SEQUENCE,
        2008,
        Method("crf", "victor.extractor:victor", "a conditional random field over blocks", weights="victor/weights"),
    ),
    *_paper_entries(
        "Pasternack and Roth, Extracting Article Text from the Web with Maximum Subsequence Segmentation, WWW 2009",
        Family.SEQUENCE,
        2009,
        Method(
            "mss",
            "mss.extractor:trigrams",
            "the stretch of tokens that trigrams of articles speak for most",
            weights="mss/weights/trigrams",
        ),
        Method(
            "mss-unigram",
            "mss.extractor:unigrams",
            "the same by single tokens, learned from CleanEval",
            weights="mss/weights/unigrams",
        ),
        Method("mss-baseline", "mss.extractor:baseline", "the same with fixed values for words and tags"),
    ),
    *_paper_entries(
        "Vogels et al., Web2Text: Deep Structured Boilerplate Removal, ECIR 2018",
        Family.SEQUENCE,
        2018,
        Method(
            "web2text",
            "web2text.extractor:viterbi_decoded",
            "convolutions over DOM features, then Viterbi",
            weights="web2text/weights",
        ),
        Method(
            "web2text-unary",
            "web2text.extractor:unary_only",
            "the same, each text by itself",
            weights="web2text/weights",
            model="web2text",
        ),
    ),
    *_paper_entries(
        "Leonhardt et al., Boilerplate Removal using a Neural Sequence Labeling Model, WWW 2020 Companion",
        Family.SEQUENCE,
        2020,
        Method(
            "boilernet",
            "boilernet.extractor:full",
            "LSTMs over the tags and words of each text",
            weights="boilernet/weights/full",
        ),
        Method(
            "boilernet-small",
            "boilernet.extractor:small",
            "the same, small enough for a browser",
            weights="boilernet/weights/small",
        ),
    ),
    *_paper_entries(
        "Yi, Liu, Li, Eliminating Noisy Information in Web Pages for Data Mining, KDD 2003",
        Family.SITE,
        2003,
        Method("sst", "sst:sst", "what differs between pages in style or content"),
    ),
    *_paper_entries(
        "Vieira et al., A Fast and Robust Method for Web Page Template Detection and Removal, CIKM 2006",
        Family.SITE,
        2006,
        Method("rtdm", "rtdm:rtdm", "what a top-down mapping finds on no other page"),
    ),
    *_paper_entries(
        "Wang et al., Incremental Web Page Template Detection, WWW 2008",
        Family.SITE,
        2008,
        Method("iwptd", "iwptd:iwptd", "blocks whose texts other pages do not repeat"),
    ),
    *_paper_entries(
        "Vieira et al., On Finding Templates on Web Collections, World Wide Web 12(2), 2009",
        Family.SITE,
        2009,
        Method("rbm", "rtdm:rbm", "what is in no subtree that all pages of the site share"),
    ),
    *_paper_entries(
        "Alarte et al., Site-Level Web Template Extraction Based on DOM Analysis, PSI 2015",
        Family.SITE,
        2015,
        Method("temex", "temex:temex", "what pages that link to each other do not share"),
    ),
    *_paper_entries(
        "Alarte et al., Main Content Extraction from Heterogeneous Webpages, WISE 2018",
        Family.SITE,
        2018,
        Method("conex", "temex:conex", "the main branch of what other pages do not have"),
    ),
)
