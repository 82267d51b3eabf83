"""Pictures of the pages on which a picture network was most sure and wrong."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from html import escape
from importlib import import_module

from tamis.lab.reproduce.page import Section
from tamis.page_type import PageType
from tamis.papers.goce.picture_classifier import Pixels
from tamis.papers.goce.picture_training import Example

SHOWN = 6  # of each kind
_QUALITY = 80  # of the pictures in the page


def section(
    size: str, pictures: Sequence[Example], articles: Mapping[str, float], types: Mapping[str, PageType]
) -> Section:
    """The most confident mistakes of the network of this size, of either kind, as it saw them."""
    kinds = {
        "Articles taken for lists": [
            example for example in pictures if example.is_article and articles[example.name] < 0.5
        ],
        "Lists taken for articles": [
            example for example in pictures if not example.is_article and articles[example.name] >= 0.5
        ],
    }
    chart = ""
    for title, wrong in kinds.items():
        surest = sorted(wrong, key=lambda example: -abs(articles[example.name] - 0.5))[:SHOWN]
        shown = "".join(_figure(example, types[example.name], articles[example.name]) for example in surest)
        chart += f"<h3>{escape(title)}: {len(wrong)}</h3>{shown}"
    return Section(
        "Typical errors",
        f"The pages on which the network on pictures ({size}) was most sure and wrong, as it saw them: drawn without "
        "external style sheets and images, without scripts, and shrunk. Page, true type, and its probability of being "
        "an article.",
        chart=chart,
    )


def _figure(example: Example, kind: PageType, article: float) -> str:
    caption = f"{example.name}, {kind}, {article:.3f}"
    return (
        "<figure style='display:inline-block;vertical-align:top;margin:0.5rem;width:150px'>"
        f"<img width=150 style='border:1px solid #bbb' alt='' src='{_data_uri(example.pixels)}'>"
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _data_uri(pixels: Pixels) -> str:
    written = io.BytesIO()
    import_module("PIL.Image").fromarray(pixels).save(written, "WEBP", quality=_QUALITY)
    return f"data:image/webp;base64,{base64.b64encode(written.getvalue()).decode()}"
