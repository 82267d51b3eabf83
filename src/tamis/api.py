"""The one function most people need."""

from __future__ import annotations

from tamis import registry
from tamis.document import Document
from tamis.errors import OptionError
from tamis.page import Page
from tamis.protocol import Extractor, read_by
from tamis.render.options import HtmlOptions

# The score a leaf needs to stay, and the share of the score that it needs without either wish, which
# is the extractor's own decision and mostly one half. Chosen so that with boilerpipe's trees precision
# drops the leaves that are right less than 72 % of the time, and recall adds all text but link lists.
PRECISION_THRESHOLD = 0.72
RECALL_SHARE = 0.6


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    encoding: str | None = None,
    extractor: str | Extractor = registry.DEFAULT,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = False,
    include_links: bool = True,
    include_images: bool = True,
    include_tables: bool = True,
) -> Page:
    """Find the main content of a web page.

    `html` is the page as text or as bytes; for bytes `encoding` is the charset that the server
    named, if any. `url` makes links absolute. `extractor` is a name from `tamis.extractors()` or
    an object with a `label` method. `favor_precision` keeps only what is surely content,
    `favor_recall` also what may be, and `include_comments` also what readers said below it, if the
    extractor tells comments apart. The other `include_` options change how Markdown and HTML are
    written, never which text is kept.

    Raises PageTooLarge, UnknownExtractor and OptionError, all of them TamisError.
    """
    if not isinstance(html, str | bytes):
        raise OptionError(f"a page is str or bytes, not {type(html).__name__}")
    if favor_precision and favor_recall:
        raise OptionError("favor_precision and favor_recall exclude each other")
    chosen = registry.get(extractor) if isinstance(extractor, str) else extractor
    if isinstance(chosen, type) or not callable(getattr(chosen, "label", None)):
        raise OptionError(f"an extractor is a name or an object with a label method, not {extractor!r}")
    written = Document.from_html(html, url=url, charset_hint=encoding)
    document = read_by(chosen, written)
    labels = chosen.label(document)
    if len(labels.keep) != len(document.leaves):
        raise OptionError(f"{extractor!r} labels {len(labels.keep)} leaves of a page that has {len(document.leaves)}")
    if favor_precision:
        labels = labels.at(PRECISION_THRESHOLD, document)
    elif favor_recall:
        labels = labels.at(RECALL_SHARE * labels.threshold, document)
    if include_comments:
        labels = labels.with_comments(document)
    return Page(
        document=document,
        labels=labels,
        extractor=extractor if isinstance(extractor, str) else type(extractor).__name__,
        options=HtmlOptions(links=include_links, images=include_images, tables=include_tables),
        written=written,
    )
