"""Pictures of the pages on which a picture network was most confident and wrong."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from html import escape

from tamis.page_type import PageType
from tamis_lab.papers.goce.picture_training import Example
from tamis_lab.reproduce.page import Section
from tamis_papers.goce.picture_classifier import pillow

SHOWN = 6  # of each kind
_QUALITY = 80  # of the pictures in the page


def section(
    size: str, pictures: Sequence[Example], articles: Mapping[str, float], types: Mapping[str, PageType]
) -> Section:
    """The most confident errors of the network of this size, of either kind, each with the picture it was given."""
    wrong = [example for example in pictures if example.is_article != (articles[example.name] >= 0.5)]
    chart = ""
    for title, is_article in (("Articles taken for lists", True), ("Lists taken for articles", False)):
        kind = [example for example in wrong if example.is_article is is_article]
        surest = sorted(kind, key=lambda example: -abs(articles[example.name] - 0.5))[:SHOWN]
        shown = "".join(_figure(example, types[example.name], articles[example.name]) for example in surest)
        chart += f"<h3>{title}: {len(kind)}</h3>{shown}"
    return Section(
        "Typical errors",
        f"The pages on which the network on pictures ({size}) was most sure and wrong, as it saw them: drawn without "
        "external style sheets and images, without scripts, and shrunk. Page, true type, and its probability of being "
        "an article.",
        chart=chart,
    )


def _figure(example: Example, kind: PageType, article: float) -> str:
    file = io.BytesIO()
    pillow().fromarray(example.pixels).save(file, "WEBP", quality=_QUALITY)
    data = base64.b64encode(file.getvalue()).decode()
    return (
        "<figure style='display:inline-block;vertical-align:top;margin:0.5rem;width:150px'>"
        f"<img width=150 style='border:1px solid #bbb' alt='' src='data:image/webp;base64,{data}'>"
        f"<figcaption>{escape(f'{example.name}, {kind}, {article:.3f}')}</figcaption></figure>"
    )
