"""Genre-Oriented Web Content Extraction with Deep Convolutional Neural Networks (Nguyen-Hoang et al.; PACLIC 2018)."""

from pathlib import Path

from tamis.registry import Entry, Family, Paper

_TITLE = (
    "Nguyen-Hoang et al., Genre-Oriented Web Content Extraction with Deep Convolutional Neural Networks and "
    "Statistical Methods, PACLIC 2018"
)
_MODULE = f"{__name__}.extractor"
HTML, PICTURES = (Path(__file__).parent / "weights" / kind for kind in ("html", "pictures"))

PAPER = Paper(
    (
        Entry(
            "goce",
            f"{_MODULE}:goce",
            "the genre by a picture, then an algorithm for it",
            _TITLE,
            PICTURES,
            draws=True,
            model="goce-pictures",
        ),
        Entry("goce-html", f"{_MODULE}:goce_html", "the genre by HTML, then an algorithm for it", _TITLE, HTML),
        Entry("goce-article", f"{_MODULE}:article", "the child with by far the most words", _TITLE),
        Entry("goce-list", f"{_MODULE}:list_view", "all elements of one class at one depth", _TITLE),
    ),
    Family.NODES,
    2018,
    recipes={
        "goce-html": f"{__name__}.html_training:RECIPE",
        "goce-pictures": f"{__name__}.picture_training:RECIPE",
    },
    tables=f"{__name__}.tables:reproduce",
)
